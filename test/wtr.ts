import {rmSync} from 'node:fs';
import {defaultReporter, type TestRunnerConfig, type TestRunnerPlugin} from '@web/test-runner';
import {a11ySnapshotPlugin} from '@web/test-runner-commands/plugins';
import {createServer} from 'vite';
import {launcher} from './support/browsers.js';
import {words} from './support/messages.js';
import type {SandboxHost} from './support/sandbox-host.js';

type Middleware = NonNullable<TestRunnerConfig['middleware']>[number];

/** How long a whole file may take, in milliseconds. A journey's file holds several swaps. */
export const FILE_TIMEOUT = 360_000;

/** How the browser tests run: every file in a page of its own, compiled by Vite, beside one sandbox for all. */
export async function browserTests(
  files: string[],
  sandboxes: SandboxHost,
  {watch, coverage}: {watch: boolean; coverage: boolean},
): Promise<TestRunnerConfig> {
  const browser = await launcher();
  const vite = viteInTestRunner(watch);
  return {
    files,
    rootDir: process.cwd(),
    watch,
    staticLogging: !process.stdout.isTTY,
    middleware: [vite.middleware],
    plugins: [vite.plugin, a11ySnapshotPlugin(), sandboxPlugin(sandboxes), amountsPlugin()],
    browsers: [browser],
    // More than there are cores: a journey mostly waits, for a block, an answer or the widget's own pauses.
    concurrency: 3,
    testFramework: {config: {timeout: 20_000}},
    // On a busy machine the first page waits until its sources are compiled.
    browserStartTimeout: 120_000,
    testsFinishTimeout: FILE_TIMEOUT,
    reporters: [defaultReporter({reportTestResults: true, reportTestProgress: watch})],
    filterBrowserLogs: ({args: [first]}) => !(typeof first === 'string' && first.startsWith('Lit is in dev mode')),
    coverage,
    coverageConfig: {
      include: ['src/**/*.ts'],
      reporters: ['lcovonly', 'text-summary'],
      threshold: {lines: 80, statements: 80, branches: 80, functions: 70},
    },
  };
}

/** The commands behind `support/sandbox.ts`: a test asks for the sandbox of all, or for one of its own. */
function sandboxPlugin(sandboxes: SandboxHost): TestRunnerPlugin {
  return {
    name: 'sandbox',
    executeCommand({command, payload}) {
      switch (command) {
        case 'sandbox:shared':
          return sandboxes.shared();
        case 'sandbox:start':
          return sandboxes.start();
        case 'sandbox:close':
          // An answer of nothing would mean that the command is unknown.
          return sandboxes.close((payload as {url: string}).url).then(() => 'closed');
        default:
          return undefined;
      }
    },
  };
}

/**
 * Lets a comparison of amounts fail like any other: a test's page tells what it compared in JSON, which knows no bigint.
 * Without this it would tell nothing, and its file would fail only after its whole time, without a name.
 */
function amountsPlugin(): TestRunnerPlugin {
  const asJson = `((message) => {
    try {
      return JSON.parse(JSON.stringify(message, (_, value) => (typeof value === 'bigint' ? value + 'n' : value)));
    } catch {
      return structuredClone(message);
    }
  })`;
  return {
    name: 'amounts',
    transform({path, body}) {
      if (path !== '/__web-dev-server__web-socket.js' || typeof body !== 'string') return undefined;
      return body.replace('structuredClone(obj)', `${asJson}(obj)`);
    },
  };
}

/** What the test runner serves itself; all else is Vite's. */
const SERVED_BY_TEST_RUNNER = /^\/(?:__web-test-runner|__web-dev-server|node_modules\/@web\/|$|\?)/;

/**
 * Serves sources and dependencies through Vite, so that tests run what the same compiler makes as for the package.
 *
 * The cache of dependencies belongs to one run: found from an earlier one, it would be renewed in the middle of the
 * tests whenever a new dependency is imported.
 */
function viteInTestRunner(watch: boolean): {plugin: TestRunnerPlugin; middleware: Middleware} {
  const cacheDir = `node_modules/.vite-test-${String(process.pid)}`;
  const started = createServer({
    configFile: false,
    root: process.cwd(),
    appType: 'custom',
    logLevel: 'warn',
    clearScreen: false,
    cacheDir,
    server: {middlewareMode: true, hmr: false, ws: false, watch: watch ? {} : null},
    optimizeDeps: {
      entries: ['src/**/*.ts', 'test/**/*.test.ts', '!test/node/**'],
      // It imports an address that only the test runner's server knows.
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
        rmSync(cacheDir, {recursive: true, force: true});
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
        res.on('close', () => {
          resolve(true);
        });
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
