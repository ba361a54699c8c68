/* What a wallet is asked to sign, compared with the documented form: on EVM chains (EIP-712) and Starknet (SNIP-12). */
import type {CheckResult, TypedData} from '../domain/deposit.js';
import {writeJson} from '../domain/json.js';
import {runCheck, textsOf, type Finding} from './checks.js';

/** A whole number in typed data: hex text, decimal text without leading zeros, or a number. */
export function readNumber(value: unknown): bigint | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : undefined;
  return typeof value === 'string' && /^(?:0x[0-9a-f]{1,64}|0|[1-9]\d{0,77})$/i.test(value) ? BigInt(value) : undefined;
}

export interface TypedForm {
  /** For the fields of which only some values are right. */
  readonly domain: Readonly<Record<string, readonly unknown[]>>;
  readonly domainType: string;
  readonly types: TypedData['types'];
}

const PRIMARY = 'Initiate';
const MAX_WORDS = 60;

/**
 * Names the part of typed data that differs from the documented form; `undefined` if none does. `strangeValue` checks
 * the values. Unreadable typed data differs too.
 */
export function strangeIn(
  typedData: TypedData,
  form: TypedForm,
  strangeValue: () => string | false | undefined,
): string | undefined {
  try {
    const {domain, types, primaryType, message, ...more} = typedData;
    const {[form.domainType]: ofDomain = [], [PRIMARY]: ofMessage = []} = form.types;
    const namesOf = (fields: typeof ofDomain) => fields.map(field => field.name);
    const strange =
      (Object.keys(more).length > 0 && 'typed data') ||
      otherDomain(typedData, form) ||
      (primaryType !== PRIMARY && `type ${primaryType}`) ||
      (writeJson(sortedTypes(types)) !== writeJson(sortedTypes(form.types)) && 'types') ||
      (!hasKeys(domain, namesOf(ofDomain)) && 'domain') ||
      (!hasKeys(message, namesOf(ofMessage)) && 'message') ||
      strangeValue();
    return strange ? strange.slice(0, MAX_WORDS) : undefined;
  } catch {
    return 'typed data';
  }
}

export function otherDomain({domain}: TypedData, form: Pick<TypedForm, 'domain'>): string | undefined {
  const other = Object.keys(form.domain).find(name => !form.domain[name]?.includes(domain[name]));
  return other === undefined ? undefined : `${other} ${String(domain[other])}`.slice(0, MAX_WORDS);
}

/** Typed data of an unknown form could do anything, so it is never signed. A transaction needs none. */
export function checkSignature(
  strange: string | undefined,
  same: () => Finding,
  domain?: string,
): readonly CheckResult[] {
  const form = `HTLC, ${PRIMARY}`;
  if (strange === undefined) {
    return [
      runCheck('same', same),
      domain === undefined
        ? {name: 'typed-data', outcome: 'passed', found: form}
        : {
            name: 'typed-data',
            outcome: 'unverified',
            expected: form,
            found: domain,
            sides: ['known', 'signature'],
          },
    ];
  }
  const found = textsOf(undefined, strange);
  return [
    {name: 'same', outcome: 'unchecked', ...found},
    {name: 'typed-data', outcome: 'unchecked', expected: form, ...found},
  ];
}

export function hasKeys(object: object, keys: readonly string[]): boolean {
  return writeJson(Object.keys(object).sort()) === writeJson([...keys].sort());
}

/** Types sorted by name. The order of fields within a type stays, since it changes what is signed. */
function sortedTypes(types: TypedData['types']): unknown {
  return Object.entries(types)
    .map(([name, fields]) => [name, fields.map(field => Object.entries(field).sort())])
    .sort();
}
