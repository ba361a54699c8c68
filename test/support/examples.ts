import {getRequestListener} from '@hono/node-server';
import {serveStatic} from '@hono/node-server/serve-static';
import {Hono} from 'hono';
import {serve, type RunningServer} from '../../demo/sandbox/http.js';

/** Serves the files of a folder on a free port. */
export function serveFolder(root: string): Promise<RunningServer> {
  const app = new Hono();
  app.use('/*', serveStatic({root}));
  const listener = getRequestListener(app.fetch, {overrideGlobalObjects: false});
  return serve((request, response) => void listener(request, response), 0);
}
