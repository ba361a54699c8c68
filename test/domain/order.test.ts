import fc from 'fast-check';
import {expect} from '../support/expect.js';
import {
  earliestRefund,
  hasOtherTerms,
  isOrderId,
  LATEST,
  lossOf,
  refundOpensAt,
  addSeen,
  termsOf,
  type Order,
} from '../../src/domain/order.js';
import {orderIds} from '../support/order-ids.js';
import {aChainEvent, aLeg, anOrder, NOON} from '../support/swap.js';

const BLOCK_SECONDS = 2;
const TIMELOCK_BLOCKS = 900;
const PAID_AT = NOON + 5 * 60_000;
const OPENS_AT = PAID_AT + TIMELOCK_BLOCKS * BLOCK_SECONDS * 1_000;

const seen = aChainEvent();
const inBlock = aChainEvent(90_249n, PAID_AT);
/** As in the published Bitcoin sample: in a block, without a time. */
const untimed = aChainEvent(90_249n);

const hasSameTerms = (one: Order, other: Order) => termsOf(one).join() === termsOf(other).join();

describe('the id of an order', () => {
  it('is 1 to 128 visible ASCII characters', () => {
    fc.assert(
      fc.property(orderIds, id => isOrderId(id)),
      {seed: 44},
    );
    for (const id of ['!', '~', '...', '.a', '~'.repeat(128)]) expect(isOrderId(id), id).to.equal(true);
  });

  it('is nothing that a path would take for a folder, and no other text', () => {
    const others = ['', '.', '..', ' ', 'a b', 'a\n', '\x7f', 'ä', '\ud800', '~'.repeat(129)];
    for (const id of others) expect(isOrderId(id), JSON.stringify(id)).to.equal(false);
  });
});

describe('the time of a refund', () => {
  it('is that of the deposit’s block plus the timelock’s blocks', () => {
    expect(refundOpensAt(aLeg({initiated: inBlock, timelock: TIMELOCK_BLOCKS}), BLOCK_SECONDS)).to.equal(OPENS_AT);
  });

  it('is a valid date, however many blocks a service reports', () => {
    const endless = aLeg({initiated: inBlock, timelock: Number.MAX_SAFE_INTEGER});
    for (const opens of [refundOpensAt(endless, 600), earliestRefund({createdAt: NOON, source: endless}, 600)]) {
      expect(new Date(opens ?? NaN).getUTCFullYear()).to.equal(9999);
    }
  });

  it('is unknown until the deposit is in a block and the service reports when', () => {
    for (const initiated of [seen, untimed, aChainEvent(undefined, PAID_AT)]) {
      expect(refundOpensAt(aLeg({initiated}), BLOCK_SECONDS)).to.equal(undefined);
    }
    expect(refundOpensAt(aLeg(), BLOCK_SECONDS)).to.equal(undefined);
  });
});

describe('what was seen of a payment', () => {
  const paid = (filled: bigint, hashes: readonly string[], block?: bigint) =>
    aLeg({
      filled,
      ...(hashes.length > 0 && {initiated: {...aChainEvent(block), hashes: hashes}}),
    });
  const half = paid(25_000n, ['a']);
  const whole = paid(50_000n, ['a', 'b']);
  const both = addSeen(addSeen(undefined, half), whole);

  it('is empty at first, then has every transaction and the highest amount held at once', () => {
    expect(addSeen(undefined, aLeg())).to.equal(undefined);
    expect(both).to.deep.equal({hashes: ['a', 'b'], filled: 50_000n});
    expect(addSeen(both, half)).to.equal(both);
    expect(addSeen(both, paid(0n, []))).to.equal(both);
    expect(addSeen(both, paid(20_000n, ['c']))).to.deep.equal({hashes: ['a', 'b', 'c'], filled: 50_000n});
  });

  it('detects a payment that left the chain, in whole or in part', () => {
    expect(lossOf(undefined, half)).to.equal(undefined);
    expect(lossOf(both, whole)).to.equal(undefined);
    expect(lossOf(both, half)).to.equal('gone');
    expect(lossOf(both, paid(0n, []))).to.equal('gone');
    expect(lossOf(both, paid(50_000n, ['a', 'c'])), 'paid again').not.to.equal('gone');
  });

  it('detects a payment replaced by another, while that one is unconfirmed', () => {
    expect(lossOf(both, paid(50_000n, ['a', 'c']))).to.equal('replaced');
    expect(lossOf(both, paid(50_000n, ['a', 'c'], 9n))).to.equal(undefined);
    expect(lossOf(addSeen(undefined, half), whole), 'a second one').to.equal(undefined);
  });

  it('does not grow without limit', () => {
    const names = Array.from({length: 500}, (_, index) => String(index));
    expect(addSeen(undefined, paid(1n, names))?.hashes).to.have.length(50);
  });
});

describe('the terms of an order', () => {
  it('stay the same while it is paid', () => {
    const order = anOrder();
    expect(hasSameTerms(order, anOrder({source: aLeg({filled: 9n, initiated: inBlock})}))).to.equal(true);
  });

  for (const change of [
    {amount: 1n},
    {swapId: 'x'},
    {initiator: 'x'},
    {redeemer: 'x'},
    {timelock: 1},
    {delegate: 'x'},
  ]) {
    it(`differ with another ${Object.keys(change).join()}`, () => {
      expect(hasSameTerms(anOrder(), anOrder({source: aLeg(change)}))).to.equal(false);
      expect(hasSameTerms(anOrder(), anOrder({destination: aLeg(change)}))).to.equal(false);
    });
  }
});

describe('the timelock of an order', () => {
  it('ends at once if it has no blocks, and has a date even if the block time is unknown', () => {
    const created = anOrder().createdAt;
    expect(earliestRefund(anOrder({source: aLeg({timelock: 0})}), Infinity)).to.equal(created);
    expect(earliestRefund(anOrder(), Infinity)).to.equal(LATEST);
    expect(earliestRefund(anOrder(), 2)).to.equal(created + 14_400_000);
  });
});

describe('the terms of an order that was paid', () => {
  const before = termsOf(anOrder());

  it('are equal in another letter case, and after empty fields are filled in', () => {
    const order = anOrder();
    const {secretHash, initiator} = order.source;
    const shouted = {...order.source, secretHash: secretHash.toUpperCase(), initiator: initiator.toLowerCase()};
    expect(hasOtherTerms(before, {...order, source: shouted})).to.equal(false);
    const unmatched = termsOf({...order, destination: {...order.destination, initiator: '', swapId: ''}});
    expect(hasOtherTerms(unmatched, order)).to.equal(false);
  });

  it('differ if any field changed or disappeared', () => {
    const order = anOrder();
    for (const change of [{redeemer: '0x1'}, {amount: 49_849n}, {timelock: 301}, {secretHash: ''}]) {
      expect(hasOtherTerms(before, {...order, destination: {...order.destination, ...change}})).to.equal(true);
    }
  });
});
