import {expect} from '../support/expect.js';
import type {Movement, Movements} from '../../src/domain/evidence.js';
import type {Order} from '../../src/domain/order.js';
import {proveSecret, receiptLines, type ReceiptFacts} from '../../src/domain/receipt.js';
import {anAgreement, anOrder, PAYER} from '../support/swap.js';

const AGREED = anAgreement();

const PAYEE = {asset: 'base:usdc', address: PAYER, bps: 30} as const;

const SECRET = '00'.repeat(32);
const HASH_OF_SECRET = '66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925';
const sha256 = (bytes: Uint8Array<ArrayBuffer>) => crypto.subtle.digest('SHA-256', bytes);

const complete = (change: Partial<Order['destination']> = {}): Order => {
  const order = anOrder();
  return {
    ...order,
    source: {
      ...order.source,
      filled: order.source.amount,
      secretHash: HASH_OF_SECRET,
      initiated: {hashes: ['0x7'], block: 1n},
    },
    destination: {...order.destination, secretHash: HASH_OF_SECRET, redeemed: {hashes: ['0xc'], block: 2n}, ...change},
  };
};

/** A movement of money that the service reported, or that a chain shows. */
const told = (amount: bigint): Movement => ({certainty: 'told', amount});
const proved = (amount: bigint, secret?: string): Movement => ({certainty: 'proved', amount, secret});
const NONE: Movement = {certainty: 'none', amount: 0n};
const money = (change: Partial<Movements> = {}): Movements => ({
  paidIn: told(50_000n),
  paidOut: told(49_850n),
  paidBack: NONE,
  ...change,
});

const facts = (change: Partial<ReceiptFacts> = {}): ReceiptFacts => ({
  order: complete(),
  own: {placedAt: 1, agreed: AGREED},
  money: money(),
  from: AGREED.from,
  to: AGREED.to,
  proof: 'matches',
  ...change,
});

const witnesses = (change: Partial<ReceiptFacts> = {}) =>
  Object.fromEntries(receiptLines(facts(change)).map(({fact, witness}) => [fact, witness]));

describe('A receipt', () => {
  it('attributes everything about money to the service if no chain was read', () => {
    expect(witnesses()).to.deep.equal({
      order: 'browser',
      placed: 'browser',
      sent: 'service',
      from: 'browser',
      paid: 'service',
      received: 'service',
      to: 'browser',
      payout: 'service',
      rate: 'service',
      sourceHash: 'service',
      destinationHash: 'service',
      secret: 'service',
    });
  });

  it('attributes what a chain shows to the chain, with its amounts', () => {
    const order = complete();
    const seen: Order = {
      ...order,
      source: {...order.source, filled: 49_999n, initiated: {hashes: ['0x7'], block: 1n, onChain: true}},
      destination: {...order.destination, redeemed: {hashes: ['0xc'], block: 2n, onChain: true}},
    };
    const shown = {order: seen, money: money({paidIn: proved(49_999n), paidOut: proved(40_000n, SECRET)})};
    expect(witnesses(shown)).to.include({
      sent: 'chain',
      paid: 'chain',
      received: 'chain',
      payout: 'chain',
      secret: 'chain',
    });
    const lines = receiptLines(facts(shown));
    const amounts = lines.flatMap(line => ('amount' in line ? [line.amount] : []));
    expect(amounts).to.deep.equal([49_999n, 40_000n]);
  });

  it('says of a payment that it was not fully verified, and of no other', () => {
    const of = (unverified: boolean) =>
      receiptLines(facts({own: {placedAt: 1, agreed: AGREED, unverified}})).find(({fact}) => fact === 'verified');
    expect(of(true)).to.deep.equal({fact: 'verified', isVerified: false, witness: 'browser'});
    expect(of(false)).to.equal(undefined);
  });

  it('has the rate, the cost and the duration', () => {
    const order = complete({assetPrice: 117_684.12, redeemed: {hashes: ['0xc'], block: 2n, at: 100_000}});
    const seen = {...order, createdAt: 40_000, source: {...order.source, assetPrice: 118_000}};
    const lines = receiptLines(facts({order: seen, own: {placedAt: 1, agreed: {...AGREED, affiliateFees: [PAYEE]}}}));
    const line = (wanted: string) => lines.find(({fact}) => fact === wanted);
    expect(line('rate')).to.include({rate: 99_700_000n, witness: 'service'});
    expect(line('paidValue')).to.include({cents: 5_900n, witness: 'service'});
    expect(line('receivedValue')).to.include({cents: 5_867n});
    expect(line('cost')).to.include({cents: 33n});
    expect(line('partnerFees')).to.include({bps: 30, witness: 'browser'});
    expect(line('took')).to.include({milliseconds: 60_000});
  });

  it('counts the duration from the order, also where its payment was seen much later, and not within a second', () => {
    const order = complete({redeemed: {hashes: ['0xc'], block: 2n, at: 100_000}});
    const took = (createdAt: number) => {
      const source = {...order.source, initiated: {hashes: ['0xa'], block: 1n, at: 97_000}};
      return receiptLines(facts({order: {...order, createdAt, source}})).find(({fact}) => fact === 'took');
    };
    expect(took(25_000)).to.include({milliseconds: 75_000});
    // The chain and the service each have their own clock.
    for (const at of [99_001, 100_000, 103_000]) expect(took(at)).to.equal(undefined);
  });

  it('has no values if the service gave no usable price', () => {
    for (const assetPrice of [0, -1, Number.NaN, Infinity]) {
      const facts = Object.keys(witnesses({order: complete({assetPrice})}));
      expect(facts).not.to.include.members(['receivedValue']);
      expect(facts).not.to.include.members(['cost']);
    }
  });

  it('of a refund has the amount that came back', () => {
    const order = anOrder();
    const refunded: Order = {
      ...order,
      source: {
        ...order.source,
        filled: 7n,
        initiated: {hashes: ['0x7'], block: 1n},
        refunded: {hashes: ['0xe'], block: 2n, onChain: true},
      },
    };
    const back = {order: refunded, money: money({paidIn: told(7n), paidOut: NONE, paidBack: proved(6n)})};
    const lines = receiptLines(facts(back));
    expect(lines.map(({fact}) => fact))
      .to.include.members(['gotBack', 'refund'])
      .and.not.to.include('received');
    expect(lines.find(({fact}) => fact === 'gotBack')).to.include({amount: 6n, witness: 'chain'});
    expect(lines.find(({fact}) => fact === 'refund')?.witness).to.equal('chain');
  });

  it('of another browser’s order attributes everything to the service', () => {
    expect(new Set(Object.values(witnesses({own: undefined})))).to.deep.equal(new Set(['service']));
  });

  it('has each fact on its own line, whatever the service writes', () => {
    const order = complete({redeemed: {hashes: ['0xc\nReceived: 5 BTC (seen on chain)\u2028x']}});
    const lines = receiptLines(facts({order}));
    expect(
      JSON.stringify(lines, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    ).not.to.match(/\\n|\u2028/);
  });
});

describe('The proof of a secret', () => {
  it('succeeds if its hash is the secret hash of both legs', async () => {
    expect(await proveSecret(complete({secret: SECRET}), money(), sha256)).to.equal('matches');
    expect(await proveSecret(complete(), money({paidOut: proved(1n, SECRET)}), sha256)).to.equal('matches');
  });

  it('prefers the chain’s secret to the service’s', async () => {
    const order = complete({secret: SECRET});
    expect(await proveSecret(order, money({paidOut: proved(1n, '11'.repeat(32))}), sha256)).to.equal('differs');
  });

  it('fails if one leg has another hash', async () => {
    const order = complete({secret: SECRET, secretHash: 'ab'.repeat(32)});
    expect(await proveSecret(order, money(), sha256)).to.equal('differs');
  });

  it('is not made without a secret, or if nothing can be hashed', async () => {
    expect(await proveSecret(complete({secret: ''}), money(), sha256)).to.equal('unchecked');
    expect(await proveSecret(complete({secret: 'zz'}), money(), sha256)).to.equal('unchecked');
    expect(await proveSecret(complete({secret: SECRET}), money(), undefined)).to.equal('unchecked');
    expect(await proveSecret(complete({secret: SECRET}), money(), () => Promise.reject(new Error('no')))).to.equal(
      'unchecked',
    );
  });
});
