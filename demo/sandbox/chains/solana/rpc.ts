/**
 * The JSON-RPC interface of a Solana node, as far as wallets and pages use it, over one local chain.
 *
 * Real: methods, parameters, forms and codes of answers; the trial before a transaction is taken; signatures, and
 * blockhashes that grow old. Ours: one state for every commitment, no votes, no subscriptions (there is no WebSocket;
 * poll `getSignatureStatuses`), and accounts are not parsed into JSON.
 */
import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http';
import {
  getBase58Decoder,
  getBase58Encoder,
  getCompiledTransactionMessageDecoder,
  isAddress,
  type Address,
  type EncodedAccount,
} from '@solana/kit';
import {wordsOf} from './errors.js';
import {
  NoTransaction,
  NotLanded,
  type Commitment,
  type InnerInstruction,
  type Landed,
  type Outcome,
  type SolanaChain,
  type Trial,
} from './svm.js';

/** An error that the one who asked is told of, with the code that nodes give it. */
class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

/** Codes of JSON-RPC, and of Solana's nodes (rpc-client-api, `custom_error`). */
const CODE = {
  parse: -32700,
  request: -32600,
  method: -32601,
  params: -32602,
  internal: -32603,
  preflight: -32002,
  signature: -32003,
  block: -32004,
  version: -32015,
  context: -32016,
} as const;

const HOST = '127.0.0.1';
/** More than any transaction or batch of a page needs. */
const MAX_BODY = 1 << 20;
const LAMPORTS_PER_SIGNATURE = 5_000n;
const SLOTS_PER_EPOCH = 432_000;
/** What the node remembers of signatures without looking into its history, in slots. */
const RECENT_SLOTS = 300;

const base58 = {text: getBase58Decoder(), bytes: getBase58Encoder()};
const messages = getCompiledTransactionMessageDecoder();

type Params = readonly unknown[];
type Config = Readonly<Record<string, unknown>>;
type Method = (params: Params) => unknown;

export interface SolanaRpcOptions {
  readonly chain: SolanaChain;
  /** 0 takes a free one. */
  readonly port: number;
  /** Gives coins and answers the transaction. */
  airdrop(address: Address, lamports: bigint): string;
}

export interface SolanaRpc {
  readonly url: string;
  close(): Promise<void>;
}

/** Opens the interface on this machine. */
export async function startSolanaRpc({chain, port, airdrop}: SolanaRpcOptions): Promise<SolanaRpc> {
  const methods = createMethods(chain, airdrop);
  const server = createServer((request, response) => void serve(request, response, methods));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the node has no address');
  return {url: `http://${HOST}:${address.port}`, close: () => closeServer(server)};
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise(resolve => server.close(resolve));
  server.closeAllConnections();
  await closed;
}

async function serve(request: IncomingMessage, response: ServerResponse, methods: Map<string, Method>): Promise<void> {
  const cors = {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'POST, OPTIONS',
    'access-control-allow-headers': request.headers['access-control-request-headers'] ?? '*',
    'access-control-max-age': '600',
  };
  if (request.method !== 'POST') {
    response.writeHead(request.method === 'OPTIONS' ? 204 : 405, cors).end();
    return;
  }
  let body = '';
  try {
    for await (const chunk of request.setEncoding('utf8')) {
      body += chunk as string;
      if (body.length > MAX_BODY) {
        response.writeHead(413, cors).end();
        return;
      }
    }
  } catch {
    // Whoever asked has gone.
    return;
  }
  response.writeHead(200, {...cors, 'content-type': 'application/json'}).end(answer(body, methods));
}

function answer(body: string, methods: Map<string, Method>): string | undefined {
  let asked: unknown;
  try {
    asked = JSON.parse(body);
  } catch {
    return writeJson(failure(null, new RpcError(CODE.parse, 'Parse error')));
  }
  if (!Array.isArray(asked)) return writeJson(answerOne(asked, methods));
  if (asked.length === 0) return writeJson(failure(null, new RpcError(CODE.request, 'Invalid request')));
  return writeJson(asked.map(one => answerOne(one, methods)));
}

function answerOne(asked: unknown, methods: Map<string, Method>): object {
  const {id = null, method, params = [], jsonrpc} = isObject(asked) ? asked : {};
  try {
    if (jsonrpc !== '2.0' || typeof method !== 'string') throw new RpcError(CODE.request, 'Invalid request');
    const run = methods.get(method);
    if (!run) throw new RpcError(CODE.method, 'Method not found');
    if (!Array.isArray(params)) throw new RpcError(CODE.params, '`params` should be an array');
    return {jsonrpc: '2.0', result: run(params), id};
  } catch (error) {
    return failure(id, error);
  }
}

function failure(id: unknown, thrown: unknown): object {
  const {code, message, data} =
    thrown instanceof RpcError ? thrown : new RpcError(CODE.internal, `Internal error: ${String(thrown)}`);
  return {jsonrpc: '2.0', error: {code, message, ...(data === undefined ? {} : {data})}, id};
}

/** JSON in which lamports are numbers however large: a 64-bit number is more than a JavaScript one holds. */
function writeJson(value: unknown): string {
  const marked = JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `\0${part}` : part));
  return marked.replace(/"\\u0000(\d+)"/g, '$1');
}

function createMethods(chain: SolanaChain, airdrop: SolanaRpcOptions['airdrop']): Map<string, Method> {
  const inContext = (value: unknown) => ({context: {slot: chain.slot('processed'), apiVersion: '3.0.0'}, value});

  /** The slot that is asked about, and a refusal if the caller has seen a later one than there is. */
  function slotOf(config: Config, fallback: Commitment = 'finalized'): number {
    const slot = chain.slot(commitmentOf(config, fallback));
    const least = config['minContextSlot'];
    if (typeof least === 'number' && least > slot) {
      throw new RpcError(CODE.context, 'Minimum context slot has not been reached', {contextSlot: slot});
    }
    return slot;
  }

  /** Of a transaction or a block there is nothing to tell before it is confirmed. */
  function settledSlot(config: Config): number {
    if (config['commitment'] === 'processed') {
      throw new RpcError(CODE.params, 'Method does not support commitment below `confirmed`');
    }
    return slotOf(config);
  }

  function statusOf({slot, error}: Landed) {
    const depth = chain.slot('processed') - slot;
    const finalized = slot <= chain.slot('finalized');
    const confirmed = slot <= chain.slot('confirmed');
    return {
      slot,
      confirmations: finalized ? null : depth,
      err: error,
      status: error === null ? {Ok: null} : {Err: error},
      confirmationStatus: finalized ? 'finalized' : confirmed ? 'confirmed' : 'processed',
    };
  }

  function writtenTransaction(landed: Landed, config: Config) {
    const {message, signature, wire, slot} = landed;
    const most = config['maxSupportedTransactionVersion'];
    if (message.version !== 'legacy' && typeof most !== 'number') {
      throw new RpcError(
        CODE.version,
        `Transaction version (${message.version}) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${message.version}`,
      );
    }
    const encoding = config['encoding'] ?? 'json';
    const transaction =
      encoding === 'json'
        ? writtenMessage(landed, signature)
        : writtenBytes(wire, encodingOf(encoding, ['base58', 'base64']));
    return {
      slot,
      blockTime: chain.time(slot),
      transaction,
      meta: writtenMeta(landed),
      ...(most === undefined ? {} : {version: message.version}),
    };
  }

  function readTransaction(params: Params): Uint8Array {
    const config = configAt(params, 1);
    return bytesIn(textAt(params, 0), encodingOf(config['encoding'] ?? 'base58', ['base58', 'base64']));
  }

  /** What a transaction would do, or the refusal of bytes that are none. */
  function attempt<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (error instanceof NoTransaction) throw new RpcError(CODE.params, error.message);
      throw error;
    }
  }

  const methods: Record<string, Method> = {
    getHealth: () => 'ok',
    getVersion: () => ({'solana-core': '3.0.0', 'feature-set': 0}),
    getGenesisHash: () => chain.genesisHash,
    getSlot: params => slotOf(configAt(params, 0)),
    getBlockHeight: params => chain.height(slotOf(configAt(params, 0))),
    getFirstAvailableBlock: () => 0,
    getTransactionCount: params => {
      slotOf(configAt(params, 0));
      return chain.count();
    },
    getEpochInfo(params) {
      const slot = slotOf(configAt(params, 0));
      return {
        absoluteSlot: slot,
        blockHeight: chain.height(slot),
        epoch: Math.floor(slot / SLOTS_PER_EPOCH),
        slotIndex: slot % SLOTS_PER_EPOCH,
        slotsInEpoch: SLOTS_PER_EPOCH,
        transactionCount: chain.count(),
      };
    },
    getBlockTime(params) {
      const slot = numberAt(params, 0);
      if (slot > chain.slot('confirmed')) throw new RpcError(CODE.block, `Block not available for slot ${slot}`);
      return chain.time(slot);
    },
    getBlock(params) {
      const slot = numberAt(params, 0);
      const config = configAt(params, 1);
      if (slot > settledSlot(config)) throw new RpcError(CODE.block, `Block not available for slot ${slot}`);
      const within = chain.inSlot(slot);
      const details = config['transactionDetails'] ?? 'full';
      if (details !== 'full' && details !== 'signatures' && details !== 'none') {
        throw new RpcError(
          CODE.params,
          `Invalid params: transactionDetails ${JSON.stringify(details)} is not supported here`,
        );
      }
      return {
        blockhash: chain.blockhash(slot),
        previousBlockhash: chain.blockhash(slot - 1),
        parentSlot: slot - 1,
        blockHeight: chain.height(slot),
        blockTime: chain.time(slot),
        ...(details === 'signatures' && {signatures: within.map(({signature}) => signature)}),
        ...(details === 'full' && {
          transactions: within.map(landed => {
            const {transaction, meta, version} = writtenTransaction(landed, config);
            return {transaction, meta, ...(version === undefined ? {} : {version})};
          }),
        }),
        ...(config['rewards'] !== false && {rewards: []}),
      };
    },

    getLatestBlockhash(params) {
      const config = configAt(params, 0);
      slotOf(config);
      return inContext(chain.latestBlockhash(commitmentOf(config)));
    },
    isBlockhashValid(params) {
      const config = configAt(params, 1);
      slotOf(config);
      return inContext(chain.isBlockhashValid(textAt(params, 0), commitmentOf(config)));
    },
    getFeeForMessage(params) {
      const config = configAt(params, 1);
      slotOf(config);
      let message;
      try {
        message = messages.decode(bytesIn(textAt(params, 0), 'base64'));
      } catch {
        throw new RpcError(CODE.params, 'Invalid params: failed to deserialize a message');
      }
      if (!chain.isBlockhashValid(message.lifetimeToken, commitmentOf(config))) return inContext(null);
      return inContext(feeOf(message));
    },
    getRecentPrioritizationFees: () => [],
    getMinimumBalanceForRentExemption: params => chain.rent(numberAt(params, 0)),

    getBalance(params) {
      slotOf(configAt(params, 1));
      return inContext(chain.account(addressAt(params, 0))?.lamports ?? 0n);
    },
    getAccountInfo(params) {
      const config = configAt(params, 1);
      slotOf(config);
      const account = chain.account(addressAt(params, 0));
      return inContext(account ? writtenAccount(account, config) : null);
    },
    getMultipleAccounts(params) {
      const config = configAt(params, 1);
      slotOf(config);
      const accounts = listAt(params, 0).map((_, index, list) => chain.account(addressAt(list, index)));
      return inContext(
        accounts.map(account => (account ? writtenAccount(account, {encoding: 'base64', ...config}) : null)),
      );
    },
    getProgramAccounts(params) {
      const config = configAt(params, 1);
      slotOf(config);
      const filters = (config['filters'] ?? []) as readonly Config[];
      const found = chain
        .programAccounts(addressAt(params, 0))
        .filter(({data}) => filters.every(filter => passes(Uint8Array.from(data), filter)))
        .map(account => ({pubkey: account.address, account: writtenAccount(account, config)}));
      return config['withContext'] === true ? inContext(found) : found;
    },

    requestAirdrop(params) {
      const lamports = numberAt(params, 1);
      if (lamports <= 0) throw new RpcError(CODE.params, 'Invalid request');
      return airdrop(addressAt(params, 0), BigInt(lamports));
    },
    simulateTransaction(params) {
      const config = configAt(params, 1);
      slotOf(config);
      const signatures = config['sigVerify'] === true;
      const replaced = config['replaceRecentBlockhash'] === true;
      if (signatures && replaced) {
        throw new RpcError(CODE.params, 'sigVerify may not be used with replaceRecentBlockhash');
      }
      const wire = readTransaction(params);
      const blockhash = replaced ? 'any' : commitmentOf(config);
      const trial = attempt(() => chain.simulate(wire, {signatures, blockhash}));
      if (trial.error === 'SignatureFailure') {
        throw new RpcError(CODE.signature, 'Transaction signature verification failure');
      }
      return inContext({
        ...writtenOutcome(trial, config['innerInstructions'] === true),
        accounts: writtenAccounts(trial, config['accounts']),
        replacementBlockhash: replaced ? chain.latestBlockhash(commitmentOf(config)) : null,
      });
    },
    sendTransaction(params) {
      const config = configAt(params, 1);
      const asked = {...config, commitment: config['preflightCommitment']};
      slotOf(asked);
      const trial = config['skipPreflight'] === true ? 'none' : commitmentOf(asked);
      const wire = readTransaction(params);
      try {
        return attempt(() => chain.send(wire, trial));
      } catch (error) {
        if (!(error instanceof NotLanded)) throw error;
        const {outcome} = error;
        if (outcome.error === 'SignatureFailure') {
          throw new RpcError(CODE.signature, 'Transaction signature verification failure');
        }
        throw new RpcError(
          CODE.preflight,
          `Transaction simulation failed: ${wordsOf(outcome.error)}`,
          writtenOutcome(outcome, false),
        );
      }
    },

    getSignatureStatuses(params) {
      const oldest =
        configAt(params, 1)['searchTransactionHistory'] === true ? 0 : chain.slot('processed') - RECENT_SLOTS;
      return inContext(
        listAt(params, 0).map((_, index, list) => {
          const landed = chain.find(signatureAt(list, index));
          return landed && landed.slot >= oldest ? statusOf(landed) : null;
        }),
      );
    },
    getSignaturesForAddress(params) {
      const config = configAt(params, 1);
      const newest = settledSlot(config);
      const list = chain
        .naming(addressAt(params, 0))
        .filter(({slot}) => slot <= newest)
        .reverse();
      const place = (key: 'before' | 'until', absent: number) => {
        const found = list.findIndex(({signature}) => signature === config[key]);
        return found < 0 ? absent : found;
      };
      const limit = typeof config['limit'] === 'number' ? config['limit'] : 1_000;
      return list
        .slice(place('before', -1) + 1, place('until', list.length))
        .slice(0, limit)
        .map(landed => ({
          signature: landed.signature,
          slot: landed.slot,
          err: landed.error,
          memo: null,
          blockTime: chain.time(landed.slot),
          confirmationStatus: statusOf(landed).confirmationStatus,
        }));
    },
    getTransaction(params) {
      const config = typeof params[1] === 'string' ? {encoding: params[1]} : configAt(params, 1);
      const newest = settledSlot(config);
      const landed = chain.find(signatureAt(params, 0));
      return landed && landed.slot <= newest ? writtenTransaction(landed, config) : null;
    },
  };
  return new Map(Object.entries(methods));
}

/** What a message costs: each signature, and the price of its computing where it names one. */
function feeOf(message: Landed['message']): bigint {
  const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111';
  let price = 0n;
  let limit: bigint | undefined;
  let others = 0n;
  const instructions = 'instructions' in message ? message.instructions : [];
  for (const {programAddressIndex, data = new Uint8Array()} of instructions) {
    if (message.staticAccounts[programAddressIndex] !== COMPUTE_BUDGET) {
      others++;
      continue;
    }
    const bytes = Buffer.from(data);
    if (bytes[0] === 2 && bytes.length >= 5) limit = BigInt(bytes.readUInt32LE(1));
    if (bytes[0] === 3 && bytes.length >= 9) price = bytes.readBigUInt64LE(1);
  }
  const units = limit ?? others * 200_000n;
  return LAMPORTS_PER_SIGNATURE * BigInt(message.header.numSignerAccounts) + (units * price + 999_999n) / 1_000_000n;
}

function writtenOutcome({error, logs, units, inner, returned}: Outcome, withInner: boolean) {
  return {
    err: error,
    logs,
    accounts: null,
    unitsConsumed: units,
    returnData: returned && writtenReturn(returned),
    innerInstructions: withInner
      ? byInstruction(inner, ({program, accounts, data, stackHeight}) => ({
          programId: program,
          accounts,
          data: base58.text.decode(data),
          stackHeight,
        }))
      : null,
  };
}

/** The accounts that the caller of a simulation wants to see as they would be after it. */
function writtenAccounts(trial: Trial, asked: unknown) {
  if (!isObject(asked)) return null;
  const addresses = listAt([asked['addresses']], 0);
  return addresses.map((_, index) => {
    const account = trial.account(addressAt(addresses, index));
    return trial.error === null && account ? writtenAccount(account, {encoding: asked['encoding'] ?? 'base64'}) : null;
  });
}

function writtenMeta({error, fee, before, after, logs, units, inner, returned, accounts, loaded}: Landed) {
  return {
    err: error,
    status: error === null ? {Ok: null} : {Err: error},
    fee,
    preBalances: before,
    postBalances: after,
    preTokenBalances: [],
    postTokenBalances: [],
    innerInstructions: byInstruction(inner, call => ({
      programIdIndex: accounts.indexOf(call.program),
      accounts: call.accounts.map(address => accounts.indexOf(address)),
      data: base58.text.decode(call.data),
      stackHeight: call.stackHeight,
    })),
    logMessages: logs,
    loadedAddresses: loaded,
    computeUnitsConsumed: units,
    rewards: [],
    ...(returned && {returnData: writtenReturn(returned)}),
  };
}

const writtenReturn = ({program, data}: NonNullable<Outcome['returned']>) => ({
  programId: program,
  data: writtenBytes(data, 'base64'),
});

/** Calls of programs, under the place of the instruction that led to them. */
function byInstruction<T>(inner: Outcome['inner'], write: (call: InnerInstruction) => T) {
  const places = [...new Set(inner.map(({index}) => index))];
  return places.map(index => ({index, instructions: inner.filter(call => call.index === index).map(write)}));
}

function writtenMessage({message, wire}: Landed, signature: string) {
  const count = message.header.numSignerAccounts;
  const signatures = Array.from({length: count}, (_, index) =>
    index === 0 ? signature : base58.text.decode(wire.subarray(1 + 64 * index, 65 + 64 * index)),
  );
  return {
    signatures,
    message: {
      header: {
        numRequiredSignatures: count,
        numReadonlySignedAccounts: message.header.numReadonlySignerAccounts,
        numReadonlyUnsignedAccounts: message.header.numReadonlyNonSignerAccounts,
      },
      accountKeys: message.staticAccounts,
      recentBlockhash: message.lifetimeToken,
      instructions: ('instructions' in message ? message.instructions : []).map(
        ({programAddressIndex, accountIndices = [], data = new Uint8Array()}) => ({
          programIdIndex: programAddressIndex,
          accounts: accountIndices,
          data: base58.text.decode(data),
          stackHeight: 1,
        }),
      ),
      ...(message.version === 0 && {
        addressTableLookups: (message.addressTableLookups ?? []).map(lookup => ({
          accountKey: lookup.lookupTableAddress,
          writableIndexes: lookup.writableIndexes,
          readonlyIndexes: lookup.readonlyIndexes,
        })),
      }),
    },
  };
}

function writtenAccount({lamports, programAddress, executable, data}: EncodedAccount, config: Config) {
  const {offset = 0, length = data.length} = (config['dataSlice'] ?? {}) as {offset?: number; length?: number};
  const bytes = Uint8Array.from(data).subarray(offset, offset + length);
  const asked = config['encoding'];
  // Nothing here parses accounts; nodes answer so too where they cannot.
  const encoding = asked === 'jsonParsed' ? 'base64' : encodingOf(asked ?? 'base58', ['base58', 'base64']);
  if (encoding === 'base58' && bytes.length > 128) {
    throw new RpcError(
      CODE.request,
      'Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding.',
    );
  }
  return {
    lamports,
    owner: programAddress,
    executable,
    rentEpoch: 2n ** 64n - 1n,
    space: data.length,
    // The oldest form, without the name of an encoding, is the one that is given where none is asked for.
    data: asked === undefined ? base58.text.decode(bytes) : writtenBytes(bytes, encoding),
  };
}

/** Whether an account's data is as a filter of `getProgramAccounts` wants it. */
function passes(data: Uint8Array, filter: Config): boolean {
  if (typeof filter['dataSize'] === 'number') return data.length === filter['dataSize'];
  const {
    offset,
    bytes,
    encoding = 'base58',
  } = (filter['memcmp'] ?? {}) as {offset?: number; bytes?: string; encoding?: string};
  if (typeof offset !== 'number' || typeof bytes !== 'string')
    throw new RpcError(CODE.params, 'Invalid params: invalid filter');
  const wanted = bytesIn(bytes, encodingOf(encoding, ['base58', 'base64']));
  return Buffer.from(data.subarray(offset, offset + wanted.length)).equals(wanted);
}

const writtenBytes = (bytes: Uint8Array, encoding: 'base58' | 'base64') => [
  encoding === 'base64' ? Buffer.from(bytes).toString('base64') : base58.text.decode(bytes),
  encoding,
];

function bytesIn(text: string, encoding: 'base58' | 'base64'): Uint8Array {
  try {
    const bytes = encoding === 'base64' ? Buffer.from(text, 'base64') : Buffer.from(base58.bytes.encode(text));
    const again = encoding === 'base64' ? bytes.toString('base64') : base58.text.decode(bytes);
    if (again === text) return bytes;
  } catch {
    // Told below.
  }
  throw new RpcError(CODE.params, `invalid ${encoding} encoding`);
}

function encodingOf<T extends string>(given: unknown, known: readonly T[]): T {
  const found = known.find(one => one === given);
  if (!found)
    throw new RpcError(
      CODE.params,
      `unsupported encoding: ${JSON.stringify(given)}. Supported encodings: ${known.join(', ')}`,
    );
  return found;
}

function commitmentOf(config: Config, fallback: Commitment = 'finalized'): Commitment {
  const given = config['commitment'] ?? fallback;
  if (given !== 'processed' && given !== 'confirmed' && given !== 'finalized') {
    throw new RpcError(
      CODE.params,
      `Invalid params: unknown variant \`${JSON.stringify(given)}\`, expected a commitment`,
    );
  }
  return given;
}

const isObject = (value: unknown): value is Config =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function configAt(params: Params, index: number): Config {
  const given = params[index] ?? {};
  if (!isObject(given)) throw new RpcError(CODE.params, 'Invalid params: expected an object of options');
  return given;
}

function textAt(params: Params, index: number): string {
  const given = params[index];
  if (typeof given !== 'string') throw new RpcError(CODE.params, 'Invalid params: expected a string');
  return given;
}

function numberAt(params: Params, index: number): number {
  const given = params[index];
  if (!Number.isSafeInteger(given)) throw new RpcError(CODE.params, 'Invalid params: expected u64');
  return given as number;
}

function listAt(params: Params, index: number): Params {
  const given = params[index];
  if (!Array.isArray(given)) throw new RpcError(CODE.params, 'Invalid params: expected a sequence');
  return given;
}

function addressAt(params: Params, index: number): Address {
  const given = textAt(params, index);
  if (!isAddress(given)) throw new RpcError(CODE.params, 'Invalid param: Invalid');
  return given;
}

function signatureAt(params: Params, index: number): string {
  const given = textAt(params, index);
  if (bytesIn(given, 'base58').length !== 64) throw new RpcError(CODE.params, 'Invalid param: WrongSize');
  return given;
}
