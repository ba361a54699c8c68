import {createHash} from 'node:crypto';
import {existsSync, readFileSync, readdirSync, renameSync, rmSync} from 'node:fs';
import type {ServerResponse} from 'node:http';
import {dirname, join, relative} from 'node:path';
import {
  SESSION_STATUS,
  defaultReporter,
  startTestRunner,
  type TestRunner,
  type TestRunnerConfig,
  type TestRunnerPlugin,
  type TestSession,
} from '@web/test-runner';
import {a11ySnapshotPlugin} from '@web/test-runner-commands/plugins';
import {createServer} from 'vite';
import {launcher} from './support/browsers.js';
import {words} from '../.build/messages.js';
import {scaled, SLOWNESS, TEST_MS, Watch, type Step} from './support/limits.js';
import type {Totals} from './support/node-tests.js';
import {createSandboxHost, type SandboxHost} from './support/sandbox-host.js';

interface TestPage {
  close(): Promise<void>;
}
type Launcher = TestSession['browser'] & {getPage(id: string): TestPage};
type Middleware = NonNullable<TestRunnerConfig['middleware']>[number];

/** The longest time that a timer can be set to, in milliseconds. */
const NEVER = 2 ** 31 - 1;

/**
 * The page of a test file. The runner reuses its pages and their storage for one file after the other: what the
 * previous one stored, even after its end, would be this one's orders.
 */
const EMPTY_PAGE = `<!doctype html><html><head></head><body>
  <script>localStorage.clear(); sessionStorage.clear(); SLOWNESS = ${String(SLOWNESS)};</script>
  <script type="module" src="/test/support/steps.ts"></script>
  <script type="module" src="FRAMEWORK"></script>
</body></html>`;

export async function runInBrowser(files: string[], isWatched: boolean): Promise<Totals> {
  const sandboxes = createSandboxHost();
  try {
    return await runWith(sandboxes, files, isWatched);
  } finally {
    await sandboxes.closeAll();
  }
}

async function runWith(sandboxes: SandboxHost, files: string[], isWatched: boolean): Promise<Totals> {
  const begin = (started: TestRunner) => {
    const stop = () => void started.stop();
    process.on('SIGINT', stop).on('SIGTERM', stop);
  };
  const runner = await runToEnd(await browserTests(files, sandboxes, isWatched), begin);
  const results = [...runner.sessions.all()].map(session => {
    const {passed, failed} = count(session);
    // A file that cannot be loaded, crashes or never ends fails without a failing test.
    const why = session.errors.map(({message}) => message).join('; ') || 'not run';
    const itself = session.passed || failed.length ? [] : [why];
    return {passed, failed: [...failed, ...itself].map(name => `${relative('.', session.testFile)} › ${name}`)};
  });
  return {
    passed: results.reduce((sum, {passed}) => sum + passed, 0),
    failed: results.flatMap(({failed}) => failed),
  };
}

const {SCHEDULED, TEST_FINISHED, FINISHED} = SESSION_STATUS;

/** What watches each page, by its session. */
const watches = new Map<string, Watch>();

export async function runToEnd(
  config: TestRunnerConfig,
  onStart: (runner: TestRunner) => void = () => {},
): Promise<TestRunner> {
  const runner = await startTestRunner({config, readCliArgs: false, readFileConfig: false, autoExitProcess: false});
  if (!runner) throw new Error('The test runner did not start.');
  onStart(runner);
  const {sessions} = runner;
  const fail = async ({id, browser}: TestSession, why: string) => {
    const page = browser.isActive(id) ? (browser as Launcher).getPage(id) : undefined;
    await page?.close().catch(() => undefined);
    const session = sessions.get(id);
    if (!session || session.status === FINISHED) return;
    sessions.updateStatus({...session, passed: false, errors: [{message: why}]}, TEST_FINISHED);
  };
  sessions.on('session-status-updated', session => {
    const {id, status} = session;
    watches.get(id)?.stop();
    if (status === FINISHED) watches.delete(id);
    else if (status !== SCHEDULED) watches.set(id, new Watch(why => void fail(session, why)));
  });
  await new Promise(done => {
    runner.on('stopped', done);
  });
  return runner;
}

function count({testResults}: TestSession): Totals {
  let passed = 0;
  const failed: string[] = [];
  const suites = testResults ? [testResults] : [];
  for (const suite of suites) {
    suites.push(...suite.suites);
    for (const test of suite.tests) {
      // A skipped test counts as failed: it states nothing about the product.
      if (test.passed && !test.skipped) passed++;
      else failed.push(`${test.name}${test.error ? `: ${test.error.message}` : ''}`);
    }
  }
  return {passed, failed};
}

/** How the browser tests run: every file in a separate page, compiled by Vite, with one sandbox for all. */
export async function browserTests(files: string[], sandboxes: SandboxHost, watch = false): Promise<TestRunnerConfig> {
  const browser = await launcher();
  const vite = viteInTestRunner(watch);
  return {
    files,
    rootDir: process.cwd(),
    watch,
    staticLogging: !process.stdout.isTTY,
    middleware: [vite.middleware],
    plugins: [vite.plugin, a11ySnapshotPlugin(), sandboxPlugin(sandboxes), stepsPlugin(), messagesPlugin()],
    browsers: [browser],
    // More than the number of cores: a journey mostly waits, for a block, a response or the widget's own pauses.
    concurrency: 3,
    testRunnerHtml: framework => EMPTY_PAGE.replace('FRAMEWORK', framework),
    testFramework: {config: {timeout: TEST_MS}},
    // No limit but that of a test: `runToEnd` watches each page.
    browserStartTimeout: NEVER,
    testsStartTimeout: NEVER,
    testsFinishTimeout: NEVER,
    reporters: [defaultReporter({reportTestResults: true, reportTestProgress: watch})],
    filterBrowserLogs: ({args: [first]}) => !(typeof first === 'string' && first.startsWith('Lit is in dev mode')),
  };
}

/** The commands behind `support/sandbox.ts`: a test requests the shared sandbox, or a separate one. */
function sandboxPlugin(sandboxes: SandboxHost): TestRunnerPlugin {
  return {
    name: 'sandbox',
    executeCommand({command, payload}) {
      switch (command) {
        case 'sandbox:shared':
          return sandboxes.shared();
        case 'sandbox:minimal':
          return sandboxes.minimal((payload as {kind: 'plain' | 'own'}).kind);
        case 'sandbox:start':
          return sandboxes.start();
        case 'sandbox:close':
          // Returning nothing would mean that the command is unknown.
          return sandboxes.close((payload as {url: string}).url).then(() => 'closed');
        default:
          return undefined;
      }
    },
  };
}

/** Hears from each page which test it is at (`support/steps.ts`). */
function stepsPlugin(): TestRunnerPlugin {
  return {
    name: 'steps',
    serverStart({webSockets}) {
      webSockets?.on('message', ({data}) => {
        if (data.type !== 'test-step') return;
        const {sessionId, step} = data as unknown as {sessionId: string; step: Step};
        watches.get(sessionId)?.begins(step);
      });
    },
  };
}

/**
 * Lets a page wait longer than 20 seconds for a response of the test runner, on a slow machine, and lets a comparison of amounts fail like any other: a test's page reports the compared values as JSON, which has no
 * bigint. Without this it would report nothing, and its file would only fail after its timeout, without a test's name.
 */
function messagesPlugin(): TestRunnerPlugin {
  const asJson = `((message) => {
    try {
      return JSON.parse(JSON.stringify(message, (_, value) => (typeof value === 'bigint' ? value + 'n' : value)));
    } catch {
      return structuredClone(message);
    }
  })`;
  return {
    name: 'messages',
    transform({path, body}) {
      if (path !== '/__web-dev-server__web-socket.js' || typeof body !== 'string') return undefined;
      return body.replace('structuredClone(obj)', `${asJson}(obj)`).replaceAll(/\b20000\b/g, String(scaled(60_000)));
    },
  };
}

/** What the test runner serves itself; everything else is Vite's. */
const SERVED_BY_TEST_RUNNER = /^\/(?:__web-test-runner|__web-dev-server|node_modules\/@web\/|$|\?)/;

const COMPILED = 'node_modules/.cache/swap-widget/dependencies';

/**
 * What the compiled dependencies depend on: the installed versions, and the imports. With another import Vite would
 * compile them again in the middle of a run, and reload its pages.
 */
function markOfDependencies(): string {
  const mark = createHash('sha256').update(readFileSync('package-lock.json')).update(readFileSync('test/wtr.ts'));
  const imported = new Set<string>();
  for (const folder of ['src', 'test', 'demo']) {
    for (const file of readdirSync(folder, {recursive: true, encoding: 'utf8'})) {
      if (!file.endsWith('.ts') || file.includes('node_modules')) continue;
      for (const [, name = ''] of readFileSync(`${folder}/${file}`, 'utf8').matchAll(
        /(?:from|import) ?\(?'([^.'][^']*)'/g,
      )) {
        imported.add(name);
      }
    }
  }
  return mark
    .update([...imported].sort().join())
    .digest('hex')
    .slice(0, 16);
}

/** Lets a browser cache a response that it would otherwise request with each page. */
function keepInBrowser(answer: ServerResponse) {
  const setHeader = answer.setHeader.bind(answer);
  answer.setHeader = (name, value) => setHeader(name, value === 'no-cache' ? 'max-age=3600' : value);
}

/** Removes the files of other versions. */
function removeOthers(kept: string) {
  for (const name of readdirSync(dirname(kept))) {
    const other = join(dirname(kept), name);
    if (/^dependencies-[0-9a-f]{16}$/.test(name) && other !== kept) rmSync(other, {recursive: true, force: true});
  }
}

/**
 * Serves sources and dependencies through Vite, so that tests run code from the same compiler as the package's.
 *
 * A run without compiled dependencies compiles them for itself, and stores them for the next one at its end.
 */
function viteInTestRunner(watch: boolean): {plugin: TestRunnerPlugin; middleware: Middleware} {
  const kept = `${COMPILED}-${markOfDependencies()}`;
  const isKept = existsSync(kept);
  const cacheDir = isKept ? kept : `${COMPILED}-of-${String(process.pid)}`;
  const started = createServer({
    configFile: false,
    root: process.cwd(),
    appType: 'custom',
    logLevel: 'warn',
    clearScreen: false,
    cacheDir,
    server: {middlewareMode: true, hmr: false, ws: false, watch: watch ? {} : null},
    optimizeDeps: {
      entries: ['src/**/*.ts', 'test/{browsers,demo,elements,journeys,matrix,wallets}/**/*.test.ts'],
      // It imports a URL that only the test runner serves.
      exclude: ['@web/test-runner-commands'],
    },
    plugins: [
      words(),
      {
        name: 'test-runner-addresses',
        enforce: 'pre',
        resolveId: id => (id.startsWith('/__web-') ? {id, external: true} : null),
      },
    ],
  });
  let watchFile: ((path: string) => void) | undefined;

  return {
    plugin: {
      name: 'vite',
      async serverStart({fileWatcher}) {
        if (watch) watchFile = path => fileWatcher.add(path);
        await started;
      },
      async serverStop() {
        await (await started).close();
        if (isKept) return;
        if (existsSync(kept)) rmSync(cacheDir, {recursive: true, force: true});
        else if (existsSync(cacheDir)) {
          renameSync(cacheDir, kept);
          removeOthers(kept);
        }
      },
    },
    async middleware(context, next) {
      if (context.method !== 'GET' || SERVED_BY_TEST_RUNNER.test(context.url)) {
        await next();
        return;
      }
      const vite = await started;
      if (!context.path.startsWith('/@') && !context.path.includes('/node_modules/')) {
        watchFile?.(vite.config.root + context.path);
      }
      const answered = await new Promise<boolean>((resolve, reject) => {
        const {req, res} = context;
        // Nothing changes in the middle of a run, and a page loads hundreds of modules.
        if (!watch) keepInBrowser(res);
        res.on('close', () => resolve(true));
        context.status = 200;
        vite.middlewares(req, res, (error?: Error) => {
          if (error) reject(error);
          else resolve(false);
        });
      });
      if (answered) {
        context.respond = false;
        return;
      }
      context.status = 404;
      await next();
    },
  };
}
