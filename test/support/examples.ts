import {execFile} from 'node:child_process';
import {join, resolve} from 'node:path';
import {promisify} from 'node:util';
import {getRequestListener} from '@hono/node-server';
import {serveStatic} from '@hono/node-server/serve-static';
import {Hono} from 'hono';
import {serve, type RunningServer} from '../../demo/sandbox/http.js';

const ROOT = resolve(import.meta.dirname, '../..');
export const EXAMPLES = join(ROOT, 'demo/embed');

/** Runs `npm run embed`. Rejects with its output. */
export async function embed(...args: string[]): Promise<void> {
  await promisify(execFile)(process.execPath, ['--import', 'tsx', 'demo/embed/sandbox.ts', ...args], {cwd: ROOT});
}

export function serveFolder(root: string): Promise<RunningServer> {
  const app = new Hono();
  app.use('/*', serveStatic({root}));
  const listener = getRequestListener(app.fetch, {overrideGlobalObjects: false});
  return serve((request, response) => void listener(request, response), 0);
}
