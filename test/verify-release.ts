/**
 * Checks whether a release, at a URL or in a folder, is the signed one: every file of its signed list is read and
 * compared. `npm run verify-release https://your.host/v1.2.3/`
 */
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {RELEASE_KEY} from '../src/domain/release-key.js';
import {faultsOf, type ReadFile} from './support/release.js';

const [place, key = RELEASE_KEY] = process.argv.slice(2);
if (!place) stop('Give the URL or the folder of a release: npm run verify-release https://your.host/v1.2.3/');
if (!key) stop('There is no release key yet, so nothing was signed. Another can be named after the place.');

const {version, count, faults} = await faultsOf(reader(place), key);
const claimed = /v(\d+\.\d+\.\d+)\/?$/.exec(place)?.[1];
if (version && claimed && claimed !== version) faults.push(`What lies there is version ${version}, not ${claimed}.`);
if (faults.length) stop(faults.join('\n'));
console.log(`Version ${String(version)}: all ${String(count)} files are those that were signed.`);

function reader(place: string): ReadFile {
  if (!/^https?:/.test(place)) {
    return name =>
      readFile(join(place, name)).catch((error: unknown) => {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      });
  }
  const base = place.endsWith('/') ? place : `${place}/`;
  return async name => {
    const address = new URL(name, base);
    const response = await fetch(address, {cache: 'no-store'});
    if (response.status === 404) return undefined;
    if (!response.ok) throw new Error(`${address.href} answers ${String(response.status)}.`);
    return new Uint8Array(await response.arrayBuffer());
  };
}

function stop(reason: string): never {
  console.log(reason);
  process.exit(1);
}
