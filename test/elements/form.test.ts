import {expect, nextFrame} from '@open-wc/testing';
import {resetMouse, sendKeys, sendMouse, setViewport} from '@web/test-runner-commands';
import type {Asset} from '../../src/domain/asset.js';
import {change} from '../../src/session/shared.js';
import type {FakeSession, FakeSessionWidget} from '../support/fake-session.js';
import {focused, waitUntil, type WidgetPage} from '../support/page.js';
import {open, openIn, withTouch} from '../support/show.js';
import {CHOICES, RECIPIENT, STATES} from '../support/states.js';

describe('The form', () => {
  it('has one accented button, which acts whatever is missing, from the first frame on', async () => {
    const acts: Readonly<Record<string, [label: string, acted: (page: WidgetPage<FakeSessionWidget>) => unknown]>> = {
      'form-empty': ['Choose what to receive', page => page.find('swap-widget-asset-picker')],
      'form-no-amount': ['Enter an amount', () => focused()?.id === 'amount'],
      'form-not-connected': ['Connect a wallet', page => page.find('swap-widget-wallet-picker')],
      'form-refund-empty': ['Enter a refund address', () => focused()?.id === 'address'],
      'form-not-an-address': ['Check the address', () => focused()?.id === 'address'],
      'form-amount-unclear': ['Check the amount', () => focused()?.id === 'amount'],
    };
    for (const [name, [label, acted]] of Object.entries(acts)) {
      const {page, session} = await open({style: '--swap-speed: 0; --swap-accent: rgb(255, 79, 0)'});
      expect(getComputedStyle(page.primaryButton!).backgroundColor, 'at first').to.equal('rgb(255, 79, 0)');
      STATES[name]?.(session);
      await page.settled();
      await waitUntil(() => page.primary === label, `${name}: it says ${page.primary}`);
      expect(page.canGoOn, name).to.equal(true);
      expect(getComputedStyle(page.primaryButton!).backgroundColor, name).to.equal('rgb(255, 79, 0)');
      await page.goOn();
      await waitUntil(() => acted(page), `${name}: nothing came of it`);
    }
  });

  it('has icon, amount and asset of a side on one line, and value and network below it', async () => {
    const {page} = await openIn('form-quoted');
    for (const [side, name] of [
      ['.pay', 'You pay: WBTC, Base Sepolia'],
      ['.get', 'You receive: WBTC, Ethereum Sepolia'],
    ] as const) {
      const inside = page.find(`${side} :is(swap-widget-amount-field, swap-widget-receive-field)`)!.shadowRoot!;
      const middleOf = (element: Element) => {
        const {top, bottom} = element.getBoundingClientRect();
        return (top + bottom) / 2;
      };
      const line = [page.find(`${side} .mark`)!, inside.querySelector('.amount')!, page.button(name)!].map(middleOf);
      expect(Math.max(...line) - Math.min(...line), side).to.be.lessThan(2);
      expect(middleOf(page.find(`${side} .chain-name`)!)).to.be.greaterThan(line[0]!);
    }
    await expect(page.widget).to.be.accessible();
  });

  it('shows what is wrong with an address until it is typed in, and again after Enter', async () => {
    const {page, session} = await openIn('form-not-an-address');
    const field = page.findAll<HTMLInputElement>('#address').at(-1)!;
    const isWrong = () => field.ariaInvalid === 'true' && page.text.includes('Not an address on Ethereum Sepolia.');
    await waitUntil(isWrong, 'nothing is wrong');
    expect(page.find('.groups')?.textContent, 'all its characters').to.equal(session.$form.get().draft.recipient);
    await page.goOn();
    await page.settled();
    expect(field.matches(':focus') && isWrong()).to.equal(true);
    field.value = 'tb1q9x3k7';
    await page.settled(field.dispatchEvent(new InputEvent('input')));
    expect(isWrong()).to.equal(false);
    await page.settled(field.dispatchEvent(new Event('change')));
    expect(isWrong()).to.equal(true);
  });

  it('rounds down what arrives to six digits, and shows all of them with focus', async () => {
    const {page, session} = await openIn('form-two-coins');
    const offer = session.$form.get().offer!;
    await page.settled(
      session.setForm({offer: {...offer, destination: {...offer.destination, amount: 64_748_219_999n}}}),
    );
    await waitUntil(() => page.find('#receive'), 'the field never came');
    const field = page.find<HTMLInputElement>('#receive')!;
    expect([field.value, field.title]).to.deep.equal(['64,748.21', '64,748.219999']);
    await page.settled(field.focus());
    expect(field.value).to.equal('64748.219999');
  });

  it('shows both places of a price in hundreds, so that its width stays', async () => {
    const {page, session} = await openIn('form-two-coins');
    await waitUntil(() => page.find('#receive'), 'the field never came');
    const offer = session.$form.get().offer!;
    for (const [amount, shown] of [
      [1_176_100_000n, '1,176.10'],
      [1_176_110_000n, '1,176.11'],
      [1_176_000_000n, '1,176'],
      [17_600_000n, '17.6'],
    ] as const) {
      await page.settled(session.setForm({offer: {...offer, destination: {...offer.destination, amount}}}));
      expect(page.find<HTMLInputElement>('#receive')?.value).to.equal(shown);
    }
  });

  it('truncates an address in the middle, and shows all of it with focus', async () => {
    const {page, session} = await openIn('form-quoted');
    await page.settled(session.setForm({draft: {...session.$form.get().draft, recipient: RECIPIENT}}));
    const input = page.find<HTMLInputElement>('#address');
    expect(input?.value).to.equal(`${RECIPIENT.slice(0, 8)}…${RECIPIENT.slice(-6)}`);
    await page.settled(input?.focus());
    expect(input?.value).to.equal(RECIPIENT);
  });

  it('inverts the rate', async () => {
    const {page} = await openIn('form-quoted');
    await page.press('Details');
    await page.press('1 WBTC = 0.994013 WBTC');
    expect(page.text).to.include('1 WBTC = 1.006023 WBTC');
  });

  it('offers on each side what the page offers there, and does not swap sides if the other does not offer them', async () => {
    const {page} = await open({'from-assets': 'base_sepolia:wbtc', 'to-assets': 'ethereum_sepolia:*'});
    expect(page.button('Swap the two sides')?.textContent).to.equal(undefined);
    await page.press(/^You receive:/);
    await page.untilThere('swap-widget-asset-picker');
    const offered = page.findAll('[role="option"]').map(option => option.textContent.replace(/\s+/g, ' ').trim());
    expect(offered).to.have.length(2);
    expect(offered.every(text => text.includes('Ethereum Sepolia'))).to.equal(true);
    await expect(page.widget).to.be.accessible();
  });

  it('retries from the note if its button has another task first', async () => {
    const {page, session} = await openIn('form-service-error');
    session.setForm({problem: {code: 'connect', field: 'account', remedy: 'press'}});
    await waitUntil(() => page.button('Try now'), 'no way to retry');
    await expect(page.widget).to.be.accessible();
    await page.press('Try now');
    expect(session.calls.at(-1)).to.deep.equal(['requote']);
    expect(focused()?.textContent?.trim()).to.equal('Connect a wallet');
    await page.settled(session.setForm({problem: undefined}));
    expect(page.findAll('.notice button')).to.have.length(0);
    expect(page.primary).to.equal('Try now');
  });

  it('asks for a wallet to receive with only after one to pay with, online or not', async () => {
    const {page, session} = await openIn('form-not-connected');
    const offered = async () => {
      await page.settled();
      return ['Connect a wallet to pay from', 'Connect a receiving wallet'].map(name => !!page.button(name));
    };
    expect(await offered()).to.deep.equal([true, false]);
    session.setForm({problem: {code: 'offline', field: 'amount', remedy: 'wait'}});
    expect(await offered()).to.deep.equal([true, false]);
    // Bitcoin is paid to an address: no wallet comes first.
    STATES['form-transfer']?.(session);
    session.setForm({draft: {...session.$form.get().draft, recipient: ''}});
    expect(await offered()).to.deep.equal([true, true]);
  });

  it('does not change locked values', async () => {
    const {page} = await openIn('form-quoted', {amount: '0.1', recipient: RECIPIENT, lock: 'from to amount recipient'});
    expect(page.find<HTMLInputElement>('#amount')?.readOnly).to.equal(true);
    expect(page.find<HTMLInputElement>('#address')?.readOnly).to.equal(true);
    expect(page.button(/^You pay:/)?.textContent).to.equal(undefined);
    expect(page.button('Swap the two sides')?.textContent).to.equal(undefined);
    expect(page.button(/^Max/)?.textContent).to.equal(undefined);
  });
});

describe('The list of assets', () => {
  async function openList(
    prepare: (session: FakeSession) => void = () => undefined,
    settings: Readonly<Record<string, unknown>> = {},
  ) {
    const opened = await open(settings);
    prepare(opened.session);
    STATES['form-quoted']?.(opened.session);
    await opened.page.settled();
    opened.page.button(/^You receive:/)?.focus();
    await opened.page.press(/^You receive:/);
    await waitUntil(() => focused()?.getAttribute('role') === 'combobox', 'the search never had the focus');
    return opened;
  }

  it('brings no keyboard to a phone before its search is tapped', async () => {
    await withTouch(async () => {
      const {page} = await openList();
      const search = page.find<HTMLInputElement>('[role="combobox"]')!;
      expect(search.inputMode).to.equal('none');
      const {left, top, width, height} = search.getBoundingClientRect();
      await sendMouse({type: 'click', position: [Math.round(left + width / 2), Math.round(top + height / 2)]});
      expect([search.inputMode, focused()?.getAttribute('role')]).to.deep.equal(['', 'combobox']);
      await sendKeys({type: 'eth'});
      expect(search.value).to.equal('eth');
      await expect(page.widget).to.be.accessible();
    });
  });

  afterEach(() => resetMouse());
  afterEach(() => setViewport({width: 800, height: 600}));

  for (const [width, height] of [
    [800, 600],
    [360, 640],
    [400, 800],
  ] as const)
    it(`scrolls to the active row, from first to last, below the search, in ${String(width)} × ${String(height)}`, async () => {
      await setViewport({width, height});
      const {page} = await openList(CHOICES['asset-picker-many']?.prepare);
      const options = page.findAll('[role="option"]');
      expect(options).to.have.length.above(20);
      const expectInSight = (what: string) => {
        const box = (selector: string) => page.find(selector)!.getBoundingClientRect();
        const [row, list] = [box('.active'), box('.scroll')];
        expect(box('[role="combobox"]').top, `${what}: the search`).to.be.at.least(list.top - 1);
        expect(row.top, `${what}: the top`).to.be.at.least(box('.tabs').bottom - 1);
        // The frame has round corners, which cut off the corners of a row at its edge.
        expect(row.bottom, `${what}: the bottom`).to.be.at.most(list.bottom - 7);
      };
      expectInSight('at first');
      // As when it is opened a second time, before its frame has a height.
      await sendKeys({press: 'Escape'});
      await waitUntil(() => focused()?.ariaLabel?.startsWith('You receive'), 'it never closed');
      await sendKeys({press: 'Enter'});
      await waitUntil(() => focused()?.getAttribute('role') === 'combobox', 'it never opened again');
      for (const turn of [1, 2]) {
        await sendKeys({press: 'ArrowDown'});
        await page.settled();
        expectInSight(`opened again, after ${String(turn)}`);
      }
      await sendKeys({press: 'ArrowUp'});
      await sendKeys({press: 'ArrowUp'});
      await page.settled();
      for (let turn = 1; turn < options.length; turn++) {
        await sendKeys({press: 'ArrowDown'});
        await page.settled();
        expectInSight(`after ${String(turn)}`);
      }
      await sendKeys({press: 'Home'});
      await page.settled();
      expect(page.find('.active')).to.equal(page.findAll('[role="option"]')[0]);
      expectInSight('at the first');
      await sendKeys({press: 'End'});
      await page.settled();
      expect(page.find('.active')).to.equal(page.findAll('[role="option"]').at(-1));
      expectInSight('at the last');
      // No part of the rows is drawn over the search and the tabs, not even their icons.
      const mark = page.find('[role="option"] .mark')!;
      const {left, right} = mark.getBoundingClientRect();
      const root = mark.getRootNode() as ShadowRoot;
      for (const selector of ['.search', '.tabs']) {
        const box = page.find(selector)!.getBoundingClientRect();
        for (let y = box.top + 2; y < box.bottom; y += 4)
          expect(root.elementFromPoint((left + right) / 2, y)?.closest('.mark'), selector).to.equal(null);
      }
      await expect(page.widget).to.be.accessible();
    });

  it('of five thousand renders fifty and the chosen one, and finds the others by the search', async () => {
    const {page, session} = await open();
    const {config} = session.$settings.get();
    const [known] = config!.catalogue.assets;
    const assets = Array.from({length: 5_000}, (_, at): Asset => {
      const n = String(at);
      return {...known!, id: `base_sepolia:t${n}`, symbol: `T${n}`, title: `Token ${n}`};
    });
    const byId = new Map<string, Asset>(assets.map(asset => [asset.id, asset]));
    const find = (id: string) => byId.get(id);
    change(session.$settings, {config: {...config!, catalogue: {...config!.catalogue, assets, find}}});
    await page.settled(
      session.setForm({draft: {...session.$form.get().draft, from: assets[0]!.id, to: assets[2_000]!.id}}),
    );
    await page.press(/^You receive:/);
    await waitUntil(() => focused()?.getAttribute('role') === 'combobox', 'the search never had the focus');
    // The frame gets its height from the view behind it, once both are laid out.
    for (let frames = 0; frames < 2; frames++) await nextFrame();
    const rows = () => page.findAll('[role="option"]');
    const active = () => {
      const id = page.find('[role="combobox"]')?.getAttribute('aria-activedescendant');
      return rows().find(row => row.id === id);
    };
    expect(rows().map(({ariaSetSize}) => ariaSetSize)).to.deep.equal(Array.from({length: 51}, () => '5000'));
    expect(page.text).to.include('Search 5,000 assets');
    expect(active()?.textContent, 'the chosen one').to.include('T2000');
    expect(active()!.getBoundingClientRect().bottom).to.be.below(page.find('.scroll')!.getBoundingClientRect().bottom);
    await sendKeys({press: 'ArrowDown'});
    await page.settled();
    expect(active()?.ariaPosInSet, 'from the last to the first').to.equal('1');
    await sendKeys({type: 't499'});
    await page.settled();
    const symbols = rows().map(row => row.querySelector('strong')?.textContent);
    expect(symbols.slice(0, 2)).to.deep.equal(['T499', 'T4990']);
    expect(page.text).not.to.include('Search 5,000 assets');
    await expect(page.widget).to.be.accessible();
  });

  it('searches for what is typed outside the search field', async () => {
    const {page} = await openList();
    page.button('Close')?.focus();
    await sendKeys({press: 'u'});
    await sendKeys({press: 's'});
    await page.settled();
    expect(page.find<HTMLInputElement>('[role="combobox"]')?.value).to.equal('us');
    expect(page.find('[role="option"]')?.textContent).to.include('USDC');
  });

  it('has what has no route last, under a title, and what can be swapped first', async () => {
    const {page, session} = await open();
    CHOICES['asset-picker-routes']?.prepare(session);
    await page.press(/^You receive/);
    await page.untilThere('[role="option"]');
    expect(page.findAll('[role="group"]').at(-1)?.ariaLabel).to.equal('Not available for this swap');
    expect(page.findAll('[role="option"]').at(-1)?.textContent).to.match(/WBTC\s+Ethereum Sepolia/);
    await page.press(/^USDC\s*Base Sepolia/);
    expect(session.calls.at(-1)).to.deep.equal(['edit', {to: 'base_sepolia:usdc'}]);
  });

  it('closes on Escape from slotted content, and returns the focus', async () => {
    const {page} = await openList();
    const link = document.createElement('a');
    link.slot = 'notice';
    link.href = '#';
    page.widget.append(link);
    link.focus();
    await sendKeys({press: 'Escape'});
    await page.settled();
    expect(page.find('swap-widget-asset-picker')?.textContent).to.equal(undefined);
  });

  it('starts a search at the asset of that name, which Enter chooses', async () => {
    const {page, session} = await openList(undefined, {
      assets: 'base_sepolia:wbtc ethereum_sepolia:wbtc starknet_sepolia:wbtc bitcoin_testnet:btc',
    });
    expect(page.find('.active')?.textContent, 'the chosen one').to.include('Wrapped Bitcoin');
    await sendKeys({type: 'bit'});
    await page.settled();
    const first = page.find('[role="option"]');
    expect(first?.textContent).to.match(/BTC\s*Bitcoin Testnet/);
    expect(first, 'the active row').to.equal(page.find('.active'));
    await sendKeys({press: 'Enter'});
    await page.settled();
    expect(session.calls.at(-1)).to.deep.equal(['edit', {to: 'bitcoin_testnet:btc'}]);
  });

  it('breaks the address of an unknown token that is pasted', async () => {
    const {page} = await openList();
    const search = page.find<HTMLInputElement>('[role="combobox"]')!;
    search.value = `${RECIPIENT}0000000000000000000000000`;
    await page.settled(search.dispatchEvent(new Event('input', {bubbles: true})));
    const empty = page.find('.empty')!;
    expect(empty.scrollWidth).to.be.at.most(empty.clientWidth);
  });

  it('reads and shows the balance of each', async () => {
    const {page, session} = await openList();
    expect(session.calls.map(([name]) => name)).to.include('readBalances');
    change(session.$wallets, {balances: {'base_sepolia:usdc': 1_234_567_890n, 'ethereum_sepolia:usdc': 0n}});
    await page.settled();
    expect(page.button(/^USDC\s*Base Sepolia\s*USD Coin\s*1,234\.5678/)).not.to.equal(undefined);
    expect(page.button(/^USDC\s*Ethereum Sepolia\s*USD Coin\s*$/)).not.to.equal(undefined);
    await expect(page.widget).to.be.accessible();
  });

  it('keeps bitcoin, which needs no wallet, above what a wallet has', async () => {
    const {page, session} = await openIn('form-quoted', {
      assets: 'bitcoin_testnet:btc base_sepolia:wbtc base_sepolia:usdc ethereum_sepolia:wbtc',
    });
    change(session.$wallets, {balances: {'base_sepolia:usdc': 5_000_000n}});
    await page.press(/^You pay: WBTC/);
    await page.untilThere('[role="option"]');
    expect(page.find('[role="option"]')?.textContent).to.include('Bitcoin Testnet');
  });

  it('shows what a balance is worth at the last price', async () => {
    const {page, session} = await openList();
    change(session.$wallets, {balances: {'base_sepolia:wbtc': 20_000_000n, 'base_sepolia:usdc': 1_000_000n}});
    await page.settled();
    expect(page.button(/^WBTC\s*Base Sepolia\s*Wrapped Bitcoin\s*0\.2\s*\$13,?024\.80$/)).not.to.equal(undefined);
    expect(page.button(/^USDC\s*Base Sepolia\s*USD Coin\s*1$/), 'no price tells').not.to.equal(undefined);
  });

  it('starts with what the visitor has to pay with, and does not move for a balance that comes later', async () => {
    const {page, session} = await openIn('form-quoted');
    const balances = {'ethereum_sepolia:usdc': 5_000_000n, 'base_sepolia:usdt': 0n};
    change(session.$wallets, {balances});
    await page.press(/^You pay: WBTC/);
    await page.untilThere('[role="option"]');
    const listed = () =>
      page.findAll('[role="option"]').map(option => /^\s*(\w+)\s+(\w+)/.exec(option.textContent)?.slice(1).join(' '));
    const order = ['USDC Ethereum', 'USDC Base', 'WBTC Base', 'WBTC Ethereum', 'USDT Base'];
    expect(listed()).to.deep.equal(order);
    await page.settled(change(session.$wallets, {balances: {...balances, 'base_sepolia:usdt': 9_000_000n}}));
    expect(listed()).to.deep.equal(order);
    await expect(page.widget).to.be.accessible();
  });

  const PAST =
    'base_sepolia:usdt>ethereum_sepolia:wbtc base_sepolia:wbtc>ethereum_sepolia:wbtc gone:btc>base_sepolia:wbtc';

  it('starts with the most recent pairs, except the current one', async () => {
    const {page} = await openList(fake => (fake.recall = () => PAST));
    const first = page.findAll('[role="option"]')[0];
    expect(first?.textContent.replace(/\s+/g, ' ').trim()).to.match(/USDT → WBTC ?Base Sepolia → Ethereum Sepolia/);
    expect(page.findAll('.pair')).to.have.length(1);
    expect(page.find('.active')?.textContent, 'the keyboard is at the present asset').to.include('Ethereum Sepolia');
    await expect(page.widget).to.be.accessible();
  });

  it('sets both sides from an earlier pair, and searches only assets', async () => {
    const {page, session} = await openList(fake => (fake.recall = () => PAST));
    await sendKeys({type: 'usd'});
    await page.settled();
    expect(page.findAll('.pair'), 'a search is for assets').to.have.length(0);
    page.find<HTMLInputElement>('[role="combobox"]')?.select();
    await sendKeys({press: 'Backspace'});
    await page.settled();
    await page.settled(page.find('[role="option"]')?.click());
    expect(session.calls.at(-1)).to.deep.equal(['edit', {from: 'base_sepolia:usdt', to: 'ethereum_sepolia:wbtc'}]);
    expect(page.find('swap-widget-asset-picker')?.textContent).to.equal(undefined);
  });

  it('offers no pairs if the page fixes a side', async () => {
    const {page} = await openList(fake => (fake.recall = () => PAST), {lock: 'from'});
    expect(page.findAll('.pair')).to.have.length(0);
  });

  it('has the networks in one row that scrolls to the chosen one, also with the arrow keys', async () => {
    const {page, place} = await openList(undefined, {
      assets: 'bitcoin:* ethereum:* base:* arbitrum:* unichain:* bnbchain:*',
      from: 'bitcoin:btc',
      to: 'base:usdc',
    });
    place.style.inlineSize = '280px';
    await page.settled();
    const [row, tabs] = [page.find('.tabs')!, page.findAll<HTMLInputElement>('[name="tab"]')];
    const boxes = () => page.findAll('.tabs label').map(label => label.getBoundingClientRect());
    expect(new Set(boxes().map(({top}) => top)).size).to.equal(1);
    expect(row.scrollWidth, 'it needs no room to scroll').to.be.above(row.clientWidth);
    tabs[0]?.focus();
    // Not backwards: not every browser wraps from the first one to the last.
    for (let step = 1; step < tabs.length; step++) await sendKeys({press: 'ArrowRight'});
    await page.settled();
    const last = boxes().at(-1)!;
    expect(last.right).to.be.at.most(row.getBoundingClientRect().right);
    expect(tabs.at(-1)?.checked).to.equal(true);
    expect(focused()).to.equal(tabs.at(-1));
    await expect(page.widget).to.be.accessible();
  });

  it('leads from a chain without results to all chains', async () => {
    const {page} = await openList();
    page.findAll<HTMLInputElement>('[name="tab"]')[2]?.click();
    page.find('[role="combobox"]')?.focus();
    await sendKeys({type: 'usdt'});
    await page.settled();
    expect(page.text).to.include('No asset on Ethereum Sepolia matches “usdt”.');
    await expect(page.widget).to.be.accessible();
    await page.press('Search all networks');
    expect(page.findAll('[role="option"] strong').map(({textContent}) => textContent)).to.deep.equal(['USDT']);
    expect(focused()?.getAttribute('role')).to.equal('combobox');
  });

  it('is filtered by chain', async () => {
    const {page} = await openList();
    page.findAll<HTMLInputElement>('[name="tab"]')[1]?.click();
    await page.settled();
    expect(page.findAll('[role="option"]').length).to.equal(3);
  });

  it('keeps the focus out of the form behind it', async () => {
    const {page} = await openList();
    expect(page.find('#amount')?.closest('[inert]') ?? page.find('.body')?.matches('[inert]')).to.be.ok;
  });
});
