/**
 * The chain's Esplora API over HTTP, with Esplora's paths, fields and error texts.
 */
import {hex} from '@scure/base';
import {Hono, type Context} from 'hono';
import {bodyLimit} from 'hono/body-limit';
import {cors} from 'hono/cors';
import type {ContentfulStatusCode} from 'hono/utils/http-status';
import {serveApp, type RunningServer} from '../../http.js';
import {
  BitcoinReject,
  type BitcoinChain,
  type Block,
  type BlockRef,
  type ChainTransaction,
  type TxOutput,
} from './chain.js';
import {kindOf, type ScriptKind} from './transaction.js';

/** The length in hex of the largest standard transaction. */
const MAX_BODY = 2 * 400_000;
/** The difficulty of every block: the mainnet's highest target relative to this chain's. */
const DIFFICULTY = 0xffff / 0x7fffff / 2 ** 24;
const PAGE = 25;
const BLOCKS = 10;

/** Fee rates in satoshi per virtual byte, by target number of blocks. Blocks here are never full. */
const FEE_ESTIMATES = {1: 2, 2: 2, 3: 2, 6: 1.5, 10: 1.5, 25: 1, 144: 1, 504: 1, 1008: 1};

const TYPES: Readonly<Partial<Record<ScriptKind, string>>> = {
  pk: 'p2pk',
  pkh: 'p2pkh',
  sh: 'p2sh',
  ms: 'multisig',
  data: 'op_return',
  wpkh: 'v0_p2wpkh',
  wsh: 'v0_p2wsh',
  tr: 'v1_p2tr',
};

/** The connection cannot be reused if the body was not read to its end. */
const tooLong = (context: Context) => context.text('length limit exceeded', 413, {connection: 'close'});

class Failure extends Error {
  constructor(
    readonly status: ContentfulStatusCode,
    text: string,
  ) {
    super(text);
    this.name = 'Failure';
  }
}

function createEsplora(chain: BitcoinChain): Hono {
  const view = new View(chain);
  const app = new Hono();
  app.use(
    cors({origin: '*', allowMethods: ['GET', 'POST', 'OPTIONS'], exposeHeaders: ['x-total-results'], maxAge: 600}),
  );
  app.onError((error, context) => {
    if (!(error instanceof Failure)) throw error;
    return context.text(error.message, error.status);
  });
  app.notFound(context => context.text('endpoint does not exist', 404));

  routeTransactions(app, view);
  routeAddresses(app, view);
  routeBlocks(app, view);
  app.get('/mempool/txids', context => context.json(chain.mempool()));
  app.get('/fee-estimates', context => context.json(FEE_ESTIMATES));
  return app;
}

function routeTransactions(app: Hono, view: View): void {
  const {chain} = view;
  app.post('/tx', bodyLimit({maxSize: MAX_BODY, onError: tooLong}), async context => {
    const body = (await context.req.text()).trim();
    try {
      return context.text(chain.submit(body));
    } catch (error) {
      if (!(error instanceof BitcoinReject)) throw error;
      const {code, message} = error;
      throw new Failure(400, `sendrawtransaction RPC error: ${JSON.stringify({code, message})}`);
    }
  });

  app.get('/tx/:txid', context => context.json(view.json(view.find(context))));
}

function routeAddresses(app: Hono, view: View): void {
  const {chain} = view;
  app.get('/address/:address', context => {
    const {address, script} = view.readAddress(context);
    const all = chain.transactionsOf(script);
    return context.json({
      address,
      chain_stats: sumOf(confirmed(all), script),
      mempool_stats: sumOf(waiting(all), script),
    });
  });
  app.get('/address/:address/utxo', context => {
    const {script} = view.readAddress(context);
    return context.json(
      chain
        .utxosOf(script)
        .map(({txid, vout, amount, block}) => ({txid, vout, status: statusOf(block), value: Number(amount)})),
    );
  });
  app.get('/address/:address/txs', context => {
    const all = chain.transactionsOf(view.readAddress(context).script);
    return context.json([...waiting(all), ...confirmed(all).slice(0, PAGE)].map(tx => view.json(tx)));
  });
}

function routeBlocks(app: Hono, view: View): void {
  const {chain} = view;
  app.get('/blocks/tip/height', context => context.text(String(chain.tip().height)));
  app.get('/blocks', context => {
    const {height} = chain.tip();
    const newest = Array.from({length: Math.min(height + 1, BLOCKS)}, (_, at) => chain.blockAt(height - at));
    return context.json(newest.flatMap(block => (block ? blockView(block) : [])));
  });
  app.get('/block-height/:height', context => {
    const block = chain.blockAt(readNumber(context.req.param('height')));
    if (!block) throw new Failure(404, 'Block not found');
    return context.text(block.hash);
  });
  app.get('/block/:hash/txs/:start', context => {
    const {txids} = view.findBlock(context);
    const start = readNumber(context.req.param('start'));
    if (start >= txids.length) throw new Failure(404, 'start index out of range');
    if (start % PAGE !== 0) throw new Failure(400, `start index must be a multipication of ${PAGE}`);
    const those = txids.slice(start, start + PAGE).map(txid => chain.transaction(txid));
    return context.json(those.filter(tx => tx !== undefined).map(tx => view.json(tx)));
  });
}

class View {
  constructor(readonly chain: BitcoinChain) {}

  find(context: Context): ChainTransaction {
    const found = this.chain.transaction(readId(context.req.param('txid')));
    if (!found) throw new Failure(404, 'Transaction not found');
    return found;
  }

  findBlock(context: Context): Block {
    const found = this.chain.blockOf(readId(context.req.param('hash')));
    if (!found) throw new Failure(404, 'Block not found');
    return found;
  }

  readAddress(context: Context): {address: string; script: Uint8Array} {
    const address = context.req.param('address') ?? '';
    const script = this.chain.scriptOf(address);
    if (!script) throw new Failure(400, 'Invalid Bitcoin address');
    return {address, script};
  }

  json({txid, version, lockTime, inputs, outputs, size, weight, fee, coinbase, block}: ChainTransaction) {
    return {
      txid,
      version,
      locktime: lockTime,
      vin: inputs.map(({txid, vout, prevout, scriptSig, witness, sequence}) => ({
        txid,
        vout,
        prevout: prevout ? this.#output(prevout) : null,
        scriptsig: hex.encode(scriptSig),
        ...(witness.length ? {witness: witness.map(item => hex.encode(item))} : {}),
        is_coinbase: coinbase,
        sequence,
      })),
      vout: outputs.map(output => this.#output(output)),
      size,
      weight,
      fee: Number(fee),
      status: statusOf(block),
    };
  }

  #output({amount, script}: TxOutput) {
    const address = this.chain.addressOf(script);
    return {
      scriptpubkey: hex.encode(script),
      scriptpubkey_type: TYPES[kindOf(script)] ?? 'unknown',
      ...(address === undefined ? {} : {scriptpubkey_address: address}),
      value: Number(amount),
    };
  }
}

/** Serves the chain on this port, or on a free one if it is taken or 0. */
export function serveEsplora(chain: BitcoinChain, port: number): Promise<RunningServer> {
  return serveApp(createEsplora(chain), port);
}

const waiting = (all: readonly ChainTransaction[]) => all.filter(({block}) => !block);
const confirmed = (all: readonly ChainTransaction[]) => all.filter(({block}) => block);

function statusOf(block: BlockRef | undefined) {
  return block
    ? {confirmed: true, block_height: block.height, block_hash: block.hash, block_time: block.time}
    : {confirmed: false};
}

function blockView({
  hash,
  height,
  version,
  time,
  txids,
  raw,
  weight,
  merkleRoot,
  previous,
  medianTime,
  nonce,
  bits,
}: Block) {
  return {
    id: hash,
    height,
    version,
    timestamp: time,
    tx_count: txids.length,
    size: raw.length,
    weight,
    merkle_root: merkleRoot,
    previousblockhash: previous ?? null,
    mediantime: medianTime,
    nonce,
    bits,
    difficulty: DIFFICULTY,
  };
}

/** The totals that these transactions paid to a script and spent from it. */
function sumOf(transactions: readonly ChainTransaction[], script: Uint8Array) {
  const wanted = hex.encode(script);
  const isOurs = (output: TxOutput | undefined): output is TxOutput =>
    output !== undefined && hex.encode(output.script) === wanted;
  const funded = transactions.flatMap(({outputs}) => outputs).filter(isOurs);
  const spent = transactions.flatMap(({inputs}) => inputs.map(({prevout}) => prevout)).filter(isOurs);
  const sum = (outputs: readonly TxOutput[]) => Number(outputs.reduce((total, {amount}) => total + amount, 0n));
  return {
    funded_txo_count: funded.length,
    funded_txo_sum: sum(funded),
    spent_txo_count: spent.length,
    spent_txo_sum: sum(spent),
    tx_count: transactions.length,
  };
}

function readId(text: string | undefined): string {
  if (text === undefined || !/^[0-9a-f]{64}$/i.test(text)) throw new Failure(400, 'Invalid hex string');
  return text.toLowerCase();
}

function readNumber(text: string | undefined): number {
  if (text === undefined || !/^\d{1,9}$/.test(text)) throw new Failure(400, 'Invalid number');
  return Number(text);
}
