import type {RpcProvider} from 'starknet';
import * as v from 'valibot';
import {formatAmount} from '../../src/domain/amount.js';
import type {Fact, Question} from './gate.js';

/** The part of a question that says what is asked. */
export type Wording = Pick<Question, 'title' | 'text' | 'facts'>;

/** A number of Starknet, in hex or in decimals. */
const Felt = v.pipe(v.string(), v.regex(/^(?:0x[0-9a-f]{1,64}|\d{1,76})$/i, 'is no number of Starknet'));

/** What a page wants sent (wallet API, `wallet_addInvokeTransaction`). */
export const Calls = v.object({
  calls: v.pipe(
    v.array(v.object({contract_address: Felt, entry_point: v.string(), calldata: v.optional(v.array(Felt), [])})),
    v.minLength(1),
  ),
});
export type Call = v.InferOutput<typeof Calls>['calls'][number];

/** What a page wants signed (SNIP-12). */
export const TypedDataObject = v.looseObject({
  types: v.record(v.string(), v.array(v.looseObject({name: v.string(), type: v.string()}))),
  primaryType: v.string(),
  domain: v.looseObject({name: v.optional(v.string()), chainId: v.optional(v.union([v.string(), v.number()]))}),
  message: v.record(v.string(), v.unknown()),
});
export type TypedDataObject = v.InferOutput<typeof TypedDataObject>;

/** Puts calls into words. They are carried out one after the other, or none of them. */
export async function wordCalls(calls: readonly Call[], provider: RpcProvider): Promise<Wording> {
  const wordings = await Promise.all(calls.map(call => wordCall(call, provider)));
  const last = wordings.at(-1);
  if (!last) throw new Error('There is nothing to put into words.');
  const unknown = wordings.find(({isKnown}) => !isKnown);
  const {title, text} = unknown ?? last;
  // What is allowed on the way to a payment is told as a part of it.
  const before = unknown ? [] : wordings.slice(0, -1).map(wording => `${wording.title}. ${wording.text}`);
  return {
    title,
    text: [text, ...before.map(words => `First: ${words}`)].join(' '),
    facts: wordings.flatMap(({facts}) => facts),
  };
}

interface CallWording extends Wording {
  /** Whether the wallet can tell what the call does. */
  readonly isKnown: boolean;
}

async function wordCall(call: Call, provider: RpcProvider): Promise<CallWording> {
  const {contract_address: to, entry_point: entryPoint, calldata} = call;
  const at = (place: number) => calldata[place] ?? '0x0';
  const amountAt = (place: number) => BigInt(at(place)) + (BigInt(at(place + 1)) << 128n);
  const is = (name: string, length: number) => entryPoint === name && calldata.length === length;

  if (is('approve', 3)) {
    const token = await readToken(to, provider);
    const amount = amountAt(1);
    const everything = amount === 2n ** 256n - 1n;
    return {
      isKnown: true,
      title: everything ? `Allow any amount of ${token.symbol}` : `Allow ${token.write(amount)}`,
      text: everything
        ? 'The spender may take all you have of it, now and later.'
        : 'The spender may take this amount, nothing more.',
      facts: [exact('To spender', at(0)), exact('Token', to)],
    };
  }
  if (is('transfer', 3)) {
    const token = await readToken(to, provider);
    return {
      isKnown: true,
      title: `Send ${token.write(amountAt(1))}`,
      text: 'It goes to the recipient at once.',
      facts: [exact('Recipient', at(0)), exact('Token', to)],
    };
  }
  if (is('initiate', 12)) {
    const token = await readTokenOf(to, provider);
    return {
      isKnown: true,
      title: `Pay ${token.write(amountAt(2))} into a swap`,
      text: `A contract keeps it. If the swap comes to nothing, you get it back after ${String(BigInt(at(1)))} blocks.`,
      facts: [
        exact('Contract', to),
        exact('Other side', at(0)),
        {label: 'Secret hash', value: joinWords(calldata.slice(4)), exact: true},
      ],
    };
  }
  if (is('refund', 1)) {
    return {
      isKnown: true,
      title: 'Take back what was paid into a swap',
      text: 'The contract pays it to the one who paid it in.',
      facts: [exact('Contract', to), {label: 'Swap', value: at(0), exact: true}],
    };
  }
  return {
    isKnown: false,
    title: 'Call a contract',
    text: 'This wallet cannot tell what the call does.',
    facts: [
      exact('Contract', to),
      {label: 'Call', value: entryPoint},
      {label: 'Data', value: calldata.join(' '), exact: true},
    ],
  };
}

const Initiation = v.object({
  amount: v.object({low: Felt, high: Felt}),
  timelock: v.union([Felt, v.pipe(v.number(), v.integer())]),
});

/**
 * Puts typed data into words, and shows all of it field by field. It names neither contract nor token: whatever swap
 * contract holds an allowance of the signer's may use it.
 */
export function wordTypedData(data: TypedDataObject, signer: string, network: string): Wording {
  const facts: Fact[] = [
    ...factsOf(data.message),
    ...factsOf(data.domain, 'domain'),
    exact('Signer', signer),
    {label: 'Network', value: network},
  ];
  const initiation = v.safeParse(Initiation, data.message);
  if (data.domain.name === 'HTLC' && data.primaryType === 'Initiate' && initiation.success) {
    const {amount, timelock} = initiation.output;
    const units = BigInt(amount.low) + (BigInt(amount.high) << 128n);
    return {
      title: `Pay ${String(units)} units by signature`,
      text:
        'Whoever holds the signature can move it into a swap contract that you allowed to take it. ' +
        `If the swap comes to nothing, you get it back after ${String(BigInt(timelock))} blocks.`,
      facts,
    };
  }
  return {title: `Sign “${data.primaryType}”`, text: 'This wallet cannot tell what the signature allows.', facts};
}

/** Every value of typed data with the way to it, the nested ones too. */
function factsOf(value: unknown, label = ''): Fact[] {
  if (typeof value !== 'object' || value === null) {
    const text = String(value);
    return [{label, value: text, exact: text.startsWith('0x') || text.length > 20}];
  }
  return Object.entries(value).flatMap(([key, item]) => factsOf(item, label ? `${label}.${key}` : key));
}

function exact(label: string, address: string): Fact {
  return {label, value: addressText(address), exact: true};
}

/** An address with all its zeros, as people compare it. */
export function addressText(address: string | bigint): string {
  return `0x${BigInt(address).toString(16).padStart(64, '0')}`;
}

/** A hash of 32-bit words, as one. */
function joinWords(words: readonly string[]): string {
  return `0x${words.map(word => BigInt(word).toString(16).padStart(8, '0')).join('')}`;
}

interface TokenWords {
  readonly symbol: string;
  write(amount: bigint): string;
}

/** What a token calls itself. One that does not say is written in its smallest unit. */
async function readToken(token: string, provider: RpcProvider): Promise<TokenWords> {
  try {
    const [text, [decimals]] = await Promise.all([read(token, 'symbol', provider), read(token, 'decimals', provider)]);
    const symbol = readText(text);
    if (!symbol || decimals === undefined) throw new Error('The token does not say what it is.');
    return {symbol, write: amount => `${formatAmount(amount, Number(decimals))} ${symbol}`};
  } catch {
    return {symbol: 'a token', write: amount => `${String(amount)} units of a token`};
  }
}

/** The token that a swap contract takes. */
async function readTokenOf(contract: string, provider: RpcProvider): Promise<TokenWords> {
  const [token] = await read(contract, 'token', provider).catch(() => []);
  return readToken(token ?? contract, provider);
}

/** Text in one number (a short string), or as younger tokens have it: no full words, and one that is not full. */
function readText([first, second, ...more]: readonly string[]): string {
  const text = BigInt((more.length ? second : first) ?? 0).toString(16);
  return (text.match(/../g) ?? []).map(pair => String.fromCharCode(parseInt(pair, 16))).join('');
}

function read(contract: string, entryPoint: string, provider: RpcProvider): Promise<readonly string[]> {
  return provider.callContract({contractAddress: contract, entrypoint: entryPoint});
}
