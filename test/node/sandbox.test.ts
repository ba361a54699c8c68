import {randomInt} from 'node:crypto';
import {equal, match, notEqual, ok} from 'node:assert/strict';
import {execFileSync, spawn, spawnSync, type ChildProcess} from 'node:child_process';
import {createServer} from 'node:net';
import {fileURLToPath} from 'node:url';
import {setTimeout as pause} from 'node:timers/promises';
import {Wallet} from 'ethers';
import {SandboxClient} from '../sandbox/client.js';
import {scaled} from '../support/limits.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const HOST = '127.0.0.1';

interface Started {
  readonly child: ChildProcess;
  readonly lines: string[];
  /** The playground's URL, from the first line. */
  readonly page: string;
  readonly partner: string;
  /** Its error output so far. */
  readonly errors: readonly string[];
  /** All descendant processes. */
  readonly below: number[];
}

const started: ChildProcess[] = [];
after(() => {
  for (const {pid = 0} of started) {
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // It has already ended.
    }
  }
});

/** Starts the sandbox; resolves once it has printed its addresses. */
async function start(command: string[], port: number): Promise<Started> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    cwd: ROOT,
    env: {...process.env, PORT: String(port)},
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group, which gets signals like the processes of a terminal.
    detached: true,
  });
  started.push(child);
  let output = '';
  const errors: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors.push(text);
    process.stderr.write(text);
  });
  await new Promise<void>((resolve, reject) => {
    child.once('exit', code => {
      reject(new Error(`ended with ${String(code)}: ${output}`));
    });
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.includes('Ctrl-C')) resolve();
    });
  });
  const lines = output.split('\n').filter(line => line !== '' && !line.startsWith('> '));
  const address = (line = '') => line.split(' ')[0] ?? '';
  return {
    child,
    lines,
    page: address(lines[0]),
    partner: address(lines[1]),
    errors,
    below: descendants(child.pid ?? 0),
  };
}

function descendants(root: number): number[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], {encoding: 'utf8'});
  const rows = table
    .trim()
    .split('\n')
    .map(line => line.trim().split(/\s+/).map(Number));
  const found = [root];
  for (const parent of found) {
    for (const [pid = 0, ppid] of rows) if (ppid === parent) found.push(pid);
  }
  return found.slice(1);
}

function isAlive(pid: number): boolean {
  // An ended process is a zombie until its parent has collected it.
  const {stdout} = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], {encoding: 'utf8'});
  return /^[^Z]/.test(stdout.trim());
}

/** A free port whose successor is free, too, outside the system's range for servers that take any port. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 16_000) * 2;
    const servers = [createServer(), createServer()];
    const areFree = await Promise.all(
      servers.map(
        (server, at) =>
          new Promise<boolean>(resolve => {
            server.once('error', () => resolve(false)).listen(port + at, HOST, () => resolve(true));
          }),
      ),
    );
    await Promise.all(servers.map(server => new Promise(resolve => server.close(resolve))));
    if (areFree.every(Boolean)) return port;
  }
}

async function expectAllGone({child, lines, below}: Started) {
  const deadline = Date.now() + scaled(5_000);
  const left = () => [child.pid ?? 0, ...below].filter(isAlive);
  while (left().length > 0 && Date.now() < deadline) await pause(50);
  equal(left().length, 0, `still running: ${left().join(', ')}`);
  for (const url of lines.map(line => line.split(' ')[0] ?? '').filter(text => text.startsWith('http'))) {
    const answers = await fetch(url).then(
      () => true,
      () => false,
    );
    equal(answers, false, `${url} still answers`);
  }
}

/** With the clock of `npm start`, 24 times as fast as real time. */
const BLOCK_SECONDS: Record<string, number> = {evm: 0.5, bitcoin: 25, solana: 0.4 / 24, starknet: 30 / 24};

const MAIN = [process.execPath, 'demo/start.js'];

describe('npm run minimal', () => {
  it('swaps on a partner’s page with a service of the specification alone', async () => {
    const run = await start(['npm', 'run', 'minimal', '--silent'], await freePort());
    const [, service = ''] = /base-url="([^"]*)"/.exec(await (await fetch(run.partner)).text()) ?? [];
    notEqual(new URL(service).origin, new URL(run.page).origin);
    ok(run.lines.some(line => line.startsWith(`${service}/v2/  the minimal service`)));
    const quote = `${service}/v2/quote?from=base_sepolia:wbtc&to=ethereum_sepolia:wbtc&from_amount=100000`;
    equal((await fetch(quote)).status, 200);
    run.child.kill('SIGTERM');
    await expectAllGone(run);
  });
});

describe('npm start', () => {
  it('serves page, service, controls, package and a partner’s page at the printed addresses', async () => {
    const run = await start(['npm', 'start', '--silent'], await freePort());
    const {page, partner, child} = run;
    match(page, /^http:\/\/127\.0\.0\.1:\d+\/$/);
    match(partner, /^http:\/\/127\.0\.0\.1:\d+\/$/);
    notEqual(page, partner);
    ok(run.below.length >= 3, 'two nodes and their watchdog');

    const answer = await fetch(page);
    equal(answer.status, 200);
    match(await answer.text(), /<swap-widget/);
    // Some wallets do not run on pages with an IP address (demo/docs/wallets.md).
    equal((await fetch(page.replace(HOST, 'localhost'))).status, 200);

    const info = (await (await fetch(new URL('sandbox', page))).json()) as {
      clock: {speed: number};
      chains: Record<string, {family: string; blockSeconds: number; height: number; rpc: string}>;
    };
    equal(info.clock.speed, 24);
    for (const {family, blockSeconds, rpc} of Object.values(info.chains)) {
      equal(blockSeconds, BLOCK_SECONDS[family], family);
      ok(
        run.lines.some(line => line.startsWith(rpc)),
        `${rpc} is not printed`,
      );
    }
    const quote = 'v2/quote?from=base_sepolia:wbtc&to=ethereum_sepolia:wbtc&from_amount=100000';
    equal((await fetch(new URL(quote, page))).status, 200);

    const script = await fetch(new URL('dist/define.js', page));
    equal(script.status, 200);
    equal(script.headers.get('access-control-allow-origin'), '*');
    match(script.headers.get('content-type') ?? '', /javascript/);

    const site = await fetch(partner);
    match(site.headers.get('content-security-policy') ?? '', /^default-src 'none'; script-src http:/);
    const html = await site.text();
    const sources = [...html.matchAll(/<script[^>]* src="([^"]*)"/g)].map(([, source = '']) => source);
    equal(sources.length, html.match(/<script/g)?.length, 'no script is inline');
    ok(sources.includes(`${page}dist/define.js`));

    child.kill('SIGTERM');
    await expectAllGone(run);
  });

  for (const signal of ['SIGINT', 'SIGKILL'] as const) {
    it(`leaves nothing running after ${signal}, and prints no errors for pending requests`, async () => {
      const run = await start(MAIN, await freePort());
      const client = new SandboxClient(new URL(run.page).origin, '');
      const {address} = Wallet.createRandom();
      const gifts = Array.from({length: 8}, async () =>
        client.control('faucet', {asset: 'base_sepolia:eth', address, amount: '1'}),
      );
      const answered = Promise.allSettled(gifts);
      await Promise.race(gifts);
      run.child.kill(signal);
      await expectAllGone(run);
      await answered;
      equal(run.errors.join(''), '');
    });
  }
});
