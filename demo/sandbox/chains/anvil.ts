/**
 * A real EVM node for the sandbox: the Anvil binary from npm, run directly and called by JSON-RPC.
 *
 * Real: the node, its blocks, transactions, receipts and errors. Ours: when blocks are mined.
 */
import {spawn} from 'node:child_process';
import {createECDH} from 'node:crypto';
import {createServer} from 'node:http';
import {createRequire} from 'node:module';
import {setTimeout as pause} from 'node:timers/promises';
import {Wallet, dataSlice, getAddress, id, keccak256, type Interface} from 'ethers';
import {HOST, closeServer, listen} from '../http.js';
import {watch} from '../processes.js';
import {RequestError} from './leg.js';

export type Rpc = <T>(method: string, ...params: unknown[]) => Promise<T>;

export interface Unsigned {
  readonly from: string;
  readonly nonce: number;
  readonly to?: string;
  readonly data: string;
}

export interface Anvil {
  readonly url: string;
  readonly rpc: Rpc;
  /** Gives accounts coins, and mines the chain's first blocks, whose transactions need no signatures. */
  found(accounts: readonly string[], blocks: readonly (readonly Unsigned[])[]): Promise<void>;
  /** Resolves once the process has ended, with its exit code or its signal. From then on calls fail with that reason. */
  readonly stopped: Promise<string>;
  close(): Promise<void>;
}

/** An error from the node. `data` is the contract's revert data, if there is any. */
export class RpcError extends Error {
  constructor(
    method: string,
    readonly code: number,
    text: string,
    readonly data?: string,
  ) {
    super(`${method}: ${text}`);
    this.name = 'RpcError';
  }
}

const START_MS = 10_000;
const ATTEMPTS = 5;

/**
 * The number of blocks whose state the node keeps, about as many as a full node does: the widget reads up to 100 blocks
 * back. Each is a full copy. Older states are restored from checkpoints (`evm-index.ts`).
 */
const STATES = 110;
/** The system contract with the hashes of past blocks (EIP-2935), which our contracts do not use. */
const BLOCK_HASHES = '0x0000F90827F1C53a10cb7A02335B175320002935';
/** Makes the node's allocator release unused memory early. */
const ALLOCATOR = {_RJEM_MALLOC_CONF: 'narenas:1,dirty_decay_ms:500,muzzy_decay_ms:0'};

/** A node that is starting while this process does other work. */
export interface StartingAnvil {
  readonly name: string;
  readonly chainId: number;
  /** Resolves once the process is spawned or has failed to. */
  readonly spawned: Promise<void>;
  readonly ready: Promise<Anvil>;
}

interface AnvilOptions {
  readonly name: string;
  readonly chainId: number;
  readonly port: number;
}

/** Starts a node on this port, or on a free one if it is taken or 0. It mines a block with each transaction. */
export function startAnvil(options: AnvilOptions): StartingAnvil {
  let onSpawn = () => {};
  const spawned = new Promise<void>(resolve => (onSpawn = resolve));
  const ready = launchSomewhere(options, onSpawn);
  ready.catch(onSpawn);
  return {name: options.name, chainId: options.chainId, spawned, ready};
}

async function launchSomewhere(options: AnvilOptions, onSpawn: () => void): Promise<Anvil> {
  for (let attempt = 1; ; attempt++) {
    // Checked first, since another node on the port would answer instead of this one.
    const port = await freePort(options.port).catch(() => freePort(0));
    try {
      return await launch({...options, port}, onSpawn);
    } catch (error) {
      // Another program may have taken the port meanwhile.
      if (attempt === ATTEMPTS) throw error;
    }
  }
}

async function launch({name, chainId, port}: AnvilOptions, onSpawn: () => void): Promise<Anvil> {
  // Mining at intervals is done by `clock.ts`: with --block-time a node keeps 1,500 states, regardless of its options.
  const fixed = ['--host', HOST, '--silent', '--accounts', '1', '--threads', '1', '--prune-history', String(STATES)];
  // An inherited pipe would make a shell wait for the node.
  const child = spawn(binary(), ['--port', String(port), '--chain-id', String(chainId), ...fixed], {
    stdio: 'ignore',
    env: {...process.env, ...ALLOCATOR},
  });
  watch(child);
  onSpawn();
  let reason: string | undefined;
  const stopped = new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve((reason = signal ?? `exit code ${code}`)));
  });
  const ended = stopped.then<never>(how => {
    throw new Error(`anvil ended with ${how} on port ${port}`);
  });
  ended.catch(() => {});

  const url = `http://${HOST}:${port}`;
  const call = createRpc(url);
  const rpc: Rpc = async (method, ...params) => {
    try {
      return await call(method, ...params);
    } catch (error) {
      if (error instanceof RpcError) throw error;
      // The connection may break a little before the end is reported.
      await Promise.race([stopped, pause(100)]);
      if (reason === undefined) throw error;
      throw new RequestError(`${name}: the node of this chain has stopped (${reason})`, 503);
    }
  };
  const close = () =>
    new Promise<void>(resolve => {
      if (child.exitCode !== null || child.signalCode !== null) return resolve();
      child.once('exit', () => resolve());
      child.kill('SIGKILL');
    });

  try {
    await Promise.race([waitUntilReady(call, chainId), ended]);
    // Otherwise each state holds thousands of hashes, and the storage root is recomputed for each block.
    await rpc('anvil_setCode', BLOCK_HASHES, '0x');
    // If its start took it into another second, its clock would stay behind by that.
    for (let sent = 0; sent !== seconds();) await rpc('evm_setTime', (sent = seconds()));
  } catch (error) {
    await close();
    throw error;
  }
  return {url, rpc, found: (accounts, blocks) => found(url, accounts, blocks), stopped, close};
}

const seconds = () => Math.floor(Date.now() / 1_000);

/** Enough for each of the founding transactions, and for all of them in one block. */
const FOUNDING_GAS = {deployment: hex(3_000_000), call: hex(200_000)} as const;
const RICH = hex(10n ** 27n);

async function found(url: string, accounts: readonly string[], blocks: readonly (readonly Unsigned[])[]) {
  await callAll(url, [
    ...accounts.map(account => ['anvil_setBalance', account, RICH] as const),
    ['anvil_autoImpersonateAccount', true],
    ['evm_setAutomine', false],
  ]);
  for (const block of blocks) {
    const sends = block.map(({nonce, ...transaction}) => {
      const gas = transaction.to === undefined ? FOUNDING_GAS.deployment : FOUNDING_GAS.call;
      return ['eth_sendTransaction', {...transaction, nonce: hex(nonce), gas}] as const;
    });
    const hashes = await callAll(url, sends);
    await callAll(url, [['evm_mine']]);
    const receipts = await callAll(
      url,
      hashes.map(hash => ['eth_getTransactionReceipt', hash]),
    );
    const failed = receipts.find(receipt => Number((receipt as Receipt | null)?.status) !== 1);
    if (failed !== undefined) throw new Error(`a founding transaction failed: ${JSON.stringify(failed)}`);
  }
  await callAll(url, [
    ['anvil_autoImpersonateAccount', false],
    ['evm_setAutomine', true],
  ]);
}

async function waitUntilReady(rpc: Rpc, chainId: number): Promise<void> {
  const deadline = Date.now() + START_MS;
  for (;;) {
    const found = await rpc<string>('eth_chainId').catch(() => undefined);
    if (found !== undefined && Number(found) === chainId) return;
    if (found !== undefined) throw new Error(`chain ${Number(found)} answers where ${chainId} should`);
    if (Date.now() > deadline) throw new Error(`chain ${chainId} did not start`);
    await new Promise(resolve => setTimeout(resolve, 10));
  }
}

/** Runs the platform's package directly: the wrapper would be one more Node process for each chain. */
function binary(): string {
  // It is that package's dependency, and not every package manager lets others find it.
  const require = createRequire(createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json'));
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  const file = process.platform === 'win32' ? 'anvil.exe' : 'anvil';
  return require.resolve(`@foundry-rs/anvil-${process.platform}-${arch}/bin/${file}`);
}

async function freePort(port: number): Promise<number> {
  const probe = createServer();
  const found = await listen(probe, port);
  await closeServer(probe);
  return found;
}

interface RpcAnswer {
  result?: unknown;
  error?: {code: number; message: string; data?: string};
}

/** The original `fetch`: a program may replace the global one while its node runs. */
const {fetch} = globalThis;

function createRpc(url: string): Rpc {
  let id = 0;
  return async <T>(method: string, ...params: unknown[]) =>
    resultOf(method, await post<RpcAnswer>(url, {jsonrpc: '2.0', id: ++id, method, params})) as T;
}

async function callAll(url: string, calls: readonly (readonly [method: string, ...params: unknown[]])[]) {
  const requests = calls.map(([method, ...params], id) => ({jsonrpc: '2.0', id, method, params}));
  const answers = new Map((await post<(RpcAnswer & {id: number})[]>(url, requests)).map(answer => [answer.id, answer]));
  return requests.map(({id, method}) => resultOf(method, answers.get(id) ?? {}));
}

async function post<T>(url: string, body: unknown): Promise<T> {
  const headers = {'content-type': 'application/json'};
  return (await fetch(url, {method: 'POST', headers, body: JSON.stringify(body)})).json() as Promise<T>;
}

function resultOf(method: string, {result, error}: RpcAnswer): unknown {
  if (error) throw new RpcError(method, error.code, error.message, error.data);
  return result;
}

export function hex(value: number | bigint): string {
  return `0x${value.toString(16)}`;
}

export interface Receipt {
  readonly transactionHash: string;
  readonly blockNumber: string;
  readonly contractAddress: string | null;
  readonly status: string;
}

/** The key of one of the sandbox's roles: public, and the same on every start. */
export function keyOf(role: string): string {
  return id(`swap-widget sandbox: ${role}`);
}

export const addressOf = (role: string): string => addressOfKey(keyOf(role));

/** Node's own curve is ready at once; the signing library precomputes tables first. */
function addressOfKey(key: string): string {
  const curve = createECDH('secp256k1');
  curve.setPrivateKey(key.slice(2), 'hex');
  return getAddress(dataSlice(keccak256(curve.getPublicKey().subarray(1)), 12));
}

/** Sends transactions from one key, one at a time. */
export interface Sender {
  readonly address: string;
  /** Estimates first, so that no nonce is spent on a failure; resolves once the transaction is in a block. */
  send(transaction: {to?: string; data?: string; value?: bigint}): Promise<Receipt>;
}

/** Far above the base fee of an idle local chain. */
const MAX_FEE = 100_000_000_000n;

export function createSender(rpc: Rpc, chainId: number, key: string): Sender {
  const address = addressOfKey(key);
  let wallet: Wallet | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const send: Sender['send'] = async ({to, data = '0x', value = 0n}) => {
    const call = {from: address, ...(to === undefined ? {} : {to}), data, value: hex(value)};
    // Fails if the transaction would.
    const estimate = BigInt(await rpc<string>('eth_estimateGas', call));
    wallet ??= new Wallet(key);
    const raw = await wallet.signTransaction({
      type: 2,
      chainId,
      nonce: Number(await rpc<string>('eth_getTransactionCount', address, 'pending')),
      to: to ?? null,
      data,
      value,
      gasLimit: (estimate * 13n) / 10n,
      maxFeePerGas: MAX_FEE,
      maxPriorityFeePerGas: 0n,
    });
    const receipt = await rpc<Receipt>('eth_sendRawTransactionSync', raw).catch(async (error: unknown) => {
      if (error instanceof RpcError) throw error;
      // The response was lost, but the transaction may have arrived: look it up by its hash.
      const found = await rpc<Receipt | null>('eth_getTransactionReceipt', keccak256(raw));
      if (!found) throw error;
      return found;
    });
    if (Number(receipt.status) !== 1) throw new Error(`transaction ${receipt.transactionHash} failed`);
    return receipt;
  };

  return {
    address,
    send(transaction) {
      // Concurrent sends would use the same nonce.
      const sent = last.then(() => send(transaction));
      last = sent.catch(() => {});
      return sent;
    },
  };
}

/** The name and arguments of the contract's custom error, if a call reverted with one. */
export function revertOf(error: unknown, contracts: readonly Interface[]): {name: string; args: unknown[]} | undefined {
  if (!(error instanceof RpcError) || !error.data) return undefined;
  for (const contract of contracts) {
    const parsed = contract.parseError(error.data);
    if (parsed) return {name: parsed.name, args: [...parsed.args]};
  }
  return undefined;
}
