/** Shared by all parts of a run. */
import {newAddress} from './deposits.js';
import type {Findings} from './findings.js';
import type {Service, ServiceOptions} from './service.js';
import {unknownFields, type Difference, type Shape} from './shapes.js';
import {familyOf, type Family} from './specification.js';

export interface Pair {
  readonly from: string;
  readonly to: string;
  /** In the smallest unit. */
  readonly amount: string;
}

export interface ConformOptions extends ServiceOptions {
  readonly pairs: readonly Pair[];
  /** Places no order, and sends no signature. */
  readonly readOnly: boolean;
  /** Existing orders to read, of any owner. */
  readonly orders: readonly string[];
  /** How long those are followed, in seconds. 0 reads them once. */
  readonly follow: number;
  /** The payout asset of affiliate fees. */
  readonly feeAsset: string;
  /** Addresses by family, for owners and recipients; new ones by default. */
  readonly owners: Readonly<Partial<Record<Family, string>>>;
  readonly blockSeconds: Readonly<Record<string, number>>;
}

export const quotePath = ({from, to, amount}: Pair, more: Readonly<Record<string, string>> = {}) =>
  `/v2/quote?${new URLSearchParams({from, to, from_amount: amount, ...more}).toString()}`;
export const chainOf = (asset: string) => asset.split(':')[0] ?? '';
export const differs = (isWrong: boolean, at: string, expected: string, found: string): Difference[] =>
  isWrong ? [{at, expected, found: found || 'nothing'}] : [];

export interface Run {
  readonly options: ConformOptions;
  readonly service: Service;
  readonly findings: Findings;
}

export interface Offer extends Pair {
  readonly receive: string;
}

export function noteUnknown({findings}: Run, shape: Shape, value: unknown, of: string) {
  for (const path of unknownFields(shape, value, 'result')) {
    findings.note(
      `${of} has ${path.replace('result.', '').replace('result[].', '')}, which is not in the specification.`,
    );
  }
}

export function addressOn({options: {owners}}: Run, asset: string): string {
  const family = familyOf(chainOf(asset));
  return owners[family] ?? newAddress(chainOf(asset), family);
}
