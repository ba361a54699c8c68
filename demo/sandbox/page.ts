/**
 * The playground, as `npm start` serves it: built once, and again when it is loaded after a source has changed. The
 * compiler runs in a child process, since it keeps its memory.
 */
import {createReadStream, statSync} from 'node:fs';
import type {RequestListener, ServerResponse} from 'node:http';
import {extname, join, normalize} from 'node:path';
import {fileURLToPath} from 'node:url';
import {kept} from './kept.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  // Scripts that other pages load are named as their sources.
  '.ts': 'text/javascript; charset=utf-8',
  '.map': 'application/json',
};
/** What is served as it lies in the repository. */
const AS_IS = new Set(['/page.css', '/documents.css', '/embed/plain.html']);

/** Serves the playground. `build` makes it anew; where it cannot, the page says so. */
export function servePage(build: () => Promise<void>): RequestListener {
  /** What was served, the newest first: a page that is open loads the rest of what it began with. */
  const folders: string[] = [];
  let building: Promise<void> | undefined;

  async function refresh(): Promise<void> {
    if (!kept.find('page')) await (building ??= build().finally(() => (building = undefined)));
    const found = kept.find('page');
    if (found && found !== folders[0]) folders.unshift(found);
  }

  // Who asks meanwhile waits for it, and hears why there is none.
  void refresh().catch(() => {});

  return (request, response) => {
    const {pathname} = new URL(request.url ?? '/', 'http://localhost');
    const path = pathname.endsWith('/') ? `${pathname}index.html` : pathname;
    if (AS_IS.has(path)) return send(response, [join(ROOT, 'demo', path)]);
    const candidates = () => folders.map(folder => join(folder, normalize(path)));
    // The names of assets hold what is in them.
    if (path.startsWith('/assets/')) return send(response, candidates());
    void refresh().then(
      () => send(response, candidates()),
      (error: unknown) => response.writeHead(500, {'content-type': 'text/plain; charset=utf-8'}).end(String(error)),
    );
  };
}

/** Sends the first of these files that there is, to a page of any origin. */
function send(response: ServerResponse, files: readonly string[]): void {
  const found = files.find(file => statSync(file, {throwIfNoEntry: false})?.isFile());
  if (found === undefined) return void response.writeHead(404).end();
  response.writeHead(200, {
    'content-type': TYPES[extname(found)] ?? 'application/octet-stream',
    'cache-control': 'no-cache',
    'access-control-allow-origin': '*',
  });
  createReadStream(found).pipe(response);
}
