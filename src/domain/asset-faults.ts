/*
 * What is said of chains and assets that are wrong, to those who build the page: what was read, and how it is meant.
 * Loaded where something is wrong.
 */

export const noAsset = (id: string) => `“${id}” is not an asset. Write it as chain:name.`;

export const unknownChain = (id: string) => `“${id}” is on a chain nobody knows. Describe it in the chains property.`;

export const otherFamily = (id: string, family: string) =>
  `“${id}” is on a ${family} chain, which this version does not swap.`;

export const noDecimals = (id: string) =>
  `“${id}” has no known decimals. Give it as an object: {id, symbol, decimals}.`;

export const oddDecimals = (id: string, decimals: number) =>
  `“${id}” has decimals ${String(decimals)}; a whole number from 0 to 36 is meant.`;

export const emptyChain = (item: string) => `“${item}” names a chain of which no asset is known.`;

export const tooFew = () => 'A swap needs at least two assets.';

export const mixed = (id: string, othersTest: boolean) =>
  `“${id}” is on a ${othersTest ? 'main' : 'test'} network and the others are not. The two never mix.`;

export const noFamily = () => 'A chain needs its family: bitcoin, evm, solana or starknet.';

export const noChainId = () => 'A chain of the evm family needs its chain id.';

export const noBlockSeconds = () => 'A chain needs the seconds between two blocks.';

export const noCoin = () => 'A coin is its name, its symbol, and its decimals, a whole number from 0 to 36.';

export const noWebAddress = (text: string) => `“${text}” is not a web address.`;
