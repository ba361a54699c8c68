/** What Starknet shows of a swap, whatever its service says. */
import {expect} from '../support/expect.js';
import {selector} from 'starknet';
import {createStarknetAdapter} from '../../src/chains/starknet/starknet.js';
import {TIMEOUTS} from '../../src/chains/timeouts.js';
import {errorOf, listen} from '../support/funding.js';
import {connectLedger, CONTRACT, ORDER_ID, sampleDeal, TOKEN} from '../support/starknet-deal.js';
import {MAIN, OWNER, StarknetLedger, STRANGER, WalletError} from '../support/starknet-ledger.js';

const adapter = createStarknetAdapter({...TIMEOUTS, read: 100, lag: 100, poll: 2});
const AMOUNT = 50_000n;
const HASH = '0x1234';

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
    refund: () => adapter.refund!(deal, account, {onWalletRequest}),
    read: (hash?: string) => adapter.readDeposit(deal, {hash}),
  };
}

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
    expect(await read()).to.deep.equal({...shown, isHeld: false, isRefundOpen: false});
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

  it('is shown by its transaction where the contract keeps no such order, or cannot say', async () => {
    const {ledger, read} = await open();
    ledger.statuses.set(HASH, {finality_status: 'ACCEPTED_ON_L2', execution_status: 'SUCCEEDED'});
    expect(await read(HASH)).to.deep.equal({state: 'seen', hashes: [HASH]});
    ledger.instead.set('get_order', () => Promise.reject(new WalletError(21, 'no such entry point')));
    expect(await read(HASH)).to.deep.equal({state: 'seen', hashes: [HASH]});
    expect(await read()).to.deep.equal({state: 'unknown'});
  });

  it('is shown as far as the chain can be read, and never rejects', async () => {
    const {ledger, pay, read} = await open();
    await pay();
    for (const method of ['starknet_getEvents', 'refund']) {
      ledger.instead.set(method, () => Promise.reject(new WalletError(-32603, 'busy')));
    }
    expect(await read()).to.deep.equal({state: 'seen', amount: AMOUNT, block: 112n, isHeld: true});
    ledger.nodeChainId = MAIN;
    expect(await read()).to.deep.equal({state: 'unknown'});
  });
});

describe('a payout on Starknet', () => {
  const SECRET = '5e'.repeat(32);
  const SECRET_HASH = '1e4a8bbe9f4a2c4a7d9c4f0dd3b2cf0d';
  const words = (hex: string) => (hex.match(/.{8}/g) ?? []).map(word => `0x${word}`);
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

  async function hashOf(hex: string) {
    const bytes = Uint8Array.from(hex.match(/../g) ?? [], pair => parseInt(pair, 16));
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
    return Array.from(hash, byte => byte.toString(16).padStart(2, '0')).join('');
  }

  async function openPaid(...events: object[]) {
    const {ledger, deal} = await open();
    ledger.receipts.set(HASH, {execution_status: 'SUCCEEDED', block_number: 120, events});
    ledger.orders.set(ORDER_ID, {amount: AMOUNT, refunded: false, initiator: STRANGER, redeemer: OWNER});
    const read = (hashes: readonly string[] = [HASH], recipient = OWNER.replace('0x00', '0x')) =>
      adapter.readPayout(deal.agreed.from, recipient, hashes, {});
    return {ledger, deal, read};
  }

  it('is what the token says that it moved to the recipient, in either form of its events', async () => {
    const {read} = await openPaid(
      transfer(CONTRACT, OWNER, 40_000),
      older(CONTRACT, OWNER, 9_000),
      transfer(CONTRACT, STRANGER, 7_000),
      transfer(CONTRACT, OWNER, 5_000, STRANGER),
      transfer(OWNER, STRANGER, 1_000),
    );
    expect(await read()).to.deep.equal({amount: 48_000n, block: 120n});
  });

  it('shows the secret that the swap contract tells, if it opens the recipient’s own swap', async () => {
    const data = [...words(await hashOf(SECRET)), '0x8', ...words(SECRET)];
    const redeemed = {from_address: CONTRACT, keys: [named('Redeemed'), ORDER_ID], data};
    const paid = transfer(CONTRACT, OWNER, 50_000);
    expect(await (await openPaid(redeemed, paid)).read()).to.deep.equal({amount: AMOUNT, block: 120n, secret: SECRET});
    const wrong = {...redeemed, data: [...words(SECRET_HASH.repeat(2)), '0x8', ...words(SECRET)]};
    expect(await (await openPaid(wrong, paid)).read()).to.deep.equal({amount: AMOUNT, block: 120n});
    const other = {...redeemed, keys: [named('Redeemed'), '0x5']};
    expect(await (await openPaid(other, paid)).read()).to.deep.equal({amount: AMOUNT, block: 120n});
  });

  it('is nothing where the chain does not know the transaction, or refused it', async () => {
    const {ledger, read} = await openPaid(transfer(CONTRACT, OWNER, 1));
    expect(await read(['0x9999'])).to.deep.equal({amount: 0n});
    ledger.receipts.set(HASH, {
      execution_status: 'REVERTED',
      block_number: 120,
      events: [transfer(CONTRACT, OWNER, 1)],
    });
    expect(await read()).to.deep.equal({amount: 0n, block: 120n});
    ledger.receipts.set(HASH, {execution_status: 'SUCCEEDED', events: [transfer(CONTRACT, OWNER, 1)]});
    expect(await read(), 'in no block yet').to.deep.equal({amount: 1n});
  });

  it('is not known where the chain cannot be read', async () => {
    const {ledger, deal, read} = await openPaid();
    ledger.instead.set('starknet_getTransactionReceipt', () => Promise.reject(new WalletError(-32603, 'busy')));
    expect(await read()).to.be.undefined;
    expect(await read([HASH], 'nobody')).to.be.undefined;
    Reflect.deleteProperty(deal.agreed.from.chain, 'rpc');
    expect(await read()).to.be.undefined;
  });
});
