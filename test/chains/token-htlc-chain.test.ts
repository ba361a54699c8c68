/** The contract family on real nodes of EVM chains and on the sandbox's Starknet, with the sandbox's service and contracts. */
import {expect} from '../support/expect.js';
import {corruptions as evmCorruptions} from '../../demo/sandbox/chains/evm-hostile.js';
import {corruptions as starknetCorruptions} from '../../demo/sandbox/chains/starknet/hostile.js';
import {evmDialect} from '../../src/chains/evm/dialect.js';
import {starknetDialect} from '../../src/chains/starknet/dialect.js';
import {TIMEOUTS} from '../../src/chains/timeouts.js';
import type {AnyDialect} from '../../src/chains/token-htlc/dialect.js';
import type {WalletDeposit} from '../../src/domain/deposit.js';
import {evmAdapter, openEvmBuyer, openStarknetBuyer, starknetAdapter, withdrawWallets} from '../support/buyers.js';
import {codeOf} from '../support/funding.js';

/** What the service says of an order on any chain, beside what it says of a payment on this one. */
const OF_ORDERS = ['recipient', 'destination-amount', 'secret-hash'];

/** Only the typed data is wrong; the call is correct. */
const STRANGE: readonly string[] = ['domain-name', 'domain-version', 'extra-types', 'primary-type'];

const CHAINS: readonly {
  readonly name: string;
  readonly adapter: typeof evmAdapter;
  readonly dialect: AnyDialect;
  readonly open: typeof openEvmBuyer | typeof openStarknetBuyer;
  readonly corruptions: object;
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
    strange: STRANGE,
    updates: ['approve asking', 'approve sent', 'send asking', 'send sent'],
  },
  {
    name: 'the sandbox’s Starknet',
    adapter: starknetAdapter,
    dialect: starknetDialect,
    open: openStarknetBuyer,
    corruptions: starknetCorruptions,
    strange: [...STRANGE, 'domain-revision'],
    updates: ['send asking', 'send sent'],
  },
];

afterEach(withdrawWallets);

for (const {name, adapter, dialect, open, corruptions, strange, updates} of CHAINS) {
  describe(`the cost of a payment on ${name}`, () => {
    it('is estimated by a node, together with its approval', async () => {
      const buyer = await open();
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
      const buyer = await open();
      await buyer.client.faults({hostile: {kind}});
      const deal = await buyer.order();
      return {buyer, deal};
    };

    // Which checks see each of them is told in `*-check`.
    const others = Object.keys(corruptions).filter(kind => !strange.includes(kind));
    for (const kind of new Set([...others, ...OF_ORDERS])) {
      it(`is paid by no wallet: ${kind}`, async () => {
        const {buyer, deal} = await openDeal(kind);
        for (const way of ['transaction', 'signature'] as const) {
          expect(await codeOf(buyer.fund(deal, way))).to.equal('deposit-mismatch');
        }
        expect(buyer.updates).to.deep.equal([]);
      });
    }

    for (const kind of strange) {
      it(`gets no signature for an unknown form, and the payment it prepared: ${kind}`, async () => {
        const {buyer, deal} = await openDeal(kind);
        const {results} = await adapter.check(deal, {account: buyer.account});
        expect(results.find(one => one.name === 'typed-data')?.outcome).to.equal('unchecked');
        expect((await buyer.fund(deal, 'signature')).how).to.equal('transaction');
        expect(buyer.updates).to.deep.equal(updates);
      });
    }
  });
}
