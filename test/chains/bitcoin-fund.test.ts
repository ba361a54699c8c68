import {expect} from '../support/expect.js';
import type {Account, FundOptions} from '../../src/chains/adapter.js';
import {createBitcoinAdapter} from '../../src/chains/bitcoin/bitcoin.js';
import {TIMEOUTS} from '../../src/chains/timeouts.js';
import type {CheckReport} from '../../src/domain/deposit.js';
import {sampleDeal, STRANGER, TEST} from '../support/bitcoin-deal.js';
import {
  account,
  ADDRESS,
  HASH,
  leather,
  MAIN_ADDRESS,
  network,
  OwnProvider,
  place,
  Refusal,
  register,
  standard,
  type StandardProvider,
} from '../support/bitcoin-providers.js';
import {scriptedFetch} from '../support/fetch.js';
import {errorOf, faultOf, listen} from '../support/funding.js';

const adapter = createBitcoinAdapter({...TIMEOUTS, read: 100, connect: 100, request: 100});

// The first payment loads its code, in no test's time.
before(async () => {
  await import('../../src/chains/bitcoin/fund.js');
});

let undo: (() => void)[] = [];
const leave = () => {
  for (const stop of undo) stop();
  undo = [];
};
afterEach(leave);

describe('funding on Bitcoin', () => {
  async function open(provider: StandardProvider | OwnProvider = standard(), id = 'ExampleProvider') {
    undo.push(provider instanceof OwnProvider ? place('unisat', provider) : register(id, provider));
    const wallet = await adapter.wallets.walletOf!(provider);
    const payer = await wallet.connect({chain: TEST});
    const deal = sampleDeal();
    const {updates, plans, onPlan, onWalletRequest} = listen('whole');
    const fund = (more: Partial<FundOptions> = {}, from: Account = payer) =>
      adapter.fund(deal, from, {way: 'transaction', onPlan, onWalletRequest, ...more});
    return {deal, updates, plans, fund};
  }

  it('sends exactly what was checked, as a number, and returns its hash', async () => {
    const provider = standard();
    const {deal, updates, plans, fund} = await open(provider);
    expect(await fund()).to.deep.equal({how: 'transaction', hash: HASH});
    expect(plans).to.deep.equal([['send']]);
    expect(updates).to.deep.equal(['send asking', `send sent ${HASH}`]);
    expect(provider.payments).to.deep.equal([{recipients: [{address: deal.deposit.address, amount: 50_000}]}]);
  });

  describe('a part that is already paid', () => {
    const real = globalThis.fetch;
    afterEach(() => {
      globalThis.fetch = real;
    });

    /** Opens the wallet with an order of which this much was paid, according to the service and a node, if any. */
    const openPart = async (filled: bigint, ...received: (number | 'silent')[]) => {
      const provider = standard();
      const opened = await open(provider);
      const answers = received.map(amount =>
        amount === 'silent'
          ? amount
          : {
              body: {
                chain_stats: {funded_txo_sum: amount, spent_txo_sum: 0},
                mempool_stats: {funded_txo_sum: 0, spent_txo_sum: 0},
              },
            },
      );
      if (answers.length) {
        globalThis.fetch = scriptedFetch(...answers).fetch;
        Object.assign(opened.deal.agreed.from.chain, {rpc: 'https://node.example/api/'});
      }
      // The published sample is complete, so its secret is known, unlike that of an order that waits for its rest.
      const {source, destination} = opened.deal.order;
      Object.assign(source, {filled, secret: '', ...(filled > 0n && {initiated: {hashes: [HASH]}})});
      Object.assign(destination, {secret: ''});
      const paid = () => provider.payments.map(payment => JSON.stringify(payment).match(/"amount":(\d+)/)?.[1]);
      return {...opened, paid};
    };

    for (const [what, filled, received] of [
      ['the service reports', 49_000n, []],
      ['the service and the chain report', 49_000n, [49_000, 49_000]],
      ['only the chain reports', 0n, [49_000, 49_000]],
      ['the service, but not the node yet, reports', 49_000n, [0, 0]],
    ] as const) {
      it(`is not paid again if ${what} it`, async () => {
        const {fund, paid} = await openPart(filled, ...received);
        await fund();
        expect(paid()).to.deep.equal(['1000']);
      });
    }

    it('is completed with what can be sent, if less is missing', async () => {
      const {fund, paid} = await openPart(49_800n);
      await fund();
      expect(paid()).to.deep.equal(['330']);
    });

    it('does not prompt the wallet if everything is paid', async () => {
      for (const [filled, received, field] of [
        [0n, [50_000], 'paid'],
        [50_000n, [0], undefined],
      ] as const) {
        const {fund, paid} = await openPart(filled, ...received);
        const error = await errorOf(fund());
        expect([error.code, error.field], 'only the chain says that it is paid').to.deep.equal([
          'wallet-unclear',
          field,
        ]);
        expect(paid()).to.deep.equal([]);
      }
    });

    it('counts as paid only with a payment that the service names', async () => {
      const {deal, fund, paid} = await openPart(49_000n);
      Object.assign(deal.order.source, {initiated: undefined});
      await fund();
      expect(paid()).to.deep.equal(['50000']);
    });

    it('is not looked for once the widget was removed: its reason is the page’s', async () => {
      const {fund, paid, updates} = await openPart(0n, 49_000);
      const read = globalThis.fetch;
      const removing = new AbortController();
      const reason = new Error('the widget was removed');
      const beforeSign = () => {
        globalThis.fetch = (...given) => {
          removing.abort(reason);
          return read(...given);
        };
        return Promise.resolve();
      };
      expect(await faultOf(fund({beforeSign, signal: removing.signal}))).to.equal(reason);
      expect([...paid(), ...updates]).to.deep.equal([]);
    });

    it('does not prompt the wallet if a payment arrived while the page was deciding', async () => {
      const {fund, paid} = await openPart(0n, 0, 49_000);
      expect((await errorOf(fund())).code).to.equal('wallet-unclear');
      expect(paid()).to.deep.equal([]);
    });
  });

  it('sends the amount as text, with the network, to a wallet that requires it', async () => {
    const provider = leather();
    const {deal, fund} = await open(provider, 'LeatherProvider');
    expect(await fund()).to.deep.equal({how: 'transaction', hash: HASH});
    expect(provider.payments).to.deep.equal([
      {recipients: [{address: deal.deposit.address, amount: '50000'}], network: 'testnet4'},
    ]);
  });

  it('also accepts a response in the library’s format', async () => {
    const provider = standard();
    const {fund} = await open(provider);
    provider.request = () => Promise.resolve({status: 'success', result: {txid: HASH}});
    expect(await fund()).to.deep.equal({how: 'transaction', hash: HASH});
  });

  it('gives the page the exact object that the wallet gets, frozen', async () => {
    const provider = standard();
    const {deal, fund} = await open(provider);
    let shown: unknown;
    let report: CheckReport | undefined;
    await fund({
      beforeSign: (checked, payload) => {
        [report, shown] = [checked, payload];
        expect(provider.payments).to.deep.equal([]);
        expect(() => ((payload as {recipients: {amount: number}[]}).recipients[0] = {amount: 1})).to.throw(TypeError);
        return Promise.resolve();
      },
    });
    expect(provider.payments).to.have.length(1);
    expect(provider.payments[0]).to.equal(shown);
    expect(report?.outcome).to.equal('passed');
    expect(Object.isFrozen(deal.order.source)).to.be.true;
  });

  it('does not prompt if a check fails', async () => {
    const provider = standard();
    const {deal, updates, fund} = await open(provider);
    deal.deposit.address = STRANGER;
    const error = await errorOf(fund());
    expect(error).to.include({code: 'deposit-mismatch', field: 'script'});
    expect((error.cause as CheckReport).outcome).to.equal('failed');
    expect(provider.payments).to.deep.equal([]);
    expect(updates).to.deep.equal([]);
  });

  it('asks the wallet nothing about a deposit that is not to an address', async () => {
    const provider = standard();
    const {deal, fund} = await open(provider);
    const asked = provider.asked.length;
    Object.assign(deal.deposit, {how: 'evm'});
    expect(await errorOf(fund())).to.include({code: 'deposit-mismatch', field: 'call'});
    expect(provider.asked).to.have.length(asked);
  });

  for (const [name, address, code] of [
    ['Testnet', ADDRESS, undefined],
    ['Testnet4', ADDRESS, undefined],
    ['Signet', ADDRESS, undefined],
    ['Mainnet', ADDRESS, 'wrong-network'],
    ['Mainnet', MAIN_ADDRESS, 'wrong-network'],
    [undefined, ADDRESS, undefined],
    [undefined, MAIN_ADDRESS, 'wrong-network'],
  ] as const) {
    it(`${code ? 'stops' : 'continues'} with a wallet on ${name ?? 'a network without a name'} at ${address}`, async () => {
      const provider = standard({
        wallet_connect: account(address),
        wallet_getNetwork: name === undefined ? undefined : network(name),
      });
      const {updates, fund} = await open(provider);
      if (!code) {
        expect(await fund()).to.deep.equal({how: 'transaction', hash: HASH});
        return;
      }
      expect((await errorOf(fund())).code).to.equal(code);
      expect(provider.payments).to.deep.equal([]);
      expect(updates).to.deep.equal([]);
    });
  }

  for (const [name, goes] of [
    ['BITCOIN_TESTNET4', true],
    ['BITCOIN_SIGNET', true],
    ['BITCOIN_MAINNET', false],
    ['FRACTAL_BITCOIN_TESTNET', false],
    ['livenet', false],
  ] as const) {
    it(`${goes ? 'continues' : 'stops'} with a wallet with its own methods on ${name}`, async () => {
      const provider = new OwnProvider([ADDRESS], 'testnet', () => HASH);
      Object.assign(provider, {getChain: () => Promise.resolve({enum: name})});
      const {fund} = await open(provider);
      if (goes) expect(await fund()).to.deep.equal({how: 'transaction', hash: HASH});
      else expect((await errorOf(fund())).code).to.equal('wrong-network');
    });
  }

  it('checks the network again right before it prompts', async () => {
    const provider = standard();
    const {fund} = await open(provider);
    const beforeSign = () => {
      provider.answers['wallet_getNetwork'] = network('Mainnet');
      return Promise.resolve();
    };
    expect((await errorOf(fund({beforeSign}))).code).to.equal('wrong-network');
    expect(provider.payments).to.deep.equal([]);
  });

  for (const [what, code, state, answer] of [
    ['a rejection', 'rejected', 'refused', new Refusal({code: -32000, message: 'User rejected request'})],
    ['an error without a message', 'wallet-unclear', undefined, new Refusal({})],
    ['a pending request', 'wallet-unclear', undefined, new Refusal({code: -32002, message: 'already pending'})],
    ['no hash', 'wallet-unclear', undefined, {}],
    ['a hash that is too short', 'wallet-unclear', undefined, {txid: HASH.slice(1)}],
    ['a hash that is too long', 'wallet-unclear', undefined, {txid: `${HASH}5`}],
    ['a hash with something before it', 'wallet-unclear', undefined, {txid: `x${HASH}`}],
    ['a hash with something after it', 'wallet-unclear', undefined, {txid: `${HASH}x`}],
    ['a missing response', 'wallet-unclear', undefined, () => new Promise(() => {})],
  ] as const) {
    for (const throws of [false, true]) {
      it(`reports ${what} as ${code}${throws ? ', also if it is thrown' : ''}`, async () => {
        const provider = standard({sendTransfer: answer});
        const {updates, fund} = await open(provider);
        provider.throws = throws;
        expect((await errorOf(fund())).code).to.equal(code);
        expect(updates).to.deep.equal(state ? ['send asking', `send ${state}`] : ['send asking']);
        expect(provider.payments).to.have.length(1);
      });
    }
  }

  it('records the response even if the widget was removed', async () => {
    const looking = new AbortController();
    const provider = standard({
      sendTransfer: () => {
        looking.abort(new Error('the widget was removed'));
        return {txid: HASH};
      },
    });
    const {updates, fund} = await open(provider);
    expect(await fund({signal: looking.signal})).to.deep.equal({how: 'transaction', hash: HASH});
    expect(updates.at(-1)).to.equal(`send sent ${HASH}`);
  });

  it('reports a wallet that disappeared as missing', async () => {
    const {updates, fund} = await open();
    leave();
    expect((await errorOf(fund())).code).to.equal('wallet-missing');
    expect(updates).to.deep.equal([]);
  });
});
