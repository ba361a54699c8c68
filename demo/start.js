/**
 * `npm start`. Runs the sandbox's bundle from an earlier start or, if a source has changed since then, the sources, and
 * bundles them for the next time.
 */
import {spawn} from 'node:child_process';
import {join} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {kept} from './sandbox/kept.js';

const program = kept.find('program');
if (program) {
  await import(pathToFileURL(join(program, 'main.mjs')).href);
} else {
  const {register} = await import('tsx/esm/api');
  register();
  await import('./sandbox/main.ts');
  const bundler = fileURLToPath(new URL('./sandbox/bundle.ts', import.meta.url));
  spawn(process.execPath, ['--import', 'tsx', bundler], {stdio: ['ignore', 'ignore', 'inherit']}).unref();
}
