/** What Starknet shows of a swap, whatever its service says. */
import {expect} from '../support/expect.js';
import {sha256} from 'ethers';
import {selector} from 'starknet';
import {createStarknetAdapter} from '../../src/chains/starknet/starknet.js';
import {TIMEOUTS} from '../../src/chains/timeouts.js';
import type {ReadDepositOptions} from '../../src/chains/adapter.js';
import {EVENTS, SELECTORS} from '../../src/chains/starknet/htlc.js';
import {errorOf, faultOf, listen} from '../support/funding.js';
import {connectLedger, CONTRACT, ORDER_ID, sampleDeal, TOKEN} from '../support/starknet-deal.js';
import {
  initiated,
  MAIN,
  OWNER,
  redeemed as redeemedEvent,
  refunded as refundedEvent,
  StarknetLedger,
  STRANGER,
  timeOf,
  WalletError,
  type ContractEvent,
} from '../support/starknet-ledger.js';

const adapter = createStarknetAdapter({...TIMEOUTS, read: 100, lag: 100, poll: 2});
const AMOUNT = 50_000n;
const HASH = '0x1234';
const BUSY = () => Promise.reject(new WalletError(-32603, 'busy'));
const UNASKED = () => Promise.reject(new WalletError(21, 'no such entry point'));

let close: () => void = () => undefined;
afterEach(() => close());

async function open() {
  const ledger = new StarknetLedger({token: TOKEN, contract: CONTRACT, orderId: ORDER_ID, balance: 10n ** 8n});
  close = ledger.serve();
  const account = await connectLedger(adapter, ledger);
  const deal = sampleDeal();
  const {onWalletRequest} = listen();
  return {
    ledger,
    deal,
    pay: () => adapter.fund(deal, account, {way: 'transaction', onWalletRequest}),
    refund: () => adapter.back.refund!(deal, account, {onWalletRequest}),
    read: (hash?: string, options: ReadDepositOptions = {}) => adapter.readDeposit(deal, {hash, ...options}),
    /** Lets the chain have a transaction, with these events. */
    mine(block_number: number, ...events: ContractEvent[]) {
      const status = {finality_status: 'ACCEPTED_ON_L2', execution_status: 'SUCCEEDED'};
      ledger.statuses.set(HASH, status);
      ledger.receipts.set(HASH, {...status, block_number, events});
    },
  };
}

describe('the wire format on Starknet', () => {
  it('names each entry point and each event by the hash of its name', () => {
    for (const [name, hash] of [...Object.entries(SELECTORS), ...Object.entries(EVENTS)]) {
      expect(hash, name).to.equal(selector.getSelectorFromName(name));
    }
  });
});

describe('a deposit on Starknet', () => {
  it('is shown with its amount, block and transaction, from its payment to its refund', async () => {
    const {ledger, pay, read, refund} = await open();
    expect(await read()).to.deep.equal({state: 'none'});
    await pay();
    const [hash] = ledger.statuses.keys();
    const shown = {state: 'seen', amount: AMOUNT, block: 112n, hashes: [hash]};
    expect(await read()).to.deep.equal({...shown, isHeld: true, isRefundOpen: false});
    ledger.isLate = true;
    expect(await read()).to.deep.equal({...shown, isHeld: true, isRefundOpen: true});
    await refund();
    const end = {how: 'refunded', amount: AMOUNT, hashes: [[...ledger.statuses.keys()].at(-1)], block: 113n};
    ledger.block = 200;
    expect(await read()).to.deep.equal({...shown, isHeld: false, isRefundOpen: false, end});
  });

  it('has every term that was agreed', async () => {
    const {ledger, pay, read} = await open();
    await pay();
    const [kept] = ledger.orders.values();
    for (const other of [{initiator: STRANGER}, {redeemer: STRANGER}, {amount: AMOUNT - 1n}, {timelock: 2_879n}]) {
      const before = {...kept!};
      Object.assign(kept!, other);
      expect(await read()).to.deep.equal({state: 'none'});
      Object.assign(kept!, before);
    }
    expect(await read()).to.include({state: 'seen', amount: AMOUNT});
  });

  it('under an id that only the service names has the secret hash by the contract’s own event, or does not count', async () => {
    const {ledger, read} = await open();
    const order = {amount: AMOUNT, refunded: false};
    ledger.orders.set(ORDER_ID, {...order, secretHash: '5a'.repeat(32)});
    expect(await read(), 'an earlier order of the payer’s own').to.deep.equal({state: 'none'});
    ledger.instead.set('starknet_getEvents', () => ({events: []}));
    ledger.orders.set(ORDER_ID, order);
    expect(await read(), 'no event').to.deep.equal({state: 'none'});
    ledger.instead.set('starknet_getEvents', BUSY);
    await faultOf(read());
    ledger.instead.clear();
    expect(await read()).to.deep.include({state: 'seen', amount: AMOUNT, isHeld: true});
  });

  it('under an id that is worked out needs no event', async () => {
    const {ledger, pay, read} = await open();
    ledger.generation = 1;
    await pay();
    ledger.instead.set('starknet_getEvents', BUSY);
    expect(await read()).to.deep.equal({state: 'seen', amount: AMOUNT, block: 112n, isHeld: true, isRefundOpen: false});
  });

  it('is found by what its order says, in the contracts that are known for its asset', async () => {
    const {deal, pay, read} = await open();
    await pay();
    const [deposit] = adapter.depositsOf!(deal.order, deal.agreed.from);
    expect(await adapter.readDeposit({...deal, deposit: deposit!}, {})).to.deep.equal(await read());
  });

  it('is not made a second time, and the error says that it is paid', async () => {
    const {pay} = await open();
    await pay();
    const {code, field} = await errorOf(pay());
    expect([code, field]).to.deep.equal(['wallet-unclear', 'paid']);
  });

  it('is empty where its transaction is in a block and well, and the contract keeps no order', async () => {
    const {ledger, deal, read, mine} = await open();
    ledger.statuses.set(HASH, {finality_status: 'PRE_CONFIRMED', execution_status: 'SUCCEEDED'});
    expect(await read(HASH), 'in no block yet').to.deep.equal({state: 'seen'});
    mine(111);
    expect(await read(HASH)).to.deep.equal({state: 'empty'});
    const {secretHash} = deal.order.source;
    mine(111, initiated(CONTRACT, '0x5', secretHash, AMOUNT));
    expect(await read(HASH), 'another payer’s').to.deep.equal({state: 'empty'});
    ledger.orders.set('0x5', {amount: AMOUNT, refunded: false, block: 111});
    expect(await read(HASH), 'under any id').to.deep.include({state: 'seen', amount: AMOUNT, block: 111n});
  });

  it('is unknown where the contract cannot say what it keeps, but for what its transaction alone tells', async () => {
    const {ledger, read, mine} = await open();
    ledger.instead.set('get_order', UNASKED);
    expect(await read()).to.deep.equal({state: 'unknown'});
    expect(await read(HASH)).to.deep.equal({state: 'unknown'});
    ledger.statuses.set(HASH, {finality_status: 'RECEIVED'});
    expect(await read(HASH)).to.deep.equal({state: 'seen'});
    ledger.statuses.set(HASH, {finality_status: 'ACCEPTED_ON_L2', execution_status: 'REVERTED'});
    expect(await read(HASH)).to.deep.equal({state: 'reverted'});
    mine(111);
    expect(await read(HASH)).to.deep.equal({state: 'unknown'});
  });

  it('is empty by no state from before its transaction', async () => {
    const {ledger, pay, read} = await open();
    await pay();
    const [hash] = ledger.statuses.keys();
    const blocks: unknown[] = [];
    const order = ledger.orders.get(ORDER_ID)!;
    // The node that answers for the newest state lags behind.
    const node = ledger.node.bind(ledger);
    ledger.node = (method, params) => {
      const {block_id} = params as {block_id?: unknown};
      if (method === 'starknet_call') blocks.push(block_id);
      const isLate = method === 'starknet_call' && block_id === 'latest';
      return node(method, isLate ? {...(params as object), block_id: {block_number: 111}} : params);
    };
    ledger.instead.set('starknet_blockNumber', () => 111);
    expect(await read(hash)).to.deep.include({state: 'seen', amount: AMOUNT, block: 112n, isHeld: true});
    expect(blocks).to.deep.include({block_number: 112});
    // A node whose newest state is later may have that of the block no more.
    ledger.orders.clear();
    ledger.block = 5_000;
    ledger.instead.clear();
    expect(await read(hash)).to.deep.equal({state: 'empty'});
    expect(blocks.at(-1)).to.deep.equal({block_number: 5_000});
    // One that does not know it yet has said nothing.
    ledger.block = 100;
    ledger.orders.set(ORDER_ID, order);
    await faultOf(read(hash));
  });

  describe('that ended', () => {
    async function openEnded() {
      const parts = await open();
      const {ledger, pay, read} = parts;
      await pay();
      const [kept] = ledger.orders.values();
      Object.assign(kept!, {refunded: true, endedIn: 150});
      ledger.block = 200;
      return {...parts, kept: kept!, endOf: async (...ends: string[]) => (await read(undefined, {ends})).end};
    }
    const REFUNDED = {how: 'refunded', amount: AMOUNT, hashes: [HASH], block: 150n};

    for (const endedIn of [150, 1]) {
      it(`tells how by the contract’s own event of its id${endedIn === 1 ? ', though its block is not told' : ''}`, async () => {
        const {kept, mine, endOf} = await openEnded();
        kept.endedIn = endedIn;
        expect(await endOf()).to.be.undefined;
        mine(150, refundedEvent(CONTRACT, ORDER_ID));
        expect(await endOf()).to.deep.equal(REFUNDED);
        mine(150, redeemedEvent(CONTRACT, ORDER_ID, '5e'.repeat(32), '5a'.repeat(32)));
        expect(await endOf()).to.deep.equal({...REFUNDED, how: 'redeemed', amount: 0n});
        mine(150, refundedEvent(STRANGER, ORDER_ID), refundedEvent(CONTRACT, '0x5'));
        expect(await endOf()).to.be.undefined;
      });
    }

    it('tells how by the transactions that may have ended it, where the node gives no events', async () => {
      const {ledger, mine, endOf} = await openEnded();
      // As some wallets write it, with zeros in front.
      mine(150, refundedEvent(CONTRACT, `0x0${ORDER_ID.slice(2)}`));
      const receipt = ledger.receipts.get(HASH)!;
      const strange = [refundedEvent(STRANGER, ORDER_ID), refundedEvent(CONTRACT, '0x5')];
      ledger.receipts.set('0x2', {...receipt, events: strange});
      const {node} = ledger;
      ledger.node = (method, params) => {
        // The named id alone needs the events of its payment.
        const {filter} = params as {filter?: {to_block?: unknown; from_block?: {block_number?: number}}};
        if (filter?.from_block?.block_number === 150 || filter?.to_block === 'latest') return BUSY();
        return node.call(ledger, method, params);
      };
      expect(await endOf()).to.be.undefined;
      expect(await endOf('0x2')).to.be.undefined;
      expect(await endOf('nothing', '0x2', HASH)).to.deep.equal(REFUNDED);
      ledger.receipts.set(HASH, {...receipt, finality_status: 'PRE_CONFIRMED'});
      const {block: _, ...inNoBlock} = REFUNDED;
      expect(await endOf(HASH)).to.deep.equal(inNoBlock);
      ledger.receipts.set(HASH, {...receipt, execution_status: 'REVERTED'});
      expect(await endOf(HASH), 'refused by the chain').to.be.undefined;
    });

    it('has not ended while the contract holds it, whatever is named', async () => {
      const {kept, mine, endOf} = await openEnded();
      mine(150, refundedEvent(CONTRACT, ORDER_ID));
      kept.refunded = false;
      expect(await endOf(HASH)).to.be.undefined;
    });
  });

  it('is shown as far as the chain can be read', async () => {
    const {ledger, pay, read} = await open();
    ledger.generation = 2;
    await pay();
    for (const method of ['starknet_getEvents', 'refund']) ledger.instead.set(method, BUSY);
    expect(await read()).to.deep.equal({state: 'seen', amount: AMOUNT, block: 112n, isHeld: true});
  });

  for (const method of ['starknet_chainId', 'get_order', 'starknet_getTransactionStatus']) {
    it(`proves nothing where a read failed: ${method}`, async () => {
      const {ledger, read} = await open();
      ledger.instead.set(method, BUSY);
      await faultOf(read(HASH));
    });
  }

  for (const method of ['starknet_blockNumber', 'starknet_getTransactionReceipt']) {
    it(`of a transaction in a block proves nothing where a read failed: ${method}`, async () => {
      const {ledger, mine, read} = await open();
      mine(111);
      ledger.instead.set(method, BUSY);
      await faultOf(read(HASH));
    });
  }

  it('is unknown where there is no way to read it from here', async () => {
    const {ledger, deal, read} = await open();
    ledger.nodeChainId = MAIN;
    expect(await read()).to.deep.equal({state: 'unknown'});
    ledger.instead.set('starknet_chainId', () => null);
    await faultOf(read());
    ledger.instead.clear();
    Object.assign(deal.agreed, {owner: 'nobody'});
    expect(await read()).to.deep.equal({state: 'unknown'});
    Reflect.deleteProperty(deal.agreed.from.chain, 'rpc');
    expect(await read()).to.deep.equal({state: 'unknown'});
  });
});

describe('a payout on Starknet', () => {
  const SECRET = '5e'.repeat(32);
  const named = (event: string) => selector.getSelectorFromName(event);
  const transfer = (from: string, to: string, amount: number, token = TOKEN) => ({
    from_address: token,
    keys: [named('Transfer'), from, to],
    data: [`0x${amount.toString(16)}`, '0x0'],
  });
  const older = (from: string, to: string, amount: number) => ({
    from_address: TOKEN,
    keys: [named('Transfer')],
    data: [from, to, `0x${amount.toString(16)}`, '0x0'],
  });
  const SECRET_HASH = sha256(`0x${SECRET}`).slice(2);
  const redeemed = (id = ORDER_ID, contract = CONTRACT, secretHash = SECRET_HASH) =>
    redeemedEvent(contract, id, SECRET, secretHash);
  const paid = transfer(CONTRACT, OWNER, 50_000);
  const NOTHING = {amount: 0n, loose: 0n, earlier: 0n, hashes: []};
  const shown = (amount: bigint) => ({...NOTHING, amount, hashes: [HASH], block: 120n, secret: SECRET});

  async function openPaid(...events: ContractEvent[]) {
    const {ledger, deal, mine} = await open();
    ledger.block = 121;
    mine(120, ...events);
    ledger.orders.set(ORDER_ID, {amount: AMOUNT, refunded: true, initiator: STRANGER, redeemer: OWNER});
    const {from} = deal.agreed;
    const read = (
      hashes: readonly string[] = [HASH],
      {recipient = OWNER.replace('0x00', '0x'), secretHash = SECRET_HASH, since = 0, contracts = from.contracts} = {},
    ) => adapter.readPayout({...from, contracts}, recipient, hashes, {secretHash, since});
    return {ledger, deal, mine, read};
  }

  it('is what the token says that it moved to the recipient, in either form of its events', async () => {
    const {read} = await openPaid(
      redeemed(),
      transfer(CONTRACT, OWNER, 40_000),
      older(CONTRACT, OWNER, 9_000),
      transfer(CONTRACT, STRANGER, 7_000),
      transfer(CONTRACT, OWNER, 5_000, STRANGER),
      transfer(OWNER, STRANGER, 1_000),
    );
    expect(await read()).to.deep.equal(shown(48_000n));
  });

  it('is loose money where the transaction reveals no secret, and another’s where it reveals another one', async () => {
    const loose = {...NOTHING, loose: AMOUNT};
    expect(await (await openPaid(paid)).read()).to.deep.equal(loose);
    const {read} = await openPaid(redeemed(), paid);
    expect(await read()).to.deep.equal(shown(AMOUNT));
    expect(await read([HASH], {secretHash: 'ab'.repeat(32)})).to.deep.equal({...NOTHING, earlier: AMOUNT});
    const wrong = await openPaid(redeemed(ORDER_ID, CONTRACT, 'ab'.repeat(32)), paid);
    expect(await wrong.read(), 'a secret that does not fit').to.deep.equal(loose);
    expect(await (await openPaid(redeemed('0x5'), paid)).read(), 'no such order').to.deep.equal(loose);
    expect(await (await openPaid(refundedEvent(CONTRACT, ORDER_ID), paid)).read(), 'a refund').to.deep.equal(loose);
  });

  it('is loose money where the swap pays another, or its contract cannot say whom', async () => {
    const loose = {...NOTHING, loose: AMOUNT};
    const {ledger, read} = await openPaid(redeemed(), paid);
    ledger.orders.set(ORDER_ID, {amount: AMOUNT, refunded: true, initiator: OWNER, redeemer: STRANGER});
    expect(await read()).to.deep.equal(loose);
    ledger.instead.set('get_order', UNASKED);
    expect(await read()).to.deep.equal(loose);
    ledger.instead.set('get_order', () => ['0x1']);
    expect(await read()).to.deep.equal(loose);
  });

  it('is loose money where only a contract that is not known reveals the secret', async () => {
    const {read} = await openPaid(redeemed(), paid);
    const loose = {...NOTHING, loose: AMOUNT};
    expect(await read([HASH], {contracts: [STRANGER]})).to.deep.equal(loose);
    expect(await read([HASH], {contracts: []}), 'where none is known, any will do').to.deep.equal(shown(AMOUNT));
    const strange = await openPaid(redeemed(ORDER_ID, STRANGER), paid);
    expect(await strange.read([HASH], {contracts: []}), 'where there is no contract').to.deep.equal(loose);
  });

  it('is earlier money where the block is from before the order', async () => {
    const {ledger, read} = await openPaid(redeemed(), paid);
    expect(await read([HASH], {since: timeOf(120)})).to.deep.equal(shown(AMOUNT));
    expect(await read([HASH], {since: timeOf(120) + 1})).to.deep.equal({...NOTHING, earlier: AMOUNT});
    ledger.instead.set('starknet_getBlockWithTxHashes', () => ({}));
    await faultOf(read([HASH], {since: 1}));
  });

  it('is that of each transaction once, and asks once for the time of a block', async () => {
    const {ledger, read} = await openPaid(redeemed(), transfer(CONTRACT, OWNER, 40_000));
    const receipt = ledger.receipts.get(HASH)!;
    for (const hash of ['0x01234', '0xab', '0xAB', '0xcd']) ledger.receipts.set(hash, receipt);
    ledger.receipts.set('0xcd', {...receipt, block_number: 119, events: []});
    ledger.reads.length = 0;
    const {amount, hashes} = (await read([HASH, '0x01234', '0xab', '0xAB', '0xcd']))!;
    expect({amount, hashes}).to.deep.equal({amount: 80_000n, hashes: [HASH, '0xab']});
    expect(ledger.reads.filter(method => method === 'starknet_getBlockWithTxHashes')).to.have.length(1);
  });

  it('is nothing where the chain does not know the transaction, or refused it', async () => {
    const {ledger, read} = await openPaid(redeemed(), paid);
    const receipt = ledger.receipts.get(HASH)!;
    expect(await read(['0x9999'])).to.deep.equal(NOTHING);
    ledger.receipts.set(HASH, {...receipt, execution_status: 'REVERTED'});
    expect(await read()).to.deep.equal(NOTHING);
  });

  it('has no block while its transaction is in none', async () => {
    const {ledger, read} = await openPaid(redeemed(), paid);
    const {block_number: _, ...receipt} = ledger.receipts.get(HASH)!;
    const {block: __, ...inNoBlock} = shown(AMOUNT);
    ledger.receipts.set(HASH, receipt);
    expect(await read()).to.deep.equal(inNoBlock);
    ledger.receipts.set(HASH, {...receipt, finality_status: 'PRE_CONFIRMED', block_number: 122});
    expect(await read([HASH], {since: Date.now()}), 'in the next one').to.deep.equal(inNoBlock);
  });

  for (const method of [
    'starknet_chainId',
    'starknet_getTransactionReceipt',
    'get_order',
    'starknet_getBlockWithTxHashes',
  ]) {
    it(`is not known where a read failed: ${method}`, async () => {
      const {ledger, read} = await openPaid(redeemed(), paid);
      ledger.instead.set(method, BUSY);
      await faultOf(read());
    });
  }

  it('is undefined where there is no way to read it from here', async () => {
    const {ledger, deal, read} = await openPaid(paid);
    expect(await read([HASH], {recipient: 'nobody'})).to.be.undefined;
    ledger.nodeChainId = MAIN;
    expect(await read()).to.be.undefined;
    Reflect.deleteProperty(deal.agreed.from.chain, 'rpc');
    expect(await read()).to.be.undefined;
  });
});
