/**
 * The files of `npm start`: the playground, built once, and again when it is loaded after a source change; the
 * documents; the built package. Compilers run in child processes, since they keep their memory.
 */
import type {RequestListener} from 'node:http';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {getRequestListener} from '@hono/node-server';
import {serveStatic} from '@hono/node-server/serve-static';
import {Hono, type MiddlewareHandler} from 'hono';
import {cors} from 'hono/cors';
import {answerNotFound} from './http.js';
import {kept} from './kept.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Files that are served as they are in the repository. */
const AS_IS = ['/page.css', '/embed/plain.html'];

export interface Builds {
  /** Rebuilds the playground; if that fails, the page says so. */
  page(): Promise<void>;
  /** Resolves once there is a built package. */
  readonly dist: Promise<void>;
}

/** Serves files to pages of any origin. */
export function serveFiles(builds: Builds): RequestListener {
  const playground = createPlayground(() => builds.page());
  const app = new Hono();
  app.use(cors({origin: '*'}), async (context, next) => {
    context.header('cache-control', 'no-cache');
    await next();
    // Scripts that other pages load have the names of their sources.
    if (context.res.ok && context.req.path.endsWith('.ts')) {
      context.header('content-type', 'text/javascript; charset=utf-8');
    }
  });
  app.onError((error, context) => context.text(String(error), 500));
  app.notFound(async context => {
    if (!context.req.header('accept')?.includes('text/html')) return answerNotFound(context);
    const {PAGE_HEADERS, renderNotFound} = await import('../documents.js');
    return context.body(renderNotFound(context.req.path), 404, PAGE_HEADERS);
  });
  app.use('/dist/*', async (_, next) => {
    await builds.dist;
    await next();
  });
  app.use('/dist/*', serveStatic({root: ROOT}));
  for (const path of AS_IS) app.get(path, serveStatic({root: join(ROOT, 'demo')}));
  // The names of assets contain hashes of their content.
  app.get('/assets/*', playground.send);
  app.use(async (_, next) => {
    await playground.refresh();
    await next();
  });
  app.get('*', playground.send);
  const listener = getRequestListener(app.fetch, {overrideGlobalObjects: false});
  return (request, response) => void listener(request, response);
}

function createPlayground(build: () => Promise<void>) {
  /** The builds that were served, newest first: an open page loads the rest of the build it started with. */
  const served = new Map<string, MiddlewareHandler>();
  let building: Promise<void> | undefined;

  async function refresh(): Promise<void> {
    if (!kept.find('page')) await (building ??= build().finally(() => (building = undefined)));
    const found = kept.find('page');
    if (found !== undefined && !served.has(found)) served.set(found, serveStatic({root: found}));
  }

  // Requests during the build wait for it, and get its error if it fails.
  void refresh().catch(() => {});

  const send: MiddlewareHandler = async (context, next) => {
    for (const sendFrom of [...served.values()].reverse()) {
      const response = await sendFrom(context, () => Promise.resolve());
      if (response) return response;
    }
    return next();
  };
  return {refresh, send};
}
