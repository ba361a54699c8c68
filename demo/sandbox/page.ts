/**
 * The files of `npm start`: the playground and the documents, each built once, and again when it is loaded after a source
 * change; the built package. Compilers run in child processes, since they keep their memory.
 */
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {serveStatic} from '@hono/node-server/serve-static';
import {Hono, type MiddlewareHandler} from 'hono';
import {cors} from 'hono/cors';
import {answerNotFound} from './http.js';
import {kept} from './kept.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Files that are served as they are in the repository. */
const AS_IS = ['/page.css', '/embed/plain.html'];

const NOT_FOUND =
  '<!doctype html><html lang="en"><meta charset="utf-8" /><title>Page not found</title>' +
  '<p>There is no such page. <a href="/">The playground</a>, <a href="/docs/">the documents</a></p></html>';

export type Site = 'page' | 'documents';

export interface Builds {
  /** Rebuilds the playground or the documents; if that fails, the page says so. */
  build(what: Site): Promise<void>;
  /** Resolves once there is a built package. */
  readonly dist: Promise<void>;
}

export function serveFiles(builds: Builds): Hono {
  const playground = createSite('page', '', builds);
  const documents = createSite('documents', '/docs', builds);
  // Requests during the build wait for it, and get its error if it fails.
  void playground.refresh().catch(() => {});
  const app = new Hono();
  app.use(cors({origin: '*'}), async (context, next) => {
    context.header('cache-control', 'no-cache');
    await next();
  });
  app.onError((error, context) => context.text(String(error), 500));
  app.notFound(context =>
    context.req.header('accept')?.includes('text/html') ? context.html(NOT_FOUND, 404) : answerNotFound(context),
  );
  app.use(
    '/dist/*',
    after(() => builds.dist),
    serveStatic({root: ROOT}),
  );
  app.get('/dist/sri.json', context => context.json({}));
  for (const path of AS_IS) app.get(path, serveStatic({root: join(ROOT, 'demo')}));
  app.get('/docs', context => context.redirect('/docs/', 308));
  app.get('/docs/*', after(documents.refresh), documents.send);
  // The names of assets contain hashes of their content.
  app.get('/assets/*', playground.send);
  app.get('*', after(playground.refresh), playground.send);
  return app;
}

function after(ready: () => Promise<void>): MiddlewareHandler {
  return async (_, next) => {
    await ready();
    await next();
  };
}

function createSite(what: Site, base: string, builds: Builds) {
  /** The builds that were served, newest first: an open page loads the rest of the build it started with. */
  const served = new Map<string, MiddlewareHandler>();
  let building: Promise<void> | undefined;

  async function refresh(): Promise<void> {
    if (!kept.find(what)) await (building ??= builds.build(what).finally(() => (building = undefined)));
    const root = kept.find(what);
    if (root !== undefined && !served.has(root)) served.set(root, serveStatic({root, rewriteRequestPath}));
  }

  /** A page's name leads to it without its ending, too. */
  const rewriteRequestPath = (path: string) => path.slice(base.length).replace(/^(\/[\w-]+)$/, '$1.html');

  const send: MiddlewareHandler = async (context, next) => {
    for (const sendFrom of [...served.values()].reverse()) {
      const response = await sendFrom(context, () => Promise.resolve());
      // Without a type, a browser saves it instead of showing it.
      if (context.req.path.endsWith('.md')) response?.headers.set('content-type', 'text/markdown; charset=utf-8');
      if (response) return response;
    }
    return next();
  };
  return {refresh, send};
}
