/*
 * What is said of a setting that is wrong, to those who build the page: what was read, and how it is meant. Loaded where
 * something is wrong.
 */

export const noService = () => 'The address of the service is missing.';

export const notOneOf = (value: string, allowed: readonly string[]) =>
  `“${value}” is not one of ${allowed.join(', ')}.`;

export const noCurrency = (text: string) => `“${text}” is not a currency of three letters, such as USD (ISO 4217).`;

export const notOffered = (id: string) => `“${id}” is not one of the assets offered here.`;

export const sameAsset = () => 'Both sides are the same asset.';

export const noAmount = (text: string, decimals: number) =>
  `“${text}” is not an amount in whole units with at most ${String(decimals)} decimals.`;

export const notLockable = (field: string, lockable: readonly string[]) =>
  `“${field}” cannot be locked. ${lockable.join(', ')} can.`;

export const lockedEmpty = (field: string) => `“${field}” is locked and has no value, so nobody could fill it in.`;

export const unknownChain = (name: string) => `“${name}” is no known chain.`;

export const notChainAndAddress = (entry: string) => `“${entry}” is not a chain and its address: chain https://…`;

export const noWholeNumber = (text: string, largest: number) =>
  `“${text}” is not a whole number from 0 to ${String(largest)}.`;
