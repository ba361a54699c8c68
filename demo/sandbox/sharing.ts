/**
 * What a shared sandbox serves in addition: a health check, and its chains' nodes under its own address. Nodes listen
 * on loopback only, since anybody who reaches Anvil itself can set balances and clocks.
 */
import {Hono} from 'hono';
import {cors} from 'hono/cors';
import {RequestError, type ChainLeg} from './chains/leg.js';
import {answerError, limitedBody, type Env} from './service.js';

/**
 * The methods of an EVM node that wallets and pages use (Ethereum's execution API). Everything else stays closed: a node
 * of a sandbox signs for its own keys, sends for any account, and turns clocks, by names that each version adds to.
 */
const EVM_METHODS: ReadonlySet<unknown> = new Set([
  ...['web3_clientVersion', 'net_version', 'net_listening'],
  ...['eth_chainId', 'eth_syncing', 'eth_blockNumber', 'eth_gasPrice', 'eth_maxPriorityFeePerGas', 'eth_feeHistory'],
  ...['eth_blobBaseFee', 'eth_call', 'eth_estimateGas', 'eth_createAccessList', 'eth_simulateV1'],
  ...['eth_getBalance', 'eth_getCode', 'eth_getStorageAt', 'eth_getTransactionCount', 'eth_getProof'],
  ...['eth_getBlockByNumber', 'eth_getBlockByHash', 'eth_getBlockReceipts', 'eth_getHeaderByNumber'],
  ...['eth_getBlockTransactionCountByNumber', 'eth_getBlockTransactionCountByHash', 'eth_getHeaderByHash'],
  ...['eth_getTransactionByHash', 'eth_getRawTransactionByHash', 'eth_getTransactionReceipt'],
  ...['eth_getTransactionByBlockNumberAndIndex', 'eth_getTransactionByBlockHashAndIndex'],
  ...['eth_getLogs', 'eth_newFilter', 'eth_newBlockFilter', 'eth_newPendingTransactionFilter'],
  ...['eth_getFilterChanges', 'eth_getFilterLogs', 'eth_uninstallFilter'],
  ...['eth_sendRawTransaction', 'eth_sendRawTransactionSync'],
]);

/** Serves `/healthz`, and, if it is shared, `/rpc/<chain>`. */
export function createSharing(chains: readonly ChainLeg[], isShared: boolean): Hono<Env> {
  const app = new Hono<Env>();
  app.onError(answerError);

  app.get('/healthz', async context => {
    const synced = await Promise.allSettled(chains.map(chain => chain.sync()));
    const down = chains.filter((_, place) => synced[place]?.status === 'rejected').map(({name}) => name);
    return context.json({status: down.length ? 'Error' : 'Ok', down}, down.length ? 503 : 200);
  });
  if (!isShared) return app;

  app.use('/rpc/*', cors({origin: '*', maxAge: 600}), limitedBody);
  app.all('/rpc/:chain/*', async context => {
    const chain = chains.find(({name}) => name === context.req.param('chain'));
    if (!chain) throw new RequestError('chain: not found', 404);
    const {method, path, url} = context.req;
    const body = chain.family === 'evm' ? allowedCalls(context.var.body) : context.var.body;
    const rest = path.split('/').slice(3).join('/');
    const answer = await fetch(`${String(chain.facts['rpc'])}${rest && `/${rest}`}${new URL(url).search}`, {
      method,
      ...(body && {body, headers: {'content-type': context.req.header('content-type') ?? 'text/plain'}}),
    });
    return new Response(await answer.arrayBuffer(), {
      status: answer.status,
      headers: {'content-type': answer.headers.get('content-type') ?? 'application/json'},
    });
  });
  return app;
}

/** The JSON of a request, written again, so that the node reads what was checked. @throws RequestError */
function allowedCalls(body: string): string {
  let calls: unknown;
  try {
    calls = JSON.parse(body);
  } catch {
    throw new RequestError('body: must be JSON');
  }
  for (const call of [calls].flat()) {
    const method = (call as {method?: unknown} | null)?.method;
    if (!EVM_METHODS.has(method)) throw new RequestError(`method: ${String(method)} is not for others`, 403);
  }
  return JSON.stringify(calls);
}
