import type {RpcProvider} from 'starknet';
import * as v from 'valibot';
import {createToken, factsOf, UNKNOWN_TOKEN, type Description, type Fact, type Token} from './prompt.js';

/** A felt, in hex or decimal. */
const Felt = v.pipe(v.string(), v.regex(/^(?:0x[0-9a-f]{1,64}|\d{1,76})$/i, 'is not a felt'));

/** The calls of a transaction (wallet API, `wallet_addInvokeTransaction`). */
export const Calls = v.object({
  calls: v.pipe(
    v.array(v.object({contract_address: Felt, entry_point: v.string(), calldata: v.optional(v.array(Felt), [])})),
    v.minLength(1),
  ),
});
export type Call = v.InferOutput<typeof Calls>['calls'][number];

/** Typed data (SNIP-12). */
export const TypedDataObject = v.looseObject({
  types: v.record(v.string(), v.array(v.looseObject({name: v.string(), type: v.string()}))),
  primaryType: v.string(),
  domain: v.looseObject({name: v.optional(v.string()), chainId: v.optional(v.union([v.string(), v.number()]))}),
  message: v.record(v.string(), v.unknown()),
});
export type TypedDataObject = v.InferOutput<typeof TypedDataObject>;

export async function describeCalls(calls: readonly Call[], provider: RpcProvider): Promise<Description> {
  const descriptions = await Promise.all(calls.map(call => describeCall(call, provider)));
  const last = descriptions.at(-1);
  if (!last) throw new Error('There are no calls to describe.');
  const unknown = descriptions.find(({isKnown}) => !isKnown);
  const {title, text} = unknown ?? last;
  // An approval before a payment is described as part of the payment.
  const before = unknown ? [] : descriptions.slice(0, -1).map(({title, text}) => `${title}. ${text}`);
  return {
    title,
    text: [text, ...before.map(step => `First: ${step}`)].join(' '),
    facts: descriptions.flatMap(({facts}) => facts),
  };
}

interface CallDescription extends Description {
  readonly isKnown: boolean;
}

async function describeCall(call: Call, provider: RpcProvider): Promise<CallDescription> {
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
      title: everything ? `Allow any amount of ${token.symbol}` : `Allow ${token.format(amount)}`,
      text: everything
        ? 'The spender can take all of it that you have, now or later.'
        : 'The spender can take this amount and no more.',
      facts: [exact('To spender', at(0)), exact('Token', to)],
    };
  }
  if (is('transfer', 3)) {
    const token = await readToken(to, provider);
    return {
      isKnown: true,
      title: `Send ${token.format(amountAt(1))}`,
      text: 'The recipient gets it at once.',
      facts: [exact('Recipient', at(0)), exact('Token', to)],
    };
  }
  if (is('initiate', 12)) {
    const token = await readTokenOf(to, provider);
    return {
      isKnown: true,
      title: `Pay ${token.format(amountAt(2))} into a swap`,
      text: `A contract holds it. If the swap does not complete, you can get it back after ${String(BigInt(at(1)))} blocks.`,
      facts: [
        exact('Contract', to),
        exact('Redeemer', at(0)),
        {label: 'Secret hash', value: joinWords(calldata.slice(4)), exact: true},
      ],
    };
  }
  if (is('refund', 1)) {
    return {
      isKnown: true,
      title: 'Refund a swap',
      text: 'The contract returns the amount to the account that paid it.',
      facts: [exact('Contract', to), {label: 'Swap', value: at(0), exact: true}],
    };
  }
  return {
    isKnown: false,
    title: 'Call a contract',
    text: 'This wallet does not know what the call does.',
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
 * Describes typed data, with all of its fields. It names neither contract nor token: any swap contract that has an
 * allowance from the signer can use it.
 */
export function describeTypedData(data: TypedDataObject, signer: string, network: string): Description {
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
        'Anyone who has the signature can move it into a swap contract that you allowed to take it. ' +
        `If the swap does not complete, you can get it back after ${String(BigInt(timelock))} blocks.`,
      facts,
    };
  }
  return {title: `Sign “${data.primaryType}”`, text: 'This wallet does not know what the signature allows.', facts};
}

function exact(label: string, address: string): Fact {
  return {label, value: addressText(address), exact: true};
}

export function addressText(address: string | bigint): string {
  return `0x${BigInt(address).toString(16).padStart(64, '0')}`;
}

/** A hash given as 32-bit words, as one hex text. */
function joinWords(words: readonly string[]): string {
  return `0x${words.map(word => BigInt(word).toString(16).padStart(8, '0')).join('')}`;
}

async function readToken(token: string, provider: RpcProvider): Promise<Token> {
  try {
    const [text, [decimals]] = await Promise.all([read(token, 'symbol', provider), read(token, 'decimals', provider)]);
    const symbol = readText(text);
    if (!symbol || decimals === undefined) throw new Error('The token has no symbol or decimals.');
    return createToken(symbol, Number(decimals));
  } catch {
    return UNKNOWN_TOKEN;
  }
}

async function readTokenOf(contract: string, provider: RpcProvider): Promise<Token> {
  const [token] = await read(contract, 'token', provider).catch(() => []);
  return readToken(token ?? contract, provider);
}

/** Text as one felt (a short string) or, in newer tokens, as a byte array without full words. */
function readText([first, second, ...more]: readonly string[]): string {
  const text = BigInt((more.length ? second : first) ?? 0).toString(16);
  return (text.match(/../g) ?? []).map(pair => String.fromCharCode(parseInt(pair, 16))).join('');
}

function read(contract: string, entryPoint: string, provider: RpcProvider): Promise<readonly string[]> {
  return provider.callContract({contractAddress: contract, entrypoint: entryPoint});
}
