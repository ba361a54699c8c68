/** Runs `npm start` for tests in Node: the playground, the service, and a partner's page. */
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {createInterface} from 'node:readline';

export interface RunningDemo {
  /** The playground; service and controls have the same origin. */
  readonly page: string;
  /** A partner's page on another origin, under a strict policy, with the built widget. */
  readonly partner: string;
  /** The id of the process, which has child processes. */
  readonly pid: number;
  close(): Promise<void>;
}

/** Starts it on free ports from this one on; resolves once it has printed its URLs. */
export async function startDemo(
  port: number,
  [program = '', ...args]: readonly string[] = [process.execPath, 'demo/start.js'],
): Promise<RunningDemo> {
  const demo = spawn(program, args, {
    env: {...process.env, PORT: String(port)},
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(demo, 'exit');
  // Ends it even if a test fails before it could.
  const kill = () => void demo.kill();
  process.once('exit', kill);
  demo.once('exit', () => process.off('exit', kill));
  const addresses: string[] = [];
  for await (const line of createInterface(demo.stdout)) {
    const [address] = line.split(' ');
    if (address?.startsWith('http://')) addresses.push(address);
    if (addresses.length === 2) break;
  }
  const [page, partner] = addresses;
  if (!page || !partner) throw new Error('npm start ended before it printed its addresses.');
  // A full pipe would block the process.
  demo.stdout.resume();
  return {
    page,
    partner,
    pid: demo.pid!,
    async close() {
      demo.kill();
      await ended;
    },
  };
}
