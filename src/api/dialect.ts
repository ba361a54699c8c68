/** What a service has beside the specification, or instead of what that leaves open. */
import {bare} from '../domain/deposit.js';
import {fault} from '../domain/error.js';

/** Further fields of an order's body. */
const FIELDS = {
  solver_id: (solverId: string): string => solverId,
  nonce: () => String(crypto.getRandomValues(new BigUint64Array(1))[0]),
  // An order is for what was agreed: nothing may be taken from it.
  slippage: () => 0,
};

/** How a part of a signature is written; `array` leaves all as they are. */
const SIGNATURES = {
  array: undefined,
  comma: (part: bigint) => String(part),
  'comma-hex': (part: bigint) => `0x${part.toString(16)}`,
};

/** How a service differs from the specification. */
export interface ServiceDialect {
  /** The header that carries the app id. Default: `service-app-id`. */
  readonly header?: string;
  /**
   * Fields of orders beside the documented ones: `solver_id`, the quote's; `nonce`, 64 random bits as decimal text;
   * `slippage`, 0. Default: none.
   */
  readonly fields?: readonly ('solver_id' | 'nonce' | 'slippage')[];
  /**
   * How a signature of several numbers, as from Starknet wallets, is sent: `array`, as the wallet returned it; `comma`,
   * one text of decimal numbers; `comma-hex`, of hex numbers. Default: `array`.
   */
  readonly signature?: 'array' | 'comma' | 'comma-hex';
  /** The assets that affiliate fees are paid out in; `*:usdc` is on any chain. Default: `*:usdc` and `*:cbbtc`. */
  readonly payout?: readonly string[];
}

const KNOWN: Readonly<Record<keyof ServiceDialect, readonly [is: (value: unknown) => boolean, what: string]>> = {
  header: [value => typeof value === 'string' && /^[\w!#$%&'*+.^`|~-]+$/.test(value), 'the name of a header'],
  fields: [listOf(value => Object.hasOwn(FIELDS, value)), `a list out of ${Object.keys(FIELDS).join(', ')}`],
  signature: [
    value => typeof value === 'string' && Object.hasOwn(SIGNATURES, value),
    `one of ${Object.keys(SIGNATURES).join(', ')}`,
  ],
  payout: [listOf(value => /^[^:\s]+:[^:\s]+$/.test(value)), 'a list of assets, each as chain:name'],
};

function listOf(isItem: (value: string) => boolean): (value: unknown) => boolean {
  return value => Array.isArray(value) && value.every(item => typeof item === 'string' && isItem(item));
}

/** Also from its JSON. @throws SwapError `config`, with `field` `service`, or `service.header` and so on. */
export function readDialect(given: string | ServiceDialect = {}): ServiceDialect {
  const dialect: unknown = typeof given === 'string' ? parsed(given.trim() || '{}') : given;
  if (typeof dialect !== 'object' || dialect === null || Array.isArray(dialect))
    throw fault('service', 'It is not an object, or the JSON of one: {"header": "…"}.');
  for (const [name, value] of Object.entries(dialect)) {
    if (!Object.hasOwn(KNOWN, name))
      throw fault(`service.${name}`, `There is no such field; there are ${Object.keys(KNOWN).join(', ')}.`);
    const [is, what] = KNOWN[name as keyof ServiceDialect];
    if (value !== undefined && !is(value)) throw fault(`service.${name}`, `It is not ${what}.`);
  }
  return bare({...dialect});
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function furtherFields({fields = []}: ServiceDialect, solverId: string): Readonly<Record<string, unknown>> {
  return Object.fromEntries(fields.map(name => [name, FIELDS[name](solverId)]));
}

/** A signature as it is sent. One of a single part stays as it is. */
export function writeSignature(signature: unknown, {signature: form = 'array'}: ServiceDialect): unknown {
  const write = SIGNATURES[form];
  return write && Array.isArray(signature) ? signature.map(part => write(BigInt(String(part)))).join() : signature;
}
