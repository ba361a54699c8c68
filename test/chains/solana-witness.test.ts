/** What Solana shows of a swap, whatever its service says. */
import {expect} from '../support/expect.js';
import type {Account} from '../../src/chains/adapter.js';
import {createSolanaAdapter} from '../../src/chains/solana/solana.js';
import {TIMEOUTS} from '../../src/chains/timeouts.js';
import type {Asset} from '../../src/domain/asset.js';
import {errorOf, listen} from '../support/funding.js';
import {ownDeal, reprepare} from '../support/solana-deal.js';
import {
  base58,
  bytesIn,
  LedgerWallet,
  NodeFault,
  OWNER,
  PROGRAM,
  SolanaLedger,
  STRANGER,
} from '../support/solana-ledger.js';

const adapter = createSolanaAdapter({...TIMEOUTS, read: 100, lag: 100, poll: 2});
const AMOUNT = 354_608_265n;
const HASH = base58(new Uint8Array(64).fill(9));

let ledger: SolanaLedger;
let close: () => void;
beforeEach(() => {
  ledger = new SolanaLedger();
  close = ledger.serve();
});
afterEach(() => close());

async function open() {
  const deal = ownDeal(ledger);
  const wallet = await adapter.walletOf!(new LedgerWallet(ledger).standard);
  const account: Account = await wallet.connect();
  const {onWalletRequest} = listen();
  return {
    deal,
    pay: async () => (await adapter.fund(deal, account, {way: 'transaction', onWalletRequest})) as {hash: string},
    refund: () => adapter.refund!(deal, account, {onWalletRequest}),
    read: (hash?: string) => adapter.readDeposit(deal, {hash}),
  };
}

describe('a deposit on Solana', () => {
  it('is shown with its amount and slot as long as it lies in the swap’s account', async () => {
    const {deal, pay, read} = await open();
    expect(await read()).to.deep.equal({state: 'none'});
    const slot = ledger.slot;
    const {hash} = await pay();
    const shown = {state: 'seen', amount: AMOUNT, block: slot, isHeld: true, isRefundOpen: false};
    expect(await read()).to.deep.equal(shown);
    expect(await read(hash)).to.deep.equal({...shown, hashes: [hash]});
    ledger.slot += BigInt(deal.order.source.timelock) + 1n;
    expect(await read()).to.deep.equal({...shown, isRefundOpen: true});
  });

  it('lies there no longer once its account is gone, and needs no order by the service', async () => {
    const {deal, pay, read, refund} = await open();
    const {hash} = await pay();
    ledger.slot += BigInt(deal.order.source.timelock) + 1n;
    await refund();
    const {order: _, ...journaled} = deal;
    const shown = {state: 'seen', hashes: [hash], isHeld: false, isRefundOpen: false};
    expect(await adapter.readDeposit(journaled, {hash})).to.deep.equal(shown);
    expect((await read()).state, 'without its transaction').to.equal('none');
  });

  it('is on its way while its block may still be dropped, and is not gone because its account is not there yet', async () => {
    const {read} = await open();
    ledger.landed.set(HASH, {err: null, confirmationStatus: 'processed'});
    expect(await read(HASH)).to.deep.equal({state: 'seen', hashes: [HASH]});
    ledger.landed.set(HASH, {err: {InstructionError: [0, {Custom: 1}]}, confirmationStatus: 'processed'});
    expect((await read(HASH)).state).to.equal('none');
    ledger.landed.set(HASH, {err: {InstructionError: [0, {Custom: 1}]}, confirmationStatus: 'confirmed'});
    expect((await read(HASH)).state).to.equal('reverted');
  });

  it('is looked for again by a node that knows its block, before it counts as gone', async () => {
    const {pay, read} = await open();
    const {hash} = await pay();
    let looks = 0;
    const configs: unknown[] = [];
    ledger.instead.set('getAccountInfo', params => {
      configs.push(params[1]);
      return looks++ === 0 ? {value: null} : ledger.answer('getAccountInfo', params);
    });
    expect(await read(hash)).to.include({state: 'seen', amount: AMOUNT, isHeld: true});
    expect(configs[1]).to.include({minContextSlot: Number(ledger.slot)});
    ledger.instead.set('getAccountInfo', () => {
      if (looks++ % 2 === 0) return {value: null};
      throw new NodeFault(-32016, 'Minimum context slot has not been reached');
    });
    expect(await read(hash)).to.deep.equal({state: 'unknown'});
  });

  it('is not made a second time, and the error says that it is paid', async () => {
    const {pay} = await open();
    await pay();
    const {code, field} = await errorOf(pay());
    expect([code, field]).to.deep.equal(['wallet-unclear', 'paid']);
  });

  it('is none of other terms under the same secret', async () => {
    const {deal, pay} = await open();
    await pay();
    const other = structuredClone(deal);
    reprepare(other, {amount: AMOUNT + 1n});
    expect(await adapter.readDeposit(other, {})).to.deep.equal({state: 'none'});
    reprepare(other, {redeemer: STRANGER});
    expect(await adapter.readDeposit(other, {})).to.deep.equal({state: 'none'});
  });

  it('is shown as far as the chain can be read, and never rejects', async () => {
    const {pay, read} = await open();
    await pay();
    ledger.instead.set('getSlot', () => new Promise(() => {}));
    expect(await read()).to.deep.equal({state: 'seen', amount: AMOUNT, block: 1_000n, isHeld: true});
    ledger.instead.set('getAccountInfo', () => new Promise(() => {}));
    expect(await read()).to.deep.equal({state: 'unknown'});
  });
});

describe('a payout on Solana', () => {
  const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
  const SECRET = '5e'.repeat(32);
  const redeem = {programIdIndex: 2, accounts: [3, 1], data: base58(bytesIn(`b80c569546c461e1${SECRET}`))};
  const held = (owner: string, amount: string, mint = MINT) => ({mint, owner, uiTokenAmount: {amount}});
  const landed = {
    slot: 2_000,
    transaction: {
      signatures: [HASH],
      message: {accountKeys: [STRANGER, OWNER, PROGRAM], instructions: [redeem]},
    },
    meta: {
      err: null as unknown,
      fee: 5_000,
      preBalances: [10_000_000, 1_000, 1, 700_000],
      postBalances: [9_990_000, 501_000, 1, 0],
      preTokenBalances: [held(OWNER, '5'), held(STRANGER, '90')],
      postTokenBalances: [held(OWNER, '25'), held(OWNER, '10'), held(STRANGER, '60'), held(OWNER, '7', STRANGER)],
      loadedAddresses: {writable: [], readonly: []},
      innerInstructions: [],
    },
  };

  async function openPaid(change: object = {}, meta: object = {}) {
    const {deal} = await open();
    ledger.transactions.set(HASH, {...landed, ...change, meta: {...landed.meta, ...meta}});
    const {from} = deal.agreed;
    return {
      from: from as Asset,
      read: (asset: Asset = from, recipient = OWNER, hashes: readonly string[] = [HASH]) =>
        adapter.readPayout(asset, recipient, hashes, {}),
    };
  }

  it('in SOL is what the recipient had after the transaction and not before, with the secret', async () => {
    const {read, from} = await openPaid();
    expect(await read()).to.deep.equal({amount: 500_000n, block: 2_000n, secret: SECRET});
    expect(await read(from, STRANGER), 'less than nothing').to.deep.equal({amount: 0n, block: 2_000n});
  });

  it('is not lessened by the fee where the recipient pays that', async () => {
    const {read, from} = await openPaid({}, {postBalances: [10_095_000, 1_000, 1, 0]});
    expect((await read(from, STRANGER))?.amount).to.equal(100_000n);
  });

  it('of a token is what all accounts of the recipient had of it after the transaction and not before', async () => {
    const {read, from} = await openPaid();
    expect((await read({...from, token: MINT}))?.amount).to.equal(30n);
  });

  it('shows a secret that another program passed on, and none of a program that is not known', async () => {
    const {transaction} = landed;
    const {accountKeys} = transaction.message;
    const bare = {transaction: {...transaction, message: {accountKeys, instructions: []}}};
    const {read} = await openPaid(bare, {innerInstructions: [{index: 0, instructions: [redeem]}]});
    expect((await read())?.secret).to.equal(SECRET);
    const {read: readOther, from} = await openPaid();
    expect(await readOther({...from, contracts: [STRANGER]})).to.deep.equal({amount: 500_000n, block: 2_000n});
  });

  it('finds accounts that an address table gave', async () => {
    const message = {accountKeys: [STRANGER], instructions: []};
    const {read} = await openPaid(
      {transaction: {message}},
      {loadedAddresses: {writable: [OWNER], readonly: [PROGRAM]}, preTokenBalances: null, postTokenBalances: null},
    );
    expect(await read()).to.deep.equal({amount: 500_000n, block: 2_000n});
  });

  it('is nothing where the chain does not know the transaction, or it failed', async () => {
    const {read, from} = await openPaid();
    expect(await read(from, OWNER, [base58(new Uint8Array(64).fill(8)), '../admin'])).to.deep.equal({amount: 0n});
    expect(ledger.asked('getTransaction')).to.have.length(1);
    const failed = await openPaid({}, {err: {InstructionError: [0, {Custom: 1}]}});
    expect(await failed.read()).to.deep.equal({amount: 0n, block: 2_000n});
  });

  it('is not known where the recipient has more than a node can write exactly', async () => {
    const {read} = await openPaid({}, {postBalances: [9_990_000, 2 ** 53, 1, 0]});
    expect(await read()).to.be.undefined;
  });

  it('is not known where the chain cannot be read', async () => {
    const {read, from} = await openPaid();
    ledger.instead.set('getTransaction', () => {
      throw new NodeFault(-32005, 'Node is behind');
    });
    expect(await read()).to.be.undefined;
    expect(await read(from, 'nobody')).to.be.undefined;
    const {rpc: _, ...chain} = from.chain;
    expect(await read({...from, chain})).to.be.undefined;
  });
});
