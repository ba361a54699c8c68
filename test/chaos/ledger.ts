/**
 * All money of a sandbox: the total of every asset in all accounts, read from the chains' nodes. The final balances are
 * those at genesis, plus what the faucet and blocks created since then, less the miner fees.
 */
import {gunzipSync} from 'node:zlib';
import {getStarkKey, grindKey} from '@scure/starknet';
import {id} from 'ethers';
import {keyOf} from '../../demo/sandbox/chains/anvil.js';
import {PROGRAM, signerFor} from '../../demo/sandbox/chains/solana/htlc.js';
import {account} from '../../demo/sandbox/chains/starknet/contracts.js';
import {addressText, contractAddress} from '../../demo/sandbox/chains/starknet/felts.js';
import type {SandboxChain, SandboxState} from '../../demo/wallets/sandbox.js';
import {rpc} from '../sandbox/client.js';

export interface Account {
  readonly asset: string;
  readonly genesis: bigint;
  /** What was created since: by a token's minter, or as a block reward. */
  readonly made: bigint;
  readonly burnt: bigint;
  readonly fees: bigint;
  readonly total: bigint;
}

/** The totals of a chain's assets in all accounts, and the fees since genesis. */
type Reading = Readonly<Record<string, Pick<Account, 'total' | 'fees' | 'burnt'> & {readonly rewards?: bigint}>>;

export interface Ledger {
  made(asset: string, amount: bigint): void;
  /** Reads all accounts. `people`: the addresses that received anything on Solana, which cannot list accounts. */
  settle(people: Iterable<string>): Promise<Account[]>;
}

/** Opens the books of a sandbox whose chains have just started. */
export async function openLedger({chains}: Pick<SandboxState, 'chains'>): Promise<Ledger> {
  const readAll = async (people: Iterable<string>): Promise<Reading> => {
    const readings = Object.entries(chains).map(([name, chain]) =>
      patiently(() => readChain(name, chain, [...people])),
    );
    return Object.assign({}, ...(await Promise.all(readings))) as Reading;
  };
  const genesis = await readAll([]);
  const made = new Map<string, bigint>();

  return {
    made: (asset, amount) => void made.set(asset, (made.get(asset) ?? 0n) + amount),
    async settle(people) {
      return Object.entries(await readAll(people)).map(([asset, {total, fees, burnt, rewards = 0n}]) => {
        const before = genesis[asset];
        if (!before) throw new Error(`${asset} was not there at genesis`);
        return {
          asset,
          genesis: before.total,
          made: (made.get(asset) ?? 0n) + rewards - (before.rewards ?? 0n),
          burnt: burnt - before.burnt,
          fees: fees - before.fees,
          total,
        };
      });
    },
  };
}

/** How much more, or less, the accounts hold than they should. */
export function differenceOf({genesis, made, burnt, total}: Account): bigint {
  return total - (genesis + made - burnt);
}

/** Reads again if a connection broke: a node closes idle ones. */
async function patiently<T>(read: () => Promise<T>, tries = 5): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (tries <= 1 || !(error instanceof TypeError)) throw error;
    return patiently(read, tries - 1);
  }
}

function readChain(name: string, chain: SandboxChain, people: readonly string[]): Promise<Reading> {
  switch (chain.family) {
    case 'evm':
      return readEvm(name, chain);
    case 'bitcoin':
      return readBitcoin(name, chain.rpc);
    case 'solana':
      return readSolana(name, chain.rpc, people);
    case 'starknet':
      return readStarknet(chain);
  }
}

const NO_FEES = {fees: 0n, burnt: 0n};
const sum = (amounts: Iterable<bigint>) => [...amounts].reduce((total, amount) => total + amount, 0n);

interface EvmBlock {
  readonly baseFeePerGas: string;
  readonly gasUsed: string;
  readonly hash: string;
}
interface EvmReceipt {
  readonly gasUsed: string;
  readonly effectiveGasPrice: string;
}
const TRANSFER = id('Transfer(address,address,uint256)');

/** Native coins from the node's whole state, tokens from all accounts that ever received any. */
async function readEvm(name: string, {rpc: url, assets}: SandboxChain): Promise<Reading> {
  const dump = await rpc<string>(url, 'anvil_dumpState');
  const {accounts} = JSON.parse(gunzipSync(Buffer.from(dump.slice(2), 'hex')).toString()) as {
    accounts: Record<string, {balance: string}>;
  };
  const height = Number(await rpc<string>(url, 'eth_blockNumber'));
  let [burnt, fees] = [0n, 0n];
  for (let from = 0; from <= height; from += BATCH) {
    const numbers = Array.from({length: Math.min(BATCH, height - from + 1)}, (_, at) => hex(from + at));
    const blocks = await many<EvmBlock>(
      url,
      'eth_getBlockByNumber',
      numbers.map(number => [number, false]),
    );
    const used = numbers.filter((_, at) => BigInt(blocks[at]?.gasUsed ?? 0) > 0n);
    burnt += sum(blocks.map(({baseFeePerGas, gasUsed}) => BigInt(baseFeePerGas) * BigInt(gasUsed)));
    const receipts = (
      await many<EvmReceipt[]>(
        url,
        'eth_getBlockReceipts',
        used.map(number => [number]),
      )
    ).flat();
    fees += sum(receipts.map(({gasUsed, effectiveGasPrice}) => BigInt(gasUsed) * BigInt(effectiveGasPrice)));
  }
  const reading: Record<string, Reading[string]> = {
    [`${name}:eth`]: {total: sum(Object.values(accounts).map(({balance}) => BigInt(balance))), fees, burnt},
  };
  for (const [asset, {token}] of Object.entries(assets)) {
    if (token === undefined) continue;
    const filter = {fromBlock: '0x0', toBlock: 'latest', address: token, topics: [TRANSFER]};
    const logs = await rpc<{topics: string[]}[]>(url, 'eth_getLogs', filter);
    const holders = [...new Set(logs.flatMap(({topics}) => topics.slice(1, 3)))];
    // balanceOf(address)
    const calls = holders.map(holder => [{to: token, data: `0x70a08231${holder.slice(2)}`}, 'latest']);
    const total = sum((await many<string>(url, 'eth_call', calls)).map(BigInt));
    reading[asset] = {...NO_FEES, total};
  }
  return reading;
}

const BATCH = 200;
const hex = (value: number) => `0x${value.toString(16)}`;

/** Sends the same request for many parameters to a node at once. */
async function many<T>(url: string, method: string, questions: readonly (readonly unknown[])[]): Promise<T[]> {
  const answers: T[] = [];
  for (let at = 0; at < questions.length; at += BATCH) {
    answers.push(...(await Promise.all(questions.slice(at, at + BATCH).map(params => rpc<T>(url, method, ...params)))));
  }
  return answers;
}

interface BitcoinTransaction {
  readonly txid: string;
  readonly fee: number;
  readonly vin: readonly {readonly txid: string; readonly vout: number; readonly is_coinbase: boolean}[];
  readonly vout: readonly {readonly value: number}[];
}

/** All unspent outputs of all blocks. The block reward is halved every 150 blocks. */
async function readBitcoin(name: string, url: string): Promise<Reading> {
  const get = async (path: string) => (await fetch(url + path)).text();
  const height = Number(await get('/blocks/tip/height'));
  const unspent = new Map<string, bigint>();
  let [fees, rewards] = [0n, 0n];
  for (let at = 0; at <= height; at++) {
    const hash = await get(`/block-height/${String(at)}`);
    // The coins of the genesis block can never be spent, and no node counts them.
    if (at > 0) rewards += (50n * 100_000_000n) >> BigInt(Math.floor(at / 150));
    for (let start = 0; ; start += BLOCK_PAGE) {
      const page = JSON.parse(await get(`/block/${hash}/txs/${String(start)}`)) as BitcoinTransaction[];
      for (const {txid, fee, vin, vout} of at > 0 ? page : []) {
        for (const input of vin) if (!input.is_coinbase) unspent.delete(`${input.txid}:${String(input.vout)}`);
        vout.forEach(({value}, place) => unspent.set(`${txid}:${String(place)}`, BigInt(value)));
        fees += BigInt(fee);
      }
      if (page.length < BLOCK_PAGE) break;
    }
  }
  // Fees are part of the miner's reward.
  return {[`${name}:btc`]: {total: sum(unspent.values()), fees, burnt: 0n, rewards}};
}

/** How many transactions of a block an Esplora API returns at once. */
const BLOCK_PAGE = 25;

const ROLES = ['service', 'faucet', 'solver 1', 'solver 2'].map(role => signerFor(role).address as string);

async function readSolana(name: string, url: string, people: readonly string[]): Promise<Reading> {
  const at = {commitment: 'processed'};
  const accounts = [...new Set([...ROLES, ...people])];
  const signatures = new Set<string>();
  const add = async (account: string) => {
    for (let before: string | undefined; ;) {
      const page: {signature: string}[] = await rpc(url, 'getSignaturesForAddress', account, {
        commitment: 'confirmed',
        limit: SIGNATURES,
        ...(before === undefined ? {} : {before}),
      });
      for (const {signature} of page) signatures.add(signature);
      before = page.at(-1)?.signature;
      if (page.length < SIGNATURES) return;
    }
  };
  for (const account of accounts) await add(account);
  const [balances, held, sent] = await Promise.all([
    Promise.all(accounts.map(account => readLamports(url, account))),
    rpc<{account: {lamports: number}}[]>(url, 'getProgramAccounts', PROGRAM, {...at, encoding: 'base64'}),
    many<{meta: {fee: number}} | null>(
      url,
      'getTransaction',
      [...signatures].map(signature => [signature, TRANSACTION]),
    ),
  ]);
  const fees = sum(sent.map(transaction => BigInt(transaction?.meta.fee ?? 0)));
  const total = sum([...balances, ...held.map(({account}) => BigInt(account.lamports))]);
  return {[`${name}:sol`]: {total, fees, burnt: fees}};
}

/** A balance may be too large for a JavaScript number. */
async function readLamports(url: string, account: string): Promise<bigint> {
  const body = {jsonrpc: '2.0', id: 1, method: 'getBalance', params: [account, {commitment: 'processed'}]};
  const headers = {'content-type': 'application/json'};
  const text = await (await fetch(url, {method: 'POST', headers, body: JSON.stringify(body)})).text();
  return BigInt(/"value":(\d+)/.exec(text)?.[1] ?? 0);
}

const SIGNATURES = 1_000;
const TRANSACTION = {commitment: 'confirmed', encoding: 'base64', maxSupportedTransactionVersion: 0};

interface StarknetEvents {
  readonly events: readonly {readonly keys: readonly string[]}[];
  readonly continuation_token?: string;
}

async function readStarknet({rpc: url, assets}: SandboxChain): Promise<Reading> {
  const reading: Record<string, Reading[string]> = {};
  for (const [asset, {token}] of Object.entries(assets)) {
    // What is created before the first block has no event.
    const holders = new Set<string>(STARKNET_ROLES);
    for (let more: string | undefined; ;) {
      const filter = {
        address: token,
        keys: [[selector('Transfer')]],
        from_block: {block_number: 0},
        to_block: 'latest',
        chunk_size: 1_000,
        ...(more === undefined ? {} : {continuation_token: more}),
      };
      const page: StarknetEvents = await rpc(url, 'starknet_getEvents', filter);
      for (const {keys} of page.events) for (const holder of keys.slice(1, 3)) holders.add(addressText(BigInt(holder)));
      more = page.continuation_token;
      if (more === undefined) break;
    }
    const calls = [...holders].map(holder => [
      {contract_address: token, entry_point_selector: selector('balanceOf'), calldata: [holder]},
      'latest',
    ]);
    const balances = await many<string[]>(url, 'starknet_call', calls);
    const total = sum(balances.map(([low = '0x0', high = '0x0']) => BigInt(low) + (BigInt(high) << 128n)));
    reading[asset] = {...NO_FEES, total};
  }
  return reading;
}

const STARKNET_ROLES = ['maker', 'service', 'solver 1', 'solver 2'].map(role => {
  const key = BigInt(getStarkKey(grindKey(keyOf(role).slice(2))));
  return addressText(contractAddress(0n, account.hash, [key]));
});

/** The selector of a name on Starknet: the low 250 bits of its Keccak hash. */
const selector = (name: string) => `0x${(BigInt(id(name)) & ((1n << 250n) - 1n)).toString(16)}`;
