/**
 * How Vite serves the page; and run by itself, what prepares the packages that the page loads.
 *
 * That takes hundreds of megabytes, which a process does not give back. So it is done in one that ends.
 */
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {optimizeDeps, resolveConfig, type InlineConfig} from 'vite';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export const pageConfig: InlineConfig = {
  configFile: join(ROOT, 'vite.config.ts'),
  root: join(ROOT, 'demo'),
  cacheDir: join(ROOT, 'node_modules/.vite-demo'),
  appType: 'mpa',
  clearScreen: false,
  logLevel: 'warn',
  // What is loaded late is prepared early, or the page would load anew in the middle of a swap.
  optimizeDeps: {entries: ['index.html', '../src/**/*.ts']},
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- A server does this by itself, and keeps the memory.
  await optimizeDeps(await resolveConfig({...pageConfig, logLevel: 'error'}, 'serve'));
}
