/** The contract family on real nodes of EVM chains and on the sandbox's Starknet, with the sandbox's service and contracts. */
import {expect} from '../support/expect.js';
import {corruptions as evmCorruptions} from '../../demo/sandbox/chains/evm-hostile.js';
import {corruptions as starknetCorruptions} from '../../demo/sandbox/chains/starknet/hostile.js';
import {evmDialect} from '../../src/chains/evm/dialect.js';
import {starknetDialect} from '../../src/chains/starknet/dialect.js';
import {TIMEOUTS} from '../../src/chains/timeouts.js';
import type {AnyDialect} from '../../src/chains/token-htlc/dialect.js';
import type {CheckName, WalletDeposit} from '../../src/domain/deposit.js';
import {evmAdapter, openEvmBuyer, openStarknetBuyer, starknetAdapter, withdrawWallets} from '../support/buyers.js';
import {codeOf} from '../support/funding.js';
import {sandbox} from '../support/sandbox.js';

const CALL: readonly CheckName[] = ['amount', 'call', 'same', 'order', 'secret'];

/** The lies of the sandbox's hostile service on any chain, and the checks that detect them. */
const LIES: Readonly<Record<string, readonly CheckName[]>> = {
  'amount-in-call': ['amount', 'same'],
  'amount-in-typed-data': ['amount', 'same'],
  amount: ['amount'],
  'redeemer-in-call': ['same', 'order'],
  'redeemer-in-typed-data': ['same'],
  redeemer: ['order'],
  'secret-hash-in-typed-data': ['same'],
  timelock: ['call', 'order'],
  'chain-id': ['chain'],
  contract: ['contract', 'code', 'token'],
  // Typed data beside it names the contract, and is signed instead, once the visitor agrees.
  approve: ['call'],
  transfer: ['call'],
  recipient: ['order'],
  'destination-amount': ['order'],
  'secret-hash': ['secret'],
};

/** Only the typed data is wrong; the call is correct. */
const STRANGE: readonly string[] = ['domain-name', 'domain-version', 'extra-types', 'primary-type'];

const CHAINS: readonly {
  readonly name: string;
  readonly adapter: typeof evmAdapter;
  readonly dialect: AnyDialect;
  readonly open: typeof openEvmBuyer | typeof openStarknetBuyer;
  readonly corruptions: object;
  readonly lies: typeof LIES;
  readonly strange: typeof STRANGE;
  /** The wallet's requests if it gets nothing to sign. */
  readonly updates: readonly string[];
}[] = [
  {
    name: 'a real EVM chain',
    adapter: evmAdapter,
    dialect: evmDialect,
    open: openEvmBuyer,
    corruptions: evmCorruptions,
    lies: {
      ...LIES,
      value: ['value'],
      'trailing-bytes': ['call'],
    },
    strange: STRANGE,
    updates: ['approve asking', 'approve sent', 'send asking', 'send sent'],
  },
  {
    name: 'the sandbox’s Starknet',
    adapter: starknetAdapter,
    dialect: starknetDialect,
    open: openStarknetBuyer,
    corruptions: starknetCorruptions,
    lies: {
      ...LIES,
      // Here it names none.
      approve: CALL,
      transfer: CALL,
      'high-amount': ['amount'],
      'secret-hash-in-call': ['same', 'secret'],
      'seven-words': ['amount', 'call', 'order', 'secret'],
      'word-out-of-range': ['amount', 'call', 'order', 'secret'],
      'unknown-selector': CALL,
      'selector-of-selector': CALL,
      'trailing-felts': CALL,
    },
    strange: [...STRANGE, 'domain-revision'],
    updates: ['send asking', 'send sent'],
  },
];

afterEach(withdrawWallets);

for (const {name, adapter, dialect, open, corruptions, lies, strange, updates} of CHAINS) {
  describe(`the cost of a payment on ${name}`, () => {
    it('is estimated by a node, together with its approval', async () => {
      const buyer = await open(sandbox);
      const {account} = buyer;
      // This deploys the account, where it is a contract.
      await buyer.fund(await buyer.order(), 'transaction');
      const {agreed, deposit} = await buyer.order();
      const {owner, amount, from} = agreed;
      const node = await dialect.node(from.chain, {account}, TIMEOUTS);
      const payload = (deposit as WalletDeposit).payload;
      const payment: unknown = dialect.paymentCall(payload);
      const calls = [dialect.approveCall(from.token!, dialect.contract(payload), amount) as unknown, payment];
      expect(await node?.isCheap(calls, owner, from.token)).to.equal(true);
      const alone = node!.isCheap([payment], owner, from.token).catch(() => 'none');
      expect(await alone, 'it would fail without its approval').to.equal('none');
    });
  });

  describe(`a hostile service on ${name}`, () => {
    const openDeal = async (kind: string) => {
      const appId = sandbox.newAppId();
      const buyer = await open(sandbox, {appId});
      await sandbox.faults(appId, {hostile: {kind}});
      const deal = await buyer.order();
      return {buyer, deal, results: (await adapter.check(deal, {account: buyer.account})).results};
    };

    it('has no other lies than those tested here', () => {
      expect([...Object.keys(lies), ...strange]).to.include.members(Object.keys(corruptions));
    });

    for (const [kind, seen] of Object.entries(lies)) {
      it(`is detected: ${kind}`, async () => {
        const {buyer, deal, results} = await openDeal(kind);
        const doubted = results.filter(({outcome}) => outcome === 'failed' || outcome === 'unverified');
        expect(doubted.map(one => one.name)).to.deep.equal(seen);
        for (const way of ['transaction', 'signature'] as const) {
          expect(await codeOf(buyer.fund(deal, way))).to.equal('deposit-mismatch');
        }
        expect(buyer.updates).to.deep.equal([]);
      });
    }

    for (const kind of strange) {
      it(`gets no signature for an unknown form, and the payment it prepared: ${kind}`, async () => {
        const {buyer, deal, results} = await openDeal(kind);
        expect(results.find(one => one.name === 'typed-data')?.outcome).to.equal('unchecked');
        expect((await buyer.fund(deal, 'signature')).how).to.equal('transaction');
        expect(buyer.updates).to.deep.equal(updates);
      });
    }
  });
}
