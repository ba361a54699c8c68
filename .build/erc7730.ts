/**
 * Descriptors with which wallets can show a payment in words (ERC-7730, clear signing): one for the calls, and one for
 * the typed data, of each EVM asset with pinned contracts. `npm run build` finally writes them to `dist/erc7730`, from
 * the same catalogue and typed data that the widget checks payments with.
 */
import {mkdirSync, rmSync, writeFileSync} from 'node:fs';
import {pathToFileURL} from 'node:url';
import {FORM} from '../src/chains/evm/dialect.js';
import {addressText} from '../src/chains/evm/htlc.js';
import {contractsOf, type KnownAssets} from '../src/domain/asset.js';
import {ALL_KNOWN} from '../src/domain/known/all.js';

const FOLDER = 'dist/erc7730';

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

interface Deployments {
  readonly deployments: readonly {readonly chainId: number; readonly address: string}[];
}

/** A descriptor file, as far as it is used here. */
export interface Descriptor {
  readonly $schema: string;
  readonly context: {readonly $id: string} & (
    {readonly contract: Deployments} | {readonly eip712: Deployments & {readonly domain: {readonly name: string}}}
  );
  readonly metadata: {readonly owner: string; readonly contractName: string};
  readonly display: {readonly formats: Readonly<Record<string, Format>>};
}

/** Relative to a folder of the registry, as its files refer to it. */
const SCHEMA = '../../specs/erc7730-v2.schema.json';

/** The parameters of a payment, as they are signed: `address redeemer,uint256 timelock,…`. */
const TERMS = FORM.types.Initiate.map(({type, name}) => `${type} ${name}`).join();

const REDEEMER: Field = {
  path: 'redeemer',
  label: 'Claimable by',
  format: 'addressName',
  params: {types: ['eoa', 'contract']},
};
const TIMELOCK: Field = {path: 'timelock', label: 'Refund after (blocks)', format: 'raw'};
const SECRET_HASH: Field = {path: 'secretHash', label: 'Secret hash', format: 'raw'};
const INITIATOR: Field = {path: 'initiator', label: 'Refund to', format: 'addressName'};
/** Only logged by a later form of the contracts; its meaning is not public. */
const DATA: Field = {path: 'destinationData', label: 'Destination data', format: 'raw'};

/** A payment into a swap, with the additional fields of this form. */
function payment(amount: Field, ...more: readonly Field[]): Format {
  return {
    intent: 'Pay into a swap',
    interpolatedIntent: `Pay {${amount.path}} into a swap`,
    fields: [amount, REDEEMER, TIMELOCK, SECRET_HASH, ...more],
  };
}

/** The calls requested from wallets, and one that pays on behalf of another account. */
function callsWith(amount: Field): Descriptor['display'] {
  return {
    formats: {
      [`initiate(${TERMS})`]: payment(amount),
      [`initiate(${TERMS},bytes destinationData)`]: payment(amount, DATA),
      [`initiateOnBehalf(address initiator,${TERMS})`]: payment(amount, INITIATOR),
      'refund(bytes32 orderID)': {
        intent: 'Take a swap payment back',
        fields: [{path: 'orderID', label: 'Order', format: 'raw'}],
      },
    },
  };
}

/** The descriptors of all EVM assets with contracts, by file name. */
export function descriptors({assets, chains}: KnownAssets = ALL_KNOWN): Readonly<Record<string, Descriptor>> {
  const files: Record<string, Descriptor> = {};
  for (const asset of assets) {
    const {id, title, token} = asset;
    const contracts = contractsOf(asset);
    const chain = chains.find(({name}) => id.startsWith(`${name}:`));
    if (chain?.family !== 'evm' || chain.chainId === undefined || !contracts.length) continue;
    const {chainId} = chain;
    const deployments = contracts.map(address => ({chainId, address: addressText(address)}));
    const $id = `${title} on ${chain.title}`;
    const metadata = {owner: 'Atomic swap', contractName: FORM.domain.name[0] ?? ''};
    // Native coins are the value of the call, and the contract accepts no other amount.
    const amount: Field = token
      ? {path: 'amount', label: 'You pay', format: 'tokenAmount', params: {token: addressText(token)}}
      : {path: '@.value', label: 'You pay', format: 'amount'};
    const name = id.replace(':', '-');
    files[`calldata-${name}.json`] = {
      $schema: SCHEMA,
      context: {$id, contract: {deployments}},
      metadata,
      display: callsWith(amount),
    };
    // Native coins cannot be paid by signature.
    if (!token) continue;
    files[`eip712-${name}.json`] = {
      $schema: SCHEMA,
      context: {$id, eip712: {domain: {name: metadata.contractName}, deployments}},
      metadata,
      display: {formats: {[`Initiate(${TERMS})`]: payment(amount)}},
    };
  }
  return files;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  rmSync(FOLDER, {recursive: true, force: true});
  mkdirSync(FOLDER, {recursive: true});
  for (const [name, descriptor] of Object.entries(descriptors())) {
    writeFileSync(`${FOLDER}/${name}`, `${JSON.stringify(descriptor, null, 2)}\n`);
  }
}
