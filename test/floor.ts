/**
 * Says whether what is built needs a newer browser than the documents name: what scripts call and what style sheets
 * say, looked up in MDN's tables (`@mdn/browser-compat-data`). What is newer has its reason here, or fails.
 */
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {parseAst} from 'rolldown/parseAst';
import {Visitor} from 'vite';
import {DIST, scripts, sourcesOf} from './support/dist.js';
import {requireOf} from './tools/with.js';

/** As in the README. */
const FLOOR = {chrome: 125, edge: 125, firefox: 128, safari: 18} as const;

/** What is newer than that, or missing somewhere, and why that does no harm. */
const WITHOUT_HARM: Readonly<Record<string, string>> = {
  '.requestIdleCallback': 'asked for; a timer does it elsewhere',
  '.share': 'asked for; without it the link is copied',
  '.toHex': 'asked for by @noble/hashes and @noble/curves, which have code of their own',
  '.fromHex': 'the same',
  'Uint8Array.fromHex': 'the same',
  CloseWatcher: 'looked for; elsewhere a sheet is closed by its button, by Escape and by a press beside it',
  BarcodeDetector: 'looked for; without it the button that reads a QR code is not there',
  'forced-color-adjust': 'no browser without it forces colors, so a QR code keeps its own',
  'forced-color-adjust: none': 'the same',
  'overflow-anchor': 'who does not know it does not move what is scrolled',
  'overflow-anchor: none': 'the same',
  'scrollbar-gutter': 'elsewhere the page may shift by the width of its scroll bar',
  'scrollbar-gutter: stable': 'the same',
  'scrollbar-width': 'elsewhere scroll bars are as wide as usual',
  'scrollbar-width: thin': 'the same',
  'scrollbar-width: none': 'the same',
  'text-wrap: pretty': 'elsewhere lines break as usual',
  'word-break: auto-phrase': 'elsewhere Japanese breaks within a phrase too',
  '-webkit-locale': 'Firefox takes the language from the element itself',
};

/** Members of our own objects, of libraries and of `Intl.Locale`, which younger objects of browsers have too. */
const OF_OTHERS = new Set(['bytes', 'capture', 'config', 'isValid', 'maximize', 'memory', 'toArray', 'use', 'watch']);

/** The libraries for wallets on other devices have browsers of their own in mind. */
const isTheirs = (file: string) =>
  sourcesOf(file).some(source => /^node_modules\/(@web3modal|@walletconnect|@coinbase)\//.test(source));

type Table = Readonly<Record<string, unknown>>;
interface Support {
  readonly version_added?: string | boolean | null;
  readonly version_removed?: string;
  readonly flags?: unknown;
  readonly partial_implementation?: boolean;
}

/** The browsers of the floor that lack a feature; none for what the tables do not know. */
function lacking(feature: unknown): string[] {
  const support = (feature as {__compat?: {support: Record<string, Support | Support[]>}} | undefined)?.__compat
    ?.support;
  if (!support) return [];
  return Object.entries(FLOOR).flatMap(([browser, floor]) => {
    const statements = [support[browser] ?? []].flat();
    const has = statements.some(({version_added: since, version_removed: until, flags}) => {
      if (flags || typeof since !== 'string' || (until && version(until) <= floor)) return since === true;
      return version(since) <= floor;
    });
    return has ? [] : [`${browser} ${String(statements[0]?.version_added ?? '?')}`];
  });
}

const version = (text: string) => parseFloat(text.replace('≤', ''));

const isFeature = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && '__compat' in value;

const {api, javascript, css} = (await requireOf('checks'))('@mdn/browser-compat-data') as {
  api: Table;
  javascript: {builtins: Table};
  css: Record<string, Table>;
};
const interfaces: Table = {...javascript.builtins, ...api};

/** What pages are made of. Of an object that is not known, a name counts if one of these has such a member. */
const OF_PAGES =
  /^(?:Abort|Animation|Crypto$|CSS(?:Style|Rule)|Custom|Document$|DOM|Element|Event|HTML|Lock|Mutation|Navigator$|Node|Performance$|Re(?:quest|sponse|size)|Shadow|Storage|Subtle|Text|URL|Window$)/;

/** Members by name, of all kinds of objects, where language or page have one of that name. */
const members = new Map<string, unknown[]>();
const named = new Set<string>();
for (const [owner, table] of Object.entries(interfaces)) {
  for (const [name, member] of Object.entries(table as Table)) {
    if (!isFeature(member) || /_(?:static|event)$/.test(name)) continue;
    members.set(name, [...(members.get(name) ?? []), member]);
    if (owner in javascript.builtins || OF_PAGES.test(owner)) named.add(name);
  }
}
/** Values and functions of styles, by name, wherever they may stand. */
const values = new Map<string, unknown[]>();
const collect = (table: Table) => {
  for (const [name, value] of Object.entries(table)) {
    if (name === '__compat' || typeof value !== 'object' || value === null) continue;
    if (isFeature(value)) values.set(name, [...(values.get(name) ?? []), value]);
    collect(value as Table);
  }
};
collect(css['types'] ?? {});

/** What was found to be newer, with the files that have it. */
const newer = new Map<string, {readonly lack: readonly string[]; readonly files: Set<string>}>();

function judge(name: string, candidates: readonly unknown[], file: string): void {
  // A name that one of them has had for long says nothing.
  if (!candidates.length || candidates.some(candidate => !lacking(candidate).length)) return;
  const known = newer.get(name) ?? {lack: lacking(candidates[0]), files: new Set<string>()};
  known.files.add(file);
  newer.set(name, known);
}

function readScript(code: string, file: string): void {
  const visitor = new Visitor({
    Identifier({name}) {
      if (/^[A-Z]\w{3,}$/.test(name) && isFeature(interfaces[name])) judge(name, [interfaces[name]], file);
    },
    MemberExpression({object, property, computed}) {
      if (computed || property.type !== 'Identifier') return;
      const {name} = property;
      const owner = object.type === 'Identifier' ? (interfaces[object.name] as Table | undefined) : undefined;
      const own = owner && [owner[`${name}_static`], owner[name]].filter(isFeature);
      if (object.type === 'Identifier' && own?.length) judge(`${object.name}.${name}`, own, file);
      else if (named.has(name) && !OF_OTHERS.has(name)) judge(`.${name}`, members.get(name) ?? [], file);
    },
    TemplateElement({value: {raw}}) {
      if (/[{;][\w-]+:[^;{}]+[;}]/.test(raw)) readStyles(raw, file);
    },
  });
  visitor.visit(parseAst(code));
}

function readStyles(text: string, file: string): void {
  for (const [, name = ''] of text.matchAll(/@([a-z-]+)/g))
    judge(`@${name}`, [css['at-rules']?.[name]].filter(isFeature), file);
  for (const [, name = ''] of text.matchAll(/::?([a-z-]+)(?=[\s,{:.>)([])(?=[^{};]*\{)/g))
    judge(`:${name}`, [css['selectors']?.[name]].filter(isFeature), file);
  for (const [, name = '', value = ''] of text.matchAll(/(?<=[{;\s])([a-z-]+):([^;{}]+)(?=[;}])/g)) {
    const property = css['properties']?.[name];
    if (!isFeature(property)) continue;
    judge(name, [property], file);
    for (const [word, called] of value.matchAll(/[a-z][a-z-]+(\()?/g)) {
      const keyword = called ? undefined : property[word];
      judge(`${name}: ${word}`, isFeature(keyword) ? [keyword] : [], file);
      if (called) judge(word, values.get(word.slice(0, -1)) ?? [], file);
    }
  }
}

const files = scripts().filter(file => !isTheirs(file));
for (const file of files) readScript(readFileSync(join(DIST, file), 'utf8'), file);

let failed = 0;
for (const [name, {lack, files}] of newer) {
  if (WITHOUT_HARM[name]) continue;
  failed++;
  console.log(`${name}: not in ${lack.join(', ')}. In ${[...files].join(', ')}`);
}
for (const name of Object.keys(WITHOUT_HARM)) {
  if (newer.has(name)) continue;
  failed++;
  console.log(`${name}: nothing uses it any more, so it needs no reason.`);
}
console.log(`${String(files.length)} scripts read; ${String(failed)} to see to.`);
process.exit(failed ? 1 : 0);
