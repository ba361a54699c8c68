/** What the checks of all families have in common. */
import {expect} from '../support/expect.js';
import {
  canonicalAddress,
  checkContract,
  isTimelock,
  lockText,
  runKeyCheck,
  standingOf,
} from '../../src/chains/checks.js';
import {readNumber} from '../../src/chains/typed-data.js';
import {createBitcoinAdapter} from '../../src/chains/bitcoin/bitcoin.js';
import {createEvmAdapter} from '../../src/chains/evm/evm.js';
import {createSolanaAdapter} from '../../src/chains/solana/solana.js';
import {createStarknetAdapter} from '../../src/chains/starknet/starknet.js';
import {contractsOf, type Asset} from '../../src/domain/asset.js';
import type {CheckReport, Deal, Policy} from '../../src/domain/deposit.js';
import {ALL_KNOWN} from '../../src/domain/known/all.js';
import type {Leg} from '../../src/domain/order.js';
import {sampleDeal as bitcoinDeal} from '../support/bitcoin-deal.js';
import type {Writable} from '../support/deal.js';
import {sampleDeal as evmDeal} from '../support/evm-deal.js';
import {errorOf} from '../support/funding.js';
import {onPage} from '../support/prototypes.js';
import {failed} from '../support/reports.js';
import {sampleDeal as solanaDeal} from '../support/solana-deal.js';
import {sampleDeal as starknetDeal} from '../support/starknet-deal.js';

const FAMILIES = [
  {family: 'bitcoin', adapter: createBitcoinAdapter(), sample: bitcoinDeal},
  {family: 'evm', adapter: createEvmAdapter(), sample: evmDeal},
  {family: 'solana', adapter: createSolanaAdapter(), sample: solanaDeal},
  {
    family: 'starknet',
    adapter: createStarknetAdapter(),
    sample: () => {
      const deal = starknetDeal();
      Reflect.deleteProperty(deal.agreed.from.chain, 'rpc');
      return deal;
    },
  },
] as const;

const lineOf = ({results}: CheckReport, name: string) => results.find(result => result.name === name);
const SECRET = '5e'.repeat(32);

describe('an address on Starknet', () => {
  it('is the same with fewer zeros and capitals; no other text is changed', () => {
    const write = (text: string) => canonicalAddress({family: 'starknet'}, text);
    expect(write('0xAB')).to.equal(`0x${'ab'.padStart(64, '0')}`);
    for (const text of ['a0xab', '0x', '0xabz', `0x${'1'.repeat(65)}`]) expect(write(text)).to.equal(text);
  });
});

describe('an unknown contract', () => {
  it('is asked about with what is known beside what is paid', () => {
    const deal = evmDeal();
    const {from} = deal.agreed;
    const found = checkContract(deal, '0xnew', []);
    expect(found).to.include({outcome: 'unverified', found: '0xnew', expected: from.contracts?.join(', ')});
    expect(found.sides).to.deep.equal(['known', 'payment']);
    expect(checkContract(deal, from.contracts[0]!, []).sides).to.equal(undefined);
  });

  it('is one that the operator left, for what is new: what was paid into it stays known', () => {
    const deal = evmDeal();
    const [live = ''] = deal.agreed.from.contracts;
    const from = {...deal.agreed.from, contracts: [live], former: ['0xleft']};
    const found = (asset: Asset) => checkContract({...deal, agreed: {...deal.agreed, from: asset}}, '0xleft', [from]);
    expect(found(from)).to.include({outcome: 'unverified', found: '0xleft', expected: live});
    expect(found({...from, vouched: [{address: '0xleft'}]}).outcome).to.equal('passed');
    expect(standingOf({...deal, agreed: {...deal.agreed, from}}, '0xleft')).to.equal('known');
    const usdc = ALL_KNOWN.assets.find(({id}) => id === 'base:usdc')!;
    expect(contractsOf(usdc)).to.deep.equal([
      '0x227A436e93AAEf856ed406713F2bc3D110A7b797',
      '0x5fA58e4E89c85B8d678Ade970bD6afD4311aF17E',
    ]);
  });
});

for (const {family, adapter, sample} of FAMILIES) {
  describe(`a check on ${family}`, () => {
    function open(policy: Partial<Policy> = {}) {
      const deal = sample();
      for (const leg of [deal.order.source, deal.order.destination] as Writable<Leg>[]) {
        for (const event of ['initiated', 'redeemed', 'refunded']) Reflect.deleteProperty(leg, event);
        Object.assign(leg, {secret: '', filled: 0n});
      }
      Object.assign(deal, {policy: {...deal.policy, ...policy}});
      return {deal, check: (checked: Deal = deal) => adapter.check(checked, {})};
    }

    it('passes what the service published', async () => {
      expect((await open().check()).outcome).to.equal('passed');
    });

    for (const leg of ['source', 'destination'] as const) {
      it(`fails if the secret is known before anything is paid: in the ${leg} leg`, async () => {
        const {deal, check} = open();
        deal.order[leg].secret = SECRET;
        const report = await check();
        expect(failed(report)).to.deep.equal(['secret']);
        expect(lineOf(report, 'secret')?.found).to.equal(SECRET);
      });
    }

    it('fails if the secret is known and a part is still to be paid', async () => {
      const {deal, check} = open();
      Object.assign(deal.order.source, {initiated: {hashes: ['f00d']}, filled: 1n, secret: SECRET});
      expect(failed(await check())).to.deep.equal(['secret']);
    });

    // The ABI coder of ethers takes what an object inherits for its own.
    for (const owner of family === 'evm' ? [Array] : [Array, Object]) {
      for (const [name, value] of [
        ['toJSON', () => 'theirs'],
        ['each', () => 'theirs'],
      ] as const) {
        it(`has the same result on a page that gives ${owner.name}.prototype a ${name}`, async () => {
          const {deal, check} = open();
          const strange = {...deal, orderId: `${deal.orderId}0`};
          const expected = [await check(), await check(strange)];
          const added = {[name]: {value, enumerable: true, writable: true}};
          const found = await onPage(owner.prototype, added, async () => [await check(), await check(strange)]);
          expect(found).to.deep.equal(expected);
        });
      }
    }

    it('has no check of the redeemer if the partner set none', async () => {
      expect(lineOf(await open().check(), 'redeemer')).to.be.undefined;
      const others = {'other:asset': ['somebody']};
      expect(lineOf(await open({redeemers: others}).check(), 'redeemer')).to.be.undefined;
    });

    it('passes a redeemer that the partner set, and fails any other', async () => {
      const {agreed, order} = sample();
      const {redeemer} = order.source;
      const named = (...all: string[]) => ({redeemers: {[agreed.from.id.toUpperCase()]: all}});
      const inCapitals = family === 'solana' ? redeemer : redeemer.toUpperCase().replace('0X', '0x');
      const known = await open(named('somebody', inCapitals)).check();
      expect(known.outcome).to.equal('passed');
      expect(lineOf(known, 'redeemer')?.outcome).to.equal('passed');
      expect(failed(await open(named('somebody')).check())).to.deep.equal(['redeemer']);
      expect(failed(await open(named()).check())).to.deep.equal(['redeemer']);
    });

    it('says whether the order or the payment has another redeemer than the partner set, and which', async () => {
      const {agreed, order} = sample();
      const {redeemer} = order.source;
      const {deal, check} = open({redeemers: {[agreed.from.id]: [redeemer, 'somebody']}});
      const line = async () => lineOf(await check(), 'redeemer');
      const {expected, found} = (await line()) ?? {};
      expect([expected, found]).to.deep.equal([`${found ?? ''}, somebody`, family === 'bitcoin' ? redeemer : found]);
      deal.order.source.redeemer = 'another';
      const other = {name: 'redeemer', outcome: 'failed', expected, found: 'another', sides: ['known', 'order']};
      expect(await line()).to.deep.equal(other);
      Reflect.deleteProperty(deal, 'order');
      // An address on Bitcoin names no redeemer.
      expect((await line())?.outcome).to.equal(family === 'bitcoin' ? 'unchecked' : 'passed');
      Object.assign(deal.policy, {redeemers: {[agreed.from.id]: ['somebody']}});
      const paid = {name: 'redeemer', outcome: 'failed', expected: 'somebody', found, sides: ['known', 'payment']};
      const unknown = {name: 'redeemer', outcome: 'unchecked', expected: 'somebody'};
      expect(await line()).to.deep.equal(family === 'bitcoin' ? unknown : paid);
    });

    it('names both sides of a secret that differs, and no more of a text than a screen can hold', async () => {
      const {deal, check} = open();
      deal.order.destination.secretHash = 'x'.repeat(1_000);
      const line = lineOf(await check(), 'secret');
      expect(line?.found).to.equal('x'.repeat(200));
      expect([line?.expected, line?.sides]).to.deep.equal([deal.order.source.secretHash, ['payment', 'order']]);
    });

    it('counts a lock from its payment on', async () => {
      const {deal, check} = open();
      const {source, destination} = deal.order;
      const {from, to} = deal.agreed;
      const hours = (source.timelock * from.chain.blockSeconds) / 3_600;
      Object.assign(source, {filled: source.amount, initiated: {hashes: ['f00d'], at: Date.now() - 10 * 3_600_000}});
      destination.initiated = {hashes: ['f00d'], at: Date.now()};
      for (const [less, outcome] of [
        [10.5, 'passed'],
        [9.5, 'failed'],
      ] as const) {
        destination.timelock = ((hours - less) * 3_600) / to.chain.blockSeconds;
        expect(lineOf(await check(), 'timelock')?.outcome).to.equal(outcome);
      }
    });

    it('does not report a mismatch if the check itself throws', async () => {
      const mistake = {
        map: () => {
          throw new TypeError('a mistake of ours');
        },
      };
      const redeemers = {[sample().agreed.from.id]: mistake as unknown as string[]};
      const {code, field, detail} = await errorOf(open({redeemers}).check());
      expect([code, field, detail]).to.deep.equal(['unreadable', 'check', 'redeemer: a mistake of ours']);
    });

    it('fails a malformed order', async () => {
      for (const wrong of [null, {}, {...sample().order.source, redeemer: 5}, {...sample().order.source, amount: 5}]) {
        const {deal, check} = open();
        (deal.order as {source: unknown}).source = wrong;
        expect(failed(await check())).to.deep.equal(['order']);
      }
    });

    it('says how long the payment may be locked', async () => {
      const {deal, check} = open();
      const days = (deal.order.source.timelock * deal.agreed.from.chain.blockSeconds) / 86_400;
      expect(days).to.be.within(0.5, 2);
      const hours = `${Math.round(days * 24)} h`;
      const report = await check();
      expect(lineOf(report, 'timelock')?.expected).to.equal(`< ${hours}`);
      if (family !== 'bitcoin') expect(lineOf(report, 'call')?.found).to.equal(`initiate, ≤ ${hours}`);
    });
  });
}

describe('a partly paid order', () => {
  it('is not paid further once its secret is known, even if it is the right one', async () => {
    const {order, ...deal} = bitcoinDeal();
    const check = (filled: bigint) =>
      createBitcoinAdapter().check({...deal, order: {...order, source: {...order.source, filled}}}, {});
    expect(lineOf(await check(order.source.amount), 'secret')?.outcome).to.equal('passed');
    expect(lineOf(await check(1n), 'secret')?.outcome).to.equal('failed');
  });
});

describe('a timelock', () => {
  it('may last from a block to thirty days, and not a block more', () => {
    const inBlocksOf = (blockSeconds: number, blocks: bigint) => isTimelock(blocks, {blockSeconds});
    for (const [blockSeconds, most] of [
      [600, 4_320n],
      [12, 216_000n],
      [2, 1_296_000n],
      [0.4, 6_480_000n],
    ] as const) {
      expect([0n, 1n, most, most + 1n].map(blocks => inBlocksOf(blockSeconds, blocks))).to.deep.equal([
        false,
        true,
        true,
        false,
      ]);
    }
  });

  it('is said in minutes, hours or days', () => {
    for (const [seconds, text] of [
      [100, '1.7 min'],
      [3_540, '59 min'],
      [3_600, '1 h'],
      [5_000, '1.39 h'],
      [172_000, '47.78 h'],
      [172_800, '2 d'],
      [360_000, '4.2 d'],
    ] as const)
      expect(lockText(BigInt(seconds), {blockSeconds: 1})).to.equal(`≤ ${text}`);
  });
});

describe('a number in typed data', () => {
  it('is hex or decimal text of 256 bits, or a number without loss', () => {
    const most = 2n ** 256n - 1n;
    for (const [value, number] of [
      [0, 0n],
      [5, 5n],
      ['0', 0n],
      ['10', 10n],
      ['0x0', 0n],
      ['0xfF', 255n],
      [`0x${most.toString(16)}`, most],
      [String(most), most],
    ] as const)
      expect(readNumber(value), String(value)).to.equal(number);
    const numbers = [-1, 0.5, 2 ** 53, NaN, 1n, true, null, undefined];
    const texts = ['', '0x', '05', '-1', '1e3', '1.0', ' 1', '1 ', `0x0${'f'.repeat(64)}`, `1${'0'.repeat(78)}`];
    for (const value of [...numbers, ...texts]) expect(readNumber(value), String(value)).to.equal(undefined);
  });
});

describe('what derives addresses from keys', () => {
  it('is loaded for a key alone: x-only, compressed or uncompressed', async () => {
    const digits = 'ab'.repeat(65);
    const [x, y] = [digits.slice(0, 64), digits.slice(64, 128)];
    const keys = [x, `0x${x}`, x.toUpperCase(), `02${x}`, `03${x}`, `0x02${x}`, `04${x}${y}`];
    const others = ['', 'tb1qstranger', `0x${x.slice(0, 40)}`, x.slice(1), `g${x}`, `${x}g`, `g0x${x}`];
    const near = [`02${x.slice(1)}`, `02${x}a`, `05${x}`, `04${x}${y.slice(1)}`, `04${x}${y}a`, `03${x}${y}`];
    for (const text of [...keys, ...others, ...near]) {
      let isLoaded = false;
      const load = () => {
        isLoaded = true;
        return Promise.resolve(() => true);
      };
      await runKeyCheck('refund', text, load, () => ({outcome: 'passed'}));
      expect(isLoaded, text).to.equal(keys.includes(text));
    }
  });
});

describe('an address for the service', () => {
  it('has its checksum on EVM chains (the examples of EIP-55), and is as it is elsewhere', () => {
    for (const address of [
      '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
      '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    ]) {
      const [{adapter: bitcoin}, {adapter: evm}, ...others] = FAMILIES;
      const digits = address.slice(2);
      for (const typed of [address, `0x${digits.toLowerCase()}`, `0x${digits.toUpperCase()}`]) {
        expect(evm.addresses.withChecksum?.(typed)).to.equal(address);
      }
      for (const {addresses} of [bitcoin, ...others.map(({adapter}) => adapter)])
        expect(addresses.withChecksum).to.equal(undefined);
    }
  });
});
