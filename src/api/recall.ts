/*
 * The list of recalled versions, at a URL that the page sets: JSON text, signed with the release key. Its host can
 * withhold it or serve an older one, but cannot forge one.
 */
import {RELEASE_KEY} from '../domain/release-key.js';

export interface Recall {
  readonly versions: readonly string[];
  /** The reason, and what to do: a sentence for the page's developer. */
  readonly reason: string;
}

interface Options {
  /** Default: the release key (SPKI, Base64). */
  readonly key?: string;
  readonly fetch?: typeof globalThis.fetch;
}

const LONGEST_WAIT_MS = 15_000;

/**
 * Reads the list: `{list, signature}`, where `list` is the JSON text of `{package, versions, reason}`, and the
 * signature is over this text (ECDSA, P-256, SHA-256; r and s concatenated, in Base64).
 * @throws Error, with a sentence, if it cannot be read or is not signed.
 */
export async function readRecall(
  address: string,
  {key = RELEASE_KEY, fetch = globalThis.fetch}: Options = {},
): Promise<Recall> {
  if (!key) throw new Error('This build has no release key.');
  const signal = AbortSignal.timeout(LONGEST_WAIT_MS);
  const response = await fetch(address, {credentials: 'omit', cache: 'no-cache', signal});
  if (!response.ok) throw new Error(`It answers ${String(response.status)}.`);
  const {list, signature} = (await response.json()) as {list?: unknown; signature?: unknown};
  if (typeof list !== 'string' || typeof signature !== 'string' || !(await isSigned(list, signature, key)))
    throw new Error('It is not signed by the release key.');
  const read = JSON.parse(list) as {package?: unknown; versions?: unknown; reason?: unknown};
  if (read.package !== 'swap-widget' || !Array.isArray(read.versions)) throw new Error('Not a list of versions.');
  return {versions: read.versions.map(String), reason: typeof read.reason === 'string' ? read.reason : ''};
}

async function isSigned(text: string, signature: string, key: string): Promise<boolean> {
  const algorithm = {name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256'};
  const known = await crypto.subtle.importKey('spki', bytesOf(key), algorithm, false, ['verify']);
  return crypto.subtle.verify(algorithm, known, bytesOf(signature), new TextEncoder().encode(text));
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), letter => letter.charCodeAt(0));
}
