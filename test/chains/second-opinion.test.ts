/**
 * What a wallet is asked to sign and what a chain is read by, held against the libraries that most of the field uses:
 * ethers, Kit's own decoders and starknet.js. What is loaded in their place is a fraction of their size, and says the same
 * to the letter.
 */
import {expect} from '../support/expect.js';
import {
  AbiCoder,
  getAddress,
  Interface,
  namehash as ethersNamehash,
  sha256,
  TypedDataEncoder,
  type Result,
} from 'ethers';
import fc from 'fast-check';
import {getCompiledTransactionMessageDecoder, getTransactionDecoder} from '@solana/kit';
import {hash, WalletAccount} from 'starknet';
import {namehash} from 'viem/ens';
import {digestOf, isEvmAddress, strangeTypedData} from '../../src/chains/evm/check.js';
import * as evm from '../../src/chains/evm/htlc.js';
import {readTransaction, type Transaction} from '../../src/chains/solana/transaction.js';
import {idParts, walletCall, type NamedCall} from '../../src/chains/starknet/htlc.js';
import {chainIdOf} from '../../src/chains/starknet/rpc.js';
import {ownIds} from '../../src/chains/starknet/witness.js';
import {sampleDeal as evmDeal} from '../support/evm-deal.js';
import {CONTRACT, sampleDeal as starknetDeal} from '../support/starknet-deal.js';
import {OWNER} from '../support/starknet-ledger.js';

const SEED = 20_261_123;
const RUNS = 300;

const digits = (count: number) => fc.stringMatching(new RegExp(`^[0-9a-f]{${count}}$`));
const word = digits(64).map(text => `0x${text}`);
const plain = digits(40).map(text => `0x${text}`);
const uint = fc.bigInt({min: 0n, max: 2n ** 256n - 1n});

/** Addresses as people and services write them, some of them wrong. */
const address = fc.oneof(
  plain,
  plain.map(getAddress),
  plain.map(text => `0x${text.slice(2).toUpperCase()}`),
  fc.tuple(plain.map(getAddress), fc.nat({max: 39})).map(([text, at]) => withOtherCase(text, at + 2)),
);

function withOtherCase(text: string, at: number): string {
  const letter = text.charAt(at);
  const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
  return text.slice(0, at) + other + text.slice(at + 1);
}

/** Data as it was written, or with something done to it. */
const touched = (data: fc.Arbitrary<string>) =>
  fc.tuple(data, fc.nat(), digits(1), fc.nat({max: 8})).map(([text, place, digit, way]) => {
    const at = 2 + (place % Math.max(1, text.length - 2));
    const word = 10 + 64 * Math.floor(((at - 2) / 64) | 0);
    return [
      text,
      text,
      text.slice(0, at) + digit + text.slice(at + 1),
      // The first digit of a word, where an address has zeros.
      text.slice(0, word) + digit + text.slice(word + 1),
      text.slice(0, at),
      text + digit.repeat(1 + (place % 64)),
      text.toUpperCase().replace('0X', '0x'),
      text.replace('0x', '0X'),
      text.slice(2),
    ][way] as string;
  });

/** What a function gives, or that it throws. */
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

const INITIATE = 'initiate(address,uint256,uint256,bytes32)';
const WITH_DATA = 'initiate(address,uint256,uint256,bytes32,bytes)';
const wire = new Interface([
  `function ${INITIATE}`,
  `function ${WITH_DATA}`,
  'function refund(bytes32)',
  'function orders(bytes32)',
  'function token() view returns (address)',
  'function balanceOf(address) view returns (uint256)',
  'function allowance(address, address) view returns (uint256)',
  'function approve(address, uint256)',
  'event Transfer(address indexed, address indexed, uint256)',
  'event Initiated(bytes32 indexed, bytes32 indexed, uint256 indexed)',
  'event InitiatedWithDestinationData(bytes32 indexed, bytes32 indexed, uint256 indexed, bytes)',
  'event Redeemed(bytes32 indexed, bytes32 indexed, bytes)',
  'event Refunded(bytes32 indexed)',
]);

/** A call that pays into a swap, as ethers reads it. */
function initiateOf(data: string): evm.Terms | undefined {
  for (const form of [INITIATE, WITH_DATA]) {
    try {
      const values: Result = wire.decodeFunctionData(form, data);
      if (wire.encodeFunctionData(form, values) !== data.toLowerCase()) continue;
      const [redeemer, timelock, amount, secretHash, more = '0x'] = values.toArray() as [
        string,
        bigint,
        bigint,
        string,
      ];
      if (more === '0x') return {redeemer, timelock, amount, secretHash};
    } catch {
      // Another call, or no call.
    }
  }
  return undefined;
}

/** A log's values, as ethers reads them. */
function logOf(event: string, {topics, data}: evm.Log): readonly unknown[] | undefined {
  if (topics[0] !== wire.getEvent(event)?.topicHash) return undefined;
  try {
    return [...wire.decodeEventLog(event, data, topics)] as unknown[];
  } catch {
    return undefined;
  }
}

describe('what is signed and read on EVM chains is what ethers makes of it', () => {
  it('calls that pay into a swap, and all that only look like one', async () => {
    const call = fc.oneof(
      fc.tuple(plain, uint, uint, word).map(values => wire.encodeFunctionData(INITIATE, values)),
      fc
        .tuple(plain, uint, uint, word, fc.oneof(fc.constant('0x'), word))
        .map(values => wire.encodeFunctionData(WITH_DATA, values)),
    );
    let read = 0;
    await always(touched(call), data => {
      const terms = evm.decodeInitiate(data);
      expect(terms).to.deep.equal(initiateOf(data));
      if (terms) read++;
    });
    expect(read).to.be.within(RUNS / 10, RUNS);
  });

  it('the calls that are made', async () => {
    await always(fc.tuple(address, uint, uint, word), async ([who, one, other, name]) => {
      const leg = {redeemer: who, timelock: one, amount: other, secretHash: name.slice(2)} as never;
      for (const [made, wanted] of [
        [() => evm.encodeApprove(who, one), () => wire.encodeFunctionData('approve', [who, one])],
        [() => evm.encodeRefund(name), () => wire.encodeFunctionData('refund', [name])],
        [() => evm.encodeInitiate(leg), () => wire.encodeFunctionData(INITIATE, [who, one, other, name])],
      ] as const)
        expect(await outcomeOf(made)).to.equal(await outcomeOf(wanted));
    });
    for (const none of ['', '0x', '00', 'z'.repeat(64), '0'.repeat(63), '0'.repeat(66)])
      expect(() => evm.encodeRefund(none), none).to.throw();
  });

  it('what a chain is asked, and what it answers', async () => {
    const answer = touched(
      fc.oneof(
        plain.map(text => `0x${text.slice(2).padStart(64, '0')}`),
        word,
        fc.constant('0x'),
      ),
    );
    await always(fc.tuple(address, address, answer), async ([to, who, data]) => {
      const asked: unknown[] = [];
      const read = (_method: string, ...[call]: readonly unknown[]) => {
        asked.push((call as {readonly data: string}).data);
        return Promise.resolve(data);
      };
      for (const [name, values, made] of [
        ['token', [], () => evm.readToken(read, to)],
        ['balanceOf', [who], () => evm.readBalance(read, to, who)],
        ['allowance', [who, to], () => evm.readAllowance(read, to, who, to)],
      ] as const) {
        const wanted = await outcomeOf(() => wire.encodeFunctionData(name, values));
        const value = await outcomeOf(() => wire.decodeFunctionResult(name, data)[0] as unknown);
        expect(await outcomeOf<unknown>(made)).to.equal(wanted === 'thrown' ? wanted : value);
        expect(asked.splice(0)).to.deep.equal(wanted === 'thrown' ? [] : [wanted]);
      }
    });
  });

  it('the ids that an order is looked for by, and the events of its payment', async () => {
    const deal = evmDeal();
    const types = ['uint256', 'bytes32', 'address', 'address', 'uint256', 'uint256', 'address'];
    await always(
      fc.tuple(plain, uint, uint, word, plain),
      async ([redeemer, timelock, amount, secretHash, contract]) => {
        const asked: unknown[] = [];
        const read = (_method: string, ...[call]: readonly unknown[]) => {
          asked.push((call as {readonly data: string}).data);
          return Promise.resolve(`0x${'0'.repeat(64 * 6)}`);
        };
        await evm.findOrder(read, {agreed: deal.agreed} as never, contract, {redeemer, timelock, amount, secretHash});
        const {owner, from} = deal.agreed;
        const values = [from.chain.chainId, secretHash, owner, redeemer, timelock, amount, contract];
        const ids = [3, 7].map(count =>
          sha256(AbiCoder.defaultAbiCoder().encode(types.slice(0, count), values.slice(0, count))),
        );
        expect(asked).to.deep.equal(ids.map(id => wire.encodeFunctionData('orders', [id])));
      },
    );
    const asked: unknown[] = [];
    await evm.readPayments((...call) => Promise.resolve(asked.push(call[1]) && []), '0x', {id: '0x1', block: 1n});
    const names = ['Initiated', 'InitiatedWithDestinationData'];
    expect(asked)
      .to.have.nested.property('[0].topics[0]')
      .that.deep.equals(names.map(name => wire.getEvent(name)?.topicHash));
  });

  it('what logs say that was moved, paid out and paid back', async () => {
    const secret = fc.oneof(
      word,
      digits(6).map(text => `0x${text}`),
    );
    const log = fc.oneof(
      fc.tuple(plain, plain, uint).map(values => wire.encodeEventLog('Transfer', values)),
      fc.tuple(word, secret).map(([id, text]) => wire.encodeEventLog('Redeemed', [id, sha256(text), text])),
      word.map(id => wire.encodeEventLog('Refunded', [id])),
    );
    const touchedLog = fc
      .tuple(log, fc.nat({max: 5}), fc.nat({max: 3}), touched(word))
      .map(([{topics, data}, way, at, other]) => ({
        address: '0x',
        data: way === 0 && data !== '0x' ? data.slice(0, -2) : way === 1 ? `${data}${'0'.repeat(64)}` : data,
        topics:
          way === 2
            ? topics.map((topic, place) => (place === at ? other : topic))
            : way === 3
              ? topics.slice(0, at)
              : topics,
      }));
    await always(touchedLog, async one => {
      // Topics have 32 bytes each; ethers puts others together to words.
      const isWhole = one.topics.every(topic => /^0x[0-9a-f]{64}$/i.test(topic));
      const of = (event: string) => (isWhole ? logOf(event, one) : undefined);
      const [from, to, value] = of('Transfer') ?? [];
      expect(evm.readTransfer(one)).to.deep.equal(from === undefined ? undefined : {from, to, value});
      const [id, secretHash, text] = (of('Redeemed') ?? []) as string[];
      // A log in which other bytes follow than a contract writes is read by ethers, and counts for nothing here.
      const isOwn = text !== undefined && sha256(text) === secretHash;
      const redeemed = await evm.readRedeemed(one);
      if (redeemed || wire.encodeEventLog('Redeemed', [word0, word0, text ?? '0x']).data === one.data)
        expect(redeemed).to.deep.equal(isOwn ? {id, secret: text.slice(2)} : undefined);
      const [paidBack] = of('Refunded') ?? [];
      expect(evm.readRefunded(one)).to.deep.equal(paidBack === undefined ? undefined : {id: paidBack});
    });
  });

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
      fc.constantFrom('', '0x', 'vitalik.eth'),
    );
    let hashed = 0;
    await always(
      fc.tuple(number, place, place, number, number, text),
      ([chainId, verifyingContract, redeemer, timelock, amount, secretHash]) => {
        const domain = {...typedData.domain, chainId, verifyingContract};
        const message = {redeemer, timelock, amount, secretHash};
        const data = {...typedData, domain, message};
        if (strangeTypedData(data) !== undefined) return;
        const {Initiate = []} = typedData.types;
        expect(digestOf(data)).to.equal(TypedDataEncoder.hash(domain, {Initiate: [...Initiate]}, message));
        hashed++;
      },
    );
    expect(hashed).to.be.above(RUNS / 20);
  });

  it('typed data that ethers would hash is known, and nothing else', async () => {
    const {typedData} = evmDeal().deposit.payload;
    const {Initiate = []} = typedData.types;
    await always(
      fc.tuple(address, address, fc.oneof({weight: 3, arbitrary: word}, touched(word))),
      ([verifyingContract, redeemer, secretHash]) => {
        const data = {
          ...typedData,
          domain: {...typedData.domain, verifyingContract},
          message: {...typedData.message, redeemer, secretHash},
        };
        let isHashed = true;
        try {
          TypedDataEncoder.hash(data.domain, {Initiate: [...Initiate]}, data.message);
        } catch {
          isHashed = false;
        }
        expect(strangeTypedData(data) === undefined).to.equal(isHashed);
      },
    );
  });

  it('addresses with their checksums', async () => {
    await always(address, text => {
      let isRight = !/^0x0+$/.test(text);
      try {
        getAddress(text);
      } catch {
        isRight = false;
      }
      expect(isEvmAddress(text)).to.equal(isRight);
      expect(evm.checksummed(text)).to.equal(getAddress(text.toLowerCase()));
    });
  });

  it('the hash of a name', async () => {
    const label = fc.stringMatching(/^[a-z0-9]{1,20}$/);
    await always(fc.array(label, {minLength: 1, maxLength: 4}), labels => {
      expect(namehash(labels.join('.'))).to.equal(ethersNamehash(labels.join('.')));
    });
  });
});

/** A transaction, as Kit reads it. */
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

describe('what a transaction on Solana does is what Kit reads of it', () => {
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

  it('as it was prepared, and with something done to it', async () => {
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

  it('no version that is not known, and nothing at all', () => {
    for (const given of [[], [0], [0x80], [0x81], [0, 0x81], [1, ...new Array<number>(64).fill(1), 0x81, 1]])
      expect(readTransaction(Uint8Array.from(given)), String(given)).to.be.undefined;
  });
});

const word0 = `0x${'0'.repeat(64)}`;

describe('what a wallet is asked on Starknet is what starknet.js asks', () => {
  /** The account of starknet.js, with what it asks of its wallet. */
  function account() {
    const asked: {readonly type: string; readonly params: unknown}[] = [];
    const ignore = () => undefined;
    const walletProvider = {
      ...{id: '', name: '', version: '', icon: '', on: ignore, off: ignore},
      request: (request: (typeof asked)[number]) => Promise.resolve(asked.push(request)),
    } as never;
    const provider = {nodeUrl: 'about:blank', baseFetch: () => Promise.reject(new Error('Nothing is read here.'))};
    return {asked, account: new WalletAccount({walletProvider, address: OWNER, provider})};
  }

  it('a payment', async () => {
    const felt = fc.bigInt({min: 0n, max: 2n ** 251n}).map(value => `0x${value.toString(16)}`);
    const call = fc.record({
      contractAddress: felt,
      entrypoint: fc.constantFrom('initiate', 'approve', 'refund'),
      calldata: fc.array(felt, {maxLength: 12}),
    });
    const theirs = account();
    await always(fc.array(call, {minLength: 1, maxLength: 3}), async calls => {
      await theirs.account.execute(calls);
      const params = {calls: (calls as NamedCall[]).map(walletCall)};
      expect(theirs.asked.splice(0)).to.deep.equal([{type: 'wallet_addInvokeTransaction', params}]);
    });
  });

  it('a signature', async () => {
    const {typedData} = starknetDeal().deposit.payload;
    const theirs = account();
    await theirs.account.signMessage(typedData);
    expect(theirs.asked).to.deep.equal([{type: 'wallet_signTypedData', params: typedData}]);
  });

  it('the ids that an order is looked for by', async () => {
    const deal = starknetDeal();
    const felt = fc.bigInt({min: 1n, max: 2n ** 250n});
    const terms = fc.record({
      redeemer: felt.map(value => `0x${value.toString(16).padStart(64, '0')}`),
      timelock: fc.bigInt({min: 0n, max: 2n ** 128n - 1n}),
      amount: uint,
      secretHash: digits(64),
    });
    await always(terms, one => {
      const parts = idParts(chainIdOf(deal.agreed.from.chain), deal.agreed.owner, CONTRACT, one);
      expect(ownIds(deal, CONTRACT, one)).to.deep.equal(
        parts.map(numbers => hash.computePoseidonHashOnElements([...numbers])),
      );
    });
  });
});
