/** Bitcoin paid from a wallet in the browser: rejections, unclear answers, the wrong account or network. */
import {expect} from '@open-wc/testing';
import type {BitcoinWallet} from '../../demo/wallets/bitcoin.js';
import type {CrossingSettings} from '../support/crossing.js';
import {bitcoinJourneys, expectOneOrder, walletOf} from '../support/bitcoin-journey.js';
import {createLeather} from '../support/leather.js';

const {begin, place} = bitcoinJourneys();
const QUESTION = 'Did you confirm the payment in your wallet?';
const PAY = /^Pay with Payer/;

/** Replaces the wallet's handling of a payment. */
type Override = (send: () => Promise<unknown>) => unknown;

/** Overrides the wallet's next payment. */
function overrideSend({id, provider}: BitcoinWallet, override: Override) {
  const place = (value: unknown) => Object.defineProperty(window, id, {configurable: true, value});
  place({
    ...provider,
    request: async (method: string, params: unknown) => {
      if (method !== 'sendTransfer') return provider.request(method, params);
      place(provider);
      return override(() => provider.request(method, params));
    },
  });
}

const rejection = {jsonrpc: '2.0', id: '1', error: {code: -32000, message: 'User rejected the request'}};

describe('A Bitcoin wallet', function () {
  this.timeout(60_000);

  /** A person who sees the address and has connected a wallet to pay it. */
  const open = async (settings: Partial<CrossingSettings> = {}) => {
    const {crossing, ...where} = await place(settings);
    await crossing.press(/^Pay from a wallet$/);
    await crossing.chooseWallet();
    await crossing.until(() => crossing.page.button(PAY), 'the wallet was never connected');
    return {crossing, wallet: walletOf(crossing), ...where};
  };

  it('pays the amount to the address, and is listed above paying without a wallet', async () => {
    const {crossing} = await place();
    await crossing.press(/^Pay from a wallet$/);
    await crossing.untilSays('Without a wallet Pay to an address');
    await crossing.expectAccessible();
    await crossing.press(/^Pay to an address/);
    await crossing.until(() => !crossing.page.find('swap-widget-wallet-picker'), 'the list stays');
    await crossing.untilAddress();
    await crossing.press(/^Pay from a wallet$/);
    await crossing.chooseWallet();
    await crossing.press(PAY);
    await crossing.untilStage('deposit-seen');
    await crossing.mine(2);
    await crossing.expectSwapped();
    expect(crossing.asked).to.deep.equal(['connect', 'send']);
    expectOneOrder(crossing);
  });

  it('can be connected in the form, and then gets refunds', async () => {
    const crossing = await begin();
    const {page, payer} = crossing;
    await page.typeRefundAddress('tb1qsomebodyelse');
    await crossing.press(/^Change the wallet you pay from$/);
    await crossing.untilSays('Without a wallet Pay to an address');
    await crossing.chooseWallet();
    await crossing.until(() => page.find(`input[title="${payer.account}"]`), 'the refund address is not the wallet’s');
    await page.typeRecipient(crossing.receiver.account);
    await page.typeAmount('0.01');
    await crossing.next(/^Review swap$/);
    await crossing.next(/^Place swap$/);
    await crossing.untilAddress();
    await crossing.press(PAY);
    await crossing.untilStage('deposit-seen');
    expect(crossing.asked).to.deep.equal(['connect', 'send']);
  });

  it('that throws what it does not know, starts on the main network and tells nothing by itself pays (Leather)', async () => {
    const crossing = await begin({payer: createLeather});
    const {page, payer} = crossing;
    await crossing.press(/^Connect a wallet to pay from$/);
    await crossing.chooseWallet();
    await crossing.until(
      () => page.find(`input[title="${payer.account}"]`),
      'the refund address is not the wallet’s on the test network',
    );
    await page.typeRecipient(crossing.receiver.account);
    await page.typeAmount('0.01');
    await crossing.next(/^Review swap$/);
    await crossing.next(/^Place swap$/);
    await crossing.untilAddress();
    await crossing.press(PAY);
    await crossing.untilStage('deposit-seen');
    await crossing.mine(2);
    await crossing.expectSwapped();
    expect(crossing.asked).to.deep.equal(['connect', 'send']);
  });

  it('on another network is told so by its name in the form, until it has switched', async () => {
    const crossing = await begin();
    const {page} = crossing;
    const wallet = walletOf(crossing);
    const {network} = wallet;
    wallet.useNetwork('Mainnet');
    await crossing.press(/^Connect a wallet to pay from$/);
    await crossing.chooseWallet();
    await page.typeRecipient(crossing.receiver.account);
    await page.typeAmount('0.01');
    await crossing.untilSays('Your wallet is on Bitcoin. Switch it to Bitcoin Testnet, then connect it again.');
    expect([page.primary, page.canGoOn]).to.deep.equal(['Check the address', false]);
    wallet.useNetwork(network);
    await crossing.next(/^Review swap$/);
    expect(page.text).to.include(wallet.account.slice(-4));
  });

  it('that rejects the connection is prompted again at a press', async () => {
    const {crossing} = await place();
    const wallet = walletOf(crossing);
    const {approver} = wallet;
    wallet.approver = () => Promise.resolve(false);
    await crossing.press(/^Pay from a wallet$/);
    await crossing.chooseWallet();
    await crossing.untilSays('You declined in your wallet. You didn’t sign anything. You can try again.');
    wallet.approver = approver;
    await crossing.chooseWallet();
    await crossing.press(PAY);
    await crossing.untilStage('deposit-seen');
  });

  it('that rejects has paid nothing; the address is watched, and a press prompts again', async () => {
    const {crossing} = await open({rejections: 1});
    await crossing.press(PAY);
    await crossing.untilSays('You declined in your wallet. We keep watching the address. You can try again.');
    await crossing.expectAccessible();
    await crossing.untilAddress();
    expect((await crossing.moved()).paid).to.equal(0n);
    await crossing.press(PAY);
    await crossing.untilStage('deposit-seen');
    expect(crossing.asked).to.deep.equal(['connect', 'send', 'send']);
  });

  it('that reports a rejection but has paid is seen to have paid', async () => {
    const {crossing, wallet} = await open();
    overrideSend(wallet, async send => {
      await send();
      return rejection;
    });
    await crossing.press(PAY);
    await crossing.untilStage('deposit-seen');
    await crossing.mine(2);
    await crossing.expectSwapped();
    expect(crossing.asked).to.deep.equal(['connect', 'send']);
  });

  for (const [what, instead, paid] of [
    ['gives no clear answer', () => Promise.reject(new Error('The window was closed.')), false],
    ['gives no clear answer and has paid', (send: () => Promise<unknown>) => send().then(() => ({})), true],
  ] as const) {
    it(`that ${what} leads to a question, and the address is watched`, async () => {
      const {crossing, wallet} = await open();
      overrideSend(wallet, instead);
      await crossing.press(PAY);
      if (paid) {
        await crossing.untilStage('deposit-seen');
      } else {
        await crossing.untilSays(QUESTION);
        await crossing.expectAccessible();
        await crossing.press(/^No, I didn’t$/);
        await crossing.press(PAY);
        await crossing.untilStage('deposit-seen');
      }
      await crossing.mine(2);
      await crossing.expectSwapped();
    });
  }

  it('that never answers is waited for, and its payment is seen', async () => {
    const {crossing, wallet} = await open();
    overrideSend(wallet, async send => {
      await send();
      return new Promise(() => undefined);
    });
    await crossing.press(PAY);
    await crossing.untilStage('deposit-seen');
    await crossing.mine(2);
    await crossing.expectSwapped();
  });

  it('that was locked meanwhile is unlocked at a press, then prompted', async () => {
    const {crossing, wallet} = await open();
    wallet.lock();
    await crossing.press(/^Pay from a wallet$/);
    await crossing.chooseWallet();
    await crossing.press(PAY);
    await crossing.untilStage('deposit-seen');
    expect(crossing.asked).to.deep.equal(['connect', 'unlock', 'send']);
  });

  it('on another network is not prompted until it has switched back', async () => {
    const {crossing, wallet} = await open();
    const {network} = wallet;
    wallet.useNetwork('Mainnet');
    await crossing.press(PAY);
    await crossing.untilSays(
      'Your wallet is on another network. No money was sent. Switch networks in your wallet, then try again.',
    );
    expect(crossing.asked.filter(kind => kind === 'send')).to.deep.equal([]);
    wallet.useNetwork(network);
    await crossing.press(PAY);
    await crossing.untilStage('deposit-seen');
  });

  it('with another account can pay: a refund goes to the address in the order', async () => {
    const {crossing, wallet} = await open();
    const [, second] = wallet.accounts as [string, string];
    wallet.useAccount(second);
    await crossing.client.control('faucet', {
      asset: 'bitcoin_testnet:btc',
      address: second,
      amount: String(crossing.amount * 2n),
    });
    await crossing.mine(1);
    await crossing.press(PAY);
    await crossing.untilStage('deposit-seen');
    expect((await crossing.read()).source_swap['initiator']).to.not.equal(second);
  });
});
