import {expect} from '@open-wc/testing';
import type {JournalEntry} from '../../src/session/order/journal.js';
import {change} from '../../src/session/shared.js';
import type {FakeSessionWidget} from '../support/fake-session.js';
import type {WidgetPage} from '../support/page.js';
import {show} from '../support/show.js';
import {entriesIn} from '../support/shown.js';

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

describe('The list of swaps as a file', () => {
  it('is a table for tax programs', async () => {
    const page = await show('journal');
    const file = await fileOf(page, 'Tax export (CSV)');
    expect([file.name, file.type]).to.deep.equal(['swaps.csv', 'text/csv']);
    expect((await file.text()).split('\r\n').filter(Boolean)).to.have.length(5);
    await expect(page.widget).to.be.accessible();
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
