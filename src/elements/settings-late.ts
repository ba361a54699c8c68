/*
 * What few pages set, and what is said of settings that are wrong: the rules that come late.
 */
import {checkAffiliateFees, parseAffiliateFees} from '../domain/affiliate.js';
import type {Catalogue} from '../domain/asset.js';
import {SwapError} from '../domain/error.js';
import {DEFAULTS, type RareSettings, type Settings} from './settings.js';

export * as assetFaults from '../domain/asset-faults.js';
export {ALL_KNOWN as known} from '../domain/known/all.js';

const LARGEST_TOLERANCE_BPS = 1_000;

/** What is said to those who build the page: what was read, and how it is meant. */
export const faults = {
  noService: () => 'The address of the service is missing.',
  notOneOf: (value: string, allowed: readonly string[]) => `“${value}” is not one of ${allowed.join(', ')}.`,
  noCurrency: (text: string) => `“${text}” is not a currency of three letters, such as USD (ISO 4217).`,
  notOffered: (id: string) => `“${id}” is not one of the assets offered here.`,
  sameAsset: () => 'Both sides are the same asset.',
  noAmount: (text: string, decimals: number) =>
    `“${text}” is not an amount in whole units with at most ${String(decimals)} decimals.`,
  notLockable: (field: string, lockable: readonly string[]) =>
    `“${field}” cannot be locked. ${lockable.join(', ')} can.`,
  lockedEmpty: (field: string) => `“${field}” is locked and has no value, so nobody could fill it in.`,
  unknownChain: (name: string) => `“${name}” is no known chain.`,
  notChainAndAddress: (entry: string) => `“${entry}” is not a chain and its address: chain https://…`,
  noWholeNumber: (text: string, largest: number) => `“${text}” is not a whole number from 0 to ${String(largest)}.`,
};

/**
 * Reads what few pages set.
 * @throws SwapError `config` that names the first attribute or property that is wrong, and how it is meant.
 */
export function readRare(settings: Settings, catalogue: Catalogue): RareSettings {
  const {policy = {}, affiliateFees = []} = settings;
  oneOf('order-fields', settings.orderFields, ['solver_id']);
  oneOf('signatureFormat', settings.signatureFormat, ['array', 'comma', 'rs']);
  const currency = settings.valueCurrency?.trim();
  if (currency && !/^[a-z]{3}$/i.test(currency)) throw fault('value-currency', faults.noCurrency(currency));
  const maxBps = wholeNumber('policy.maxAffiliateBps', policy.maxAffiliateBps, 10_000);
  const minutes = wholeNumber('policy.depositMinutes', policy.depositMinutes, 1440);
  const fees = typeof affiliateFees === 'string' ? parseAffiliateFees(affiliateFees) : affiliateFees;
  return {
    currency: currency || undefined,
    affiliateFees: checkAffiliateFees(fees, {...policy, ...catalogue, maxBps}),
    policy: {requirePins: policy.requirePins ?? false},
    priceTolerance:
      wholeNumber('price-tolerance', settings.priceTolerance, LARGEST_TOLERANCE_BPS) ?? DEFAULTS.priceTolerance,
    depositWindow: minutes === undefined ? DEFAULTS.depositWindow : minutes * 60_000,
    signatureFormat: settings.signatureFormat ?? DEFAULTS.signatureFormat,
    nameSolver: settings.orderFields === 'solver_id',
  };
}

function oneOf(field: string, value: string | undefined, allowed: readonly string[]) {
  if (value && !allowed.includes(value)) throw fault(field, faults.notOneOf(value, allowed));
}

function wholeNumber(field: string, value: string | number | undefined, largest: number): number | undefined {
  if (value === undefined || value === '') return undefined;
  const text = String(value);
  const number = Number(text);
  if (!/^\d{1,6}$/.test(text) || number > largest) throw fault(field, faults.noWholeNumber(text, largest));
  return number;
}

function fault(field: string, detail: string): SwapError {
  return new SwapError('config', {field, detail});
}
