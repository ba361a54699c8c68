/**
 * What a shared sandbox serves in addition: a health check, and its chains' nodes under its own address. Nodes listen
 * on loopback only, since anybody who reaches Anvil itself can set balances and clocks.
 */
import {Hono} from 'hono';
import {cors} from 'hono/cors';
import {RequestError, type ChainLeg} from './chains/leg.js';
import {answerError, limitedBody, type Env} from './service.js';

/** The methods of an EVM node that wallets and pages use. Its own keys and its tools are not exposed. */
const EVM_METHOD = /^(?:eth|net|web3)_(?!sendTransaction$|sign|accounts$)/;

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
    const {body} = context.var;
    if (chain.family === 'evm') mustBeAllowed(body);
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

function mustBeAllowed(body: string): void {
  let calls: unknown;
  try {
    calls = JSON.parse(body);
  } catch {
    throw new RequestError('body: must be JSON');
  }
  for (const call of [calls].flat()) {
    const method = (call as {method?: unknown} | null)?.method;
    if (typeof method !== 'string' || !EVM_METHOD.test(method))
      throw new RequestError(`method: ${String(method)} is not for others`, 403);
  }
}
