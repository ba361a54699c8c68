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
