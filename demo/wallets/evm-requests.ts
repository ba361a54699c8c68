/** Requests from pages, validated, and calls to nodes. */
import {TypedDataEncoder, getAddress, toQuantity} from 'ethers';
import * as v from 'valibot';
import {parseParams} from './wallet-core.js';

/** An error with its code in EIP-1193 or JSON-RPC. */
export class ProviderRpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
    this.name = 'ProviderRpcError';
  }
}

export const REJECTED = 4001;
export const UNAUTHORIZED = 4100;
export const UNSUPPORTED = 4200;
export const CHAIN_DISCONNECTED = 4901;
export const UNKNOWN_CHAIN = 4902;
// EIP-5792.
export const UNSUPPORTED_CAPABILITY = 5700;
export const UNSUPPORTED_CHAIN = 5710;
export const DUPLICATE_ID = 5720;
export const UNKNOWN_ID = 5730;
export const INVALID_PARAMS = -32602;
export const INTERNAL = -32603;
export type Rpc = (method: string, params: readonly unknown[]) => Promise<unknown>;

export async function callRpc(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  let response: {result?: unknown; error?: {code: number; message: string; data?: unknown}};
  try {
    const reply = await fetch(url, {
      method: 'POST',
      headers: {'content-type': 'application/json'},
      body: JSON.stringify({jsonrpc: '2.0', id: 1, method, params}),
    });
    response = (await reply.json()) as typeof response;
  } catch {
    throw new ProviderRpcError(CHAIN_DISCONNECTED, `The node at ${url} does not answer.`);
  }
  const {result, error} = response;
  if (error) throw new ProviderRpcError(error.code, error.message, error.data);
  return result;
}

// What a page can pass. Fields that wallets ignore (a nonce, a gas price) are left out.

const Hex = v.pipe(v.string(), v.regex(/^0x(?:[0-9a-f]{2})*$/i, 'is not hex'));
export const Quantity = v.pipe(v.string(), v.regex(/^0x[0-9a-f]{1,64}$/i, 'is not a quantity'));
export const Address = v.pipe(
  v.string(),
  v.regex(/^0x[0-9a-f]{40}$/i, 'is not an address'),
  v.transform(text => getAddress(text.toLowerCase())),
);
const Amount = v.pipe(
  Quantity,
  v.transform(text => BigInt(text)),
);

export const SendRequest = v.pipe(
  v.object({
    from: Address,
    to: v.nullish(Address),
    value: v.optional(Amount, '0x0'),
    data: v.optional(Hex),
    input: v.optional(Hex),
    gas: v.optional(Amount),
    chainId: v.optional(
      v.pipe(
        Quantity,
        v.transform(text => Number(text)),
      ),
    ),
  }),
  v.transform(({from, to, value, data, input, gas, chainId}) => ({
    from,
    to: to ?? undefined,
    value,
    data: data ?? input ?? '0x',
    gas,
    chainId,
  })),
);
export type TransactionRequest = v.InferOutput<typeof SendRequest>;

/** Several calls as one request (EIP-5792, `wallet_sendCalls`). */
export const BundleRequest = v.object({
  version: v.literal('2.0.0'),
  id: v.optional(v.pipe(Hex, v.maxLength(8_194))),
  from: Address,
  chainId: v.pipe(
    Quantity,
    v.transform(text => Number(text)),
  ),
  atomicRequired: v.boolean(),
  calls: v.pipe(
    v.array(v.object({to: Address, value: v.optional(Amount, '0x0'), data: v.optional(Hex, '0x')})),
    v.minLength(1),
  ),
  capabilities: v.optional(v.record(v.string(), v.object({optional: v.optional(v.boolean())}))),
});
export type BundleRequest = v.InferOutput<typeof BundleRequest>;

const TypedDataObject = v.object({
  types: v.record(v.string(), v.array(v.object({name: v.string(), type: v.string()}))),
  primaryType: v.string(),
  domain: v.looseObject({
    chainId: v.optional(
      v.union([v.pipe(v.number(), v.integer()), v.pipe(v.string(), v.regex(/^(?:0x[0-9a-f]+|\d+)$/i))]),
    ),
    verifyingContract: v.optional(v.string()),
  }),
  message: v.record(v.string(), v.unknown()),
});
/** Typed data comes as JSON text, and from some pages as an object. */
export const TypedDataSchema = v.union([v.pipe(v.string(), v.parseJson(), TypedDataObject), TypedDataObject]);
export type TypedData = v.InferOutput<typeof TypedDataObject>;

export const AddedChain = v.object({
  chainId: Quantity,
  chainName: v.string(),
  rpcUrls: v.pipe(v.array(v.pipe(v.string(), v.url())), v.minLength(1)),
  nativeCurrency: v.optional(v.object({symbol: v.string()})),
});

/** EIP-747 `wallet_watchAsset`, for a token. */
export const WatchedToken = v.object({
  type: v.literal('ERC20'),
  options: v.object({address: Address, symbol: v.string(), decimals: v.number()}),
});

/** Read methods are passed on to the node; its test controls and methods that sign are not. */
export const READABLE = /^(?:net|web3)_|^eth_(?!sign|sendTransaction|accounts)/;

/**
 * Reads a request's parameters.
 * @throws ProviderRpcError -32602, which names the first invalid one.
 */
export function read<const Schema extends v.GenericSchema>(schema: Schema, params: unknown): v.InferOutput<Schema> {
  return parseParams(schema, params, invalid);
}

export function invalid(message: string): ProviderRpcError {
  return new ProviderRpcError(INVALID_PARAMS, message);
}

/** The types as ethers expects them: it derives the domain's type from the domain. */
export function typesWithoutDomain({types, domain, primaryType}: TypedData): TypedData['types'] {
  const {EIP712Domain: domainType, ...others} = types;
  try {
    const names = domainType?.map(field => field.name) ?? [];
    const given = Object.keys(domain);
    if (names.length !== given.length || !names.every(name => given.includes(name))) {
      throw new Error('EIP712Domain and the domain have different fields');
    }
    const primary = TypedDataEncoder.from(others).primaryType;
    if (primary !== primaryType) throw new Error(`its primary type is ${primary}`);
  } catch (error) {
    throw invalid(`This is not typed data: ${(error as Error).message}.`);
  }
  return others;
}

/** `code`: what the account has at that time, by its address. */
export async function estimateGas(
  {from, to, value, data}: Pick<TransactionRequest, 'from' | 'to' | 'value' | 'data'>,
  rpc: Rpc,
  code?: string,
): Promise<bigint> {
  const request = {from, ...(to === undefined ? {} : {to}), value: toQuantity(value), data};
  const overrides = code === undefined ? [] : ['latest', {[from]: {code}}];
  const estimate = BigInt(String(await rpc('eth_estimateGas', [request, ...overrides])));
  // Head room: the state may change before the transaction is in a block.
  return (estimate * 5n) / 4n;
}

/** EIP-1559 fees, with room for six full blocks in a row. */
export async function readFees(rpc: Rpc): Promise<{maxFeePerGas: bigint; maxPriorityFeePerGas: bigint}> {
  const [tip, block] = await Promise.all([
    rpc('eth_maxPriorityFeePerGas', []),
    rpc('eth_getBlockByNumber', ['latest', false]),
  ]);
  const maxPriorityFeePerGas = BigInt(String(tip));
  const baseFee = BigInt(v.parse(v.object({baseFeePerGas: Quantity}), block).baseFeePerGas);
  return {maxFeePerGas: baseFee * 2n + maxPriorityFeePerGas, maxPriorityFeePerGas};
}
