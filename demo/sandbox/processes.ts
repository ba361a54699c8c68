/** Processes that end with this one, however it ends. */
import {spawn, type ChildProcess} from 'node:child_process';
import {fileURLToPath} from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const WATCHDOG = fileURLToPath(new URL('./chains/watchdog.sh', import.meta.url));

let watchdog: ChildProcess | undefined;

/** Registers a process with the watchdog, which ends it if this process is killed. */
export function watch(child: ChildProcess): void {
  if (!watchdog) {
    watchdog = spawn('/bin/sh', [WATCHDOG], {stdio: ['pipe', 'ignore', 'ignore'], detached: true, env: {}});
    watchdog.unref();
    (watchdog.stdin as unknown as {unref(): void}).unref();
  }
  const pipe = watchdog.stdin;
  pipe?.write(`+${child.pid}\n`);
  child.once('exit', () => pipe?.write(`-${child.pid}\n`));
}

/** Runs a Node program. Only its error output is shown. */
export function runNode(program: readonly string[]): {readonly exit: Promise<number | null>; stop(): void} {
  const child = spawn(process.execPath, program, {cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit']});
  watch(child);
  return {exit: new Promise(resolve => child.once('exit', resolve)), stop: () => void child.kill()};
}
