/** What Solana shows of a swap, whatever its service says. */
import {sha256} from '@noble/hashes/sha2.js';
import {PublicKey, SystemProgram} from '@solana/web3.js';
import {expect} from '../support/expect.js';
import type {Account} from '../../src/chains/adapter.js';
import {soughtPayment} from '../../src/chains/solana/htlc.js';
import {createSolanaAdapter} from '../../src/chains/solana/solana.js';
import {readTransaction} from '../../src/chains/solana/transaction.js';
import {TIMEOUTS} from '../../src/chains/timeouts.js';
import type {Asset} from '../../src/domain/asset.js';
import type {Leg, Order} from '../../src/domain/order.js';
import {faultOf, listen} from '../support/funding.js';
import {ofEach, ownDeal, reprepare} from '../support/solana-deal.js';
import {
  base58,
  BEGAN,
  bytesIn,
  hexOf,
  INSTANT_REFUND,
  LedgerWallet,
  MINT,
  NodeFault,
  OWNER,
  PROGRAM,
  redeemBy,
  REFUND,
  SolanaLedger,
  STRANGER,
  swapAccountOf,
  tokenAccountOf,
  TOKENS_PROGRAM,
  type LedgerCall,
} from '../support/solana-ledger.js';

const adapter = createSolanaAdapter({...TIMEOUTS, read: 100, lag: 100, poll: 2});
const AMOUNT = 354_608_265n;
const [HASH, NEXT, LAST] = [9, 10, 11].map(byte => base58(new Uint8Array(64).fill(byte))) as [string, string, string];
const SYSTEM = '11111111111111111111111111111111';
const SECRET = '5e'.repeat(32);
const SECRET_HASH = hexOf(sha256(bytesIn(SECRET)));

let ledger: SolanaLedger;
let close: () => void;
beforeEach(() => {
  ledger = new SolanaLedger();
  close = ledger.serve();
});
afterEach(() => close());

async function open() {
  const deal = ownDeal(ledger);
  const [program = ''] = deal.agreed.from.contracts;
  for (const leg of [deal.order.source, deal.order.destination]) leg.secretHash = SECRET_HASH;
  reprepare(deal);
  const wallet = await adapter.wallets.walletOf!(new LedgerWallet(ledger).standard);
  const payer: Account = await wallet.connect();
  const {onWalletRequest} = listen();
  const account = swapAccountOf(program, OWNER, SECRET_HASH, deal.agreed.from.token);
  return {
    deal,
    account,
    program,
    /** A call that pays into the swap, from the service's own transaction, or with another account or program. */
    payment: ({program: by = program, swap = account} = {}): LedgerCall => {
      const {accounts, data} = readTransaction(bytesIn(deal.deposit.payload.transaction))!.instructions[0]!;
      return {program: by, accounts: accounts.map(({address}) => (address === account ? swap : address)), data};
    },
    outlast: () => (ledger.slot += BigInt(deal.order.source.timelock) + 1n),
    pay: async (paid = deal) =>
      (await adapter.fund(paid, payer, {way: 'transaction', onWalletRequest})) as {hash: string},
    refund: () => adapter.back.refund!(deal, payer, {onWalletRequest}),
    read: (hash?: string, ends: readonly string[] = [], lifetime?: string) =>
      adapter.readDeposit(deal, {hash, ends, lifetime}),
  };
}

ofEach('a deposit on Solana', () => {
  it('is shown with its amount and slot while the swap’s account holds it', async () => {
    const {pay, read, outlast} = await open();
    expect(await read()).to.deep.equal({state: 'none'});
    const slot = ledger.slot;
    const {hash} = await pay();
    const shown = {state: 'seen', amount: AMOUNT, block: slot, isHeld: true, isRefundOpen: false};
    expect(await read()).to.deep.equal(shown);
    expect(await read(hash)).to.deep.equal({...shown, hashes: [hash]});
    outlast();
    ledger.slot -= 1n;
    expect(await read(), 'in the last slot of the timelock').to.deep.equal(shown);
    ledger.slot += 1n;
    expect(await read()).to.deep.equal({...shown, isRefundOpen: true});
    expect(ledger.asked('getTransaction'), 'what lies there has no end').to.deep.equal([]);
  });

  it('does not belong to a claimed transaction that is in another slot, or failed', async () => {
    const {payment, pay, read} = await open();
    ledger.landed.set(HASH, {err: null});
    ledger.record(HASH, [payment()]);
    ledger.landed.set(NEXT, {err: 'AccountInUse'});
    ledger.slot += 1n;
    await pay();
    expect(await read(HASH))
      .to.include({isHeld: true, block: ledger.slot})
      .and.not.to.have.property('hashes');
    expect(await read(NEXT))
      .to.include({isHeld: true})
      .and.not.to.have.property('hashes');
    expect(await read('no hash')).to.include({isHeld: true});
    expect(await read('1'.repeat(70)), 'too long for one').to.include({isHeld: true});
  });

  it('is found by its order’s terms, in the programs known for its asset', async () => {
    const {deal, program, pay, read} = await open();
    const {from: asset} = deal.agreed;
    const shownBy = (at: number, order: Order = deal.order) => {
      const deposits = adapter.depositsOf(order, {...asset, contracts: [STRANGER, program]});
      return adapter.readDeposit({...deal, deposit: deposits[at]!}, {});
    };
    // A lookup has no transaction that could still be sent.
    const nowhere = {state: 'expired'};
    expect(await shownBy(1)).to.deep.equal(nowhere);
    await pay();
    const shown = await shownBy(1);
    expect(shown).to.include({state: 'seen', amount: AMOUNT, isHeld: true});
    expect(shown).to.deep.equal(await read());
    expect(await shownBy(0), 'another program').to.deep.equal(nowhere);
    const {source} = deal.order;
    expect(await shownBy(1, {...deal.order, source: {...source, redeemer: STRANGER}}), 'other terms').to.deep.equal(
      nowhere,
    );
  });

  it('is not looked up under terms that no program can hold', async () => {
    const {deal} = await open();
    const {source} = deal.order;
    for (const change of [
      {initiator: 'nobody'},
      {redeemer: 'nobody'},
      {amount: -1n},
      {amount: 2n ** 64n},
      {timelock: -1},
      {timelock: 0.5},
      {timelock: 2 ** 60},
      {secretHash: source.secretHash.slice(2)},
      {secretHash: `${source.secretHash}00`},
    ]) {
      const order = {...deal.order, source: {...source, ...change}};
      expect(adapter.depositsOf(order, deal.agreed.from), Object.values(change).join()).to.deep.equal([]);
    }
    expect(adapter.depositsOf(deal.order, {...deal.agreed.from, contracts: ['no program']})).to.deep.equal([]);
  });

  it('does not match other terms under the same secret', async () => {
    const {deal, account, pay} = await open();
    await pay();
    const other = structuredClone(deal);
    reprepare(other, {redeemer: STRANGER});
    expect(await adapter.readDeposit(other, {})).to.deep.equal({state: 'none'});
    reprepare(other, {slots: BigInt(deal.order.source.timelock) - 1n});
    expect(await adapter.readDeposit(other, {}), 'paid in after now').to.deep.equal({state: 'none'});
    other.agreed.amount = AMOUNT + 1n;
    reprepare(other);
    expect(await adapter.readDeposit(other, {})).to.deep.equal({state: 'none'});
    const kept = ledger.deposits.get(account)!;
    expect((await adapter.readDeposit(deal, {})).isHeld).to.be.true;
    for (const change of [{owner: STRANGER}, {secretHash: 'ab'.repeat(32)}, {program: STRANGER}]) {
      ledger.deposits.set(account, {...kept, ...change});
      expect((await adapter.readDeposit(deal, {})).isHeld, JSON.stringify(change)).not.to.be.true;
    }
  });

  it('is no longer held once its account is gone, and needs no order from the service', async () => {
    const {deal, pay, outlast, refund} = await open();
    const block = ledger.slot;
    const {hash} = await pay();
    outlast();
    const back = await refund();
    const {order: _, ...journaled} = deal;
    const end = {how: 'refunded', amount: AMOUNT, hashes: [back], block: ledger.slot};
    const shown = {state: 'seen', hashes: [hash], amount: AMOUNT, block, isHeld: false, isRefundOpen: false, end};
    expect(await adapter.readDeposit(journaled, {hash})).to.deep.equal(shown);
    expect(await adapter.readDeposit(journaled, {}), 'without its transaction').to.deep.equal(shown);
  });

  it('is pending while its block may still be dropped, and is not gone because its account does not exist yet', async () => {
    const {read} = await open();
    ledger.landed.set(HASH, {err: null, confirmationStatus: 'processed'});
    expect(await read(HASH)).to.deep.equal({state: 'seen', hashes: [HASH]});
    ledger.landed.set(HASH, {err: {InstructionError: [0, {Custom: 1}]}, confirmationStatus: 'processed'});
    expect((await read(HASH)).state).to.equal('none');
    ledger.landed.set(HASH, {err: {InstructionError: [0, {Custom: 1}]}, confirmationStatus: 'confirmed'});
    expect((await read(HASH)).state).to.equal('reverted');
  });

  it('is read again from a node that has its block before it counts as gone', async () => {
    const {pay, read} = await open();
    const {hash} = await pay();
    let looks = 0;
    const configs: unknown[] = [];
    const late = (params: readonly unknown[]) => {
      configs.push(params[1]);
      return looks++ === 0 ? {value: null} : ledger.answer('getAccountInfo', params);
    };
    ledger.instead.set('getAccountInfo', late);
    expect(await read(hash)).to.include({state: 'seen', amount: AMOUNT, isHeld: true});
    expect(configs[1]).to.include({minContextSlot: Number(ledger.slot)});
    looks = 0;
    const shown = await read();
    expect(shown, 'by its history')
      .to.include({isHeld: true})
      .and.to.deep.include({hashes: [hash]});
    expect(configs[3]).to.include({minContextSlot: Number(ledger.slot)});
    ledger.instead.set('getAccountInfo', () => {
      if (looks++ % 2 === 0) return {value: null};
      throw new NodeFault(-32016, 'Minimum context slot has not been reached');
    });
    expect(await faultOf(read(hash))).to.be.an('error');
  });

  it('is unknown if the chain cannot be read, and a failed read is an error', async () => {
    const {deal, pay, read} = await open();
    await pay();
    const {rpc: _, ...chain} = deal.agreed.from.chain;
    const asset = {...deal.agreed.from, chain};
    const unknown = {state: 'unknown'};
    expect(await adapter.readDeposit({...deal, agreed: {...deal.agreed, from: asset}}, {})).to.deep.equal(unknown);
    expect(await adapter.readDeposit({...deal, agreed: {...deal.agreed, owner: 'nobody'}}, {})).to.deep.equal(unknown);
    const other = structuredClone(deal);
    other.deposit.payload.transaction = '00';
    expect(await adapter.readDeposit(other, {})).to.deep.equal(unknown);
    reprepare(other, {change: instruction => Object.assign(instruction, {data: Buffer.of(1)})});
    expect(await adapter.readDeposit(other, {}), 'no terms').to.deep.equal(unknown);
    for (const method of ['isBlockhashValid', 'getAccountInfo', 'getSignatureStatuses']) {
      ledger.instead.set(method, () => new Promise(() => {}));
      expect(await faultOf(read(HASH)), method).to.be.an('error');
      ledger.instead.delete(method);
    }
    ledger.deposits.clear();
    ledger.instead.set('getSignaturesForAddress', () => new Promise(() => {}));
    expect(await faultOf(read()), 'it may have been paid, and be gone').to.be.an('error');
  });
});

ofEach('a transaction on Solana claimed to be a deposit', () => {
  async function openNamed() {
    const opened = await open();
    return {
      ...opened,
      /** Executes such a transaction, and reads the deposit by it. */
      named: (calls: readonly LedgerCall[], more: Parameters<SolanaLedger['record']>[2] = {}) => {
        ledger.landed.set(HASH, {err: more.err ?? null});
        ledger.record(HASH, calls, more);
        return opened.read(HASH);
      },
    };
  }
  const transfer: LedgerCall = {program: SYSTEM, accounts: [OWNER, STRANGER], data: bytesIn('0200000000')};
  const empty = {state: 'empty'};

  it('paid nothing if it succeeded and did not pay into the account', async () => {
    const {deal, named, payment} = await openNamed();
    expect(await named([transfer])).to.deep.equal(empty);
    expect(await named([payment({program: STRANGER})]), 'another program').to.deep.equal(empty);
    expect(await named([payment({swap: STRANGER})]), 'another account').to.deep.equal(empty);
    for (const terms of [{amount: AMOUNT - 1n}, {redeemer: STRANGER}, {slots: 1n}, {secretHash: 'ab'.repeat(32)}]) {
      const right = deal.deposit.payload.transaction;
      reprepare(deal, terms);
      const call = payment();
      deal.deposit.payload.transaction = right;
      expect(await named([call]), JSON.stringify(Object.keys(terms))).to.deep.equal(empty);
    }
  });

  it('paid if a program that it calls paid into the account', async () => {
    const {named, payment} = await openNamed();
    const shown = {state: 'seen', hashes: [HASH], amount: AMOUNT, block: 1_000n, isHeld: false, isRefundOpen: false};
    expect(await named([transfer], {inner: [payment()]})).to.deep.equal(shown);
    expect(await named([payment()])).to.deep.equal(shown);
  });

  it('as a plain transfer shows whether it was made, failed, or cannot come any more', async () => {
    const {deal, read} = await openNamed();
    deal.order.source.swapId = STRANGER;
    const [fromPubkey, toPubkey] = [OWNER, STRANGER].map(address => new PublicKey(address)) as [PublicKey, PublicKey];
    const paying = SystemProgram.transfer({fromPubkey, toPubkey, lamports: AMOUNT});
    reprepare(deal, {change: instruction => Object.assign(instruction, paying)});
    ledger.landed.set(HASH, {err: null});
    const unknown = {state: 'unknown'};
    expect(await read(HASH)).to.deep.equal({...unknown, isTaken: true});
    for (const hash of [NEXT, undefined, 'no hash', '1'.repeat(70)])
      expect(await read(hash), String(hash)).to.deep.equal(unknown);
    const lifetime = readTransaction(bytesIn(deal.deposit.payload.transaction))?.blockhash;
    expect(await read(NEXT, [], lifetime)).to.deep.equal(unknown);
    ledger.outdate();
    expect(await read(NEXT, [], lifetime)).to.deep.equal({state: 'expired'});
    expect(await read(NEXT), 'a wallet may have set another blockhash').to.deep.equal(unknown);
    expect(await read(undefined, [], lifetime), 'no hash to look for').to.deep.equal(unknown);
    expect(await read(HASH, [], lifetime)).to.deep.equal({...unknown, isTaken: true});
    ledger.landed.set(HASH, {err: 'AccountInUse'});
    expect(await read(HASH)).to.deep.equal({state: 'reverted'});
    expect(await read()).to.deep.equal(unknown);
    expect(ledger.asked('getAccountInfo'), 'there is no swap to read').to.deep.equal([]);
  });

  it('reports nothing until the node has it', async () => {
    const {read} = await openNamed();
    ledger.landed.set(HASH, {err: null});
    expect(await faultOf(read(HASH))).to.be.an('error');
  });
});

ofEach('the end of a deposit on Solana', () => {
  async function openPaid() {
    const opened = await open();
    const {hash} = await opened.pay();
    opened.outlast();
    const endOf = async (...options: Parameters<typeof opened.read>) => (await opened.read(...options)).end;
    return {...opened, hash, endOf};
  }
  const asked = () => ledger.asked('getSignaturesForAddress').length;
  const refunded = () => ({how: 'refunded', amount: AMOUNT, hashes: [NEXT], block: ledger.slot});
  const redeemed = () => ({...refunded(), how: 'redeemed', amount: 0n});

  for (const [what, data, end] of [
    ['a refund', REFUND, refunded],
    ['a refund that the redeemer agreed to', INSTANT_REFUND, refunded],
    ['a redeem', redeemBy(SECRET), redeemed],
  ] as const) {
    it(`is ${what} that closed its account, by the program itself or within another program's call`, async () => {
      for (const shape of ['own', 'inner'] as const) {
        const {account, hash, endOf} = await openPaid();
        ledger.close(NEXT, account, data, shape);
        expect(await endOf(hash)).to.deep.equal(end());
        expect(await endOf(hash, [NEXT])).to.deep.equal(end());
        expect(await endOf(undefined, [NEXT]), 'without its transaction').to.deep.equal(end());
        expect(await endOf()).to.deep.equal(end());
        close();
        ledger = new SolanaLedger();
        close = ledger.serve();
      }
    });
  }

  it('is first looked for in the claimed transaction, then in the account’s transactions', async () => {
    const {account, hash, endOf} = await openPaid();
    ledger.close(NEXT, account, REFUND);
    const before = asked();
    expect(await endOf(hash, ['no hash', '1'.repeat(70), LAST, NEXT])).to.deep.equal(refunded());
    expect(asked()).to.equal(before);
    expect(await endOf(hash, [LAST])).to.deep.equal(refunded());
    expect(asked()).to.equal(before + 1);
  });

  it('is not taken from another account, another program, or a failed transaction', async () => {
    const {account, program, hash, endOf} = await openPaid();
    const call = {program, accounts: [account, OWNER], data: REFUND};
    ledger.deposits.clear();
    for (const [calls, more] of [
      [[{...call, accounts: [STRANGER, OWNER]}], {}],
      [[{...call, program: STRANGER}], {}],
      [[{...call, data: bytesIn('00'.repeat(8))}], {}],
      [[{...call, data: redeemBy(SECRET).slice(0, 39)}], {}],
      [[call], {err: {InstructionError: [0, {Custom: 6003}]}}],
    ] as const) {
      ledger.record(NEXT, calls, more);
      expect(await endOf(hash, [NEXT])).to.be.undefined;
      expect(await endOf()).to.be.undefined;
    }
    ledger.record(NEXT, [call]);
    expect(await endOf(hash, [NEXT])).to.deep.equal(refunded());
  });

  it('may be in the payment’s own slot, and once known asks for the account no more', async () => {
    const {account, pay, read} = await open();
    const {hash} = await pay();
    ledger.close(NEXT, account, redeemBy(SECRET));
    expect((await read(hash)).end).to.deep.equal(redeemed());
    const looks = ledger.asked('getAccountInfo').length;
    expect((await read()).end).to.deep.equal(redeemed());
    expect(ledger.asked('getAccountInfo').length - looks).to.equal(1);
  });

  it('is that of this payment, not of an earlier one or a later one into the same account', async () => {
    const {deal, account, hash, pay, endOf, read, outlast} = await openPaid();
    ledger.close(NEXT, account, REFUND);
    const first = refunded();
    ledger.slot += 1n;
    ledger.know(STRANGER);
    const later = structuredClone(deal);
    reprepare(later, {blockhash: STRANGER});
    const again = await pay(later);
    expect(await endOf(hash), 'held').to.be.undefined;
    outlast();
    ledger.close(LAST, account, redeemBy(SECRET));
    const second = {...redeemed(), hashes: [LAST]};
    expect(await endOf(hash)).to.deep.equal(first);
    expect(await endOf(again.hash)).to.deep.equal(second);
    expect(await endOf(again.hash, [NEXT])).to.deep.equal(second);
    expect((await read()).end, 'the last one').to.deep.equal(second);
  });

  it('is omitted if it cannot be determined, and the payment is still not held', async () => {
    const {account, hash, read} = await openPaid();
    ledger.close(NEXT, account, REFUND);
    for (const method of ['getSignaturesForAddress', 'getTransaction'] as const) {
      ledger.instead.set(method, params => {
        if (method === 'getTransaction' && params[0] === hash) return ledger.answer(method, params);
        throw new NodeFault(-32005, 'Node is behind');
      });
      const shown = await read(hash, [LAST]);
      expect(shown, method).to.include({state: 'seen', isHeld: false}).and.not.to.have.property('end');
      ledger.instead.delete(method);
    }
  });
});

describe('a payout on Solana', () => {
  const ACCOUNT = swapAccountOf(PROGRAM, STRANGER, SECRET_HASH);
  /** Its account, the payer, and the redeemer. */
  const redeem = {programIdIndex: 2, accounts: [3, 0, 1], data: base58(redeemBy(SECRET))};
  const held = (owner: string, amount: string, mint = MINT) => ({mint, owner, uiTokenAmount: {amount}});
  const landed = {
    slot: 2_000,
    blockTime: BEGAN as number | null,
    transaction: {
      signatures: [HASH],
      message: {accountKeys: [STRANGER, OWNER, PROGRAM, ACCOUNT], instructions: [redeem]},
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
  const nothing = {amount: 0n, loose: 0n, earlier: 0n, hashes: []};
  const paid = {...nothing, amount: 500_000n, hashes: [HASH], block: 2_000n, secret: SECRET};
  const loose = {...nothing, loose: 500_000n};

  const initiate = (
    amount: bigint,
    {swap = ACCOUNT, by = PROGRAM, secretHash = SECRET_HASH, payer = STRANGER} = {},
  ): LedgerCall => ({
    program: by,
    accounts: [swap, payer, SYSTEM],
    data: soughtPayment(by, payer, {amount, timelock: 1_000n, redeemer: OWNER, secretHash})!.data,
  });

  const redeemOf = (account: string, secret = SECRET, payer = STRANGER): LedgerCall => ({
    program: PROGRAM,
    accounts: [account, payer, OWNER],
    data: redeemBy(secret),
  });
  const hashAt = (place: number) => base58(new Uint8Array(64).fill(20 + place));

  async function openPaid(change: object = {}, meta: object = {}) {
    const {deal} = await open();
    ledger.record(NEXT, [initiate(600_000n)]);
    ledger.transactions.set(HASH, {...landed, ...change, meta: {...landed.meta, ...meta}});
    const {from} = deal.agreed;
    return {
      from: from as Asset,
      read: (
        asset: Asset = from,
        recipient = OWNER,
        hashes: readonly string[] = [HASH],
        options: Parameters<typeof adapter.readPayout>[3] = {secretHash: SECRET_HASH},
      ) => adapter.readPayout(asset, recipient, hashes, options),
    };
  }

  it('in SOL is the difference in the recipient’s balance, with the secret', async () => {
    const {read, from} = await openPaid();
    expect(await read()).to.deep.equal(paid);
    expect(await read(from, STRANGER), 'less than nothing').to.deep.equal(nothing);
    expect(await read(from, MINT), 'named nowhere').to.deep.equal(nothing);
  });

  it('is what was paid into the account that the redeem closes, the last time before it', async () => {
    const {read, from} = await openPaid();
    const credit = async () => {
      const {amount, loose: rest} = (await read())!;
      return [amount, rest];
    };
    const paidBy = (before: readonly (readonly LedgerCall[])[], after: readonly (readonly LedgerCall[])[] = []) => {
      const payout = ledger.transactions.get(HASH)!;
      ledger.transactions.clear();
      for (const [at, calls] of before.entries()) ledger.record(hashAt(at), calls);
      ledger.transactions.set(HASH, payout);
      for (const [at, calls] of after.entries()) ledger.record(hashAt(100 + at), calls);
    };
    paidBy([[initiate(400_000n)]]);
    expect(await credit()).to.deep.equal([400_000n, 100_000n]);
    paidBy([[initiate(400_000n), {...redeemOf(ACCOUNT), data: bytesIn('00'.repeat(8))}]]);
    expect(await credit(), 'whatever else was called').to.deep.equal([400_000n, 100_000n]);
    paidBy([[initiate(1n)], [initiate(2n), initiate(300_000n)], [redeemOf(ACCOUNT)]], [[initiate(3n)]]);
    expect(await credit(), 'each payment closed by its redeem').to.deep.equal([300_000n, 200_000n]);
    paidBy(
      [[initiate(400_000n)], ...Array<LedgerCall[]>(19).fill([redeemOf(ACCOUNT)])],
      Array(30).fill([initiate(3n)]),
    );
    expect(await credit(), 'whatever names the account later').to.deep.equal([400_000n, 100_000n]);
    for (const [what, payments] of [
      ['nothing', []],
      ['another account', [[initiate(400_000n, {swap: OWNER}), redeemOf(ACCOUNT)]]],
      ['another program', [[initiate(400_000n, {by: STRANGER})]]],
      ['too long ago', [[initiate(400_000n)], ...Array<LedgerCall[]>(20).fill([redeemOf(ACCOUNT)])]],
    ] as const) {
      paidBy([...payments]);
      expect(await credit(), what).to.deep.equal([0n, 500_000n]);
    }
    paidBy([[initiate(1n)], [initiate(400_000n)]]);
    ledger.instead.set('getTransaction', params =>
      params[0] === hashAt(1) ? null : ledger.answer('getTransaction', params),
    );
    expect(await credit(), 'a payment that the node does not have').to.deep.equal([0n, 500_000n]);
    ledger.instead.set('getSignaturesForAddress', () => {
      throw new NodeFault(-32005, 'Node is behind');
    });
    expect(await faultOf(read())).to.be.an('error');
    expect(await read({...from, contracts: []}), 'of an unknown program it is not read').to.deep.equal(loose);
  });

  describe('in a transaction that redeems several swaps', () => {
    const OTHER = '5f'.repeat(32);
    /** Records a transaction with these calls that moves coins to the recipient. */
    async function openSeveral(calls: readonly LedgerCall[], came: bigint) {
      const {read, from} = await openPaid();
      for (const hash of [NEXT, HASH]) ledger.transactions.delete(hash);
      ledger.record(HASH, calls);
      const {transaction, meta} = ledger.transactions.get(HASH)!;
      const at = transaction.message.accountKeys.indexOf(OWNER);
      const balances = meta.preBalances.map((before, place) => (place === at ? 10 ** 9 + Number(came) : before));
      Object.assign(meta, {preBalances: meta.preBalances.with(at, 10 ** 9), postBalances: balances});
      return async (secret: string, leg?: Partial<Leg>) => {
        const secretHash = hexOf(sha256(bytesIn(secret)));
        const payout = await read(from, OWNER, [HASH], {secretHash, leg: leg as Leg});
        return [payout!.amount, payout!.loose, payout!.earlier];
      };
    }
    const accountOf = (secret: string, payer = STRANGER) =>
      swapAccountOf(PROGRAM, payer, hexOf(sha256(bytesIn(secret))));
    /** The call that redeems a swap; `amount` was paid into it before. */
    const swap = (at: number, amount: bigint, secret: string, payer = STRANGER) => {
      const account = accountOf(secret, payer);
      ledger.transactions.delete(hashAt(at));
      ledger.record(hashAt(at), [initiate(amount, {swap: account, payer, secretHash: hexOf(sha256(bytesIn(secret)))})]);
      return redeemOf(account, secret, payer);
    };

    it('is the amount of this order’s swap alone', async () => {
      const calls = () => [swap(1, 500n, SECRET), swap(2, 7n, OTHER)];
      const of = await openSeveral(calls(), 510n);
      expect(await of(SECRET)).to.deep.equal([500n, 3n, 7n]);
      expect(await of(OTHER)).to.deep.equal([7n, 3n, 500n]);
      expect(await of('00'.repeat(32)), 'neither').to.deep.equal([0n, 0n, 510n]);
      const less = await openSeveral(calls(), 503n);
      expect(await less(OTHER), 'what was left').to.deep.equal([3n, 0n, 500n]);
    });

    it('with one secret is the one whose account or payer is the order’s, and unrelated money otherwise', async () => {
      const calls = [swap(1, 500n, SECRET), swap(2, 7n, SECRET, OWNER)];
      const of = await openSeveral(calls, 507n);
      expect(await of(SECRET, {swapId: accountOf(SECRET), initiator: OWNER})).to.deep.equal([500n, 7n, 0n]);
      expect(await of(SECRET, {swapId: 'its own', initiator: OWNER})).to.deep.equal([7n, 500n, 0n]);
      expect(await of(SECRET, {swapId: PROGRAM, initiator: OWNER})).to.deep.equal([0n, 507n, 0n]);
      expect(await of(SECRET)).to.deep.equal([0n, 507n, 0n]);
      const alone = await openSeveral([swap(2, 7n, SECRET, OWNER)], 7n);
      expect(await alone(SECRET, {swapId: PROGRAM, initiator: OWNER}), 'by its payer').to.deep.equal([7n, 0n, 0n]);
      expect(await alone(SECRET, {swapId: PROGRAM, initiator: STRANGER}), 'another order’s').to.deep.equal([
        0n,
        7n,
        0n,
      ]);
      expect(await alone(SECRET, {swapId: 'its own', initiator: STRANGER}), 'the only one').to.deep.equal([7n, 0n, 0n]);
    });
  });

  it('does not count if its block is older than the order, by the block’s own time', async () => {
    const {read, from} = await openPaid();
    const at = BEGAN * 1_000;
    const secretHash = SECRET_HASH;
    expect(await read(from, OWNER, [HASH], {secretHash, since: at})).to.deep.equal(paid);
    const earlier = {...nothing, earlier: 500_000n};
    expect(await read(from, OWNER, [HASH], {secretHash, since: at + 1})).to.deep.equal(earlier);
    const {read: readTimeless} = await openPaid({blockTime: null});
    expect(await readTimeless(from, OWNER, [HASH], {secretHash, since: at + 1})).to.deep.equal(paid);
  });

  it('does not count up to the slot at which the order was placed, whatever any clock says', async () => {
    const {read, from} = await openPaid();
    const ties = {secretHash: SECRET_HASH, since: BEGAN * 1_000 + 1};
    expect(await read(from, OWNER, [HASH], {...ties, after: paid.block - 1n})).to.deep.equal(paid);
    const earlier = {...nothing, earlier: 500_000n};
    expect(await read(from, OWNER, [HASH], {...ties, since: 0, after: paid.block})).to.deep.equal(earlier);
  });

  it('is not reduced by the fee if the recipient pays that', async () => {
    const {read, from} = await openPaid({}, {postBalances: [10_095_000, 1_000, 1, 0]});
    expect((await read(from, STRANGER))?.loose).to.equal(100_000n);
  });

  describe('of a token', () => {
    const TOKEN = {token: MINT, contracts: [TOKENS_PROGRAM]};
    const account = swapAccountOf(TOKENS_PROGRAM, STRANGER, SECRET_HASH, MINT);
    const terms = {amount: 25n, timelock: 1_000n, redeemer: OWNER, secretHash: SECRET_HASH, token: MINT};
    /** The accounts of both calls but for the first ones: they are the program's own. */
    const call = (accounts: readonly string[], data: Uint8Array): LedgerCall => ({
      program: TOKENS_PROGRAM,
      accounts: [SYSTEM, account, SYSTEM, ...accounts],
      data,
    });
    const payment = (change: object = {}) => {
      const {accounts, data} = soughtPayment(TOKENS_PROGRAM, STRANGER, {...terms, ...change})!;
      return call([STRANGER, STRANGER, accounts[5]!.address], data);
    };

    /** What a payout proves that redeems a swap, paid by this call, into accounts of these tokens and owners. */
    async function creditOf(
      paid: LedgerCall,
      places: readonly (readonly [amount: string, owner?: string, mint?: string])[],
    ) {
      const {deal} = await open();
      ledger.record(NEXT, [paid]);
      ledger.record(HASH, [call([tokenAccountOf(OWNER), STRANGER], redeemBy(SECRET))]);
      const {transaction, meta} = ledger.transactions.get(HASH)!;
      const accountIndex = transaction.message.accountKeys.indexOf(tokenAccountOf(OWNER));
      const after = places.map(([amount, owner, mint]) => ({...held(owner ?? OWNER, amount, mint), accountIndex}));
      Object.assign(meta, {preTokenBalances: [held(OWNER, '5')], postTokenBalances: after});
      const asset = {...deal.agreed.from, ...TOKEN} as Asset;
      const {amount, loose: rest} = (await adapter.readPayout(asset, OWNER, [HASH], {secretHash: SECRET_HASH}))!;
      return [amount, rest];
    }

    it('is what was paid into the swap, out of all that its recipient’s accounts got', async () => {
      expect(await creditOf(payment(), [['25'], ['10']])).to.deep.equal([25n, 5n]);
      expect(await creditOf(payment(), [['5'], ['10', STRANGER], ['9', OWNER, STRANGER], ['3']])).to.deep.equal([
        3n,
        0n,
      ]);
    });

    it('has no secret of a swap of another token, for somebody else, or into others’ accounts', async () => {
      expect(await creditOf(payment({token: STRANGER}), [['35']])).to.deep.equal([0n, 30n]);
      expect(await creditOf(payment({redeemer: STRANGER}), [['35']])).to.deep.equal([0n, 30n]);
      expect(await creditOf(payment(), [['35', STRANGER]])).to.deep.equal([0n, 0n]);
    });
  });

  it('has a secret that another program passed on, and none from an unknown program', async () => {
    const {transaction} = landed;
    const {accountKeys} = transaction.message;
    const other = {programIdIndex: 0, accounts: [], data: ''};
    const bare = {transaction: {...transaction, message: {accountKeys, instructions: [other]}}};
    const {read} = await openPaid(bare, {innerInstructions: [{index: 0, instructions: [redeem]}]});
    expect(await read()).to.deep.equal(paid);
    const {read: readOther, from} = await openPaid();
    expect(await readOther({...from, contracts: [STRANGER]})).to.deep.equal(loose);
    expect(await readOther({...from, contracts: []}), 'where none is named').to.deep.equal(loose);
    const longer = {...redeem, data: base58(redeemBy(`${SECRET}00`))};
    const message = {accountKeys, instructions: [longer]};
    const {read: readLonger} = await openPaid({transaction: {...transaction, message}});
    expect(await readLonger(), 'with bytes behind it').to.deep.equal(paid);
  });

  it('has no secret from a swap that pays somebody else, or from a call in another format', async () => {
    const {transaction} = landed;
    for (const change of [{accounts: [3, 0]}, {data: base58(redeemBy(SECRET).slice(0, 39))}, {data: base58(REFUND)}]) {
      const message = {...transaction.message, instructions: [{...redeem, ...change}]};
      const {read} = await openPaid({transaction: {...transaction, message}});
      expect(await read()).to.deep.equal(loose);
    }
  });

  it('includes accounts from an address table', async () => {
    const message = {accountKeys: [STRANGER], instructions: []};
    const {read, from} = await openPaid(
      {transaction: {message}},
      {loadedAddresses: {writable: [OWNER], readonly: [PROGRAM]}, preTokenBalances: null, postTokenBalances: null},
    );
    expect(await read()).to.deep.equal(loose);
    expect(await read({...from, token: MINT}), 'without balances of tokens').to.deep.equal(nothing);
  });

  it('is zero if the transaction is unknown or failed', async () => {
    const {read, from} = await openPaid();
    const unknown = base58(new Uint8Array(64).fill(8));
    expect(await read(from, OWNER, [unknown, '../admin', '1'.repeat(70)])).to.deep.equal(nothing);
    expect(ledger.asked('getTransaction')).to.deep.equal([unknown]);
    const failed = await openPaid({}, {err: {InstructionError: [0, {Custom: 1}]}});
    expect(await failed.read()).to.deep.equal(nothing);
  });

  it('is an error if the recipient’s balance exceeds what JSON can represent exactly', async () => {
    const {read} = await openPaid({}, {postBalances: [9_990_000, 2 ** 53, 1, 0]});
    expect(await faultOf(read())).to.be.an('error');
  });

  it('is unknown if the chain cannot be read, and a failed read is an error', async () => {
    const {read, from} = await openPaid();
    ledger.instead.set('getTransaction', () => {
      throw new NodeFault(-32005, 'Node is behind');
    });
    expect(await faultOf(read())).to.be.an('error');
    expect(await read(from, 'nobody')).to.be.undefined;
    const {rpc: _, ...chain} = from.chain;
    expect(await read({...from, chain})).to.be.undefined;
  });
});
