/** Servers, on loopback addresses unless they are shared, and their error responses. */
import {createServer, type RequestListener, type Server} from 'node:http';
import {getRequestListener} from '@hono/node-server';
import type {Context, Hono} from 'hono';

export const HOST = '127.0.0.1';

export interface RunningServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves on this port, or on a free one if it is taken or 0. */
export async function serve(listener: RequestListener, port: number): Promise<RunningServer> {
  const server = createServer(listener);
  const found = await listen(server, port).catch((error: unknown) => {
    if (!isTaken(error)) throw error;
    return listen(server, 0);
  });
  return {url: `http://${HOST}:${found}`, close: () => closeServer(server)};
}

/** Serves an app like that. It leaves the global Response alone, since the service and the tests run in this process too. */
export function serveApp({fetch}: Hono, port: number): Promise<RunningServer> {
  const listener = getRequestListener(fetch, {overrideGlobalObjects: false});
  return serve((request, response) => void listener(request, response), port);
}

/** Listens on this port, or on a free one if it is 0; returns the port. Rejects if it is taken. */
export function listen(server: Server, port: number, host: string = HOST): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address();
      if (address === null || typeof address === 'string') reject(new Error('the server has no port'));
      else resolve(address.port);
    });
  });
}

export function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}

/** Closes the server and its connections: open keep-alive connections would delay it. */
export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise(resolve => server.close(resolve));
  server.closeAllConnections();
  await closed;
}

/** An error in the API's format. */
export function failed(context: Context, error: string, status: number): Response {
  return context.json({status: 'Error', error}, status as 400);
}

export function answerNotFound(context: Context): Response {
  return failed(context, `${context.req.method} ${context.req.path}: no such endpoint`, 404);
}
