/** Runs the sandbox's programs for tests in Node: `npm start`, or another one. */
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {createInterface} from 'node:readline';

export interface RunningDemo {
  /** The playground; service and controls have the same origin. */
  readonly page: string;
  /** A partner's page on another origin, under a strict policy, with the built widget. */
  readonly partner: string;
  /** What it printed when it was up. */
  readonly lines: readonly string[];
  /** Its error output so far. */
  readonly errors: readonly string[];
  /** The id of the process, which has child processes. */
  readonly pid: number;
  close(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts it on free ports from this one on; resolves once it has printed its URLs. */
export async function startDemo(
  port: number,
  [program = '', ...args]: readonly string[] = [process.execPath, 'demo/start.js'],
  cwd = '.',
): Promise<RunningDemo> {
  const demo = spawn(program, args, {
    cwd,
    env: {...process.env, PORT: String(port)},
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(demo, 'exit');
  // Ends it even if a test fails before it could.
  const kill = () => void demo.kill();
  process.once('exit', kill);
  demo.once('exit', () => process.off('exit', kill));
  const errors: string[] = [];
  demo.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors.push(text);
    process.stderr.write(text);
  });
  const lines: string[] = [];
  for await (const line of createInterface(demo.stdout)) {
    lines.push(line);
    if (line.includes('Ctrl-C')) break;
  }
  if (!lines.at(-1)?.includes('Ctrl-C')) throw new Error('It ended before it had printed its addresses.');
  // A full pipe would block the process.
  demo.stdout.resume();
  const [page = '', partner = ''] = lines.map(line => line.split(' ')[0] ?? '').filter(text => text.startsWith('http'));
  return {
    page,
    partner,
    lines,
    errors,
    pid: demo.pid!,
    async close(signal) {
      demo.kill(signal);
      await ended;
    },
  };
}
