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
  const paid = (value: number, status: object) => ({txid: HASH, vin: [], vout: [out(OURS, value)], status});

  /** What a node shows of an address that got 10,000, with what is left and these transactions; and what was requested. */
  async function deposit(left: number, known: readonly object[], named: readonly object[] = [], ends = [NAMED]) {
    const requested: string[] = [];
    const read = (path: string) => {
      requested.push(path);
      const sums = (funded: number, spent: number) => ({funded_txo_sum: funded, spent_txo_sum: spent});
      if (path === `/address/${OURS}`)
        return Promise.resolve({chain_stats: sums(10_000, 10_000 - left), mempool_stats: sums(0, 0)});
      if (path === `/address/${OURS}/txs`) return Promise.resolve(known);
      return Promise.resolve(named.find(one => path === `/tx/${(one as {txid: string}).txid}`));
    };
    return {found: await readDeposit(read, OURS, PAYER, ends), requested: requested.slice(2)};
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
});
