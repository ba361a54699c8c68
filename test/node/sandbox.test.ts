import {deepEqual, equal, match, notEqual, ok} from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {cpSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {Wallet} from 'ethers';
import {SandboxClient} from '../sandbox/client.js';
import {axeViolations, openBrowser} from '../support/browser.js';
import {startDemo, type RunningDemo} from '../support/demo.js';
import {DIST} from '../support/dist.js';
import {serveFolder} from '../support/examples.js';
import {holds} from '../support/limits.js';
import {pack, project, sizeOf} from '../support/tarball.js';
import {Visitor} from '../support/visitor.js';

const HOST = '127.0.0.1';

/** A first port that no other test starts from. */
const PORT = 9700;

/** As `ps` prints it. With its command line, as its number may be another one's as soon as it has ended. */
interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

interface Started extends RunningDemo {
  readonly all: readonly Process[];
}

const started: Started[] = [];
after(() => {
  for (const {pid} of started.flatMap(alive)) process.kill(pid, 'SIGKILL');
});

async function start(command: readonly string[], cwd?: string): Promise<Started> {
  const demo = await startDemo(PORT, command, cwd);
  const run = {...demo, all: family(demo.pid)};
  started.push(run);
  return run;
}

function processes(): Process[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], {encoding: 'utf8'});
  return [...table.matchAll(/^ *(\d+) +(\d+) (.*)$/gm)].map(([, pid, parent, command = '']) => ({
    pid: Number(pid),
    parent: Number(parent),
    command,
  }));
}

function family(root: number): Process[] {
  const running = processes();
  const found = running.filter(({pid}) => pid === root);
  for (const {pid} of found) found.push(...running.filter(({parent}) => parent === pid));
  return found;
}

/** Those that have not ended. One that its parent has yet to collect has another command line. */
function alive({all}: Started): Process[] {
  const running = processes();
  return all.filter(one => running.some(({pid, command}) => pid === one.pid && command === one.command));
}

async function expectAllGone(run: Started) {
  await holds(() => !alive(run).length, 20_000);
  deepEqual(alive(run), [], 'still running');
  for (const url of run.lines.map(line => line.split(' ')[0] ?? '').filter(text => text.startsWith('http'))) {
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
    const run = await start(['npm', 'run', 'minimal', '--silent']);
    const [, service = ''] = /base-url="([^"]*)"/.exec(await (await fetch(run.partner)).text()) ?? [];
    notEqual(new URL(service).origin, new URL(run.page).origin);
    ok(run.lines.some(line => line.startsWith(`${service}/v2/  the minimal service`)));
    const quote = `${service}/v2/quote?from=base_sepolia:wbtc&to=ethereum_sepolia:wbtc&from_amount=100000`;
    equal((await fetch(quote)).status, 200);
    await run.close();
    await expectAllGone(run);
  });
});

describe('npm start', () => {
  it('serves page, service, controls, package and a partner’s page at the printed addresses', async () => {
    const run = await start(['npm', 'start', '--silent']);
    const {page, partner} = run;
    match(page, /^http:\/\/127\.0\.0\.1:\d+\/$/);
    match(partner, /^http:\/\/127\.0\.0\.1:\d+\/$/);
    notEqual(page, partner);
    ok(run.all.length > 3, 'two nodes and their watchdog');

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

    const plain = await fetch(new URL('docs/reference.md', page));
    match(plain.headers.get('content-type') ?? '', /^text\/markdown/);

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

    await run.close();
    await expectAllGone(run);
  });

  for (const signal of ['SIGINT', 'SIGKILL'] as const) {
    it(`leaves nothing running after ${signal}, and prints no errors for pending requests`, async () => {
      const run = await start(MAIN);
      const client = new SandboxClient(new URL(run.page).origin, '');
      const {address} = Wallet.createRandom();
      const gifts = Array.from({length: 8}, async () => client.faucet('base_sepolia:eth', address, 1n));
      const answered = Promise.allSettled(gifts);
      await Promise.race(gifts);
      await run.close(signal);
      await expectAllGone(run);
      await answered;
      equal(run.errors.join(''), '');
    });
  }
});

describe('the package swap-widget-sandbox, packed', () => {
  let home: string;
  before(() => {
    pack('demo/sandbox');
    home = project('of-a-partner');
  });

  it('installs in an empty folder, in at most 150 MB', () => {
    const size = sizeOf(join(home, 'node_modules'));
    ok(size < 150e6, String(size));
  });

  it('runs there by one command, and a page with the lines that it prints swaps', async () => {
    const run = await start(['npx', '--no', 'swap-widget-sandbox'], home);
    const [lines] = /<script[^]*<\/script>/.exec(await (await fetch(run.page)).text())!;
    ok(run.lines.join('\n').includes(lines));
    cpSync(DIST, join(home, 'swap-widget'), {recursive: true});
    const head = '<!doctype html><html lang="en"><title>A partner’s page</title><link rel="icon" href="data:," />';
    writeFileSync(join(home, 'index.html'), `${head}<main><h1>Swap</h1>${lines}</main>`);
    const site = await serveFolder(home);
    const browser = await openBrowser();
    try {
      const {page, errors} = await browser.openPage(site.url);
      const {origin} = new URL(run.page);
      const {appId} = await new SandboxClient(origin, '').info();
      const {destination_swap: paid} = await new Visitor(page, new SandboxClient(origin, appId)).swap();
      ok(paid.redeem_tx_hash);
      deepEqual(errors, []);
      deepEqual(await axeViolations(page), []);
    } finally {
      await Promise.all([browser.close(), site.close()]);
    }
    await run.close();
    await expectAllGone(run);
  });
});
