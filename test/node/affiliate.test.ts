import {deepEqual, equal, match, ok, rejects} from 'node:assert/strict';
import {mock} from 'node:test';
import {getAddress, hexlify, keccak256, sha256, toUtf8Bytes} from 'ethers';
import {createSender, keyOf, type Rpc} from '../../demo/sandbox/chains/anvil.js';
import type {ChainLeg, LocalAsset, Terms} from '../../demo/sandbox/chains/leg.js';
import {createFaults} from '../../demo/sandbox/faults.js';
import {createOrders, type Orders} from '../../demo/sandbox/orders.js';
import {createPricing, type IssuedQuote, type Pricing} from '../../demo/sandbox/pricing.js';
import {createService} from '../../demo/sandbox/service.js';
import {createRandom} from '../support/random.js';

const BPS = 10_000n;
const SOLVERS = [
  {id: `0x${'a'.repeat(40)}`, fee: 45n},
  {id: `0x${'b'.repeat(40)}`, fee: 30n},
];
const token = (symbol: string, decimals: number): LocalAsset => ({
  symbol,
  decimals,
  token: addressOf(`token ${symbol}`),
  contracts: [addressOf(`contract ${symbol}`)],
});
const coin = (symbol: string, decimals: number): LocalAsset => ({symbol, decimals, contracts: []});
const EVM = {usdc: token('USDC', 6), cbbtc: token('cbBTC', 8), wbtc: token('WBTC', 8), eth: coin('ETH', 18)};

/** The source assets, one of each kind. */
const SOURCES = [
  'bitcoin_testnet:btc',
  'solana_testnet:sol',
  'base_sepolia:eth',
  'base_sepolia:usdc',
  'ethereum_sepolia:wbtc',
  'starknet_sepolia:wbtc',
] as const;
/** The destination assets. */
const DESTINATIONS: readonly [string, ...string[]] = [
  'ethereum_sepolia:cbbtc',
  'starknet_sepolia:usdc',
  'ethereum_sepolia:eth',
  ...SOURCES,
];
const PAYOUTS = ['base_sepolia:usdc', 'base_sepolia:cbbtc', 'ethereum_sepolia:usdc', 'ethereum_sepolia:cbbtc'] as const;

function addressOf(name: string): string {
  return getAddress(sha256(toUtf8Bytes(name)).slice(0, 42));
}

/** Fake chains: a test sets which orders are complete, and balances are numbers. */
class Ledger {
  readonly balances = new Map<string, bigint>();
  /** The secret hashes of complete orders. */
  readonly complete = new Set<string>();
  /** The assets whose transfers fail. */
  readonly broken = new Set<string>();
  transfers = 0;
  readonly chains: readonly ChainLeg[] = [
    this.#chain('base_sepolia', 'evm', EVM),
    this.#chain('ethereum_sepolia', 'evm', EVM),
    this.#chain('bitcoin_testnet', 'bitcoin', {btc: coin('BTC', 8)}),
    this.#chain('solana_testnet', 'solana', {sol: coin('SOL', 9)}),
    this.#chain('starknet_sepolia', 'starknet', {wbtc: token('WBTC', 8), usdc: token('USDC', 6)}),
  ];

  /** A payee's balance of an asset. */
  balanceOf(asset: string, address: string): bigint {
    return this.balances.get(`${asset} ${address}`) ?? 0n;
  }

  async #pay(asset: string, address: string, amount: bigint): Promise<string> {
    await new Promise(resolve => setImmediate(resolve));
    if (this.broken.has(asset)) throw new Error(`insufficient ${asset}`);
    this.balances.set(`${asset} ${address}`, this.balanceOf(asset, address) + amount);
    return hexlify(toUtf8Bytes(`transfer ${String(++this.transfers)}`));
  }

  #chain(name: string, family: string, assets: Readonly<Record<string, LocalAsset>>): ChainLeg {
    const unsupported = () => Promise.reject(new Error('not supported'));
    return {
      name,
      family,
      facts: {},
      blockSeconds: null,
      assets: Object.fromEntries(Object.entries(assets).map(([asset, local]) => [`${name}:${asset}`, local])),
      others: {},
      coin: `${name}:coin`,
      timelocks: {source: 300, destination: 150},
      solvers: SOLVERS.map(({id}) => id),
      corruptions: {},
      sync: () => Promise.resolve(),
      height: () => 1,
      stateOf: ({secretHash, amount}: Terms) => ({
        filled: amount,
        matchesTerms: true,
        ...(this.complete.has(secretHash) && {redeemed: {hash: '0x1', block: 1, at: new Date(0), secret: '00'}}),
      }),
      readAddress: text =>
        /^0x[0-9a-f]{40}$/i.test(text) ? {address: getAddress(text)} : {problem: 'not a valid address'},
      swapId: ({secretHash}) => secretHash,
      source: () => ({}),
      laterSource: unsupported,
      initiate: unsupported,
      redeem: unsupported,
      refund: unsupported,
      mine: unsupported,
      faucet: unsupported,
      reorg: unsupported,
      close: unsupported,
      ...(family === 'evm' && {payout: (asset, address, amount) => this.#pay(asset, address, amount)}),
    };
  }
}

interface Entry {
  readonly asset: string;
  readonly address: string;
  readonly fee: number;
}
type Stored = Entry & {readonly amount: string};
interface QuoteAnswer {
  readonly destination: {readonly amount: string};
  readonly solver_id: string;
}
interface Leg {
  readonly asset_price: number;
  readonly secret_hash: string;
}
interface OrderRead {
  readonly affiliate_fees: readonly Stored[];
  readonly source_swap: Leg;
  readonly destination_swap: Leg;
}

/** The service with its prices and orders, called as over HTTP. */
class Service {
  readonly ledger = new Ledger();
  readonly pricing: Pricing = createPricing(SOLVERS, 7);
  readonly orders: Orders;
  readonly #app;

  constructor() {
    const {pricing} = this;
    const {chains} = this.ledger;
    const faults = createFaults({hostile: [], differs: []});
    this.orders = createOrders({chains, pricing, faults, integratorOf: () => undefined});
    this.#app = createService({chains, pricing, orders: this.orders, faults});
  }

  async ask<T>(path: string, body?: unknown): Promise<{result: T; error?: string}> {
    const headers = {'content-type': 'application/json'};
    const init = body === undefined ? {} : {method: 'POST', headers, body: JSON.stringify(body)};
    const response = await this.#app.request(path, init);
    return (await response.json()) as {result: T; error?: string};
  }

  async quotes(from: string, to: string, amount: bigint, bps = 0): Promise<QuoteAnswer[]> {
    const fee = bps ? `&affiliate_fee=${String(bps)}` : '';
    const path = `/v2/quote?from=${from}&to=${to}&from_amount=${String(amount)}${fee}`;
    const {result, error} = await this.ask<QuoteAnswer[]>(path);
    ok(!error, error);
    return result;
  }

  /** Places an order for a quote, with these fees. */
  place(from: string, to: string, amount: bigint, {destination, solver_id}: QuoteAnswer, fees: readonly unknown[]) {
    return this.ask<{order_id: string}>('/v2/orders', {
      source: {asset: from, owner: addressOf('owner'), amount: String(amount)},
      destination: {asset: to, owner: addressOf('recipient'), amount: destination.amount},
      solver_id,
      affiliate_fees: fees,
    });
  }

  /** Quotes, orders and reads back. */
  async order(from: string, to: string, amount: bigint, fees: readonly Entry[]): Promise<OrderRead> {
    const [quote] = await this.quotes(from, to, amount, totalOf(fees));
    const {result, error} = await this.place(from, to, amount, quote!, fees);
    ok(!error, error);
    return this.read(result.order_id);
  }

  async read(id: string): Promise<OrderRead> {
    return (await this.ask<OrderRead>(`/v2/orders/${id}`)).result;
  }

  complete({destination_swap}: OrderRead): void {
    this.ledger.complete.add(destination_swap.secret_hash);
  }
}

const totalOf = (fees: readonly Entry[]) => fees.reduce((sum, {fee}) => sum + fee, 0);
const localAssets: Readonly<Record<string, LocalAsset>> = Object.fromEntries(
  new Ledger().chains.flatMap(({assets}) => Object.entries(assets)),
);

/** The value of basis points of an amount, in the smallest unit of another asset, as an exact fraction. */
function worth(amount: bigint, bps: bigint, from: string, to: string, prices: IssuedQuote['prices']) {
  const [a, b] = [localAssets[from]!, localAssets[to]!];
  return {
    over: amount * bps * prices[a.symbol]! * 10n ** BigInt(b.decimals),
    under: BPS * prices[b.symbol]! * 10n ** BigInt(a.decimals),
  };
}
type Fraction = ReturnType<typeof worth>;
/** Whether a number is the fraction rounded down. */
const isFloor = (whole: bigint, {over, under}: Fraction) => whole * under <= over && (whole + 1n) * under > over;
/** Whether a number is the fraction rounded up. */
const isCeiling = (whole: bigint, {over, under}: Fraction) => whole * under >= over && (whole - 1n) * under < over;

const payee = (name: string, asset: string, fee: number): Entry => ({asset, address: addressOf(name), fee});
const AMOUNT = 10_000_000n;
const FROM = 'bitcoin_testnet:btc';
const TO = 'ethereum_sepolia:wbtc';

describe('affiliate fees', () => {
  let service: Service;
  beforeEach(() => {
    mock.timers.enable({apis: ['Date'], now: Date.UTC(2026, 0, 1)});
    service = new Service();
  });
  afterEach(() => mock.timers.reset());

  it('add up when charged, stored and paid out, for a thousand random splits and amounts', async () => {
    const random = createRandom(20_260_101);
    const {ledger, pricing, orders} = service;
    const owed = new Map<string, bigint>();
    const seen = new Set<string>();
    const limits = new Map<string, readonly [bigint, bigint]>();
    for (const from of SOURCES) {
      const {error = ''} = await service.ask(`/v2/quote?from=${from}&to=ethereum_sepolia:cbbtc&from_amount=1`);
      const [, least = '', most = ''] = /range of (\d+) to (\d+)$/.exec(error) ?? [];
      limits.set(from, [BigInt(least), BigInt(most)]);
    }

    for (let round = 0; round < 1_000; round++) {
      mock.timers.tick(random.below(5_000));
      const from = random.pick(SOURCES);
      let to = random.pick(DESTINATIONS);
      while (to === from) to = random.pick(DESTINATIONS);
      const [least, most] = limits.get(from)!;
      // Small amounts as often as large ones.
      const span = (most - least) / 10n ** BigInt(random.below(5));
      const amount = least + (span * BigInt(random.below(1e9))) / BigInt(1e9);
      const mostBps = random.pick([5, 30, 300, 990]);
      const fees = Array.from({length: 1 + random.below(10)}, () =>
        payee(`payee ${String(random.below(40))}`, random.pick(PAYOUTS), 1 + random.below(mostBps)),
      );
      const bps = BigInt(totalOf(fees));
      const place = random.below(SOLVERS.length);

      const without = (await service.quotes(from, to, amount))[place]!;
      const quote = (await service.quotes(from, to, amount, Number(bps)))[place]!;
      const {prices} = pricing.recent(from, to)[0]!;
      const {result, error} = await service.place(from, to, amount, quote, fees);
      ok(!error, error);
      const order = await service.read(result.order_id);
      const priceOf = (asset: string) => Number(prices[localAssets[asset]!.symbol]) / 1e8;
      deepEqual([order.source_swap.asset_price, order.destination_swap.asset_price], [priceOf(from), priceOf(to)]);

      // Charged: the fee's exact value, rounded up to the next unit of the destination, in addition to the other fees.
      const given = BigInt(without.destination.amount);
      ok(isFloor(given, worth(amount, BPS - SOLVERS[place]!.fee, from, to, prices)), 'what is given without a fee');
      const charged = given - BigInt(quote.destination.amount);
      ok(isCeiling(charged, worth(amount, bps, from, to, prices)), `${String(charged)} were charged`);

      // Stored: each entry as sent, with its exact value rounded down.
      deepEqual(
        order.affiliate_fees.map(({asset, address, fee}) => ({asset, address, fee})),
        fees,
      );
      let stored = 0n;
      let units = 0n;
      const inUsd = (asset: string, whole: bigint) => {
        const {symbol, decimals} = localAssets[asset]!;
        return whole * prices[symbol]! * 10n ** BigInt(18 - decimals);
      };
      for (const {asset, fee, amount: text} of order.affiliate_fees) {
        ok(isFloor(BigInt(text), worth(amount, BigInt(fee), from, asset, prices)), `${text} of ${asset} for ${fee}`);
        stored += inUsd(asset, BigInt(text));
        units += inUsd(asset, 1n);
      }
      // The difference stays with the service, and is less than a unit of each asset.
      const remains = inUsd(to, charged) - stored;
      ok(remains >= 0n && remains < units + inUsd(to, 1n), `${String(remains)} remain`);

      if (random.below(10) > 0) {
        service.complete(order);
        for (const {asset, address, amount: text} of order.affiliate_fees) {
          const key = `${asset} ${address}`;
          owed.set(key, (owed.get(key) ?? 0n) + BigInt(text));
        }
      }
      seen.add(from);

      if (random.below(50) === 0) {
        // Payouts, sometimes two at the same time, sometimes with insufficient funds of one asset.
        if (random.below(2)) ledger.broken.add(random.pick(PAYOUTS));
        await Promise.all(Array.from({length: 1 + random.below(3)}, () => orders.payouts.endWeek()));
        for (const [key, sum] of owed) {
          const [asset = ''] = key.split(' ');
          const paid = ledger.balances.get(key) ?? 0n;
          ok(ledger.broken.has(asset) ? paid <= sum : paid === sum, `${key} has ${String(paid)} of ${String(sum)}`);
        }
        ledger.broken.clear();
      }
    }

    await orders.payouts.endWeek();
    equal(seen.size, SOURCES.length);
    ok(owed.size > 100, `${String(owed.size)} payees`);
    deepEqual(new Map([...ledger.balances].sort()), new Map([...owed].sort()));
  });

  describe('in the weekly payout', () => {
    const fees = [
      payee('ann', 'base_sepolia:usdc', 10),
      payee('bob', 'base_sepolia:cbbtc', 20),
      payee('cem', 'ethereum_sepolia:usdc', 30),
    ];
    const [usdc, cbbtc, other] = fees as [Entry, Entry, Entry];
    let order: OrderRead;
    const storedOf = ({asset, address}: Entry) =>
      BigInt(order.affiliate_fees.find(each => each.asset === asset && each.address === address)!.amount);
    const balanceOf = ({asset, address}: Entry) => service.ledger.balanceOf(asset, address);
    beforeEach(async () => {
      order = await service.order(FROM, TO, AMOUNT, fees);
    });

    it('are only paid for complete orders', async () => {
      deepEqual((await service.orders.payouts.endWeek()).payouts, []);
      service.complete(order);
      const {payouts, owed} = await service.orders.payouts.endWeek();
      deepEqual(
        payouts.map(({asset, address, amount}) => ({asset, address, amount: BigInt(amount)})),
        fees.map(({asset, address}, place) => ({asset, address, amount: storedOf(fees[place]!)})),
      );
      deepEqual(owed, []);
      equal(new Set(payouts.map(({tx_hash}) => tx_hash)).size, 3);
    });

    it('are transferred once, in one sum per payee and asset, regardless of the address’s case', async () => {
      const again = await service.order(FROM, TO, AMOUNT, [{...usdc, address: usdc.address.toLowerCase()}]);
      service.complete(order);
      service.complete(again);
      const {payouts} = await service.orders.payouts.endWeek();
      equal(payouts.length, 3);
      equal(balanceOf(usdc), 2n * storedOf(usdc));
    });

    it('are paid once if there are two payouts at the same time', async () => {
      service.complete(order);
      const weeks = await Promise.all([
        service.orders.payouts.endWeek(),
        service.orders.payouts.endWeek(),
        service.orders.payouts.endWeek(),
      ]);
      deepEqual(
        weeks.map(({payouts}) => payouts.length),
        [3, 0, 0],
      );
      for (const fee of fees) equal(balanceOf(fee), storedOf(fee));
      equal(service.ledger.transfers, 3);
    });

    it('stay owed if a transfer fails, while the others are paid, and are paid later', async () => {
      service.complete(order);
      service.ledger.broken.add(cbbtc.asset);
      const [first, second] = await Promise.all([service.orders.payouts.endWeek(), service.orders.payouts.endWeek()]);
      deepEqual(
        first.payouts.map(({asset}) => asset),
        [usdc.asset, other.asset],
      );
      deepEqual(second.payouts, []);
      const debt = {asset: cbbtc.asset, address: cbbtc.address, amount: String(storedOf(cbbtc))};
      for (const {owed} of [first, second]) {
        deepEqual(owed, [{...debt, error: 'insufficient base_sepolia:cbbtc'}]);
      }
      deepEqual([balanceOf(usdc), balanceOf(cbbtc), balanceOf(other)], [storedOf(usdc), 0n, storedOf(other)]);

      // Later fees are added.
      const later = await service.order(FROM, TO, AMOUNT, [{...cbbtc, fee: 7}]);
      service.complete(later);
      service.ledger.broken.clear();
      const {payouts, owed} = await service.orders.payouts.endWeek();
      equal(payouts.length, 1);
      deepEqual(owed, []);
      equal(balanceOf(cbbtc), storedOf(cbbtc) + BigInt(later.affiliate_fees[0]!.amount));
      deepEqual([balanceOf(usdc), balanceOf(other)], [storedOf(usdc), storedOf(other)]);
      const {payouts: none, owed: nothing} = await service.orders.payouts.endWeek();
      deepEqual([none, nothing], [[], []]);
    });
  });

  describe('of an order are rejected', () => {
    const good = payee('ann', 'base_sepolia:usdc', 10);
    const split = (count: number) =>
      Array.from({length: count}, (_, at) => payee(`payee ${String(at)}`, good.asset, 1));
    const cases: [string, number, () => unknown, RegExp][] = [
      ['if the quote was requested with more', 30, () => [good], /^affiliate_fees: these come to 10 basis points/],
      ['if the quote was requested with less', 5, () => [good], /^affiliate_fees: these come to 10 basis points/],
      [
        'if the quote includes them but the order does not',
        10,
        () => [],
        /^affiliate_fees: these come to 0 basis points/,
      ],
      ['if the quote includes none', 0, () => [good], /^affiliate_fees: these come to 10 basis points/],
      ['if they are not an array', 10, () => ({0: good, length: 1}), /^affiliate_fees: must be an array$/],
      ['if there are more than ten', 11, () => split(11), /^affiliate_fees: must be at most 10 entries$/],
      [
        'in bitcoins',
        10,
        () => [{...good, asset: FROM}],
        /^affiliate_fees\[0\]\.asset: .*, not in 'bitcoin_testnet:btc'$/,
      ],
      ['in another token', 10, () => [{...good, asset: TO}], /^affiliate_fees\[0\]\.asset: fees are paid out in USDC/],
      ['in a chain’s coin', 10, () => [{...good, asset: 'base_sepolia:eth'}], /^affiliate_fees\[0\]\.asset: /],
      [
        'in USDC on a chain without payouts',
        10,
        () => [{...good, asset: 'starknet_sepolia:usdc'}],
        /^affiliate_fees\[0\]\.asset: .* on supported chains/,
      ],
      ['in an unknown asset', 10, () => [{...good, asset: 'mars:usdc'}], /^affiliate_fees\[0\]\.asset: /],
      ['in a name on Object.prototype', 10, () => [{...good, asset: 'constructor'}], /^affiliate_fees\[0\]\.asset: /],
      ['without an asset', 10, () => [{...good, asset: ''}], /^affiliate_fees\[0\]\.asset: must not be empty$/],
      ['without an address', 10, () => [{asset: good.asset, fee: 10}], /^affiliate_fees\[0\]\.address: is missing$/],
      [
        'for an address of another family',
        10,
        () => [{...good, address: 'tb1qnobody'}],
        /^affiliate_fees\[0\]\.address: Invalid address format/,
      ],
      [
        'for the payout token itself',
        10,
        () => [{...good, address: EVM.usdc.token!.toLowerCase()}],
        /^affiliate_fees\[0\]\.address: is a contract/,
      ],
      [
        'for a swap contract',
        10,
        () => [payee('ann', good.asset, 5), {...good, fee: 5, address: EVM.wbtc.contracts[0]}],
        /^affiliate_fees\[1\]\.address: is a contract/,
      ],
      ...[0, -10, 0.5, 10.000001, 10_001, 1e300, '10', null, true, [10]].map(
        (fee): [string, number, () => unknown, RegExp] => [
          `with a fee of ${JSON.stringify(fee)}`,
          10,
          () => [{...good, fee}],
          /^affiliate_fees\[0\]\.fee: must be whole basis points, from 1 to 10000$/,
        ],
      ),
    ];
    for (const [name, bps, fees, error] of cases) {
      it(`${name}, naming the field`, async () => {
        const [quote] = await service.quotes(FROM, TO, AMOUNT, bps);
        const answer = await service.place(FROM, TO, AMOUNT, quote!, fees() as unknown[]);
        match(answer.error ?? '', error);
        deepEqual([...service.orders.all()], []);
      });
    }

    it('in the quote if they leave nothing to receive', async () => {
      for (const bps of [9_970, 9_999, 10_000]) {
        const path = `/v2/quote?from=${FROM}&to=${TO}&from_amount=${String(AMOUNT)}&affiliate_fee=${String(bps)}`;
        const {error = ''} = await service.ask(path);
        match(error, /^affiliate_fee: leaves nothing to receive$/);
      }
    });

    it('but not if they take almost everything, nor if there are ten', async () => {
      const [quote] = await service.quotes(FROM, TO, AMOUNT, 9_950);
      equal(quote?.destination.amount, '5000');
      const {affiliate_fees} = await service.order(FROM, TO, AMOUNT, split(10));
      equal(affiliate_fees.length, 10);
    });

    for (const bps of ['-1', '1.5', '1e1', '0x10', '10001', '99999999999999999999', '', ' 10', '10&affiliate_fee=10']) {
      it(`in a quote for “${bps}” basis points`, async () => {
        const {error = ''} = await service.ask(
          `/v2/quote?from=${FROM}&to=${TO}&from_amount=${String(AMOUNT)}&affiliate_fee=${bps}`,
        );
        match(error, /^affiliate_fee: /);
      });
    }
  });

  it('are stored as asset, address, fee and amount, without other fields', async () => {
    const sent = {...payee('ann', 'base_sepolia:usdc', 10), amount: '999999999', paid: true, note: 'x'};
    const {affiliate_fees} = await service.order(FROM, TO, AMOUNT, [sent]);
    deepEqual(Object.keys(affiliate_fees[0]!), ['asset', 'address', 'fee', 'amount']);
    ok(BigInt(affiliate_fees[0]!.amount) < 20_000_000n);
  });

  it('keep the amounts of the quote when prices move', async () => {
    const fees = [payee('ann', 'base_sepolia:usdc', 100)];
    const [quote] = await service.quotes(FROM, TO, AMOUNT, 100);
    const {prices} = service.pricing.recent(FROM, TO)[0]!;
    mock.timers.tick(30_000);
    const {result} = await service.place(FROM, TO, AMOUNT, quote!, fees);
    mock.timers.tick(3_600_000);
    const [later] = service.pricing.quote(
      {asset: FROM, symbol: 'BTC', decimals: 8},
      {asset: TO, symbol: 'WBTC', decimals: 8},
      AMOUNT,
      100,
    );
    ok(later!.prices['BTC'] !== prices['BTC'], 'the price moved');
    const {affiliate_fees} = await service.read(result.order_id);
    ok(isFloor(BigInt(affiliate_fees[0]!.amount), worth(AMOUNT, 100n, FROM, 'base_sepolia:usdc', prices)));
  });
});

describe('a transaction whose response is lost', () => {
  /** A node that drops the connection before or after it accepts a transaction. */
  const send = (takes: boolean) => {
    const taken: string[] = [];
    const answers: Readonly<Record<string, (given: string) => unknown>> = {
      eth_estimateGas: () => '0x5208',
      eth_getTransactionCount: () => '0x0',
      eth_sendRawTransactionSync(raw) {
        if (takes) taken.push(keccak256(raw));
        throw new TypeError('fetch failed');
      },
      eth_getTransactionReceipt: hash => (taken.includes(hash) ? {transactionHash: hash, status: '0x1'} : null),
    };
    const rpc = ((method: string, given: unknown) => Promise.resolve(String(given)).then(answers[method])) as Rpc;
    const sent = createSender(rpc, 31_337, keyOf('somebody')).send({to: addressOf('ann'), value: 1n});
    return {sent, taken};
  };

  it('is found by its hash if the node has it, so that there is no second payment', async () => {
    const {sent, taken} = send(true);
    equal((await sent).transactionHash, taken[0]);
  });

  it('fails if the node does not have it', async () => {
    await rejects(send(false).sent, /fetch failed/);
  });
});

describe('the quotes that the service stores', () => {
  const from = {asset: FROM, symbol: 'BTC', decimals: 8};
  const to = {asset: TO, symbol: 'WBTC', decimals: 8};

  it('are limited to the newest ones', () => {
    const pricing = createPricing(SOLVERS, 7);
    for (let amount = 50_000n; amount < 80_000n; amount++) pricing.quote(from, to, amount, 0);
    const recent = pricing.recent(FROM, TO);
    equal(recent.length, 10_000);
    equal(recent[0]?.fromAmount, 79_999n);
    equal(recent.at(-1)?.fromAmount, 75_000n);
  });

  it('expire after a minute, and not before', () => {
    mock.timers.enable({apis: ['Date'], now: Date.UTC(2026, 0, 1)});
    try {
      const pricing = createPricing(SOLVERS, 7);
      pricing.quote(from, to, AMOUNT, 0);
      mock.timers.tick(60_000);
      equal(pricing.recent(FROM, TO).length, 2);
      pricing.quote(from, to, AMOUNT + 1n, 0);
      mock.timers.tick(1);
      deepEqual(
        pricing.recent(FROM, TO).map(({fromAmount}) => fromAmount),
        [AMOUNT + 1n, AMOUNT + 1n],
      );
    } finally {
      mock.timers.reset();
    }
  });
});
