/** The files and signature of a release, and their checks before the build and wherever it is published. */
import {createHash, createPublicKey, generateKeyPairSync, sign, verify} from 'node:crypto';

export interface ReleaseState {
  readonly version: string;
  /** The output of `git status --porcelain`. */
  readonly changes: string;
  readonly element: string;
  readonly changelog: string;
}

/** Why this state cannot be released, one sentence each. Empty if it can. */
export function refusals({version, changes, element, changelog}: ReleaseState): string[] {
  const named = OF_ELEMENT.exec(element)?.[0];
  const section = changelog.split(/^## /m).find(text => text.startsWith(`[${version}]`));
  const files = changes.split('\n').filter(line => line.trim());
  return [
    ...(files.length ? [`The working tree is not clean; commit or undo first:\n${files.join('\n')}`] : []),
    ...(named === version
      ? []
      : [`package.json says version ${version}, but SwapWidget.version ${named ? `says ${named}` : 'is missing'}.`]),
    ...(section?.includes('\n- ')
      ? []
      : [
          `CHANGELOG.md has no section [${version}] that says what changed; npm run release -- minor raises the version and makes one.`,
        ]),
  ];
}

const UNRELEASED = /^## \[Unreleased\]\n+(?=(?:(?!^## )[^])*^- )/m;
const OF_ELEMENT = /(?<=static readonly version: string = ')[^']*(?=')/;

export function hasNews(changelog: string): boolean {
  return UNRELEASED.test(changelog);
}

/** The changelog and the element with a new version: the unreleased changes become its section, dated YYYY-MM-DD. */
export function withVersion<T extends Pick<ReleaseState, 'changelog' | 'element'>>(
  {changelog, element}: T,
  version: string,
  date: string,
): Pick<ReleaseState, 'changelog' | 'element'> {
  return {
    changelog: changelog.replace(UNRELEASED, `## [Unreleased]\n\n## [${version}] - ${date}\n\n`),
    element: element.replace(OF_ELEMENT, version),
  };
}

/** The changelog's section of a version, for the page of its release. */
export function notesOf(changelog: string, version: string): string {
  const section = changelog.split(/^## /m).find(text => text.startsWith(`[${version}]`)) ?? '';
  return section.replace(/^.*\n+/, '').trim() + '\n';
}

/** The commands that publish `.release/`. npm shows a package's provenance only if a workflow publishes it. */
export function publishing(version: string, {isWorkflow = false, isDry = false} = {}): string[] {
  const files = [`swap-widget-${version}.tgz`, `swap-widget-${version}-scripts.tgz`, 'SHA256SUMS', ...SIGNED];
  return [
    '(cd .release && sha256sum --check --quiet SHA256SUMS)',
    `npm publish .release/swap-widget-${version}.tgz --access public${isWorkflow ? ' --provenance' : ''}${isDry ? ' --dry-run' : ''}`,
    `gh release create v${version} --verify-tag --title v${version} --notes-file .release/notes.md ${files.map(file => `.release/${file}`).join(' ')}`,
  ];
}

export const SIGNED = ['release.json', 'release.json.sig'] as const;

/** The list of a version's files as text, which is signed. Hashes have the form of `integrity`. */
export function releaseList(version: string, files: ReadonlyMap<string, Uint8Array>): string {
  const hashes = [...files].map(([name, bytes]) => [name, integrityOf(bytes)] as const);
  hashes.sort(([a], [b]) => (a < b ? -1 : 1));
  return `${JSON.stringify({package: 'swap-widget', version, files: Object.fromEntries(hashes)}, null, 2)}\n`;
}

const integrityOf = (bytes: Uint8Array) => `sha384-${createHash('sha384').update(bytes).digest('base64')}`;

/** The release key's file, with a key and with the URL of the pages, which the makers publish below their documents. */
export function withKey(file: string, known: string, homepage: string): string {
  return file
    .replace(/(?<=RELEASE_KEY: string = )''/, `'${known}'`)
    .replace(/(?<=PAGES: string = )''/, `'${homepage}swap-widget/'`);
}

/** A new key pair: the secret signing key (PKCS #8, PEM), and the public one (SPKI, Base64). */
export function makeKeys(): {secret: string; known: string} {
  const {privateKey, publicKey} = generateKeyPairSync('ec', {namedCurve: 'P-256'});
  return {
    secret: privateKey.export({type: 'pkcs8', format: 'pem'}).toString(),
    known: publicKey.export({type: 'spki', format: 'der'}).toString('base64'),
  };
}

/** The signature of a text, in Base64, as `crypto.subtle` reads it (ECDSA, P-256, SHA-256; r followed by s). */
export function signed(text: string, secret: string): string {
  return sign('sha256', Buffer.from(text), {key: secret, dsaEncoding: 'ieee-p1363'}).toString('base64');
}

export function isSigned(text: string, signature: string, known: string): boolean {
  const key = createPublicKey({key: Buffer.from(known, 'base64'), format: 'der', type: 'spki'});
  return verify('sha256', Buffer.from(text), {key, dsaEncoding: 'ieee-p1363'}, Buffer.from(signature, 'base64'));
}

/** The signed list of recalled versions, as `src/api/recall.ts` reads it. */
export function recallList(versions: readonly string[], reason: string, secret: string): string {
  const list = JSON.stringify({package: 'swap-widget', versions, reason, issued: new Date().toISOString()});
  return `${JSON.stringify({list, signature: signed(list, secret)}, null, 2)}\n`;
}

/** A folder of a release, wherever it is: resolves with the bytes of a file, `undefined` if it is missing. */
export type ReadFile = (name: string) => Promise<Uint8Array | undefined>;

/**
 * The faults of a release where it is published, one sentence each. Empty if every file of the signed list is the one
 * that was signed. Files outside the list are not checked: nothing of the widget loads them.
 */
export async function faultsOf(
  read: ReadFile,
  known: string,
): Promise<{version?: string; count: number; faults: string[]}> {
  const text = async (name: string) => {
    const bytes = await read(name);
    return bytes && Buffer.from(bytes).toString();
  };
  const [list, signature] = [await text(SIGNED[0]), await text(SIGNED[1])];
  if (list === undefined) return {count: 0, faults: [`There is no ${SIGNED[0]}.`]};
  if (signature === undefined) return {count: 0, faults: [`There is no ${SIGNED[1]}.`]};
  if (!isSigned(list, signature.trim(), known))
    return {count: 0, faults: [`${SIGNED[0]} is not signed by the release key.`]};
  const {version, files} = JSON.parse(list) as {version: string; files: Record<string, string>};
  const faults: string[] = [];
  for (const [name, hash] of Object.entries(files)) {
    const bytes = await read(name);
    if (!bytes) faults.push(`${name} is missing.`);
    else if (integrityOf(bytes) !== hash) faults.push(`${name} is not the file that was signed.`);
  }
  return {version, count: Object.keys(files).length, faults};
}
