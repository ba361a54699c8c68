/*
 * An address from a QR code, using the browser's own reader (the Shape Detection API) and a camera, with permission.
 * Only loaded in browsers with such a reader. A scanned text is read, checked and confirmed as if it had been pasted.
 */
import {css, html} from 'lit';
import {property, state} from 'lit/decorators.js';
import type {AddressName} from '../../domain/draft.js';
import {register} from '../base/swap-element.js';
import {LatePart} from '../base/words.js';
import {sign} from '../icons/icons.js';
import {signs} from '../icons/signs.js';
import {base, frame} from '../style/styles.js';

/** The browser's barcode reader, which is missing in TypeScript's types. */
type DetectorClass = (new (options: {formats: readonly string[]}) => {
  detect(source: HTMLVideoElement): Promise<readonly {readonly rawValue: string}[]>;
}) & {
  getSupportedFormats(): Promise<readonly string[]>;
};

const FORMAT = 'qr_code';
/** The pause between two readings of the picture, in milliseconds. */
const LOOK_AGAIN = 150;
/** Longer than any payment link. */
const LONGEST = 500;

/** Whether this browser can read QR codes and may have a camera. */
async function canScan(): Promise<boolean> {
  const {BarcodeDetector: reader} = globalThis as {BarcodeDetector?: DetectorClass};
  // Insecure contexts have no cameras.
  const {mediaDevices} = navigator as Partial<Navigator>;
  return Boolean(mediaDevices && (await reader?.getSupportedFormats())?.includes(FORMAT));
}

/**
 * A button that reads an address from a QR code, and the camera's picture while it does.
 *
 * @tag swap-widget-scan
 */
export class Scan extends LatePart {
  static override styles = [
    base,
    frame,
    css`
      .chip {
        min-inline-size: 1.5rem;
        justify-content: center;
      }
      dialog.frame {
        max-inline-size: min(24rem, 100vw - 2rem);
        block-size: fit-content;
        min-block-size: 0;
        margin: auto;
        color: var(--_ink);
      }
      dialog.frame:not([open]) {
        display: none;
      }
      video {
        inline-size: 100%;
        aspect-ratio: 1;
        object-fit: cover;
        border-radius: var(--_radius-control);
        background: #000;
      }
      .body {
        gap: calc(var(--_u) * 3);
        padding-block-end: calc(var(--_u) * 6);
      }
    `,
  ];

  @property({attribute: false}) field: AddressName = 'recipient';

  @state() private hasFailed = false;

  /** The camera in use, until it is aborted. */
  #camera?: AbortController | undefined;

  override connectedCallback() {
    super.connectedCallback();
    canScan().then(
      can => (this.hidden = !can),
      () => undefined,
    );
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.#stop();
  }

  override render() {
    const {t} = this;
    return html`<button class="chip" type="button" aria-label=${t.scanAddress} @click=${this.#scan}>
        ${sign(CODE, 's')}
      </button>
      <dialog class="frame" aria-labelledby="title" @close=${this.#onClose}>
        <header class="head">
          <h2 id="title">${t.scanAddress}</h2>
          <button class="ghost" type="button" aria-label=${t.close} @click=${this.#close}>${sign(signs.close)}</button>
        </header>
        <div class="body">
          <video muted playsinline aria-hidden="true" ?hidden=${this.hasFailed}></video>
          <p role="status">${this.hasFailed ? t.scanFailed : t.scanHint}</p>
        </div>
      </dialog>`;
  }

  async #scan() {
    this.#stop();
    this.hasFailed = false;
    const {signal} = (this.#camera = new AbortController());
    this.#dialog?.showModal();
    try {
      const text = await read(this.renderRoot.querySelector('video'), signal);
      this.#close();
      this.session.edit({[this.field]: text});
    } catch {
      this.hasFailed = !signal.aborted;
    }
  }

  get #dialog() {
    return this.renderRoot.querySelector('dialog');
  }

  /** Releases the camera, also if it is still being requested. */
  #stop() {
    this.#camera?.abort();
    this.#camera = undefined;
  }

  #close() {
    this.#dialog?.close();
    this.#stop();
  }

  /** The event fires after closing: the dialog may be open again by then. */
  #onClose() {
    if (!this.#dialog?.open) this.#stop();
  }
}

/** The corners of a QR code, and something in it. */
const CODE = 'M3.5 7V3.5H7M13 3.5h3.5V7M16.5 13v3.5H13M7 16.5H3.5V13M7 7h2.5v2.5H7zM13 7v.01M13 13v.01M10.5 13H7';

/** Reads the first code that a camera sees. The camera is off once that succeeds, fails, or is aborted. */
async function read(video: HTMLVideoElement | null, signal: AbortSignal): Promise<string> {
  const {BarcodeDetector: Reader} = globalThis as {BarcodeDetector?: DetectorClass};
  if (!video || !Reader) throw new Error('There is nothing to read with.');
  const stream = await navigator.mediaDevices.getUserMedia({video: {facingMode: 'environment'}});
  const stop = () => {
    for (const track of stream.getTracks()) track.stop();
    // It may show the next stream already, if the scanner was opened again at once.
    if (video.srcObject === stream) video.srcObject = null;
  };
  signal.addEventListener('abort', stop);
  try {
    signal.throwIfAborted();
    video.srcObject = stream;
    // A video that does not start can still be waited for, or left.
    video.play().catch(() => undefined);
    const reader = new Reader({formats: [FORMAT]});
    for (;;) {
      const [code] = video.readyState >= video.HAVE_CURRENT_DATA ? await reader.detect(video) : [];
      signal.throwIfAborted();
      if (code?.rawValue) return code.rawValue.slice(0, LONGEST);
      await new Promise(resolve => setTimeout(resolve, LOOK_AGAIN));
      signal.throwIfAborted();
    }
  } finally {
    stop();
  }
}

register({'swap-widget-scan': Scan});
