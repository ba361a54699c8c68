/** What only Starknet shows of a swap; what holds for the contract family is in `token-htlc-witness.test.ts`. */
import {expect} from '../support/expect.js';
import {sha256} from 'ethers';
import {selector} from 'starknet';
import {EVENTS, SELECTORS} from '../../src/chains/starknet/htlc.js';
import {closeLast, ON_STARKNET, openAt} from '../support/dialects.js';
import {faultOf} from '../support/funding.js';
import {CONTRACT, ORDER_ID, TOKEN} from '../support/starknet-deal.js';
import {OWNER, STRANGER, type StarknetLedger} from '../support/starknet-ledger.js';

const {adapter} = ON_STARKNET;
const AMOUNT = 50_000n;
const HASH = '0x1234';
const SECRET = '5e'.repeat(32);
const SECRET_HASH = sha256(`0x${SECRET}`).slice(2);

afterEach(closeLast);

async function open() {
  const {ledger, ...parts} = await openAt(ON_STARKNET);
  return {...parts, ledger: ledger as StarknetLedger};
}

describe('the wire format on Starknet', () => {
  it('names each entry point and each event by the hash of its name', () => {
    for (const [name, hash] of [...Object.entries(SELECTORS), ...Object.entries(EVENTS)]) {
      expect(hash, name).to.equal(selector.getSelectorFromName(name));
    }
  });
});

describe('a deposit on Starknet', () => {
  it('is recognized by the published order’s id in its contract, and the event there', async () => {
    const {ledger, terms, read, keep} = await open();
    keep(ORDER_ID);
    expect(await read()).to.deep.equal({state: 'none'});
    ledger.mine(HASH, {said: [[CONTRACT, {what: 'paid', id: ORDER_ID, secretHash: terms.secretHash}]]});
    expect(await read()).to.deep.include({state: 'seen', amount: AMOUNT, hashes: [HASH]});
  });

  it('is not looked for under the id zero, which every contract has empty', async () => {
    const {ledger, deal, read} = await open();
    const looks = async (swapId: string) => {
      deal.order.source.swapId = swapId;
      ledger.reads.length = 0;
      await read();
      return ledger.reads.filter(({question}) => question === 'order').length;
    };
    expect(await looks('0xabc')).to.equal(3);
    for (const none of ['0x0', '00', '']) expect(await looks(none), none).to.equal(2);
  });

  it('has no block while its transaction is pre-confirmed, and paid nothing if that is rejected', async () => {
    const {ledger, read} = await open();
    const say = (status: object) => ledger.instead.set('starknet_getTransactionStatus', () => status);
    say({finality_status: 'PRE_CONFIRMED', execution_status: 'SUCCEEDED'});
    expect(await read(HASH)).to.deep.equal({state: 'seen'});
    say({finality_status: 'REJECTED'});
    expect(await read(HASH)).to.deep.equal({state: 'reverted'});
    ledger.mine(HASH, {block: undefined});
    say({finality_status: 'ACCEPTED_ON_L2', execution_status: 'SUCCEEDED'});
    await faultOf(read(HASH));
  });

  it('is ended by an event whose id has leading zeros', async () => {
    const {ledger, read, keep, terms} = await open();
    const id = ledger.idsOf(terms, OWNER)[0];
    keep(id, {isHeld: false, endedIn: 120n});
    ledger.block = 200n;
    ledger.mine(HASH, {block: 120n, said: [[CONTRACT, {what: 'refunded', id: `0x0${id.slice(2)}`}]]});
    ledger.fail('busy', 'events');
    const {end} = await read(undefined, {ends: ['0x01234']});
    expect(end).to.deep.include({how: 'refunded', amount: AMOUNT, block: 120n});
  });
});

describe('a payout on Starknet', () => {
  const openPaid = async () => {
    const {ledger, deal, keep} = await open();
    ledger.block = 121n;
    keep(ORDER_ID, {initiator: STRANGER, redeemer: OWNER, isHeld: false});
    const secret = {what: 'redeemed', id: ORDER_ID, secretHash: SECRET_HASH, secret: SECRET} as const;
    const mine = (hash: string, value: bigint) =>
      ledger.mine(hash, {
        block: 120n,
        said: [
          [CONTRACT, secret],
          [TOKEN, {what: 'moved', from: CONTRACT, to: OWNER, value}],
        ],
      });
    const read = (...hashes: string[]) =>
      adapter.readPayout(deal.agreed.from, OWNER.replace('0x00', '0x'), hashes, {secretHash: SECRET_HASH, since: 0});
    return {ledger, mine, read};
  };

  it('includes the transfers of first-generation tokens, whose events have no keys', async () => {
    const {ledger, mine, read} = await openPaid();
    mine(HASH, 40_000n);
    const receipt = await ledger.answerRpc('starknet_getTransactionReceipt', {transaction_hash: HASH});
    const {events} = receipt as {events: readonly object[]};
    const older = {
      from_address: TOKEN,
      keys: [selector.getSelectorFromName('Transfer')],
      data: [CONTRACT, OWNER, '0x2328', '0x0'],
    };
    const both = {...(receipt as object), events: [...events, older]};
    ledger.instead.set('starknet_getTransactionReceipt', () => both);
    expect((await read(HASH))?.amount).to.equal(49_000n);
  });

  it('is unrelated money if the event’s secret has another number of words', async () => {
    const {ledger, mine, read} = await openPaid();
    mine(HASH, 40_000n);
    const receipt = (await ledger.answerRpc('starknet_getTransactionReceipt', {transaction_hash: HASH})) as {
      readonly events: readonly {readonly data: readonly string[]}[];
    };
    const [redeemed, moved] = receipt.events;
    const say = (length: string) => {
      const events = [{...redeemed, data: redeemed!.data.with(8, length)}, moved];
      ledger.instead.set('starknet_getTransactionReceipt', () => ({...receipt, events}));
    };
    say('0x8');
    expect(await read(HASH)).to.include({amount: 40_000n, loose: 0n});
    say('0x7');
    expect(await read(HASH)).to.include({amount: 0n, loose: 40_000n});
  });

  it('has no block if its receipt has none, or only a pre-confirmed one', async () => {
    const {ledger, mine, read} = await openPaid();
    mine(HASH, 40_000n);
    const receipt = await ledger.answerRpc('starknet_getTransactionReceipt', {transaction_hash: HASH});
    for (const other of [{block_number: undefined}, {finality_status: 'PRE_CONFIRMED', block_number: 122}]) {
      ledger.instead.set('starknet_getTransactionReceipt', () => ({...(receipt as object), ...other}));
      const payout = await read(HASH);
      expect(payout).to.deep.include({amount: 40_000n, hashes: [HASH]});
      expect(payout).not.to.have.property('block');
    }
  });

  it('counts each transaction once, even if its hash has leading zeros or capitals', async () => {
    const {mine, read} = await openPaid();
    mine(HASH, 40_000n);
    mine('0xab', 40_000n);
    const {amount, hashes} = (await read(HASH, '0x01234', '0xab', '0xAB'))!;
    expect({amount, hashes}).to.deep.equal({amount: 80_000n, hashes: [HASH, '0xab']});
  });
});
