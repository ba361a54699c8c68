/** Reading an address from a QR code, with a reader and a camera that the test controls. */
import {expect} from '@open-wc/testing';
import '../../src/elements/form/scan.js';
import {waitUntil} from '../support/page.js';
import {open} from '../support/show.js';
import {RECIPIENT, STATES} from '../support/states.js';

const {mediaDevices} = navigator;
let painting: ReturnType<typeof setInterval> | undefined;

/** What the reader finds in the next frames, and whether the browser allows a camera. */
function equip({finds = [] as string[], allows = true, formats = ['qr_code']} = {}) {
  const tracks: MediaStreamTrack[] = [];
  const canvas = document.createElement('canvas');
  // Without a change there is no frame.
  painting = setInterval(() => canvas.getContext('2d')?.fillRect(0, 0, Math.random() * 100, 10), 20);
  Object.assign(globalThis, {
    BarcodeDetector: class {
      static getSupportedFormats(): Promise<readonly string[]> {
        return Promise.resolve(formats);
      }

      detect = () => Promise.resolve(finds.splice(0, 1).flatMap(rawValue => (rawValue ? [{rawValue}] : [])));
    },
  });
  const camera = {
    getUserMedia() {
      if (!allows) return Promise.reject(new DOMException('No.', 'NotAllowedError'));
      const stream = canvas.captureStream(30);
      tracks.push(...stream.getTracks());
      return Promise.resolve(stream);
    },
  };
  Object.defineProperty(navigator, 'mediaDevices', {configurable: true, value: camera});
  return {tracks, finds};
}

async function openForm() {
  const shown = await open({style: '--swap-speed: 0'});
  STATES['form-quoted']?.(shown.session);
  await shown.page.settled();
  return shown;
}

describe('The scanner of an address', () => {
  afterEach(() => {
    clearInterval(painting);
    Reflect.deleteProperty(globalThis, 'BarcodeDetector');
    Object.defineProperty(navigator, 'mediaDevices', {configurable: true, value: mediaDevices});
  });

  it('is not offered if the browser cannot read QR codes', async () => {
    equip({formats: ['ean_13']});
    const {page} = await openForm();
    expect(page.find('swap-widget-scan')?.hidden).to.equal(true);
  });

  it('passes its result to the field as if it were pasted, and turns the camera off', async () => {
    const {tracks, finds} = equip();
    const {page, session} = await openForm();
    await page.press('Scan a QR code');
    await waitUntil(() => tracks.length, 'the camera was never asked for');
    expect(page.text).to.include('Hold the address’s QR code up to the camera.');
    await expect(page.widget).to.be.accessible();
    const link = `ethereum:${RECIPIENT}@84532`;
    finds.push('', link);
    await waitUntil(() => tracks.every(({readyState}) => readyState === 'ended'), 'the camera is still on');
    expect(session.calls.filter(([name]) => name === 'edit').at(-1)).to.deep.equal(['edit', {recipient: link}]);
    expect(page.find<HTMLDialogElement>('swap-widget-scan')?.shadowRoot?.querySelector('dialog')?.open).to.equal(false);
  });

  it('turns the camera off when it is closed, and when the widget is removed', async () => {
    const {tracks} = equip();
    const {page} = await openForm();
    for (const leave of [() => page.press('Close'), () => Promise.resolve(page.widget.remove())]) {
      await page.press('Scan a QR code');
      const video = () => page.find('swap-widget-scan')?.shadowRoot?.querySelector('video');
      await waitUntil(() => video()?.srcObject, 'the camera was never on');
      await leave();
      await waitUntil(() => tracks.every(({readyState}) => readyState === 'ended'), 'the camera is still on');
    }
    expect(tracks).to.have.length(2);
  });

  it('can be opened again right after it was closed', async () => {
    const {tracks} = equip();
    const {page} = await openForm();
    const scan = page.find('swap-widget-scan')!.shadowRoot!;
    const dialog = scan.querySelector('dialog')!;
    const press = (selector: string) => {
      scan.querySelector<HTMLButtonElement>(selector)!.click();
    };
    press('.chip');
    // The browser emits the close event only after it is open again.
    const closed = new Promise(resolve => dialog.addEventListener('close', resolve, {once: true}));
    press('.head button');
    press('.chip');
    await closed;
    await waitUntil(() => scan.querySelector('video')?.srcObject, 'the camera was never on');
    expect(tracks.map(({readyState}) => readyState)).to.deep.equal(['ended', 'live']);
  });

  it('shows the picture of its second camera, although the reading of the first one ends later', async () => {
    const {tracks} = equip();
    const {page} = await openForm();
    const scan = page.find('swap-widget-scan')!.shadowRoot!;
    const picture = () => scan.querySelector('video')?.srcObject as MediaStream | null;
    scan.querySelector<HTMLButtonElement>('.chip')!.click();
    await waitUntil(picture, 'the camera was never on');
    scan.querySelector<HTMLButtonElement>('.head button')!.click();
    scan.querySelector<HTMLButtonElement>('.chip')!.click();
    await waitUntil(() => tracks.length === 2, 'the second camera was never asked for');
    await new Promise(resolve => setTimeout(resolve, 500));
    expect(picture()?.getTracks()).to.deep.equal(tracks.slice(1));
  });

  it('explains what to do if the person or the page allows no camera', async () => {
    equip({allows: false});
    const {page} = await openForm();
    await page.press('Scan a QR code');
    await waitUntil(() => page.text.includes('The camera can’t be used.'), 'it was never said');
    await expect(page.widget).to.be.accessible();
  });
});
