import {expect} from '@open-wc/testing';
import {writeSwaps} from '../../src/session/order/exchange.js';
import type {JournalEntry} from '../../src/session/order/journal.js';
import {change} from '../../src/session/shared.js';
import type {FakeSessionWidget} from '../support/fake-session.js';
import {waitUntil, type WidgetPage} from '../support/page.js';
import {show} from '../support/show.js';
import {entriesIn} from '../support/shown.js';
import {DEPOSIT_ADDRESS, STATES} from '../support/states.js';
import {createFakeSession} from '../support/fake-session.js';

/** Passes a file to the list, as a person does with the browser's file dialog. */
async function importFile(page: WidgetPage, text: string) {
  const input = page.find<HTMLInputElement>('input[type=file]')!;
  const files = new DataTransfer();
  files.items.add(new File([text], 'swaps.json', {type: 'application/json'}));
  input.files = files.files;
  input.dispatchEvent(new Event('change'));
  await waitUntil(() => /you can view|no swaps we can read/.test(page.text), 'the file was never read');
  await page.settled();
}

/** Presses a button of the list, and returns the file that it saves. */
async function fileOf(page: WidgetPage, label: string): Promise<File> {
  const files: Blob[] = [];
  const names: string[] = [];
  const {createObjectURL} = URL;
  const {click} = HTMLAnchorElement.prototype;
  URL.createObjectURL = file => {
    files.push(file as Blob);
    return 'about:blank';
  };
  HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
    names.push(this.download);
  };
  try {
    await page.press(label);
  } finally {
    URL.createObjectURL = createObjectURL;
    HTMLAnchorElement.prototype.click = click;
  }
  return new File(files, names.join(), {type: files[0]?.type ?? ''});
}

/** The file of a browser with one swap that waits for a payment to an address, and some that ended. */
function aFile(): string {
  const session = createFakeSession();
  STATES['deposit-address']?.(session);
  const waiting = entriesIn(session);
  STATES['journal']?.(session);
  return writeSwaps([...waiting, ...entriesIn(session).slice(1)], 'https://service.example');
}

describe('The list of swaps as a file', () => {
  it('has all swaps, amounts as decimal text, and nothing that could pay', async () => {
    const page = await show('journal');
    const text = await (await fileOf(page, 'Export all')).text();
    const {swaps, service} = JSON.parse(text) as {swaps: Record<string, unknown>[]; service: string};
    expect(service).to.equal('https://service.example');
    expect(swaps.length).to.equal(5);
    expect(swaps[1]).to.deep.include({amount: '120', receive: '0.00181', stage: 'awaiting-deposit'});
    expect(aFile()).not.to.include(DEPOSIT_ADDRESS);
    expect(text).not.to.match(/payload|calldata|secret|typedData|0x97ffc7ae/i);
  });

  it('is also available as a table for spreadsheets', async () => {
    const page = await show('journal');
    const file = await fileOf(page, 'Export as a table');
    expect([file.name, file.type]).to.deep.equal(['swaps.csv', 'text/csv']);
    expect((await file.text()).split('\r\n')).to.have.length(7);
    await expect(page.widget).to.be.accessible();
  });

  it('opens as view-only, like swaps of another browser', async () => {
    const page = await show('journal-empty');
    await importFile(page, aFile());
    expect(page.text).to.include('From a file 0.01 BTC to 0.00994013 WBTC');
    expect(page.text).to.include('5 swaps you can view.');
    expect(page.find('[part="primary"], swap-widget-qr-code')?.textContent).to.equal(undefined);
    await expect(page.widget).to.be.accessible();
    page.find('.item')?.click();
    // The session has no entry for it, so there is no deal, and nothing to pay.
    expect(entriesIn(page.widget.fake)).to.deep.equal([]);
    expect(page.widget.fake.calls.at(-1)?.[0]).to.equal('openOrder');
  });

  it('fits in 280 pixels once loaded', async () => {
    const page = await show('journal-empty', {width: 280});
    await importFile(page, aFile());
    const frame = page.widget.getBoundingClientRect();
    for (const element of page.findAll('button, strong, p')) {
      expect(element.getBoundingClientRect().right).to.be.at.most(frame.right);
    }
  });

  it('does not replace a swap that this browser placed', async () => {
    const page = await show('journal');
    const text = writeSwaps(entriesIn(page.widget.fake), 'https://service.example');
    await importFile(page, text);
    expect(page.findAll('.item').length).to.equal(5);
    expect(page.text).not.to.include('From a file');
  });

  it('that holds none shows nothing, and says so', async () => {
    const page = await show('journal-empty');
    await importFile(page, JSON.stringify({swapWidget: 2, swaps: []}));
    expect(page.text).to.include('This file holds no swaps we can read.');
    expect(page.find('.item')?.textContent).to.equal(undefined);
  });

  it('cannot speak through the name of an asset', async () => {
    const page = await show('journal-empty');
    const thief = 'bc1qw508d6qejxtdg4y5r3zarvary0';
    await importFile(page, aFile().replaceAll('bitcoin_testnet:btc', 'evil:btc').replaceAll('"BTC"', `"${thief}"`));
    expect(page.find('.item')).not.to.equal(undefined);
    expect(page.text).not.to.include(thief);
  });
});

describe('The list of swaps', () => {
  it('marks an outcome that only the service reports', async () => {
    const page = await show('journal');
    const {fake} = page.widget;
    const stateOf = async (entry: Partial<JournalEntry>) => {
      change(fake.$journal, {
        entries: entriesIn(fake)
          .slice(0, 1)
          .map(first => ({...first, ...entry})),
      });
      await page.settled();
      return page.findAll('.item small:not(.worth)').map(({textContent}) => textContent);
    };
    const proof = {amount: 1n, hashes: ['0x1']};
    expect(await stateOf({stage: 'complete'})).to.deep.equal(['Reported as received']);
    expect(await stateOf({stage: 'complete', paidOut: proof})).to.deep.equal(['Received']);
    expect(await stateOf({stage: 'refunded', paidOut: proof})).to.deep.equal(['Reported as refunded']);
    expect(await stateOf({stage: 'refunded', paidBack: proof})).to.deep.equal(['Refunded']);
    expect(await stateOf({stage: 'settling'})).to.have.length(1);
    await expect(page.widget).to.be.accessible();
  });
});

describe('An entry in the list of swaps', () => {
  it('says what a contract that is not verified may still take for a swap that was not paid', async () => {
    const page = await show('journal');
    const {fake} = page.widget;
    const [first] = entriesIn(fake);
    const risk = async (change_: Partial<JournalEntry>) => {
      const approved = [{kind: 'approve', state: 'sent', at: 1}] as const;
      const entry = {...first!, stage: 'stopped', canceled: true, walletRequests: approved, unverified: true} as const;
      await page.settled(change(fake.$journal, {entries: [{...entry, ...change_}]}));
      return page.find('.item .problem')?.textContent.trim();
    };
    expect(await risk({})).to.equal('0.1 WBTC can be lost now.');
    await expect(page.widget).to.be.accessible();
    expect(await risk({stage: 'expired'})).to.equal('0.1 WBTC can be lost now.');
    expect(await risk({stage: 'complete'}), 'it was paid').to.equal(undefined);
    expect(await risk({walletRequests: [{kind: 'approve', state: 'sent', at: 1, revoked: true}]})).to.equal(undefined);
  });

  /** What is visible of it. */
  const words = (element: Element | null | undefined) => {
    const copy = element?.cloneNode(true) as Element | undefined;
    for (const hidden of copy?.querySelectorAll('.hidden') ?? []) hidden.remove();
    return copy?.textContent.replace(/\s+/g, ' ').trim();
  };

  it('names the network once if the swap stays on it', async () => {
    const page = await show('journal');
    const {fake} = page.widget;
    change(fake.$journal, {
      entries: entriesIn(fake)
        .slice(0, 1)
        .map(entry => ({
          ...entry,
          agreed: {...entry.agreed, to: {...entry.agreed.to, chain: entry.agreed.from.chain}},
        })),
    });
    await page.settled();
    expect(page.findAll('.networks').map(words)).to.deep.equal(['Base Sepolia']);
  });

  it('from a file names networks that are unknown here as the file does', async () => {
    const page = await show('journal-empty');
    await importFile(page, aFile().replaceAll('bitcoin_testnet:btc', 'somewhere:btc'));
    expect(words(page.find('.networks'))).to.equal('somewhere → Base Sepolia');
  });

  for (const lang of ['', 'de', 'ar']) {
    for (const width of [250, 320, 400, 560]) {
      it(`has no text below its button, in ${lang || 'en'} and ${String(width)} pixels`, async () => {
        const page = await show('journal', {lang, width});
        const entries = page.findAll('.can-repeat');
        expect(entries).to.have.length(3);
        for (const entry of entries) {
          const button = entry.querySelector('.again')!.getBoundingClientRect();
          for (const text of entry.querySelectorAll('strong bdi, .networks bdi, .about > :not(.room)')) {
            const lines = [...text.getClientRects()];
            const isBelow = lines.some(
              ({left, right, top, bottom}) =>
                left < button.right - 1 &&
                right > button.left + 1 &&
                top < button.bottom - 3 &&
                bottom > button.top + 3,
            );
            expect(isBelow, words(text)).to.equal(false);
          }
        }
      });
    }
  }
});

describe('A long list of swaps', () => {
  const drawn = (page: WidgetPage<FakeSessionWidget>) => page.findAll('.item').length;

  it('is rendered in parts', async () => {
    const page = await show('journal-many');
    expect(drawn(page)).to.equal(20);
    expect(page.text).to.include('Open 0.1 WBTC');
    await page.press('Show 50 more');
    expect(drawn(page)).to.equal(70);
    page.findAll<HTMLInputElement>('[name="tab"]')[1]?.click();
    await page.settled();
    expect(drawn(page)).to.equal(1);
    expect(page.button('Show 50 more')?.textContent).to.equal(undefined);
  });

  it('opens a swap without a wallet', async () => {
    const page = await show('journal-many');
    change(page.widget.fake.$wallets, {accounts: {}});
    page.findAll('.item')[1]?.click();
    expect(page.widget.fake.calls.at(-1)).to.deep.equal(['openOrder', 'order-1']);
  });
});
