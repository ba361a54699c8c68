/**
 * What a wallet is prompted to sign and how a chain is read, compared with libraries that the widget does not use: ox
 * for EVM chains, Kit's own decoders for Solana, and for Starknet the sandbox's own implementation of the
 * specification, with the hashes of @scure/starknet. The results are identical.
 */
import {expect} from '../support/expect.js';
import {getCompiledTransactionMessageDecoder, getTransactionDecoder} from '@solana/kit';
import {sha256 as digestOfBytes} from '@noble/hashes/sha2.js';
import fc from 'fast-check';
import * as AbiEvent from 'ox/AbiEvent';
import * as AbiFunction from 'ox/AbiFunction';
import * as AbiParameters from 'ox/AbiParameters';
import * as Address from 'ox/Address';
import type {Hex} from 'ox/Hex';
import * as TypedData from 'ox/TypedData';
import * as felts from '../../demo/sandbox/chains/starknet/felts.js';
import {hexBytes, hexText} from '../../src/chains/checks.js';
import {digestOf, evmDialect} from '../../src/chains/evm/dialect.js';
import * as evm from '../../src/chains/evm/htlc.js';
import {readTransaction, type Transaction} from '../../src/chains/solana/transaction.js';
import {digestOf as snip12Of, starknetDialect} from '../../src/chains/starknet/dialect.js';
import {checksummed} from '../../src/chains/evm/abi.js';
import {nodeOf} from '../../src/chains/evm/node.js';
import * as starknet from '../../src/chains/starknet/htlc.js';
import {strangeTypedData} from '../../src/chains/token-htlc/check.js';
import type {Terms} from '../../src/chains/token-htlc/dialect.js';
import {runs, seed} from '../support/draws.js';
import {sampleDeal as evmDeal} from '../support/evm-deal.js';
import {scaled} from '../support/limits.js';
import {CONTRACT, sampleDeal as starknetDeal} from '../support/starknet-deal.js';

const SEED = seed(20_261_123);
const RUNS = runs(100);

const digits = (count: number) => fc.stringMatching(new RegExp(`^[0-9a-f]{${count}}$`));
const word = digits(64).map(text => `0x${text}`);
const plain = digits(40).map(text => `0x${text}`);
const uint = fc.bigInt({min: 0n, max: 2n ** 256n - 1n});

const address = fc.oneof(
  plain,
  plain.map(text => Address.checksum(text)),
  plain.map(text => `0x${text.slice(2).toUpperCase()}`),
  fc
    .tuple(
      plain.map(text => Address.checksum(text)),
      fc.nat({max: 39}),
    )
    .map(([text, at]) => withOtherCase(text, at + 2)),
);

function withOtherCase(text: string, at: number): string {
  const letter = text.charAt(at);
  const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
  return text.slice(0, at) + other + text.slice(at + 1);
}

const touched = (data: fc.Arbitrary<string>) =>
  fc.tuple(data, fc.nat(), digits(1), fc.nat({max: 8})).map(([text, place, digit, way]) => {
    const at = 2 + (place % Math.max(1, text.length - 2));
    const word = 10 + 64 * Math.floor(((at - 2) / 64) | 0);
    return [
      text,
      text,
      text.slice(0, at) + digit + text.slice(at + 1),
      // The first digit of a word, which is zero for an address.
      text.slice(0, word) + digit + text.slice(word + 1),
      text.slice(0, at),
      text + digit.repeat(1 + (place % 64)),
      text.toUpperCase().replace('0X', '0x'),
      text.replace('0x', '0X'),
      text.slice(2),
    ][way] as string;
  });

async function outcomeOf<T>(work: () => T | Promise<T>): Promise<T | 'thrown'> {
  try {
    return await work();
  } catch {
    return 'thrown';
  }
}

const always = <T>(drawn: fc.Arbitrary<T>, holds: (value: T) => Promise<void> | void) =>
  fc.assert(
    fc.asyncProperty(drawn, async value => holds(value)),
    {seed: SEED, numRuns: RUNS},
  );

const sha256 = (text: string): string => `0x${hexText(digestOfBytes(hexBytes(text)))}`;

const CALLS: Readonly<Record<string, string>> = {
  initiate: 'function initiate(address, uint256, uint256, bytes32)',
  initiateWithData: 'function initiate(address, uint256, uint256, bytes32, bytes)',
  refund: 'function refund(bytes32)',
  orders: 'function orders(bytes32)',
  token: 'function token() view returns (address)',
  balanceOf: 'function balanceOf(address) view returns (uint256)',
  allowance: 'function allowance(address, address) view returns (uint256)',
  approve: 'function approve(address, uint256)',
};
const EVENTS = {
  Transfer: 'event Transfer(address indexed from, address indexed to, uint256 value)',
  Initiated: 'event Initiated(bytes32 indexed id, bytes32 indexed hash, uint256 indexed amount)',
  InitiatedWithDestinationData:
    'event InitiatedWithDestinationData(bytes32 indexed id, bytes32 indexed hash, uint256 indexed amount, bytes data)',
  Redeemed: 'event Redeemed(bytes32 indexed id, bytes32 indexed hash, bytes secret)',
  Refunded: 'event Refunded(bytes32 indexed id)',
};
const eventOf = (name: EventName) => AbiEvent.from(EVENTS[name] as never) as AbiEvent.AbiEvent;

type Types = readonly ('address' | 'uint256' | 'bytes32' | 'bytes')[];
const typed = (types: Types) => types.map(type => ({type}));

/** ox accepts an all-capitals address only in lower case, and checks the length of bytes, but not their digits. */
const plainValue = (value: unknown) => {
  if (typeof value !== 'string') return value;
  if (!/^0x(?:[0-9a-f]{2})*$/i.test(value)) throw new TypeError('no bytes');
  return /^0x[0-9A-F]{40}$/.test(value) || value.length !== 42 ? value.toLowerCase() : value;
};

const encode = (types: Types, values: readonly unknown[]): string =>
  AbiParameters.encode(typed(types), values.map(plainValue) as never, {checksumAddress: true});

const callOf = (name: string, values: readonly unknown[]): string => {
  const {inputs, hash} = AbiFunction.from(CALLS[name] as never) as AbiFunction.AbiFunction;
  return `${hash?.slice(0, 10)}${encode(inputs.map(({type}) => type) as never, values).slice(2)}`;
};

/** Values in the only form that a contract writes. */
function decode(types: Types, data: string): readonly unknown[] | undefined {
  try {
    const values = AbiParameters.decode(typed(types), data as Hex, {checksumAddress: true});
    return data.toLowerCase().startsWith(encode(types, values)) ? values : undefined;
  } catch {
    return undefined;
  }
}

function initiateOf(data: string): Terms | undefined {
  const first = ['address', 'uint256', 'uint256', 'bytes32'] as const;
  for (const [selector, types] of [
    ['0x97ffc7ae', first],
    ['0x4ede0ab7', [...first, 'bytes'] as const],
  ] as const) {
    if (!data.toLowerCase().startsWith(selector)) continue;
    const values = decode(types, `0x${data.slice(10)}`);
    if (!values || selector + encode(types, values).slice(2) !== data.toLowerCase()) continue;
    const [redeemer, timelock, amount, secretHash, more = '0x'] = values as [string, bigint, bigint, string, string?];
    if (more === '0x') return {redeemer, timelock, amount, secretHash: secretHash.slice(2)};
  }
  return undefined;
}

type EventName = keyof typeof EVENTS;

function logOf(eventName: EventName, {topics, data}: Pick<evm.Log, 'topics' | 'data'>) {
  try {
    const values: object = AbiEvent.decode(eventOf(eventName), {topics: topics as Hex[], data: data as Hex}) ?? {};
    const plainOf = (value: unknown) =>
      typeof value === 'string' && Address.validate(value) ? Address.checksum(value) : value;
    return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, plainOf(value)]));
  } catch {
    return undefined;
  }
}

const written = (eventName: EventName, indexed: object, types: Types, values: readonly unknown[]) => ({
  topics: AbiEvent.encode(eventOf(eventName), indexed as never).topics as string[],
  data: encode(types, values),
});

describe('what is signed and read on EVM chains, as in ox:', () => {
  it('calls that pay into a swap, and similar ones that do not', async () => {
    const call = fc.oneof(
      fc.tuple(plain, uint, uint, word).map(values => callOf('initiate', values)),
      fc
        .tuple(plain, uint, uint, word, fc.oneof(fc.constant('0x'), word))
        .map(values => callOf('initiateWithData', values)),
    );
    let read = 0;
    await always(touched(call), data => {
      const terms = evm.decodeInitiate(data);
      expect(terms).to.deep.equal(initiateOf(data));
      if (terms) read++;
    });
    expect(read).to.be.within(RUNS / 10, RUNS);
  });

  it('the widget’s own calls', async () => {
    await always(fc.tuple(address, uint, uint, word), async ([who, one, other, name]) => {
      const leg = {redeemer: who, timelock: one, amount: other, secretHash: name.slice(2)} as never;
      for (const [made, wanted] of [
        [() => evm.encodeApprove(who, one), () => callOf('approve', [who, one])],
        [() => evm.encodeRefund(name), () => callOf('refund', [name])],
        [() => evm.encodeInitiate(leg), () => callOf('initiate', [who, one, other, name])],
      ] as const)
        expect(await outcomeOf(made)).to.equal(await outcomeOf(wanted));
    });
    for (const none of ['', '0x', '00', 'z'.repeat(64), '0'.repeat(63), '0'.repeat(66)])
      expect(() => evm.encodeRefund(none), none).to.throw();
    // ethers accepts these forms of addresses, too.
    for (const none of ['44'.repeat(20), 'XE65GB6LDNXYOFTX0NSV3FUWKOWIXAMJK36'])
      expect(() => evm.encodeApprove(none, 1n), none).to.throw();
  });

  it('requests to a chain, and its responses', async () => {
    const answer = touched(
      fc.oneof(
        plain.map(text => `0x${text.slice(2).padStart(64, '0')}`),
        word,
        fc.constant('0x'),
      ),
    );
    await always(fc.tuple(address, address, answer), async ([to, who, data]) => {
      const asked: unknown[] = [];
      const node = nodeOf((_method, ...[call]) => {
        asked.push((call as {readonly data: string}).data);
        return Promise.resolve(data);
      });
      for (const [name, values, type, made] of [
        ['token', [], 'address', () => node.token(to)],
        ['balanceOf', [who], 'uint256', () => node.balance(to, who)],
        ['allowance', [who, to], 'uint256', () => node.allowance(to, who, to)],
      ] as const) {
        const wanted = await outcomeOf(() => callOf(name, values));
        const isData = /^0x(?:[0-9a-f]{2})*$/i.test(data);
        const value = isData && data.length % 64 === 2 ? decode([type], data)?.[0] : undefined;
        // A contract that returns something else has no token; a response that is not data is a failed read.
        const said = name === 'token' && isData ? value : (value ?? 'thrown');
        expect(await outcomeOf<unknown>(made)).to.equal(wanted === 'thrown' ? wanted : said);
        expect(asked.splice(0)).to.deep.equal(wanted === 'thrown' ? [] : [wanted]);
      }
    });
  });

  it('the ids used to find an order, and the events of its payment', async () => {
    const {owner, from} = evmDeal().agreed;
    const types = ['uint256', 'bytes32', 'address', 'address', 'uint256', 'uint256', 'address'] as const;
    await always(fc.tuple(plain, uint, uint, digits(64), plain), async ([who, timelock, amount, hash, contract]) => {
      const ids = await evmDialect.ids(from.chain, owner, contract, {
        ...{redeemer: who, timelock, amount, secretHash: hash},
      });
      const values = [BigInt(from.chain.chainId ?? 0), `0x${hash}`, owner, who, timelock, amount, contract];
      expect(ids).to.deep.equal([3, 7].map(count => sha256(encode(types.slice(0, count), values.slice(0, count)))));
    });
    const asked: unknown[] = [];
    await nodeOf((...call) => Promise.resolve(asked.push(call) && [])).events(CONTRACT, word0, 'payment', 1n, 2n);
    await nodeOf((...call) => Promise.resolve(asked.push(call) && word0.repeat(1)))
      .order(CONTRACT, word0)
      .catch(String);
    const [logs, order] = asked as [string, {topics: unknown[]; data: string}][];
    const topics = ['bytes32,bytes32,uint256', 'bytes32,bytes32,uint256,bytes'];
    expect(logs?.[1].topics[0]).to.deep.equal(
      ['Initiated', 'InitiatedWithDestinationData'].map((name, at) =>
        AbiEvent.getSelector(`event ${name}(${topics[at] ?? ''})`),
      ),
    );
    expect(order?.[1].data).to.equal(callOf('orders', [word0]));
  });

  it('transfers, payouts and refunds in logs', async () => {
    const secret = fc.oneof(
      word,
      digits(6).map(text => `0x${text}`),
    );
    const log = fc.oneof(
      fc.tuple(plain, plain, uint).map(([from, to, value]) => written('Transfer', {from, to}, ['uint256'], [value])),
      fc.tuple(word, secret).map(([id, text]) => written('Redeemed', {id, hash: sha256(text)}, ['bytes'], [text])),
      word.map(id => written('Refunded', {id}, [], [])),
      fc.tuple(word, word, uint).map(([id, hash, amount]) => written('Initiated', {id, hash, amount}, [], [])),
    );
    const touchedLog = fc
      .tuple(log, fc.nat({max: 5}), fc.nat({max: 3}), touched(word))
      .map(([{topics, data}, way, at, other]) => ({
        data: way === 0 && data !== '0x' ? data.slice(0, -2) : data,
        topics:
          way === 2
            ? topics.map((topic, place) => (place === at ? other : topic))
            : way === 3
              ? topics.slice(0, at)
              : topics,
      }));
    let said = 0;
    await always(touchedLog, one => {
      const found = evm.readLog(one);
      // Topics have 32 bytes each; ox does not check their digits.
      const isWhole = one.topics.every(topic => /^0x[0-9a-f]{64}$/i.test(topic));
      const of = (event: EventName) => (isWhole ? logOf(event, one) : undefined);
      const plainId = (id: unknown) => String(id).toLowerCase();
      const moved = of('Transfer');
      // ox ignores the bytes before an address.
      const isClean = decode(
        ['address', 'address'],
        `0x${one.topics
          .slice(1)
          .map(topic => topic.slice(2))
          .join('')}`,
      );
      if (moved || found?.what === 'moved')
        expect(found).to.deep.equal(moved && isClean ? {what: 'moved', ...moved} : undefined);
      const redeemed = of('Redeemed');
      if (redeemed)
        expect(found).to.deep.equal({
          what: 'redeemed',
          id: plainId(redeemed['id']),
          secretHash: plainId(redeemed['hash']).slice(2),
          secret: decode(['bytes'], one.data)?.map(text => String(text).slice(2))[0],
        });
      const refunded = of('Refunded');
      if (refunded) expect(found).to.deep.equal({what: 'refunded', id: plainId(refunded['id'])});
      const paid = of('Initiated');
      if (paid)
        expect(found).to.deep.equal({
          what: 'paid',
          id: plainId(paid['id']),
          secretHash: plainId(paid['hash']).slice(2),
        });
      if (found) said++;
    });
    expect(said).to.be.above(RUNS / 2);
  });

  const oxDigest = ({domain, message}: ReturnType<typeof evmDeal>['deposit']['payload']['typedData']) =>
    TypedData.getSignPayload({
      domain: {
        ...domain,
        chainId: BigInt(domain['chainId'] as string),
        verifyingContract: plainValue(domain['verifyingContract']),
      },
      types: {Initiate: evmDeal().deposit.payload.typedData.types['Initiate']},
      primaryType: 'Initiate',
      message: {
        redeemer: plainValue(message['redeemer']),
        timelock: BigInt(message['timelock'] as string),
        amount: BigInt(message['amount'] as string),
        secretHash: plainValue(message['secretHash']),
      },
    } as never);

  it('the hash of typed data in the known form, however its values are written', async () => {
    const {typedData} = evmDeal().deposit.payload;
    const number = fc.oneof(
      uint.map(String),
      uint.map(value => `0x${value.toString(16)}`),
      fc.nat(),
      fc.constantFrom('', '0x', '-1', ' 1', '1e3', '0X1F', String(2n ** 256n), -1, 1.5, null),
    );
    const text = fc.oneof(
      {weight: 3, arbitrary: word},
      touched(word),
      digits(32),
      digits(64),
      fc.constantFrom('z'.repeat(32), `0x${'z'.repeat(64)}`),
    );
    const place = fc.oneof(
      {weight: 3, arbitrary: address},
      plain.map(one => one.slice(2)),
      fc.constantFrom('', '0x', 'vitalik.eth', 'XE65GB6LDNXYOFTX0NSV3FUWKOWIXAMJK36'),
    );
    let hashed = 0;
    await always(
      fc.tuple(number, place, place, number, number, text),
      ([chainId, verifyingContract, redeemer, timelock, amount, secretHash]) => {
        const domain = {...typedData.domain, chainId, verifyingContract};
        const message = {redeemer, timelock, amount, secretHash};
        const data = {...typedData, domain, message} as typeof typedData;
        if (strangeTypedData(evmDialect, data, {}) !== undefined) return;
        expect(digestOf(data)).to.equal(oxDigest(data));
        hashed++;
      },
    );
    expect(hashed).to.be.above(RUNS / 20);
  });

  it('addresses with their checksums', async () => {
    await always(address, text => {
      const isRight = Address.validate(String(plainValue(text)));
      expect(evm.isEvmAddress(text)).to.equal(isRight && !/^0x0+$/.test(text));
      expect(checksummed(text)).to.equal(Address.checksum(text.toLowerCase()));
    });
  });
});

function transactionOf(bytes: Uint8Array): Transaction | undefined {
  try {
    const {messageBytes, signatures} = getTransactionDecoder().decode(bytes);
    const message = Uint8Array.from(messageBytes);
    const [compiled, end] = getCompiledTransactionMessageDecoder().read(message, 0);
    if ((compiled.version !== 'legacy' && compiled.version !== 0) || end !== message.length) return undefined;
    const {header, staticAccounts, lifetimeToken, version} = compiled;
    const use = (index: number) => {
      const signer = index < header.numSignerAccounts;
      const writable = signer
        ? index < header.numSignerAccounts - header.numReadonlySignerAccounts
        : index < staticAccounts.length - header.numReadonlyNonSignerAccounts;
      return {address: staticAccounts[index] ?? '', signer, writable};
    };
    const lookups = 'addressTableLookups' in compiled ? (compiled.addressTableLookups ?? []) : [];
    return {
      ...{version, message, feePayer: staticAccounts[0] ?? '', blockhash: lifetimeToken, lookups: lookups.length},
      signatures: new Map(
        Object.entries(signatures).map(([signer, made]) => [signer, made ? Uint8Array.from(made) : undefined]),
      ),
      accounts: staticAccounts.map((_, index) => use(index)),
      instructions: compiled.instructions.map(({programAddressIndex, accountIndices = [], data = [] as never}) => ({
        program: staticAccounts[programAddressIndex] ?? '',
        accounts: accountIndices.map(use),
        data: Uint8Array.from(data),
      })),
    };
  } catch {
    return undefined;
  }
}

describe('a transaction on Solana is decoded as by Kit', () => {
  const bytes = (count: number) => fc.uint8Array({minLength: count, maxLength: count}).map(all => [...all]);
  const few = <T>(item: fc.Arbitrary<T>, maxLength = 4) => fc.array(item, {maxLength});
  const small = fc.nat({max: 5});
  const listed = <T extends readonly number[]>(items: readonly T[]) => [items.length, ...items.flat()];
  const places = few(small).map(all => [all.length, ...all]);
  const data = few(fc.nat({max: 255}), 200).map(all =>
    all.length < 128 ? [all.length, ...all] : [(all.length & 127) | 128, all.length >> 7, ...all],
  );
  const instruction = fc.tuple(small, places, data).map(parts => parts.flat());
  const lookup = fc.tuple(bytes(32), places, places).map(parts => parts.flat());
  const signature = fc.oneof(bytes(64), fc.constant(new Array<number>(64).fill(0)));
  const written = fc
    .record({
      signatures: few(signature, 3),
      counts: fc.tuple(small, fc.nat({max: 1}), fc.nat({max: 2})),
      addresses: few(bytes(32), 5),
      blockhash: bytes(32),
      instructions: few(instruction, 3),
      lookups: fc.option(few(lookup, 2)),
      isRight: fc.boolean(),
    })
    .map(({signatures, counts: [signers, ...readOnly], addresses, blockhash, instructions, lookups, isRight}) => {
      const count = isRight ? Math.min(signatures.length, addresses.length) : signers;
      const made = isRight ? signatures.slice(0, count) : signatures;
      const message = [count, ...readOnly, ...listed(addresses), ...blockhash, ...listed(instructions)];
      return [...listed(made), ...(lookups ? [0x80, ...message, ...listed(lookups)] : message)];
    });

  it('if it is as prepared, or altered', async () => {
    let read = 0;
    const drawn = fc.tuple(written, fc.nat(), fc.nat({max: 255}), fc.nat({max: 6}));
    await always(drawn, ([all, place, byte, way]) => {
      const at = place % all.length;
      const touchedBytes = [all.with(at, byte), all.slice(0, at), [...all, byte]][way] ?? all;
      const given = Uint8Array.from(touchedBytes);
      const transaction = readTransaction(given);
      expect(transaction).to.deep.equal(transactionOf(given));
      if (transaction) read++;
    });
    expect(read).to.be.above(RUNS / 10);
  });

  it('unless its version is unknown or it is empty', () => {
    for (const given of [[], [0], [0x80], [0x81], [0, 0x81], [1, ...new Array<number>(64).fill(1), 0x81, 1]])
      expect(readTransaction(Uint8Array.from(given)), String(given)).to.be.undefined;
  });
});

const word0 = `0x${'0'.repeat(64)}`;

describe('what is signed and read on Starknet, as in the sandbox:', function () {
  // Two libraries compute some ten hashes of each, and each hash takes milliseconds.
  this.timeout(scaled(180_000));

  const u128 = fc.bigInt({min: 0n, max: 2n ** 128n - 1n});
  const felt = fc.bigInt({min: 1n, max: 2n ** 250n});
  const terms = fc.record({
    redeemer: felt.map(felts.addressText),
    timelock: u128,
    amount: uint,
    secretHash: digits(64),
  });

  it('calls that pay into a swap, and similar ones that do not', async () => {
    const any = fc.oneof(
      felt,
      fc.constantFrom(0n, felts.PRIME - 1n, felts.PRIME, 2n ** 251n - 256n, 2n ** 251n - 257n, 2n ** 128n, 2n ** 32n),
    );
    let read = 0;
    await always(fc.tuple(terms, fc.nat({max: 20}), any, fc.nat({max: 3})), ([one, at, other, way]) => {
      const {to, selector, calldata: made} = starknet.encodeInitiate(one as never, CONTRACT);
      const parts = [BigInt(one.redeemer), one.timelock, ...felts.toU256(one.amount), ...felts.toWords(one.secretHash)];
      expect(made).to.deep.equal(parts.map(felts.hex));
      const calldata = [made, made.with(at % 12, felts.hex(other)), made.slice(0, at), [...made, felts.hex(other)]][
        way
      ]!;
      const [redeemer = 0n, timelock = 0n, low = 0n, high = 0n, ...words] = calldata.map(text => BigInt(text));
      const isCall =
        calldata.length === 12 &&
        redeemer < 2n ** 251n - 256n &&
        [timelock, low, high].every(felts.isU128) &&
        words.every(part => part < 2n ** 32n);
      expect(starknet.decodeInitiate({to, selector, calldata})).to.deep.equal(
        isCall
          ? {
              redeemer: felts.addressText(redeemer),
              timelock,
              amount: felts.fromU256(low, high),
              secretHash: felts.fromWords(words),
            }
          : undefined,
      );
      if (isCall) read++;
    });
    expect(read).to.be.within(RUNS / 10, RUNS);
  });

  it('addresses', async () => {
    const edge = fc.constantFrom(0n, 1n, 2n ** 251n - 257n, 2n ** 251n - 256n, felts.PRIME, 2n ** 256n - 1n);
    await always(fc.oneof(felt, uint, edge), number => {
      const isOne = number > 0n && number < 2n ** 251n - 256n;
      for (const text of [
        felts.hex(number),
        felts.addressText(number),
        felts.hex(number).toUpperCase().replace('X', 'x'),
      ]) {
        expect(starknet.isContractAddress(text), text).to.equal(isOne && text.length <= 66);
        expect(starknet.addressText(text)).to.equal(felts.addressText(number));
      }
    });
  });

  it('account addresses: hashes, which an Ethereum address is not', () => {
    for (const [number, isAccount] of [
      [2n ** 160n - 1n, false],
      [2n ** 160n, true],
      [2n ** 251n - 257n, true],
      [2n ** 251n - 256n, false],
    ] as const)
      expect(starknet.isStarknetAddress(felts.hex(number)), felts.hex(number)).to.equal(isAccount);
    for (const [number, isFelt] of [
      [felts.PRIME - 1n, true],
      [felts.PRIME, false],
    ] as const)
      expect(starknet.readFelt(felts.hex(number)) !== undefined).to.equal(isFelt);
  });

  it('the ids used to find an order', async () => {
    const {owner, from} = starknetDeal().agreed;
    await always(terms, async one => {
      const first = [felts.shortText('SN_SEPOLIA'), ...felts.toWords(one.secretHash), BigInt(owner)];
      const rest = [BigInt(one.redeemer), one.timelock, ...felts.toU256(one.amount), BigInt(CONTRACT)];
      expect(await starknetDialect.ids(from.chain, owner, CONTRACT, one)).to.deep.equal(
        [first, [...first, ...rest]].map(parts => felts.hex(felts.poseidon(parts))),
      );
    });
  });

  it('the hash of typed data in the known form', async () => {
    const {typedData} = starknetDeal().deposit.payload;
    const u256 = '"u256"("low":"u128","high":"u128")';
    const initiate = felts.selectorOf(
      `"Initiate"("redeemer":"ContractAddress","amount":"u256","timelock":"u128","secretHash":"u128*")${u256}`,
    );
    await always(fc.tuple(terms, fc.constantFrom('1', '0x31'), felt), ([one, version, signer]) => {
      const [low, high] = felts.toU256(one.amount);
      const words = felts.toWords(one.secretHash);
      const message = {
        redeemer: one.redeemer,
        amount: {low: String(low), high: felts.hex(high)},
        timelock: String(one.timelock),
        secretHash: words.map(Number),
      };
      const data = {...typedData, domain: {...typedData.domain, version}, message};
      expect(strangeTypedData(starknetDialect, data, {})).to.be.undefined;
      expect(starknetDialect.signedTerms(data)).to.deep.equal(one);
      const amount = felts.poseidon([felts.selectorOf(u256), low, high]);
      const struct = felts.poseidon([initiate, BigInt(one.redeemer), amount, one.timelock, felts.poseidon(words)]);
      const domain = {name: 'HTLC', version: BigInt(version), chainId: felts.shortText('SN_SEPOLIA')};
      expect(snip12Of(data, signer)).to.equal(felts.hex(felts.messageHash(domain, signer, struct)));
    });
  });
});
