/** The examples in `demo/embed/`, with the sandbox in the place of the service that they name. */
import {ok} from 'node:assert/strict';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {getRequestListener} from '@hono/node-server';
import {serveStatic} from '@hono/node-server/serve-static';
import {Hono} from 'hono';
import {serve, type RunningServer} from '../../demo/sandbox/http.js';
import {createSandbox, settingsOf} from '../../demo/wallets/sandbox.js';
import type {Settings} from '../../src/elements/settings/settings.js';

export const EXAMPLES = join(import.meta.dirname, '../../demo/embed');

/** Where an example says which service it is for. */
export interface FilesOfExample {
  /** The file with its settings. */
  readonly settings: string;
  /** The page, where that names the service by attributes. */
  readonly page?: string;
}

/** The settings of a page that swaps in the sandbox at this origin, and takes a fee. */
export async function settingsOn(origin: string): Promise<Settings> {
  const state = await createSandbox(origin).read();
  return {
    baseUrl: origin,
    appId: state.appId,
    ...settingsOf(state),
    affiliateFees: [{asset: 'base_sepolia:usdc', address: '0x000000000000000000000000000000000000dEaD', bps: 10}],
  };
}

/** Writes settings into the copy of an example. */
export function fillIn(folder: string, {settings, page}: FilesOfExample, values: Settings): void {
  fill(
    join(folder, settings),
    /(?<=export const settings[^=]*= )\{[^]*\}(?=( satisfies Settings)?;)/,
    JSON.stringify(values),
  );
  if (page === undefined) return;
  fill(join(folder, page), /base-url="[^"]*"/, `base-url="${String(values.baseUrl)}" app-id="${String(values.appId)}"`);
}

function fill(path: string, sample: RegExp, code: string): void {
  const text = readFileSync(path, 'utf8');
  ok(sample.test(text), `${path} has nothing to be replaced`);
  writeFileSync(
    path,
    text.replace(sample, () => code),
  );
}

/** Serves the files of a folder on a free port. */
export function serveFolder(root: string): Promise<RunningServer> {
  const app = new Hono();
  app.use('/*', serveStatic({root}));
  const listener = getRequestListener(app.fetch, {overrideGlobalObjects: false});
  return serve((request, response) => void listener(request, response), 0);
}
