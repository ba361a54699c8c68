import {expect} from '@open-wc/testing';
import type {Account, ChainAdapter} from '../../src/chains/adapter.js';
import type {Asset} from '../../src/domain/asset.js';
import {SwapError} from '../../src/domain/error.js';
import {valueOf} from '../../src/domain/remote.js';
import {speak} from '../../src/locales/languages.js';
import {change} from '../../src/session/shared.js';
import {layoutFaults} from '../support/layout.js';
import {waitUntil, whatIsCopied, withClipboard} from '../support/page.js';
import {show} from '../support/show.js';
import {confirmed, order, RECIPIENT, STATES} from '../support/states.js';
import {NOON} from '../support/swap.js';

const behind = (button: Element | undefined) => button && getComputedStyle(button).backgroundColor;

describe('What may lose money', () => {
  for (const name of [
    'form-smart-account',
    'form-recipient-contract',
    'form-recipient-other',
    'form-recipient-given',
    'form-recipient-lookalike',
    'form-refund-confirm',
    'review-lookalike',
  ]) {
    it(`is the most prominent thing on its screen, and its confirmation the quieter button: ${name}`, async () => {
      const accent = behind((await show('form-quoted')).primaryButton);
      const page = await show(name);
      await waitUntil(() => page.find('.notice.loss'), page.text);
      const note = page.find('.notice.loss')!;
      expect(getComputedStyle(note).borderTopStyle).to.equal('solid');
      expect(note.querySelector('.icon')?.localName).to.equal('svg');
      expect(Number(getComputedStyle(note.querySelector('strong')!).fontWeight)).to.be.at.least(600);
      expect(page.primaryButton?.ariaDisabled).to.equal('false');
      expect(behind(page.primaryButton)).not.to.equal(accent);
      await expect(page.widget).to.be.accessible();
    });
  }

  it('is only marked where it is true: a button that loses nothing has the accent color', async () => {
    const page = await show('form-smart-account');
    await waitUntil(() => page.find('.notice.loss'), page.text);
    STATES['form-quoted']?.(page.widget.fake);
    await page.settled();
    expect(page.find('.notice.loss')?.localName).to.equal(undefined);
    const accent = behind(page.primaryButton);
    expect(accent).to.equal(behind((await show('form-quoted')).primaryButton));
  });

  for (const name of ['form-offline', 'form-offline-at-first', 'deposit-address-unread'])
    it(`does not include being offline: ${name}`, async () => {
      const page = await show(name);
      await waitUntil(() => page.find('.notice'), 'no note');
      expect(page.find('.notice.info')?.localName).not.to.equal(undefined);
      expect(page.find('.notice:is(.caution, .loss)')?.localName).to.equal(undefined);
    });
});

describe('The clock of a price', () => {
  it('empties second by second, and leaves with its price', async () => {
    const page = await show('form-quoted');
    await waitUntil(() => page.find('.clock'), 'no clock');
    const gone = () => Number(page.find('.clock')?.getAttribute('stroke-dashoffset'));
    const before = gone();
    await page.settled(page.widget.fake.$now.set(NOON + 5_000));
    expect(gone()).to.be.below(before).and.within(-1, 0);
    STATES['form-quoting']?.(page.widget.fake);
    await page.settled();
    await waitUntil(() => !page.find('.clock'), 'its line is still there');
    await expect(page.widget).to.be.accessible();
  });
});

describe('A span of time', () => {
  it('has no zero parts after the first, in any language', async () => {
    for (const lang of ['en', 'de', 'ar', 'es', 'fr', 'hi', 'ja', 'ko', 'pt', 'tr', 'zh']) {
      const speaker = document.createElement('p');
      speaker.lang = lang;
      const t = (await speak(speaker))!.late!();
      expect(t.durationMinutes({minutes: 22, seconds: 0}), lang)
        .to.match(/22/)
        .and.not.to.match(/0|^\s|\s$/);
      expect(t.durationMinutes({minutes: 1, seconds: 5}), lang).to.match(/1\D+5/);
      expect(t.durationHours({hours: 3, minutes: 0}), lang)
        .to.match(/3/)
        .and.not.to.match(/0|^\s|\s$/);
      expect(t.durationHours({hours: 3, minutes: 2}), lang).to.match(/3\D+2/);
    }
  });
});

describe('A swap that arrived', () => {
  it('is animated only if it arrives while on the screen, and not with prefers-reduced-motion', async () => {
    expect((await show('complete')).find('[arrived]')?.localName).to.equal(undefined);
    const followed = await show('progress-confirming');
    const redeemed = {hashes: [`0x${'c'.repeat(64)}`], block: 210n};
    followed.widget.fake.know({order: order(confirmed(3), {redeemed}), payout: {amount: 9_940_130n, ...redeemed}});
    await waitUntil(() => followed.find('[arrived]') && followed.find('.mark.done'), 'nothing happens');
    await followed.settled();
    const moving = (followed.find('.mark.done')?.getAnimations({subtree: true}) ?? []).filter(
      ({playState, effect}) => playState === 'running' && Number(effect?.getComputedTiming().duration) > 0,
    );
    expect(moving.length).to.equal(0);
    await expect(followed.widget).to.be.accessible();
  });

  for (const lang of ['en', 'ar'])
    it(`turns its icon into a tick that settles in the corner, and nothing else moves (${lang})`, async () => {
      const page = await show('progress-confirming', {lang});
      // So slow that it has not ended before it is looked at, on any machine.
      const slow = 1_000;
      page.widget.style.setProperty('--swap-speed', String(slow));
      const redeemed = {hashes: [`0x${'c'.repeat(64)}`], block: 210n};
      page.widget.fake.know({order: order(confirmed(3), {redeemed}), payout: {amount: 9_940_130n, ...redeemed}});
      await waitUntil(() => page.find('.mark.done'), 'nothing happens');
      await page.settled();
      const mark = page.find('.mark.done')!;
      const middleOf = (element: Element) => {
        const {left, right, top, bottom} = element.getBoundingClientRect();
        return [Math.round((left + right) / 2), Math.round((top + bottom) / 2)];
      };
      const moves = page.find('.frame')!.getAnimations({subtree: true});
      const at = (milliseconds: number) => {
        for (const move of moves) {
          move.pause();
          move.currentTime = milliseconds * slow;
        }
        return {tick: middleOf(mark.querySelector('.tick')!), mark: middleOf(mark)};
      };
      const early = at(900);
      expect(early.tick).to.deep.equal(early.mark);
      const late = at(3_000);
      expect(late.mark).to.deep.equal(early.mark);
      expect(late.tick[0]! > late.mark[0]!).to.equal(lang === 'en');
      expect(late.tick[1]).to.be.greaterThan(late.mark[1]!);
    });

  it('has the swap ID to copy, and each transaction that no explorer shows', async () => {
    const page = await show('complete-no-explorer');
    await page.press('Receipt');
    const copied = await whatIsCopied(async () => {
      await page.press('Copy: Payout');
      await waitUntil(() => page.button('Copied'), 'it does not say so');
      await page.press('Copy: Swap ID');
    });
    expect(copied).to.deep.equal([`0x${'c'.repeat(64)}`, valueOf(page.widget.fake.$order.get())?.id]);
  });

  it('shows in full what the page is not allowed to copy', async () => {
    const page = await show('complete-no-explorer', {width: 320});
    await page.press('Receipt');
    await withClipboard(
      () => Promise.reject(new DOMException('no', 'NotAllowedError')),
      () => page.press('Copy: Payout'),
    );
    await waitUntil(() => page.text.includes('Select the text and copy it yourself.'), page.text);
    expect(page.text)
      .to.include(`Payout 0x${'c'.repeat(64)}`)
      .and.include('Payment 0x7777…7777');
    expect(layoutFaults(page.widget)).to.deep.equal([]);
    await expect(page.widget).to.be.accessible();
  });

  /** Clicks the link that adds the token to a wallet, and returns the wallet's requests. */
  async function addTo(list: (asset: Asset, account: Account) => Promise<boolean>) {
    const page = await show('complete-to-wallet');
    const asked: string[] = [];
    const wallets: Partial<ChainAdapter['wallets']> = {
      list(asset, account) {
        asked.push(`${asset.id} ${account.address}`);
        return list(asset, account);
      },
    };
    page.widget.fake.prepare = () => Promise.resolve({wallets});
    await page.press('Add WBTC to Harbor');
    await page.settled();
    return {page, asked};
  }

  it('asks the recipient’s own wallet to list its token, once', async () => {
    const {page, asked} = await addTo(() => Promise.resolve(true));
    await waitUntil(() => page.text.includes('Passed on to Harbor'), page.text);
    expect(asked).to.deep.equal([`ethereum_sepolia:wbtc ${RECIPIENT}`]);
    expect(page.button(/^Add WBTC/)?.localName).to.equal(undefined);
    await expect(page.widget).to.be.accessible();
  });

  it('accepts the wallet’s rejection, and says if the wallet cannot do it', async () => {
    const {page} = await addTo(() => Promise.reject(new SwapError('rejected')));
    await waitUntil(() => page.button('Add WBTC to Harbor'), page.text);
    const other = await addTo(() => Promise.reject(new SwapError('wallet-failed')));
    await waitUntil(() => other.page.text.includes('Your wallet couldn’t do this.'), other.page.text);
  });

  it('is shared as the assets and the link, without the rest of the page’s URL', async () => {
    const page = await show('complete-on-chain');
    const shared: ShareData[] = [];
    // The test's page has its own URL there.
    expect(location.search).not.to.equal('');
    Object.defineProperty(navigator, 'share', {
      configurable: true,
      value: (data: ShareData) => {
        shared.push(data);
        return Promise.reject(new DOMException('closed', 'AbortError'));
      },
    });
    Object.defineProperty(navigator, 'canShare', {configurable: true, value: () => true});
    try {
      STATES['complete-on-chain']?.(page.widget.fake);
      await page.settled();
      await page.press('Share');
    } finally {
      Reflect.deleteProperty(navigator, 'share');
      Reflect.deleteProperty(navigator, 'canShare');
    }
    expect(shared).to.deep.equal([
      {text: 'Swapped 0.1 WBTC for 0.0994013 WBTC', url: `${location.origin}${location.pathname}`},
    ]);
  });

  it('is copied if the device cannot share', async () => {
    const {share} = navigator as Partial<Navigator>;
    Object.defineProperty(navigator, 'share', {configurable: true, value: undefined});
    let copied: readonly string[];
    try {
      const page = await show('complete-on-chain');
      copied = await whatIsCopied(() => page.press('Share'));
      await waitUntil(() => page.button('Copied'), 'it does not say so');
    } finally {
      Object.defineProperty(navigator, 'share', {configurable: true, value: share});
    }
    expect(copied[0]).to.match(/^Swapped 0\.1 WBTC for 0\.0994013 WBTC\nhttp/);
  });
});

describe('The ring of what is happening', () => {
  const shown = async (name: string) =>
    Number.parseInt((await show(name)).find('.share circle')?.getAttribute('stroke-dasharray') ?? '');

  it('is proportional to the elapsed share of the usual time', async () => {
    expect(await shown('progress-in-time')).to.equal(36);
  });

  it('is never full before the money has arrived, however late', async () => {
    const late = await shown('progress-confirming');
    expect(late).to.be.greaterThan(90);
    expect(late).to.be.lessThan(100);
    expect((await show('progress-confirming')).text).to.include('This is taking longer than usual.');
  });
});

describe('A shared swap that loads', () => {
  it('states nothing as a fact, and its icons are round', async () => {
    const page = await show('reading');
    expect(page.text).not.to.match(/You can close|Updated|No update/);
    for (const mark of page.findAll('.mark')) {
      const {width, height} = mark.getBoundingClientRect();
      expect(width).to.equal(height);
    }
  });

  it('offers to retry if it could not be read', async () => {
    const page = await show('reading');
    await page.settled(page.widget.fake.progress({reading: {state: 'failed', error: new SwapError('offline')}}));
    await page.press('Update now');
    expect(page.widget.fake.calls.at(-1)).to.deep.equal(['refresh']);
    expect(page.text).not.to.include('You can close');
  });
});

describe('The list of swaps', () => {
  it('can be filtered to one pair if there are several in a long list', async () => {
    const page = await show('journal');
    expect(page.find('select')?.localName).to.equal(undefined);
    const {$journal} = page.widget.fake;
    const {entries} = $journal.get();
    const more = Array.from({length: 20}, (_, n) => ({...entries[4]!, orderId: `more-${String(n)}`}));
    await page.settled(change($journal, {entries: [...entries, ...more]}));
    const choice = page.find<HTMLSelectElement>('select')!;
    expect(choice.ariaLabel).to.equal('Pair');
    const other = Array.from(choice.options).findIndex(
      ({text}) => text === 'USDC Base Sepolia → WBTC Ethereum Sepolia',
    );
    choice.selectedIndex = other;
    await page.settled(choice.dispatchEvent(new Event('change')));
    expect(page.findAll('.item').length).to.equal(2);
    await expect(page.widget).to.be.accessible();
    expect((await show('journal-many')).find('select')?.localName).to.equal(undefined);
  });

  it('fills in the form with the pair, amount and recipient of a finished swap', async () => {
    const page = await show('journal');
    await page.press('Repeat: 8 USDC to WBTC');
    const {calls} = page.widget.fake;
    expect(calls.at(-2)).to.deep.equal(['reset']);
    expect(calls.at(-1)).to.deep.equal([
      'edit',
      {from: 'base_sepolia:usdc', to: 'ethereum_sepolia:wbtc', amount: '8', recipient: RECIPIENT},
    ]);
    expect(calls.map(([name]) => name)).not.to.include('confirm');
  });

  it('offers no repeat while swaps are paused, or of assets no longer offered', async () => {
    const page = await show('journal');
    const {fake} = page.widget;
    const config = fake.$settings.get().config!;
    await page.settled(change(fake.$settings, {config: {...config, paused: true}}));
    expect(page.button(/^Repeat/)?.localName).to.equal(undefined);
    change(fake.$settings, {config: {...config, catalogue: {...config.catalogue, find: () => undefined}}});
    await page.settled();
    expect(page.button(/^Repeat/)?.localName).to.equal(undefined);
  });
});
