/**
 * Descriptors with which wallets can show a payment in words (ERC-7730, clear signing): one for the calls, and one for
 * the typed data, of each EVM asset with pinned contracts. They are made from the catalogue that the widget checks
 * payments with, and from `erc7730.json`.
 */
import {readFileSync} from 'node:fs';
import {addressText} from '../src/chains/evm/htlc.js';
import {contractsOf, type KnownAssets} from '../src/domain/asset.js';
import {ALL_KNOWN} from '../src/domain/known/all.js';

/** A field on the wallet's screen. Without `params` it is shown unformatted (`raw`, `amount`). */
export interface Field {
  readonly path: string;
  readonly label: string;
  readonly format: 'raw' | 'amount' | 'addressName' | 'tokenAmount';
  readonly params?: {readonly token?: string; readonly types?: readonly string[]};
}

/** What a wallet shows for one call, or for one type of data. */
export interface Format {
  readonly intent: string;
  readonly interpolatedIntent?: string;
  readonly fields: readonly Field[];
}

/** A descriptor file, as far as it is used here. */
export type Descriptor = ReturnType<typeof descriptors>[string];

/** What is shown of each call, and of the typed data. `AMOUNT` stands for what is paid. */
const FORMATS = readFileSync('.build/erc7730.json', 'utf8');

/** The descriptors of all EVM assets with contracts, by file name. */
export function descriptors({assets, chains}: KnownAssets = ALL_KNOWN) {
  const files = assets.flatMap(asset => {
    const {id, title, token} = asset;
    const {family, chainId, title: network} = chains.find(({name}) => id.startsWith(`${name}:`)) ?? {};
    const deployments = contractsOf(asset).map(address => ({chainId: chainId ?? 0, address: addressText(address)}));
    if (family !== 'evm' || !chainId || !deployments.length) return [];
    const name = 'HTLC';
    // Native coins are the value of the call, and the contract accepts no other amount. They cannot be paid by signature.
    const amount: Field = token
      ? {path: 'amount', label: 'You pay', format: 'tokenAmount', params: {token: addressText(token)}}
      : {path: '@.value', label: 'You pay', format: 'amount'};
    const shown = FORMATS.replaceAll('"AMOUNT"', JSON.stringify(amount)).replaceAll('AMOUNT', amount.path);
    const {calldata, eip712} = JSON.parse(shown) as Record<'calldata' | 'eip712', Readonly<Record<string, Format>>>;
    return Object.entries({calldata, ...(token && {eip712})}).map(([kind, formats]) => {
      const bound = kind === 'eip712' ? {eip712: {domain: {name}, deployments}} : {contract: {deployments}};
      const descriptor = {
        // Relative to a folder of the registry, as its files refer to it.
        $schema: '../../specs/erc7730-v2.schema.json',
        context: {$id: `${title} on ${network ?? ''}`, ...bound},
        metadata: {owner: 'Atomic swap', contractName: name},
        display: {formats},
      };
      return [`${kind}-${id.replace(':', '-')}.json`, descriptor] as const;
    });
  });
  return Object.fromEntries(files);
}
