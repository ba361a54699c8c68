/** Servers for this machine alone: every one of the sandbox listens on loopback. */
import {createServer, type RequestListener, type Server} from 'node:http';

export const HOST = '127.0.0.1';

export interface Served {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves on this port, or on a free one where it is taken or 0. */
export async function serve(listener: RequestListener, port: number): Promise<Served> {
  const server = createServer(listener);
  const found = await listen(server, port).catch((error: unknown) => {
    if (!isTaken(error)) throw error;
    return listen(server, 0);
  });
  return {url: `http://${HOST}:${found}`, close: () => closeServer(server)};
}

/** Listens on this port, on a free one if it is 0, and answers with the port; rejects where it is taken. */
export function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, () => {
      server.off('error', reject);
      const address = server.address();
      if (address === null || typeof address === 'string') reject(new Error('the server has no port'));
      else resolve(address.port);
    });
  });
}

/** Another program has the port. */
export function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}

/** Ends the server with its connections: one that a page keeps open would keep it waiting. */
export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise(resolve => server.close(resolve));
  server.closeAllConnections();
  await closed;
}
