/**
 * What the sandbox's programs share, `npm start` and the package `swap-widget-sandbox`: one process tree that ends
 * whole, on adjacent free ports from 8800 on. `PORT`, `HOST`, `TOKEN` and `SEED` are read from the environment.
 */
import {randomBytes} from 'node:crypto';
import {createServer, type Server} from 'node:http';
import {setTimeout as pause} from 'node:timers/promises';
import {getRequestListener} from '@hono/node-server';
import type {Hono} from 'hono';
import {HOST, closeServer, isTaken, listen} from './http.js';
import type {SandboxParts} from './sandbox.js';

const FIRST_PORT = 8800;
/** A 12-second block takes half a second. */
const SPEED = 24;

export interface Program {
  readonly port: number;
  readonly origin: string;
  /** They listen on ports that follow each other. */
  readonly servers: readonly Server[];
  /** The chains and the service, which start after the servers. */
  readonly sandbox: Promise<SandboxParts>;
  /** Answers the first server's requests: those for the service and its controls once they run, all others by this. */
  serve(files: Hono): void;
  isClosing(): boolean;
  /** Calls this when it ends, the latest first. */
  onClose(close: () => unknown): void;
  /** Prints what there is and how it ends. From then on it says when a chain's node has stopped. */
  announce(text: string): Promise<void>;
}

export async function startProgram(servers: number): Promise<Program> {
  const {closers, isClosing} = endWhole();
  /** The address to listen on. Any but loopback lets others access what is open to them (`controls.ts`). */
  const host = process.env['HOST'] ?? HOST;
  const isShared = !/^(?:127\.\d+\.\d+\.\d+|localhost|::1)$/.test(host);
  const token = isShared ? process.env['TOKEN'] || randomBytes(16).toString('hex') : undefined;
  const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 32);
  if (!Number.isSafeInteger(seed)) throw new Error('SEED has to be a whole number.');
  const given = process.env['PORT'];
  const listening = await listenOn(servers, given === undefined ? FIRST_PORT : Number(given), host);
  const {port} = listening;
  closers.push(() => Promise.all(listening.servers.map(closeServer)));

  /** Requests are answered before the code of the chains is loaded. */
  const sandbox = import('./sandbox.js').then(async ({startSandboxParts}) => {
    const parts = await startSandboxParts({speed: SPEED, seed, chainPort: port + 10, token});
    closers.push(() => parts.close());
    return parts;
  });
  return {
    ...listening,
    origin: `http://${HOST}:${port}`,
    sandbox,
    serve({fetch}) {
      const files = getRequestListener(fetch, {overrideGlobalObjects: false});
      listening.servers[0]?.on('request', (request, response) => {
        const path = (request.url ?? '/').split('?')[0] ?? '/';
        // The service itself reports that it has no other version.
        const isService = /^\/(v\d+|sandbox|healthz|rpc)(\/|$)/.test(path);
        void (isService ? sandbox.then(({listener}) => listener(request, response)) : files(request, response));
      });
    },
    isClosing,
    onClose: close => void closers.push(close),
    async announce(text) {
      const {chains} = await sandbox;
      console.log(`${text}
prices are those of SEED=${seed}
${token === undefined ? '' : sharedText(host, token)}Press Ctrl-C to stop.`);
      for (const {name, stopped} of chains) {
        void stopped?.then(async how => {
          // Ctrl-C ends the nodes, too, perhaps a little earlier.
          await pause(200);
          if (isClosing()) return;
          console.error(`The node of ${name} has stopped (${how}), and with it all that its chain had in memory.`);
          console.error('Press Ctrl-C and start again: nothing of this run is kept.');
        });
      }
    },
  };
}

/** Ends the process, with everything that it started, on a signal, on an error, or when its parent process is gone. */
function endWhole(): {readonly closers: (() => unknown)[]; isClosing(): boolean} {
  const closers: (() => unknown)[] = [];
  let closing = false;

  async function shutDown(code: number): Promise<never> {
    if (!closing) {
      closing = true;
      // If something hangs, the watchdog ends it.
      setTimeout(() => process.exit(code), 3_000).unref();
      for (const close of closers.reverse()) await Promise.resolve(close()).catch(() => {});
    }
    process.exit(code);
  }

  process
    .on('SIGINT', () => void shutDown(0))
    .on('SIGTERM', () => void shutDown(0))
    .on('SIGHUP', () => void shutDown(0));
  const starter = process.ppid;
  setInterval(() => {
    if (process.ppid !== starter) void shutDown(0);
  }, 1_000).unref();
  process.on('uncaughtException', error => {
    if (!closing) console.error(error);
    void shutDown(1);
  });
  // The terminal may close first.
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
  return {closers, isClosing: () => closing};
}

/** What it means that other machines can reach it. */
function sharedText(host: string, token: string): string {
  return `
It listens on ${host}. Whoever reaches it can see its pages, place orders, and use the
chains' nodes under /rpc/<chain>: all of it play money, under keys that are public. The controls under
/sandbox, which mine, pay and break, want this header: Authorization: Bearer ${token}
`;
}

/** Starts servers on the first adjacent ports that are free. */
async function listenOn(count: number, first: number, host: string): Promise<{servers: Server[]; port: number}> {
  for (let port = first; port < first + 100; port++) {
    const servers: Server[] = [];
    try {
      while (servers.length < count) {
        const server = createServer();
        await listen(server, port + servers.length, host);
        servers.push(server);
      }
      return {servers, port};
    } catch (error) {
      await Promise.all(servers.map(closeServer));
      if (!isTaken(error)) throw error;
    }
  }
  throw new Error(`no ${count} free ports from ${first} on`);
}
