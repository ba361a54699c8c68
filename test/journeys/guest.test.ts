/** What a widget leaves behind on a page that removes it: nothing. */
import {aTimeout, expect} from '@open-wc/testing';
import {createSandbox, settingsOf} from '../../demo/wallets/sandbox.js';
import {SandboxClient} from '../sandbox/client.js';
import {beginCrossing, endCrossings, type Crossing, type CrossingSettings} from '../support/crossing.js';
import {watchGuest, type Guest} from '../support/guest.js';
import {openWidget, waitUntil, withClipboard, type WidgetPage} from '../support/page.js';
import {sandbox} from '../support/sandbox.js';
import {later} from '../support/session.js';

const BASE_WBTC = 'base_sepolia:wbtc';
const ETHEREUM_WBTC = 'ethereum_sepolia:wbtc';

describe('A widget that is removed', () => {
  let guest: Guest;
  beforeEach(() => (guest = watchGuest()));
  afterEach(() => {
    guest.end();
    endCrossings();
  });

  const isAsking = () => Object.keys(guest.left()).some(entry => entry.startsWith('fetch'));

  /** What is left, except a library's timers and what ends by itself: requests, frames, the timer of the next price. */
  const lasting = () =>
    Object.fromEntries(
      Object.entries(guest.left()).filter(([entry]) => !/^fetch|Frame|Idle|library|^setTimeout(?! 1000$)/.test(entry)),
    );

  /** What is left once nothing changes any more: stores release their sources a second after their last listener. */
  async function settled() {
    let last = '';
    for (let quiet = 0; quiet < 30; quiet++) {
      await aTimeout(50);
      const now = JSON.stringify(lasting());
      if (now !== last) quiet = 0;
      last = now;
    }
    return lasting();
  }

  /**
   * Pending reads may finish, and none is started. Stores release their sources a second after their last listener, one
   * after the other.
   */
  async function expectNothingLeft() {
    let requests = -1;
    for (let quiet = 0; quiet < 10; quiet++) {
      await aTimeout(50);
      if (requests !== guest.requests || isAsking()) quiet = 0;
      ({requests} = guest);
    }
    const stores = ['setTimeout of a library', 'window online', 'window offline', 'document visibilitychange'];
    expect(Object.keys(guest.left()).filter(entry => !stores.includes(entry))).to.deep.equal([]);
    // A store that is unmounted leaves another one, which is unmounted a second later.
    let quiet = 0;
    const isQuiet = () => (quiet = Object.keys(guest.left()).length ? 0 : quiet + 1) > 30;
    await waitUntil(isQuiet, `there still is ${JSON.stringify(guest.left())}`);
    expect(guest.requests).to.equal(requests);
  }

  async function remove({widget}: WidgetPage) {
    await expect(widget).to.be.accessible();
    expect(guest.left(), 'while it is there').not.to.deep.equal({});
    widget.remove();
    await expectNothingLeft();
  }

  const begin = (settings: Partial<CrossingSettings>) =>
    beginCrossing({from: BASE_WBTC, to: ETHEREUM_WBTC, amount: '0.001', ...settings});

  const stages: Readonly<Record<string, (crossing: Crossing) => Promise<unknown>>> = {
    'before anything is typed': async () => {},
    'while it looks for wallets': async ({page}) => {
      await page.press('Connect a wallet to pay from');
      await page.untilThere('swap-widget-wallet-picker');
    },
    'with a price and an account': async crossing => {
      await crossing.connect();
      await crossing.page.typeAmount('0.001');
      await crossing.until(() => crossing.page.receive, 'there was no price');
    },
    'in the review': crossing => crossing.review(),
    'after a wallet rejected the payment': async crossing => {
      await crossing.place();
      await crossing.until(() => crossing.errors.length, 'nothing was refused');
    },
    'while it tracks a swap': async crossing => {
      await crossing.client.faults({solverGone: true});
      await crossing.place();
      await crossing.next(/^Allow/);
      await crossing.untilStage('settling');
    },
    'at the end': async crossing => {
      await crossing.place();
      await crossing.next(/^Allow/);
      await crossing.until(() => crossing.page.primary === 'New swap', 'the end was never shown');
    },
  };
  for (const [stage, go] of Object.entries(stages)) {
    it(`leaves no timer, listener, request, observer or lock: ${stage}`, async () => {
      const crossing = await begin({rejections: 1});
      await go(crossing);
      await remove(crossing.page);
    });
  }

  it('leaves none while it waits for a payment to a copied address', async () => {
    const crossing = await begin({from: 'bitcoin_testnet:btc', to: BASE_WBTC});
    await crossing.place();
    await crossing.page.until('awaiting-deposit');
    await withClipboard(
      () => Promise.resolve(),
      () => crossing.page.press('Copy the address'),
    );
    await waitUntil(() => crossing.page.button('Copied'), 'it never said that it copied');
    await remove(crossing.page);
  });

  it('leaves no timer while a wallet prompts for the connection', async () => {
    const {promise, keep} = later<boolean>();
    const crossing = await begin({});
    crossing.payer.approver = () => promise;
    await crossing.press(/^Connect a wallet to pay from$/);
    await crossing.chooseWallet();
    await crossing.untilSays('Waiting for payer');
    await expect(crossing.page.widget).to.be.accessible();
    crossing.page.widget.remove();
    await expectNothingLeft();
    keep(true);
    await expectNothingLeft();
  });

  it('leaves a wallet’s late response in the journal, and nothing else', async () => {
    const {promise, keep} = later<boolean>();
    const crossing = await begin({answer: ({kind}) => kind !== 'sign' || promise});
    await crossing.place();
    await crossing.untilAsked('sign');
    const {widget} = crossing.page;
    await expect(widget).to.be.accessible();
    widget.remove();
    expect(crossing.walletRequests()).to.deep.equal(['approve sent', 'sign asking']);
    keep(true);
    await waitUntil(() => crossing.walletRequests().at(-1) === 'initiate sent', 'the answer was lost');
    await expectNothingLeft();
  });

  async function openWithPrice(client: SandboxClient, settings: object) {
    const page = await openWidget({
      'base-url': client.url,
      'app-id': client.appId,
      from: BASE_WBTC,
      to: ETHEREUM_WBTC,
      amount: '0.01',
      ...settings,
    });
    await waitUntil(() => page.widget.quote, 'there was no price');
    await page.settled();
    return page;
  }

  it('leaves nothing if there were fifty, each with the same resources as one', async () => {
    const client = SandboxClient.forAppOfItsOwn(sandbox);
    const settings = settingsOf(await createSandbox(sandbox.url).read());
    const pages = [await openWithPrice(client, settings)];
    await aTimeout(500);
    const ofOne = lasting();
    for (let more = 1; more < 50; more++) pages.push(await openWithPrice(client, settings));
    await aTimeout(500);
    expect(lasting()).to.deep.equal(
      Object.fromEntries(Object.entries(ofOne).map(([what, count]) => [what, 50 * count])),
    );
    for (const {widget} of pages) widget.remove();
    await expectNothingLeft();
  });

  it('leaves nothing after a thousand insertions and removals', async () => {
    const client = SandboxClient.forAppOfItsOwn(sandbox);
    const {widget} = await openWithPrice(client, settingsOf(await createSandbox(sandbox.url).read()));
    const place = widget.parentElement!;
    const before = await settled();
    const {requests} = guest;
    for (let round = 0; round < 1_000; round++) {
      widget.remove();
      if (round % 3) await Promise.resolve();
      place.append(widget);
      if (round % 7 === 0) await aTimeout(0);
    }
    await waitUntil(() => widget.quote, 'there was no price');
    await waitUntil(() => !isAsking(), 'requests are still under way');
    expect(await settled()).to.deep.equal(before);
    // Its price is still valid, so that it is not requested on each return.
    expect(guest.requests - requests).to.be.below(10);
    widget.remove();
    await expectNothingLeft();
  });
});
