/** Whatever is typed, sent or stored: parsers throw documented errors only, and what was read is written unchanged. */
import {expect} from '../support/expect.js';
import fc from 'fast-check';
import {readListed, readOrder, readPlaced, readPolicy, readQuotes} from '../../src/api/schema.js';
import {createSwapApi} from '../../src/api/settings.js';
import type {ChainAdapter} from '../../src/chains/adapter.js';
import {createBitcoinAdapter} from '../../src/chains/bitcoin/bitcoin.js';
import {canonicalAddress} from '../../src/chains/checks.js';
import {createEvmAdapter} from '../../src/chains/evm/evm.js';
import {createSolanaAdapter} from '../../src/chains/solana/solana.js';
import {createStarknetAdapter} from '../../src/chains/starknet/starknet.js';
import {addressIn} from '../../src/domain/address.js';
import {parseAffiliateFees} from '../../src/domain/affiliate.js';
import {formatAmount, parseAmount, withPoint} from '../../src/domain/amount.js';
import {readTyped} from '../../src/domain/typed.js';
import {cents} from '../../src/domain/quote.js';
import {splitAssetId, type Chain, type ChainFamily} from '../../src/domain/asset.js';
import {createCatalogue} from '../../src/domain/catalogue.js';
import {SwapError} from '../../src/domain/error.js';
import {Journal, type JournalEntry} from '../../src/session/order/journal.js';
import {openMemory} from '../../src/session/storage.js';
import {scriptedFetch} from '../support/fetch.js';
import {samples} from '../support/samples.js';
import {BY_TRANSFER, createTestBrowser, createTestHost, DEPOSIT, HASH, orderKey} from '../support/session.js';
import {TestStorage} from '../support/storage.js';
import {anAgreement, catalogue, NOON, ORDER_ID, PAYER, SOLVER} from '../support/swap.js';

const SEED = 20_261_122;
const FAMILIES = ['bitcoin', 'evm', 'solana', 'starknet'] as const;

function always<T>(drawn: fc.Arbitrary<T>, holds: (value: T) => void, numRuns = 300): void {
  fc.assert(fc.property(drawn, holds), {seed: SEED, numRuns});
}

/** Runs code that may throw only one kind of error. */
function onlyThrows(code: SwapError['code'], work: () => void): void {
  try {
    work();
  } catch (error) {
    expect(error).to.be.instanceOf(SwapError).that.includes({code});
  }
}

/** Texts that look like numbers, and any other text. */
const text = fc.oneof(
  fc.string({unit: 'binary', maxLength: 100}),
  fc.stringMatching(/^[\d.,'’ +eE-]{0,90}$/),
  fc.constantFrom('', '0', '00', '.', ',', '1,000', '1e9', '-1', 'NaN', 'Infinity', '٣', '\u0000', '1'.repeat(5_000)),
);

describe('an amount', () => {
  const decimals = fc.integer({min: 0, max: 36});

  it('is never negative, and no text makes it throw', () => {
    always(fc.tuple(text, decimals), ([typed, places]) => {
      const amount = parseAmount(typed, places);
      if (typeof amount !== 'bigint') {
        expect(amount).to.be.oneOf(['empty', 'not-a-number', 'too-many-decimals']);
        return;
      }
      expect(amount >= 0n).to.equal(true);
      // An amount has only one written form.
      const shown = formatAmount(amount, places);
      expect(formatAmount(parseAmount(shown, places) as bigint, places)).to.equal(shown);
      expect(parseAmount(withPoint(typed.trim()), places)).to.equal(amount);
    });
  });

  it('keeps its value when it is normalized, and normalizing again changes nothing', () => {
    always(fc.tuple(text, decimals), ([typed, places]) => {
      const writing = {sign: '.', symbols: ['BTC']} as const;
      const tidied = readTyped(typed, writing);
      expect(readTyped(tidied, writing)).to.equal(tidied);
      const before = parseAmount(typed, places);
      if (typeof before === 'bigint') expect(parseAmount(tidied, places)).to.equal(before);
    });
  });

  it('in money is a number of cents, or undefined', () => {
    always(text, typed => {
      expect(typeof cents(typed)).to.be.oneOf(['bigint', 'undefined']);
    });
  });
});

describe('an asset’s id', () => {
  it('is a chain and a name, and round-trips', () => {
    always(fc.oneof(text, fc.stringMatching(/^[\w.:-]{0,70}$/)), typed => {
      const parts = splitAssetId(typed);
      if (parts) expect(`${parts.chain}:${parts.name}`).to.equal(typed);
    });
  });
});

describe('affiliate fees', () => {
  const fee = fc.record({
    asset: fc.stringMatching(/^[a-z_]{1,20}:[a-z]{1,10}$/),
    address: fc.stringMatching(/^\w{1,64}$/),
    bps: fc.integer({min: 0, max: 99_999}),
  });

  it('round-trip', () => {
    always(fc.array(fee, {maxLength: 10}), fees => {
      const written = fees.map(({asset, address, bps}) => `${asset} ${address} ${String(bps)}`).join(', ');
      expect(parseAffiliateFees(written)).to.deep.equal(fees);
    });
  });

  it('are a config error if unreadable', () => {
    always(text, typed => {
      onlyThrows('config', () => void parseAffiliateFees(typed));
    });
  });
});

describe('an address', () => {
  const adapters: Readonly<Record<ChainFamily, ChainAdapter>> = {
    bitcoin: createBitcoinAdapter(),
    evm: createEvmAdapter(),
    solana: createSolanaAdapter(),
    starknet: createStarknetAdapter(),
  };
  const known = createCatalogue({families: FAMILIES, hints: ['base_sepolia:wbtc']});
  const chainOf = (family: ChainFamily): Chain => {
    const asset = known.assets.find(({chain}) => chain.family === family);
    if (!asset) throw new Error(`There is no asset of ${family}.`);
    return asset.chain;
  };
  const like: Readonly<Record<ChainFamily, fc.Arbitrary<string>>> = {
    bitcoin: fc.stringMatching(/^(?:tb1[pq]|TB1Q|m|n|2)[02-9ac-hj-np-z]{20,80}$/),
    evm: fc.stringMatching(/^0x[\da-fA-F]{38,42}$/),
    solana: fc.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{30,46}$/),
    starknet: fc.stringMatching(/^0x[\da-fA-F]{1,66}$/),
  };
  const real: Readonly<Record<ChainFamily, readonly string[]>> = {
    bitcoin: ['tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'TB1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KXPJZSX'],
    evm: [PAYER, PAYER.toLowerCase(), SOLVER],
    solana: ['So11111111111111111111111111111111111111112', 'Vote111111111111111111111111111111111111111'],
    starknet: [
      '0x049d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7',
      '0x49D36570D4E46F48E99674BD3FCC84644DDD6B96F7C741B1562B82F9E004DC7',
    ],
  };

  for (const family of FAMILIES) {
    it(`of ${family} has one canonical form, which is that address too`, () => {
      const {isAddress, isSameAddress} = adapters[family].addresses;
      const chain = chainOf(family);
      for (const address of real[family]) expect(isAddress(chain, address), address).to.equal(true);
      always(fc.oneof(text, like[family], fc.constantFrom(...real[family])), typed => {
        const canonical = canonicalAddress(chain, typed);
        expect(canonicalAddress(chain, canonical)).to.equal(canonical);
        if (!isAddress(chain, typed)) return;
        expect(isAddress(chain, canonical)).to.equal(true);
        expect(isSameAddress(typed, canonical) && isSameAddress(canonical, typed)).to.equal(true);
        expect(addressIn(typed, chain)).to.equal(typed);
      });
    });
  }

  it('is read from a link, but not from one for another chain', () => {
    for (const family of FAMILIES) {
      for (const scheme of ['bitcoin', 'ethereum', 'solana', 'x']) {
        always(
          fc.tuple(fc.constantFrom(...real[family]), text),
          ([address, query]) => {
            const found = addressIn(`${scheme}:${address}?${query}`, chainOf(family));
            const isRead = found === address;
            const isLeft = found === `${scheme}:${address}?${query}`.trim();
            expect(isRead || isLeft).to.equal(true);
            const own = {bitcoin: 'bitcoin', evm: 'ethereum', solana: 'solana', starknet: ''}[family];
            if (isRead) expect(scheme).to.equal(own);
          },
          40,
        );
      }
    }
  });
});

const json = fc.jsonValue({maxDepth: 4});

/** A value with one leaf or branch replaced by any JSON. */
function spoilt(value: unknown, at: readonly number[], put: unknown): unknown {
  const copy: unknown = structuredClone(value);
  let parent = copy as Record<string, unknown>;
  for (const turn of at) {
    const keys = Object.keys(parent);
    const key = keys[turn % Math.max(keys.length, 1)];
    if (key === undefined) return copy;
    const child = parent[key];
    if (typeof child !== 'object' || child === null || turn % 5 === 0) {
      if (put === undefined) Reflect.deleteProperty(parent, key);
      else parent[key] = put;
      return copy;
    }
    parent = child as Record<string, unknown>;
  }
  return put;
}

const path = fc.array(fc.nat(), {minLength: 1, maxLength: 5});

describe('an answer of the service', () => {
  const readers: readonly [
    kind: string,
    sample: (family: ChainFamily) => unknown,
    read: (wire: unknown, family: ChainFamily) => unknown,
  ][] = [
    ['prices', family => samples[family].quote.result, readQuotes],
    ['a new order', family => samples[family].order.result, readPlaced],
    ['an order', family => samples[family].status.result, readOrder],
    ['the list of assets', () => [{id: 'base:usdc', min_amount: '1', max_amount: '2'}], readListed],
    ['the rules of pairs', () => ({default: 'open', isolation_groups: ['a:x <-> b:x']}), readPolicy],
  ];
  for (const [kind, sample, read] of readers) {
    it(`with ${kind} is read, or rejected as unreadable`, () => {
      for (const family of FAMILIES) {
        always(json, wire => onlyThrows('unreadable', () => void read(wire, family)), 60);
        always(fc.tuple(path, fc.option(json, {nil: undefined})), ([at, put]) => {
          onlyThrows('unreadable', () => void read(spoilt(sample(family), at, put), family));
        });
      }
    });
  }

  it('never has a negative amount, nor a paid amount without a transaction', () => {
    for (const family of FAMILIES) {
      always(fc.tuple(path, fc.option(json, {nil: undefined})), ([at, put]) => {
        onlyThrows('unreadable', () => {
          for (const {amount, filled, initiated} of Object.values(
            readOrder(spoilt(samples[family].status.result, at, put)),
          ).filter(
            (part): part is {amount: bigint; filled: bigint; initiated?: unknown} =>
              typeof part === 'object' && part !== null && 'filled' in part,
          )) {
            expect(amount >= 0n && filled >= 0n && (filled === 0n || initiated !== undefined)).to.equal(true);
          }
        });
      });
    }
  });

  it('is rejected with a SwapError, whatever its bytes', async () => {
    const timeouts = {read: 1_000, write: 1_000, pause: 0, longestPause: 0};
    const body = fc.oneof(
      json.map(value => JSON.stringify(value)),
      fc.string({unit: 'binary'}),
      fc.constant('{"status":"Ok"}'),
    );
    const answer = fc.record({status: fc.constantFrom(200, 201, 202, 400, 401, 403, 404, 409, 429, 500, 503), body});
    await fc.assert(
      fc.asyncProperty(answer, async given => {
        const api = createSwapApi(
          {baseUrl: 'https://service.test', fetch: scriptedFetch(given, given, given).fetch},
          timeouts,
        );
        await api.readOrder(ORDER_ID).catch((error: unknown) => expect(error).to.be.instanceOf(SwapError));
      }),
      {seed: SEED, numRuns: 200},
    );
  });
});

describe('an entry of the journal', () => {
  const entry: JournalEntry = {
    orderId: ORDER_ID,
    placedAt: NOON,
    agreed: anAgreement({recipient: SOLVER, affiliateFees: [{asset: 'base:usdc', address: PAYER, bps: 10}]}),
    deposit: DEPOSIT,
    walletRequests: [{kind: 'send', state: 'sent', at: NOON, hash: HASH}],
    seen: {hashes: [HASH], filled: 50_000n},
    terms: ['a', 'b'],
    stage: 'funding',
  };

  const {warn} = console;
  let warnings: string[];
  beforeEach(() => {
    warnings = [];
    console.warn = (text: unknown) => warnings.push(String(text));
  });
  afterEach(() => {
    console.warn = warn;
  });

  /** Reads a journal; one that ignores its entry reports that once, however often it is read. */
  const readFrom = (storage: TestStorage) => {
    warnings = [];
    const journal = open(storage);
    const read = journal.get(ORDER_ID);
    expect(journal.entries).to.deep.equal(read ? [read] : []);
    expect(warnings.map(text => text.split('”')[0])).to.deep.equal(
      read ? [] : [`<swap-widget> storage: “${orderKey()}`],
    );
    return read;
  };

  const open = (storage: TestStorage) => {
    const memory = openMemory(createTestHost(createTestBrowser(storage)), 'https://service.test', true, '');
    return new Journal(memory, catalogue, true, () => undefined);
  };

  const drawn = fc
    .record({
      amount: fc.bigInt({min: 0n, max: 10n ** 30n}),
      receive: fc.bigInt({min: 0n, max: 10n ** 30n}),
      placedAt: fc.nat(),
      solverId: fc.string({unit: 'binary', maxLength: 30}),
      deposit: fc.constantFrom(DEPOSIT, BY_TRANSFER),
      stage: fc.constantFrom('awaiting-deposit', 'funding', 'confirming', 'expired', 'stopped'),
      hash: fc.string({unit: 'binary', maxLength: 70}),
    })
    // Amounts are written as digits with an n after them.
    .filter(({solverId, hash}) => ![solverId, hash].some(each => /^\d{1,78}n$/.test(each)))
    .map(({amount, receive, placedAt, solverId, deposit, stage, hash}): JournalEntry => ({
      ...entry,
      placedAt,
      deposit,
      stage,
      agreed: {...entry.agreed, amount, receive, solverId},
      walletRequests: [{kind: 'send', state: 'sent', at: NOON, hash}],
    }));

  it('is restored as it was written', () => {
    always(
      drawn,
      written => {
        const storage = new TestStorage();
        open(storage).add(written);
        expect(readFrom(storage)).to.deep.equal(written);
      },
      100,
    );
  });

  it('with any invalid field is dropped, stops nothing, and adds no contract or chain to the page’s', () => {
    const storage = new TestStorage();
    open(storage).add(entry);
    const written: unknown = JSON.parse(storage.getItem(orderKey()) ?? '');
    always(
      fc.tuple(path, fc.option(json, {nil: undefined})),
      ([at, put]) => {
        const hostile = new TestStorage();
        hostile.setItem(orderKey(), JSON.stringify(spoilt(written, at, put) ?? null));
        const read = readFrom(hostile);
        if (!read) return;
        const {agreed, deposit, orderId} = read;
        expect(orderId).to.equal(ORDER_ID);
        for (const side of [agreed.from, agreed.to]) {
          const today = catalogue.find(side.id);
          if (today?.decimals === side.decimals) expect(side).to.equal(today);
          else expect(side.contracts).to.deep.equal([]);
        }
        expect(typeof agreed.amount).to.equal('bigint');
        expect(Object.isFrozen(read) && Object.isFrozen(deposit) && Object.isFrozen(agreed)).to.equal(true);
      },
      1_000,
    );
  });

  it('may be any text: nothing throws', () => {
    always(
      fc.oneof(
        text,
        json.map(value => JSON.stringify(value)),
      ),
      stored => {
        const storage = new TestStorage();
        storage.setItem(orderKey(), stored);
        expect(readFrom(storage)).to.equal(undefined);
      },
    );
  });
});
