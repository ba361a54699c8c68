/** What a wallet shows of a payment with the package's descriptors (ERC-7730). */
import {Validator, type Schema} from '@cfworker/json-schema';
import {formatUnits, getAddress, Interface, TypedDataEncoder} from 'ethers';
import {descriptors, type Descriptor, type Field, type Format} from '../../.build/erc7730.js';
import artifacts from '../../demo/sandbox/contracts/artifacts.json';
import {lockText} from '../../src/chains/checks.js';
import {createEvmAdapter} from '../../src/chains/evm/evm.js';
import {encodeInitiate, encodeRefund} from '../../src/chains/evm/htlc.js';
import {TIMEOUTS} from '../../src/chains/timeouts.js';
import {contractsOf, type Asset} from '../../src/domain/asset.js';
import {createCatalogue} from '../../src/domain/catalogue.js';
import type {CheckName, Deal, EvmPayload, TypedData} from '../../src/domain/deposit.js';
import {ALL_KNOWN} from '../../src/domain/known/all.js';
// The published schema (ethereum/clear-signing-erc7730-registry, specs/; CC0-1.0).
import schema from '../support/erc7730-v2.schema.json';
import {sampleDeal} from '../support/evm-deal.js';
import {expect} from '../support/expect.js';
import {createRandom} from '../support/random.js';

const adapter = createEvmAdapter(TIMEOUTS);
const random = createRandom(7730);

interface Call {
  readonly chainId: number;
  readonly to: string;
  readonly data: string;
  readonly value: bigint;
}

type Asked = Call | {readonly typedData: TypedData};

interface Shown {
  readonly intent: string;
  readonly sentence: string | undefined;
  readonly fields: Readonly<Record<string, string>>;
}

type Values = Readonly<Record<string, unknown>>;

/**
 * A wallet that knows tokens by chain and address, and nothing about swaps. It shows what a descriptor says,
 * `undefined` if none matches the request.
 */
function show(files: Readonly<Record<string, Descriptor>>, assets: readonly Asset[], asked: Asked): Shown | undefined {
  const {chainId, to} =
    'data' in asked
      ? asked
      : {
          chainId: Number(asked.typedData.domain['chainId']),
          to: getAddress(String(asked.typedData.domain['verifyingContract'])),
        };
  for (const {context, display} of Object.values(files)) {
    const bound = 'contract' in context ? context.contract : context.eip712;
    if ('contract' in context !== 'data' in asked) continue;
    if (!bound.deployments.some(one => one.chainId === chainId && one.address === getAddress(to))) continue;
    if ('typedData' in asked && 'eip712' in context)
      if (context.eip712.domain.name !== asked.typedData.domain['name']) continue;
    const [format, values] = 'data' in asked ? readCall(display, asked) : readTypedData(display, asked);
    if (!format) continue;
    const write = (field: Field) => writeField(field, values, chainId, assets);
    const named = (path: string) => format.fields.find(field => field.path === path);
    return {
      intent: format.intent,
      sentence: format.interpolatedIntent?.replace(/\{([^}]+)\}/g, (_, path: string) => write(named(path)!)),
      fields: Object.fromEntries(format.fields.map(field => [field.label, write(field)])),
    };
  }
  return undefined;
}

function readCall({formats}: Descriptor['display'], {data, value}: Call): [Format?, Values?] {
  for (const [key, format] of Object.entries(formats)) {
    const {fragment, args} = new Interface([`function ${key}`]).parseTransaction({data}) ?? {};
    if (fragment && args) return [format, {...args.toObject(), '@.value': value}];
  }
  return [];
}

function readTypedData({formats}: Descriptor['display'], {typedData}: {readonly typedData: TypedData}) {
  const {EIP712Domain: _domain, ...types} = typedData.types as Record<string, {name: string; type: string}[]>;
  const key = TypedDataEncoder.from(types).encodeType(typedData.primaryType);
  return [formats[key], typedData.message] as const;
}

function writeField({path, format, params}: Field, values: Values = {}, chainId: number, assets: readonly Asset[]) {
  const value = values[path];
  if (value === undefined) throw new Error(`There is no ${path}.`);
  const here = assets.filter(({chain}) => chain.chainId === chainId);
  const amountOf = (asset: Asset | undefined) => {
    if (!asset) throw new Error('The token is not known.');
    return `${formatUnits(value as bigint, asset.decimals).replace(/\.0$/, '')} ${asset.symbol}`;
  };
  switch (format) {
    case 'addressName':
      return getAddress(String(value));
    case 'amount':
      return amountOf(here.find(({token}) => token === undefined));
    case 'tokenAmount':
      return amountOf(here.find(({token}) => token && getAddress(token) === getAddress(params?.token ?? '')));
    case 'raw':
      return String(typeof value === 'string' && value.length < 20 ? BigInt(value) : value);
  }
}

/** All EVM assets with contracts; testnets and mainnets have separate catalogues. */
const EVM = new Set(ALL_KNOWN.chains.flatMap(({name, family}) => (family === 'evm' ? [name] : [])));
const ASSETS = [true, false]
  .map(test =>
    ALL_KNOWN.assets.flatMap(({id}) => (EVM.has(id.split(':')[0]!) && id.includes('_') === test ? [id] : [])),
  )
  .flatMap(assets => createCatalogue({families: ['evm'], known: ALL_KNOWN, assets}).assets)
  .filter(({contracts}) => contracts.length);

const word = () => Array.from({length: 64}, () => random.below(16).toString(16)).join('');

/** A deal that pays this asset into one of its contracts, with random terms, and with typed data if possible. */
function dealIn(from: Asset, contract: string, version: string): Deal & {deposit: {payload: EvmPayload}} {
  const deal = sampleDeal();
  const leg = {
    ...deal.order.source,
    redeemer: getAddress(`0x${word().slice(24)}`),
    timelock: 1 + random.below(40_000),
    amount: 1n + random.digits(24),
    secretHash: word(),
    chain: from.chain.name,
    asset: from.id,
  };
  const {amount, secretHash, redeemer} = leg;
  const {typedData} = deal.deposit.payload;
  return {
    ...deal,
    agreed: {...deal.agreed, from, amount},
    order: {...deal.order, source: leg, destination: {...deal.order.destination, secretHash, timelock: 1}},
    policy: {unverified: 'stop'},
    deposit: {
      ...deal.deposit,
      payload: {
        family: 'evm',
        transaction: {
          ...deal.deposit.payload.transaction,
          to: contract,
          data: encodeInitiate(leg),
          value: from.token ? 0n : amount,
          chainId: from.chain.chainId ?? 0,
        },
        ...(from.token && {
          typedData: {
            ...typedData,
            domain: {...typedData.domain, version, chainId: from.chain.chainId, verifyingContract: contract},
            message: {redeemer, timelock: String(leg.timelock), amount: String(amount), secretHash: `0x${secretHash}`},
          },
        }),
      },
    },
  };
}

/** What the widget shows of a deal, and a wallet should. */
async function said(deal: Deal) {
  const {results} = await adapter.check(deal, {});
  const of = (name: CheckName) => results.find(check => check.name === name);
  const failed = results.filter(({outcome, name}) => outcome === 'failed' && name !== 'timelock');
  expect(failed).to.deep.equal([]);
  return {amount: of('amount')?.found, call: of('call')?.found, secretHash: of('secret')?.found};
}

async function expectShown(deal: Deal, shown: Shown | undefined) {
  const {amount, call, secretHash} = await said(deal);
  const {from} = deal.agreed;
  expect(shown?.intent).to.equal('Pay into a swap');
  expect(shown?.sentence).to.equal(`Pay ${amount ?? ''} into a swap`);
  const {'You pay': paid, 'Claimable by': redeemer, 'Refund after (blocks)': blocks = '', ...others} = shown!.fields;
  expect(paid).to.equal(amount);
  expect(redeemer).to.equal(getAddress(deal.order?.source.redeemer ?? ''));
  expect(`initiate, ${lockText(BigInt(blocks), from.chain)}`).to.equal(call);
  expect(others['Secret hash']).to.equal(`0x${secretHash ?? ''}`);
}

describe('what a wallet shows with the package’s descriptors', () => {
  const files = descriptors();

  it('is in files that the published schema accepts, and it rejects a faulty one', () => {
    // The validator would take some properties of the descriptors for a schema's: they are renamed.
    const plain = (text: string) =>
      JSON.parse(
        text
          .replace(/"\$?id":/g, '"_id":')
          .replace(/\/id"/g, '/_id"')
          .replaceAll('"$ref":{', '"_ref":{'),
      ) as unknown;
    const validator = new Validator(plain(JSON.stringify(schema)) as Schema, '2020-12');
    const validate = (text: string) => validator.validate(plain(text));
    expect(Object.keys(files).length).to.be.greaterThan(50);
    for (const [name, file] of Object.entries(files)) {
      const {valid, errors} = validate(JSON.stringify(file));
      expect(valid, `${name}: ${JSON.stringify(errors)}`).to.equal(true);
    }
    const slip = (find: string, put: string) =>
      validate(JSON.stringify(files['calldata-base-usdc.json']).replace(find, put)).valid;
    expect(slip('"tokenAmount"', '"tokenAmounts"')).to.equal(false);
    expect(slip('"label"', '"lable"')).to.equal(false);
    expect(slip('{"token":', '{"tokens":')).to.equal(false);
    expect(slip('"contract":{', '"contracts":{')).to.equal(false);
  });

  it('has exactly one file for each pinned contract', () => {
    const of = (kind: string) =>
      Object.entries(files)
        .filter(([name]) => name.startsWith(kind))
        .flatMap(([, {context}]) => ('contract' in context ? context.contract : context.eip712).deployments)
        .map(({chainId, address}) => `${String(chainId)} ${address}`);
    const pinned = (assets: readonly Asset[]) =>
      assets.flatMap(asset => contractsOf(asset).map(one => `${String(asset.chain.chainId)} ${getAddress(one)}`));
    expect(of('calldata').sort()).to.deep.equal(pinned(ASSETS).sort());
    expect(of('eip712').sort()).to.deep.equal(pinned(ASSETS.filter(({token}) => token)).sort());
    expect(new Set(of('calldata')).size).to.equal(of('calldata').length);
  });

  it('uses the functions of the contracts', () => {
    const known = (['HTLC', 'NativeHTLC'] as const).map(name => new Interface(artifacts[name].abi));
    const [shown] = Object.values(files).map(({display}) => Object.keys(display.formats));
    for (const name of ['initiate', 'initiateOnBehalf', 'refund'])
      for (const contract of known)
        expect(shown?.map(key => new Interface([`function ${key}`]).fragments[0]?.format())).to.include(
          contract.getFunction(name)?.format(),
        );
  });

  it('matches what the widget shows of the same payment: asset, amount, redeemer, timelock, secret hash', async () => {
    for (const from of ASSETS) {
      for (const contract of from.contracts) {
        const deal = dealIn(from, contract, random.pick(['2', '3']));
        const {transaction, typedData} = deal.deposit.payload;
        await expectShown(deal, show(files, ASSETS, transaction));
        if (from.token) await expectShown(deal, show(files, ASSETS, {typedData: typedData!}));
        else expect(typedData).to.equal(undefined);
      }
    }
  });

  it('is the order’s id for a refund', () => {
    for (const {chain, contracts} of ASSETS) {
      const [to = ''] = contracts;
      const id = `0x${word()}`;
      const shown = show(files, ASSETS, {chainId: chain.chainId ?? 0, to, data: encodeRefund(id), value: 0n});
      expect(shown).to.deep.equal({intent: 'Take a swap payment back', sentence: undefined, fields: {Order: id}});
    }
  });

  it('is nothing on another chain, at another contract, or for other typed data', () => {
    const usdc = ASSETS.find(({id}) => id === 'base:usdc')!;
    const {transaction, typedData} = dealIn(usdc, usdc.contracts[0] ?? '', '2').deposit.payload;
    expect(show(files, ASSETS, transaction)).to.not.equal(undefined);
    expect(show(files, ASSETS, {...transaction, chainId: 59144})).to.equal(undefined);
    expect(show(files, ASSETS, {...transaction, to: usdc.token ?? ''})).to.equal(undefined);
    const domain = {...typedData!.domain, name: 'USD Coin'};
    expect(show(files, ASSETS, {typedData: {...typedData!, domain}})).to.equal(undefined);
  });
});
