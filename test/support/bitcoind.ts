/**
 * Compares the sandbox's Bitcoin chain with a real node: submits every block, and tests every spend of
 * `bitcoin-spends.ts`. The results are stored in `bitcoin-node-results.json`, which the tests read.
 *
 * `BITCOIND=/path/to/bitcoind node --import tsx test/support/bitcoind.ts` updates the results; with `--check` nothing is
 * written, and it fails if the node's results differ. The node gets an empty data directory and no network.
 */
import {spawn} from 'node:child_process';
import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {sha256} from '@noble/hashes/sha2.js';
import {utf8ToBytes} from '@noble/hashes/utils.js';
import {hex} from '@scure/base';
import {format, resolveConfig} from 'prettier';
import type {BitcoinChain} from '../../demo/sandbox/chains/bitcoin/chain.js';
import {readTransaction} from '../../demo/sandbox/chains/bitcoin/transaction.js';
import {createSpendingChain, createSpends} from './bitcoin-spends.js';

export interface NodeResults {
  /** The node's version and settings. */
  readonly node: string;
  readonly seed: number;
  readonly count: number;
  /** The hash of all transactions in hex, one per line, to check that they are the same. */
  readonly sha256: string;
  /** How many of them `npm test` spends, and the hash of these. */
  readonly first: {readonly count: number; readonly sha256: string};
  readonly reasons: readonly string[];
  /** A character per spend: `.` if accepted, otherwise the index of its reason, from `a`. */
  readonly results: string;
}

export const RESULTS = new URL('bitcoin-node-results.json', import.meta.url);
export const ACCEPTED = '.';
const SEED = 20_250_101;
const COUNT = 3_000;
const FIRST = 300;
const PORT = 28_443;
/** Bitcoin Core's default mempool rules, with the sandbox's fee rates. */
const SETTINGS = ['-corepolicy=1', '-minrelaytxfee=0.00001', '-incrementalrelayfee=0.00001', '-mempoolfullrbf=0'];

export const digestOf = (spends: readonly {hex: string}[]) =>
  hex.encode(sha256(utf8ToBytes(spends.map(spend => spend.hex).join('\n'))));

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();

async function main(): Promise<void> {
  const program = process.env['BITCOIND'];
  if (!program) throw new Error('BITCOIND is not set');
  const folder = await mkdtemp(join(tmpdir(), 'bitcoind-'));
  const network = ['-regtest', `-datadir=${folder}`, '-server', '-listen=0', '-connect=0', '-dnsseed=0'];
  const access = ['-rpcuser=sandbox', '-rpcpassword=sandbox', `-rpcport=${PORT}`];
  const child = spawn(program, [...network, ...access, ...SETTINGS, '-printtoconsole=0'], {stdio: 'ignore'});
  const ended = new Promise(resolve => child.once('exit', resolve));
  try {
    const {subversion} = await ready();
    const {chain, places} = await createSpendingChain();
    await follow(chain, 1);

    const spends = createSpends(places, SEED, COUNT);
    const reasons: string[] = [];
    let results = '';
    for (const spend of spends) {
      const reason = await ask(spend.hex);
      if (reason !== undefined && !reasons.includes(reason)) reasons.push(reason);
      results += reason === undefined ? ACCEPTED : String.fromCharCode(97 + reasons.indexOf(reason));
    }
    // Spends every coin in a way that the node accepted, then a reorganization, then a halving.
    for (const [place, {hex}] of spends.entries()) {
      if (results[place] === ACCEPTED && !isSpent(chain, hex)) chain.submit(hex);
    }
    const [{height} = chain.tip()] = chain.mine();
    if (!places.every(({coin}) => chain.spenderOf(coin))) throw new Error('a coin was not spent');
    await follow(chain, height);
    chain.disconnect(1);
    chain.mine(2, {empty: true});
    chain.mine(20);
    await follow(chain, height);

    const node = `${subversion} ${SETTINGS.join(' ')}`;
    const first = {count: FIRST, sha256: digestOf(spends.slice(0, FIRST))};
    const found: NodeResults = {node, seed: SEED, count: COUNT, sha256: digestOf(spends), first, reasons, results};
    const accepted = results.split(ACCEPTED).length - 1;
    console.log(`${String(COUNT)} spends asked about, ${String(accepted)} accepted, ${String(reasons.length)} reasons`);
    if (process.argv.includes('--check')) {
      const stored = JSON.parse(await readFile(RESULTS, 'utf8')) as NodeResults;
      if (stored.sha256 !== found.sha256 || stored.results !== results) throw new Error('the stored results differ');
      console.log('the stored results are these');
    } else {
      const options = await resolveConfig(fileURLToPath(RESULTS));
      await writeFile(RESULTS, await format(JSON.stringify(found), {...options, parser: 'json'}));
    }
  } finally {
    child.kill();
    await ended;
    await rm(folder, {recursive: true});
  }
}

/** Submits the blocks from this height on; the node has to reach the same tip. */
async function follow(chain: BitcoinChain, height: number): Promise<void> {
  const {height: last, hash} = chain.tip();
  for (let next = height; next <= last; next++) {
    const refused = await call('submitblock', hex.encode(chain.blockAt(next)?.raw ?? new Uint8Array()));
    // A branch is only validated once it is the longest one.
    if (refused !== null && refused !== 'inconclusive') throw new Error(`block ${String(next)}: ${String(refused)}`);
  }
  const best = await call('getbestblockhash');
  if (best !== hash) throw new Error(`the node's tip is ${String(best)}`);
  console.log(`blocks ${String(height)} to ${String(last)}: the node stands where the chain does`);
}

function isSpent(chain: BitcoinChain, transaction: string): boolean {
  return readTransaction(transaction).inputs.some(input => chain.spenderOf(input) !== undefined);
}

async function ready(): Promise<{subversion: string}> {
  for (let attempt = 0; ; attempt++) {
    try {
      return (await call('getnetworkinfo')) as {subversion: string};
    } catch (error) {
      if (attempt === 100) throw error;
      await new Promise(resolve => setTimeout(resolve, 100));
    }
  }
}

async function ask(transaction: string): Promise<string | undefined> {
  try {
    const [answer] = (await call('testmempoolaccept', [transaction])) as {allowed: boolean; 'reject-reason': string}[];
    return answer?.allowed ? undefined : (answer?.['reject-reason'] ?? 'none');
  } catch (error) {
    if (error instanceof NodeError) return error.message;
    throw error;
  }
}

class NodeError extends Error {}

async function call(method: string, ...params: unknown[]): Promise<unknown> {
  const ask = () =>
    fetch(`http://127.0.0.1:${PORT}`, {
      method: 'POST',
      headers: {authorization: `Basic ${btoa('sandbox:sandbox')}`},
      body: JSON.stringify({id: 1, method, params}),
    });
  // The node may close a keep-alive connection just when it is reused.
  const response = await ask().catch(ask);
  const {result, error} = (await response.json()) as {result: unknown; error: {message: string} | null};
  if (error) throw new NodeError(error.message);
  return result;
}
