/**
 * Vite's configuration for the playground. Run as a program, it prebundles the playground's dependencies.
 *
 * Prebundling takes hundreds of megabytes that a process does not release, so it is done in a child process.
 */
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {optimizeDeps, resolveConfig, type InlineConfig} from 'vite';
import {playground} from '../manifest.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export const pageConfig: InlineConfig = {
  configFile: join(ROOT, 'vite.config.ts'),
  root: join(ROOT, 'demo'),
  cacheDir: join(ROOT, 'node_modules/.vite-demo'),
  appType: 'mpa',
  clearScreen: false,
  logLevel: 'warn',
  // Includes what the widget loads late, or Vite would reload the page in the middle of a swap.
  plugins: [playground({hasSandbox: true, dist: './dist/', documents: './docs/'})],
  optimizeDeps: {entries: ['index.html', '../src/**/*.ts']},
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- Vite's server does this itself, but keeps the memory.
  await optimizeDeps(await resolveConfig({...pageConfig, logLevel: 'error'}, 'serve'));
}
