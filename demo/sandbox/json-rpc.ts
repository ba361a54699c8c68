/** What the nodes in this process share: JSON-RPC over HTTP with CORS, single or in batches. */
import {Hono} from 'hono';
import {bodyLimit} from 'hono/body-limit';
import {cors} from 'hono/cors';
import {serveApp, type RunningServer} from './http.js';

/** An error with the code that nodes use. */
export class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

/** The result of a method. @throws RpcError */
export type Answer = (method: string, params: unknown) => unknown;

/** Enough for any transaction or batch of a page. */
const MAX_BODY = 1 << 20;

/** Serves on this port, or on a free one if it is taken or 0. A node may speak another version under another path. */
export function serveJsonRpc(answerOf: (path: string) => Answer, port: number): Promise<RunningServer> {
  const app = new Hono();
  app.use(cors({origin: '*', allowMethods: ['POST', 'OPTIONS'], maxAge: 600}), bodyLimit({maxSize: MAX_BODY}));
  app.post('*', async context => {
    const one = (asked: unknown) => answerOne(asked, answerOf(context.req.path));
    const asked: unknown = await context.req.json().catch(() => undefined);
    const answers =
      asked === undefined
        ? failure(null, new RpcError(-32700, 'Parse error'))
        : Array.isArray(asked)
          ? asked.map(one)
          : one(asked);
    return context.body(writeJson(answers), 200, {'content-type': 'application/json'});
  });
  return serveApp(app, port);
}

function answerOne(asked: unknown, answer: Answer): object {
  const {id = null, method, params = []} = (asked ?? {}) as Readonly<Record<string, unknown>>;
  try {
    if (typeof method !== 'string') throw new RpcError(-32600, 'Invalid request');
    return {jsonrpc: '2.0', result: answer(method, params), id};
  } catch (error) {
    return failure(id, error);
  }
}

function failure(id: unknown, thrown: unknown): object {
  const {code, message, data} =
    thrown instanceof RpcError ? thrown : new RpcError(-32603, `Internal error: ${String(thrown)}`);
  return {jsonrpc: '2.0', error: {code, message, data}, id};
}

/** JSON in which 64-bit integers are exact numbers, even above 2^53. */
function writeJson(value: unknown): string {
  const marked = JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `\0${part}` : part));
  return marked.replace(/"\\u0000(\d+)"/g, '$1');
}
