/** What only an EVM chain shows of a swap; what holds for the contract family is in `token-htlc-witness.test.ts`. */
import {expect} from '../support/expect.js';
import {closeLast, ON_EVM, openAt} from '../support/dialects.js';
import type {LedgerWallet} from '../support/evm-ledger.js';
import {faultOf} from '../support/funding.js';

const {adapter} = ON_EVM;
const AMOUNT = 50_000n;

afterEach(closeLast);

async function open() {
  const {ledger, ...parts} = await openAt(ON_EVM);
  ledger.allowance = AMOUNT;
  return {...parts, wallet: ledger as LedgerWallet};
}

describe('a deposit on an EVM chain', () => {
  it('is read from a contract that returns whether it ended, instead of when', async () => {
    const {wallet, fund, read, refund} = await open();
    wallet.saysOverFirst = true;
    expect(await read()).to.deep.equal({state: 'none'});
    await fund('transaction');
    const shown = {state: 'seen', amount: AMOUNT, block: 111n, hashes: [wallet.newest]};
    expect(await read()).to.deep.equal({...shown, isHeld: true, isRefundOpen: false});
    wallet.isLate = true;
    await refund();
    const end = {how: 'refunded', amount: AMOUNT, hashes: [wallet.newest], block: 112n};
    wallet.block = 200n;
    expect(await read()).to.deep.equal({...shown, isHeld: false, isRefundOpen: false, end});
  });

  it('is read from the RPC or through the wallet, whichever responds', async () => {
    const {wallet, deal, fund, account} = await open();
    await fund('transaction');
    const read = (of: typeof deal) => adapter.readDeposit(of, {account});
    const named = structuredClone(deal);
    named.agreed.from.chain.rpc = 'https://rpc.example/';
    const {fetch} = globalThis;
    let answer: () => Promise<Response> = () => Promise.reject(new Error('gone'));
    globalThis.fetch = (input, init) =>
      String(input).startsWith('https://rpc.example') ? answer() : fetch(input, init);
    try {
      expect(await read(named)).to.include({state: 'seen'});
      await faultOf(adapter.readDeposit(named, {}));
      wallet.chainId = 1;
      await faultOf(read(named));
      answer = () => Promise.resolve(Response.json({jsonrpc: '2.0', id: 1, result: '0x1'}));
      expect(await read(named)).to.deep.equal({state: 'unknown'});
      wallet.instead.set('eth_chainId', () => Promise.reject(new Error('gone')));
      await faultOf(adapter.readDeposit(named, {account}));
    } finally {
      globalThis.fetch = fetch;
    }
  });
});

describe('a payment on an EVM chain whose nonce another transaction took', () => {
  const HASH = `0x${'7a'.repeat(32)}`;

  /** The payment was pending with nonce 7; then its transaction is unknown, and the account's next nonce is 8. */
  async function replaced() {
    const opened = await open();
    const {wallet, read} = opened;
    wallet.mine(HASH, {block: undefined, nonce: 7n});
    const pending = await read(HASH);
    wallet.transactions.length = 0;
    wallet.nonce = 8n;
    const again = (more: Parameters<typeof read>[1] = {}) => read(HASH, {lifetime: pending.lifetime, ...more});
    return {...opened, pending, again};
  }

  it('was canceled: the contract has no order in the state of that block', async () => {
    const {pending, again, wallet} = await replaced();
    expect(pending).to.deep.equal({state: 'seen', lifetime: '7'});
    wallet.reads.length = 0;
    expect(await again()).to.deep.equal({state: 'canceled'});
    const asked = wallet.reads.filter(({at}) => at !== undefined).map(({question}) => question);
    expect(asked).to.include('nonce').and.include('order');
  });

  it('was paid by that transaction if the contract has its order: it paid more for its gas', async () => {
    const {again, keep, wallet, deal, terms} = await replaced();
    const [id] = wallet.idsOf(terms, deal.agreed.owner);
    keep(id);
    expect(await again()).to.include({state: 'seen', amount: AMOUNT});
    // The node that returns the newest state lags behind.
    wallet.when('order', (truth, at) => (at === undefined ? undefined : truth()));
    expect(await again()).to.include({state: 'seen', amount: AMOUNT});
  });

  it('was paid if its own transaction came into a block while the chain was read', async () => {
    const {again, wallet} = await replaced();
    wallet.instead.set('eth_getTransactionCount', () => {
      wallet.mine(HASH, {nonce: 7n});
      return '0x8';
    });
    expect(await again()).to.deep.equal({state: 'none'});
  });

  it('may still arrive while no other transaction has its nonce, and is only gone from a node', async () => {
    const {again, wallet} = await replaced();
    wallet.nonce = 7n;
    expect(await again()).to.deep.equal({state: 'none'});
  });

  it('may still arrive if its nonce is unknown, or no number', async () => {
    const {read, again} = await replaced();
    expect(await read(HASH)).to.deep.equal({state: 'none'});
    for (const lifetime of ['', 'x', 'x7', '7x']) expect(await again({lifetime})).to.deep.equal({state: 'none'});
  });

  it('may still arrive from an account that is a contract, or in a request with other calls', async () => {
    const {again, wallet} = await replaced();
    expect(await again({calls: 'bundle'})).to.deep.equal({state: 'none'});
    wallet.instead.set('eth_getCode', () => `0xef0100${'11'.repeat(20)}`);
    expect(await again()).to.deep.equal({state: 'none'});
  });

  it('may still arrive in a contract that is unknown, or whose ids are', async () => {
    const {again, deal} = await replaced();
    const of = structuredClone(deal);
    Object.assign(of.agreed.from, {contracts: []});
    expect(await again({of})).to.deep.equal({state: 'none'});
    const other = structuredClone(deal);
    Object.assign(other.deposit.payload, {
      typedData: {domain: {version: '9'}, types: {}, message: {}, primaryType: ''},
    });
    expect(await again({of: other})).to.deep.equal({state: 'unknown'});
  });

  it('is not read from a node that does not know that block yet', async () => {
    const {again, wallet} = await replaced();
    wallet.instead.set('eth_blockNumber', () => '0xffff');
    await faultOf(again());
  });

  it('has a nonce only if the payer sent it', async () => {
    const {wallet, read} = await open();
    wallet.mine(HASH, {block: undefined, nonce: 7n, coins: {from: `0x${'12'.repeat(20)}`, to: null, value: 0n}});
    expect(await read(HASH)).to.deep.equal({state: 'seen'});
  });
});
