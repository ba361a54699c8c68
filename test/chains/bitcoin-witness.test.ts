/** What a Bitcoin chain shows of a payout, where one transaction redeems several swaps. */
import {sha256} from '@noble/hashes/sha2.js';
import {hex} from '@scure/base';
import fc from 'fast-check';
import {readDeposit, readPayout} from '../../src/chains/bitcoin/witness.js';
import {expect} from '../support/expect.js';

const [OURS, OTHERS] = ['bc1qrecipient', 'bc1qanother'];
const HASH = 'ab'.repeat(32);
const [SECRET, OTHER, THIRD] = ['5e', '5f', '60'].map(byte => byte.repeat(32)) as [string, string, string];
const hashOf = (secret: string) => hex.encode(sha256(hex.decode(secret)));

const out = (address: string, value: number) => ({scriptpubkey_address: address, value});
const swap = (secret: string, value: number) => ({
  prevout: out('a swap', value),
  witness: ['51'.repeat(64), secret, `a820${hashOf(secret)}88`, 'c0'],
});
const coin = (address: string, value: number) => ({prevout: out(address, value), witness: ['51'.repeat(64)]});

type Input = ReturnType<typeof swap> | {readonly prevout: null; readonly witness: readonly string[]};

/** What orders with these secrets are credited with, what is left, and what is others'. */
async function credits(vin: readonly Input[], vout: readonly ReturnType<typeof out>[], ...secrets: string[]) {
  const transaction = {txid: HASH, vin, vout, status: {confirmed: true, block_height: 9, block_time: 1}};
  const read = () => Promise.resolve(structuredClone(transaction));
  const payouts = secrets.map(secret => readPayout(read, OURS, [HASH], {secretHash: hashOf(secret)}));
  return (await Promise.all(payouts)).map(({amount, loose, earlier}) => [amount, loose, earlier].map(Number));
}

describe('a payout on Bitcoin', () => {
  it('with one secret is what arrived, at most the inputs that show it', async () => {
    const both = [swap(SECRET, 60), swap(SECRET, 40)];
    expect(await credits(both, [out(OURS, 97)], SECRET)).to.deep.equal([[97, 0, 0]]);
    const pays = [out(OTHERS, 9), out(OURS, 50), out(OURS, 30)];
    expect(await credits(both, pays, SECRET), 'wherever').to.deep.equal([[80, 0, 0]]);
    const more = await credits([swap(SECRET, 60), coin(OTHERS, 1_000)], [out(OURS, 900)], SECRET);
    expect(more, 'and was sent more').to.deep.equal([[60, 840, 0]]);
    const own = await credits([...both, coin(OURS, 30)], [out(OURS, 120)], SECRET);
    expect(own, 'with coins of the recipient').to.deep.equal([[90, 0, 0]]);
  });

  it('with one secret, but of swaps at several addresses, is that of the address in the order', async () => {
    const at = (address: string, value: number) => ({...swap(SECRET, value), prevout: out(address, value)});
    const read = () =>
      Promise.resolve({
        txid: HASH,
        vin: [at('tb1pone', 60), at('tb1ptwo', 40), at('tb1pone', 5)],
        vout: [out(OURS, 100)],
        status: {confirmed: true, block_height: 9, block_time: 1},
      });
    const of = async (swapId: string) => {
      const leg = {swapId, initiator: '', timelock: 0, amount: 0n};
      const {amount, loose, earlier} = await readPayout(read, OURS, [HASH], {secretHash: hashOf(SECRET), leg});
      return [amount, loose, earlier].map(Number);
    };
    expect(await of('TB1PONE')).to.deep.equal([60, 40, 0]);
    expect(await of('tb1ptwo')).to.deep.equal([40, 60, 0]);
    expect(await of('tb1pother'), 'of another order').to.deep.equal([0, 100, 0]);
    expect(await of('an id of its own'), 'which of them is unknown').to.deep.equal([0, 100, 0]);
  });

  it('with one secret is that of its only swap, if the order has an id that is no address', async () => {
    const transaction = {txid: HASH, vin: [swap(SECRET, 60)], vout: [out(OURS, 60)], status: {confirmed: false}};
    const leg = {swapId: 'order-bc1p', initiator: '', timelock: 0, amount: 0n};
    const read = () => Promise.resolve(transaction);
    expect(await readPayout(read, OURS, [HASH], {secretHash: hashOf(SECRET), leg})).to.include({amount: 60n});
  });

  it('is nothing where the chain does not know the transaction', async () => {
    const none = await readPayout(() => Promise.resolve(undefined), OURS, [HASH], {secretHash: hashOf(SECRET)});
    expect(none).to.deep.include({amount: 0n, loose: 0n, earlier: 0n, hashes: []});
  });

  it('with several secrets is the output at the index of its input, at most that input', async () => {
    const vin = [swap(SECRET, 60), swap(OTHER, 7), coin(OTHERS, 5), swap(SECRET, 40)];
    const vout = [out(OURS, 58), out(OURS, 9), out(OURS, 4), out(OURS, 39)];
    expect(await credits(vin, vout, SECRET, OTHER, THIRD)).to.deep.equal([
      [97, 6, 7],
      [7, 6, 97],
      [0, 0, 110],
    ]);
  });

  it('with several secrets in other outputs is unrelated money: a service batches as it likes', async () => {
    const vin = [swap(SECRET, 60), swap(OTHER, 40)];
    expect(await credits(vin, [out(OURS, 98)], SECRET, OTHER), 'one output').to.deep.equal([
      [60, 38, 0],
      [0, 38, 60],
    ]);
    expect(await credits(vin, [out(OTHERS, 40), out(OTHERS, 1), out(OURS, 58)], SECRET, OTHER)).to.deep.equal([
      [0, 58, 0],
      [0, 58, 0],
    ]);
  });

  it('is at most what was left by the inputs before it, if the recipient paid in too', async () => {
    const vin = [swap(SECRET, 60), swap(OTHER, 40), coin(OURS, 80)];
    expect(await credits(vin, [out(OURS, 60), out(OURS, 40)], SECRET, OTHER)).to.deep.equal([
      [20, 0, 0],
      [0, 0, 20],
    ]);
  });

  it('is unrelated money where the node does not tell what its input held', async () => {
    const [input] = [swap(SECRET, 60)];
    expect(await credits([{...input, prevout: null}], [out(OURS, 58)], SECRET)).to.deep.equal([[0, 58, 0]]);
  });

  it('is credited to no two orders, and an ordinary one whole', async () => {
    const value = fc.nat({max: 1_000});
    const secret = fc.constantFrom(SECRET, OTHER, THIRD);
    const input = fc.oneof(
      fc.tuple(secret, value).map(given => swap(...given)),
      fc.tuple(fc.constantFrom(OURS, OTHERS), value).map(given => coin(...given)),
    );
    const output = fc.tuple(fc.constantFrom(OURS, OTHERS), value).map(given => out(...given));
    const property = fc.asyncProperty(
      fc.array(input, {maxLength: 6}),
      fc.array(output, {maxLength: 6}),
      async (vin, vout) => {
        const to = (some: readonly ReturnType<typeof out>[]) =>
          some.reduce((sum, {scriptpubkey_address, value: one}) => sum + (scriptpubkey_address === OURS ? one : 0), 0);
        const net = Math.max(0, to(vout) - to(vin.map(({prevout}) => prevout)));
        const all = await credits(vin, vout, SECRET, OTHER, THIRD);
        expect(all.reduce((sum, [own = 0]) => sum + own, 0) <= net).to.equal(true);
        for (const parts of all) expect(parts.reduce((sum, part) => sum + part, 0)).to.equal(net);
      },
    );
    await fc.assert(property, {seed: 20_261_128, numRuns: 2_000});
    const ordinary = fc.asyncProperty(
      fc.uniqueArray(fc.tuple(secret, fc.integer({min: 1, max: 1_000})), {minLength: 1, selector: ([one]) => one}),
      fc.nat({max: 50}),
      async (swaps, fee) => {
        const vin = [...swaps.map(given => swap(...given)), coin(OTHERS, fee)];
        const paid = await credits(
          vin,
          [...swaps.map(([, held]) => out(OURS, held)), out(OTHERS, 1)],
          ...swaps.map(([one]) => one),
        );
        expect(paid.map(([own]) => own)).to.deep.equal(swaps.map(([, held]) => held));
      },
    );
    await fc.assert(ordinary, {seed: 20_261_128, numRuns: 500});
  });
});

describe('a payment on Bitcoin', () => {
  const PAYER = 'bc1qpayer';
  const NAMED = 'cd'.repeat(32);
  const confirmed = (block: number) => ({confirmed: true, block_height: block, block_time: 1});
  const LAST = 'ef'.repeat(32);
  const SIGNATURE = '51'.repeat(64);
  const BACK = [out(PAYER, 9_000)];
  const input = (from: string, value: number, witness: readonly string[] = [SIGNATURE, '20ac', 'c0']) => ({
    prevout: out(from, value),
    witness,
  });
  const refund = (vin: readonly object[], vout: readonly object[]) => ({txid: NAMED, vin, vout, status: confirmed(9)});
  const paid = (value: number, status: object) => ({txid: HASH, vin: [], vout: [out(OURS, value)], status});

  const sums = (funded: number, spent: number) => ({funded_txo_sum: funded, spent_txo_sum: spent});

  /** What a node shows of an address that got 10,000, with what is left and these transactions; and what was requested. */
  async function deposit(left: number, known: readonly object[], named: readonly object[] = [], ends = [NAMED]) {
    const requested: string[] = [];
    const read = (path: string) => {
      requested.push(path);
      if (path === `/address/${OURS}`)
        return Promise.resolve({chain_stats: sums(10_000, 10_000 - left), mempool_stats: sums(0, 0)});
      if (path === `/address/${OURS}/txs`) return Promise.resolve(known);
      return Promise.resolve(named.find(one => path === `/tx/${(one as {txid: string}).txid}`));
    };
    return {found: await readDeposit(read, OURS, PAYER, ends), requested: requested.slice(2)};
  }

  /** How a payment of 10,000 ended, of which nothing is left. */
  async function endOf(known: readonly object[]) {
    const {found} = await deposit(0, known);
    return found.state === 'seen' ? found.end : undefined;
  }

  it('is held as long as more is left than dust, which anybody can send', async () => {
    const known = [paid(10_000, confirmed(7))];
    expect((await deposit(547, known)).found.isHeld).to.equal(true);
    expect((await deposit(546, known)).found.isHeld).to.equal(false);
  });

  it('is in the block of the newest payment that is in one', async () => {
    const known = [paid(1, {confirmed: false}), paid(5_000, confirmed(8)), paid(5_000, confirmed(7))];
    expect((await deposit(10_000, known)).found).to.include({block: 8n});
  });

  it('was redeemed if a secret opened one of its outputs, though the same transaction took another back', async () => {
    const from = (input: object) => ({...input, prevout: out(OURS, 5_000)});
    const vin = [from(swap(SECRET, 5_000)), from({witness: ['51'.repeat(64)]})];
    const end = {txid: NAMED, vin, vout: [out(PAYER, 9_000)], status: confirmed(9)};
    expect((await deposit(0, [end])).found.end).to.include({how: 'redeemed', block: 9n});
    expect((await deposit(0, [], [end], [NAMED.toUpperCase()])).found.end).to.include({how: 'redeemed'});
  });

  it('is not looked for in what is no hash of a transaction, nor twice', async () => {
    const ends = [NAMED, NAMED.toUpperCase(), `${NAMED}0`, NAMED.slice(1), `../${NAMED}`, `${NAMED}/../x`, ''];
    expect((await deposit(0, [], [], ends)).requested).to.deep.equal([`/tx/${NAMED}`]);
  });

  it('is seen from the smallest amount on, and not if nothing came', async () => {
    const of = (funded: number) =>
      readDeposit(
        path =>
          Promise.resolve(path === `/address/${OURS}` ? {chain_stats: sums(funded, 0), mempool_stats: sums(0, 0)} : []),
        OURS,
        PAYER,
        [],
      );
    expect(await of(0)).to.deep.equal({state: 'none'});
    expect(await of(1)).to.include({state: 'seen', amount: 1n});
  });

  it('is seen though its transactions cannot be read, or are not listed', async () => {
    const read = (path: string) =>
      path === `/address/${OURS}`
        ? Promise.resolve({chain_stats: sums(9_000, 0), mempool_stats: sums(0, 0)})
        : Promise.reject(new Error('too many'));
    const seen = {state: 'seen', amount: 9_000n, isHeld: true};
    expect(await readDeposit(read, OURS, PAYER, [])).to.deep.equal(seen);
    expect((await deposit(10_000, [])).found).to.deep.equal({...seen, amount: 10_000n});
  });

  it('is named by the transactions that paid to the address, not by those that spent from it', async () => {
    const spend = {...refund([input(OURS, 9_000)], [out(PAYER, 8_000)]), status: confirmed(9)};
    const {found} = await deposit(1_000, [spend, paid(10_000, confirmed(7))]);
    expect(found).to.deep.include({hashes: [HASH], block: 7n});
  });

  it('is in no block while a part of it waits', async () => {
    const read = (path: string) =>
      Promise.resolve(
        path === `/address/${OURS}`
          ? {chain_stats: sums(5_000, 0), mempool_stats: sums(5_000, 0)}
          : [paid(5_000, confirmed(7))],
      );
    const found = await readDeposit(read, OURS, PAYER, []);
    expect(found).to.include({amount: 10_000n}).and.not.to.have.property('block');
  });

  it('has no end while it is held, and none is looked for', async () => {
    const part = {...refund([input(OURS, 5_000)], [out(PAYER, 4_900)]), status: confirmed(9)};
    const {found, requested} = await deposit(5_000, [part]);
    expect(found).not.to.have.property('end');
    expect(requested).to.deep.equal([]);
  });

  it('was taken by the transactions that the address lists, and only what they leave open is looked for', async () => {
    const part = {...refund([input(OURS, 4_000)], [out(PAYER, 3_900)]), txid: HASH, status: confirmed(8)};
    const rest = {...refund([input(OURS, 6_000)], [out(PAYER, 5_900)]), status: confirmed(9)};
    const end = {how: 'refunded', amount: 9_800n, hashes: [HASH, NAMED], block: 9n};
    const listed = await deposit(0, [part, rest], [], [LAST]);
    expect([listed.found, listed.requested]).to.deep.equal([{...listed.found, end}, []]);
    const looked = await deposit(0, [part], [rest], [HASH, NAMED]);
    expect([looked.found, looked.requested]).to.deep.equal([{...looked.found, end}, [`/tx/${NAMED}`]]);
    const unknown = await deposit(0, [part], [rest], [LAST, NAMED]);
    expect(unknown.found, 'though the chain does not know another').to.deep.include({end});
  });

  it('has no known end while a part of it may have been redeemed', async () => {
    const part = refund([input(OURS, 4_000)], [out(PAYER, 3_900)]);
    expect((await deposit(0, [part])).found).not.to.have.property('end');
    const elsewhere = refund([input(OURS, 10_000)], [out(OTHERS, 9_900)]);
    expect((await deposit(0, [elsewhere])).found, 'nor if nothing came back').not.to.have.property('end');
  });

  it('was refunded in the block of its last refund, and in none while one is unconfirmed', async () => {
    const at = (txid: string, value: number, status: object) => ({
      ...refund([input(OURS, value)], [out(PAYER, value)]),
      txid,
      status,
    });
    const ends = async (...statuses: [object, object]) =>
      (await endOf([at(HASH, 4_000, statuses[0]), at(NAMED, 6_000, statuses[1])]))?.block;
    expect(await ends(confirmed(8), confirmed(9))).to.equal(9n);
    expect(await ends(confirmed(9), confirmed(8))).to.equal(9n);
    expect(await ends(confirmed(9), {confirmed: false})).to.equal(undefined);
  });

  it('was refunded by what came back to its payer, down to the smallest amount', async () => {
    const elsewhere = {...refund([input(OURS, 4_000)], [out(OTHERS, 4_000)]), txid: HASH};
    const least = refund([input(OURS, 6_000)], [out(PAYER, 1)]);
    const end = {how: 'refunded', amount: 1n, hashes: [NAMED]};
    expect(await endOf([elsewhere, least])).to.deep.include(end);
  });

  it('was redeemed only by its own outputs: its payer got nothing back by it', async () => {
    const mixed = (from: string) => ({...swap(SECRET, 10_000), prevout: out(from, 10_000)});
    const own = await endOf([refund([mixed(OURS)], [out(PAYER, 9_000)])]);
    expect(own).to.deep.equal({how: 'redeemed', amount: 0n, hashes: [NAMED], block: 9n});
    const others = await endOf([refund([input(OURS, 10_000), mixed(OTHERS)], [out(PAYER, 9_000)])]);
    expect(others).to.deep.include({how: 'refunded', amount: 9_000n});
  });

  it('was redeemed by a secret only where a script asks for one', async () => {
    const how = async (...witness: string[]) => (await endOf([refund([input(OURS, 10_000, witness)], BACK)]))?.how;
    const opens = `a820${hashOf(SECRET)}88`;
    expect(await how(SIGNATURE, SECRET, opens, 'c0')).to.equal('redeemed');
    expect(await how(SIGNATURE, SECRET, '20ac', 'c0'), 'another script').to.equal('refunded');
    expect(await how(SIGNATURE, SECRET, `00${opens}`, 'c0'), 'not at its beginning').to.equal('refunded');
    expect(await how(SIGNATURE, SECRET, opens, 'c0', '50'), 'something after its control block').to.equal('refunded');
    expect(await how(SIGNATURE, `${SECRET}00`, opens, 'c0'), 'a longer text').to.equal('refunded');
  });

  it('shares a transaction with refunds of other swaps: its own are the outputs at the indices of its inputs', async () => {
    const alone = (other: object) => [input(OURS, 10_000), other];
    const vout = [out(PAYER, 6_000), out(PAYER, 3_000)];
    const amountWith = async (witness?: readonly string[]) =>
      (await endOf([refund(alone({...input(OTHERS, 9_000), witness}), vout)]))?.amount;
    expect(await amountWith([SIGNATURE, '20ac', 'c0']), 'a refund').to.equal(6_000n);
    expect(await amountWith([SIGNATURE, '20ac', 'C1aa']), 'of a script with another parity').to.equal(6_000n);
    expect(await amountWith([SIGNATURE, '00', '20ac', 'c1']), 'with more before its script').to.equal(6_000n);
    expect(await amountWith([SIGNATURE, SECRET, `a820${hashOf(SECRET)}88`, 'c0']), 'a redeem').to.equal(9_000n);
    expect(await amountWith([SIGNATURE]), 'a coin spent by a key').to.equal(9_000n);
    expect(await amountWith([SIGNATURE, 'c0']), 'with a key after it').to.equal(9_000n);
    expect(await amountWith([SIGNATURE, '20ac', '02c0']), 'by no control block').to.equal(9_000n);
    expect(await amountWith(['c0', 'c0', '20ac']), 'one that is not at the end').to.equal(9_000n);
    expect(await amountWith(), 'a coin without a witness').to.equal(9_000n);
  });
});
