/**
 * Checks whether the build needs a newer browser than documented: the features in scripts and style sheets are looked
 * up in MDN's browser-compatibility data (`@mdn/browser-compat-data`). A newer feature needs a reason here, or the
 * check fails.
 */
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {parseAst} from 'rolldown/parseAst';
import {Visitor} from 'vite';
import {DIST, scripts} from './support/dist.js';
import {requireOf} from './tools/with.js';

/** As in the README. */
const FLOOR = {chrome: 125, edge: 125, firefox: 128, safari: 18} as const;

/** Features that are newer, or missing somewhere, and why that is harmless. */
const WITHOUT_HARM: Readonly<Record<string, string>> = {
  '.requestIdleCallback': 'feature-detected; elsewhere a timer is used',
  '.share': 'feature-detected; without it the link is copied',
  '.take': 'a method of the mock service',
  '.toHex': 'feature-detected by @noble/hashes and @noble/curves, which have their own code',
  '.fromHex': 'the same',
  'Uint8Array.fromHex': 'the same',
  'forced-color-adjust': 'no browser without it forces colors, so a QR code keeps its own',
  'forced-color-adjust: none': 'the same',
  'scrollbar-gutter': 'elsewhere the page may shift by the width of its scroll bar',
  'scrollbar-gutter: stable': 'the same',
  'scrollbar-width': 'elsewhere scroll bars have their usual width',
  'scrollbar-width: thin': 'the same',
  'scrollbar-width: none': 'the same',
  'text-wrap: pretty': 'elsewhere lines break as usual',
  'word-break: auto-phrase': 'elsewhere Japanese breaks within a phrase too',
  '-webkit-locale': 'Firefox takes the language from the element itself',
};

/** Members of our own objects, of libraries and of `Intl.Locale`, whose names newer browser objects have, too. */
const OF_OTHERS = new Set(['bytes', 'capture', 'config', 'isValid', 'maximize', 'memory', 'toArray', 'use', 'watch']);

type Table = Readonly<Record<string, unknown>>;
interface Support {
  readonly version_added?: string | boolean | null;
  readonly version_removed?: string;
  readonly flags?: unknown;
  readonly partial_implementation?: boolean;
}

/** The minimum browser versions that lack a feature; none if the data does not have it. */
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

/** The most common objects of pages. For an unknown object, a name matters if one of these has such a member. */
const OF_PAGES =
  /^(?:Abort|Animation|Crypto$|CSS(?:Style|Rule)|Custom|Document$|DOM|Element|Event|HTML|Lock|Mutation|Navigator$|Node|Performance$|Re(?:quest|sponse|size)|Shadow|Storage|Subtle|Text|URL|Window$)/;

const members = new Map<string, unknown[]>();
const named = new Set<string>();
for (const [owner, table] of Object.entries(interfaces)) {
  for (const [name, member] of Object.entries(table as Table)) {
    if (!isFeature(member) || /_(?:static|event)$/.test(name)) continue;
    members.set(name, [...(members.get(name) ?? []), member]);
    if (owner in javascript.builtins || OF_PAGES.test(owner)) named.add(name);
  }
}
const values = new Map<string, unknown[]>();
const collect = (table: Table) => {
  for (const [name, value] of Object.entries(table)) {
    if (name === '__compat' || typeof value !== 'object' || value === null) continue;
    if (isFeature(value)) values.set(name, [...(values.get(name) ?? []), value]);
    collect(value as Table);
  }
};
collect(css['types'] ?? {});

const newer = new Map<string, {readonly lack: readonly string[]; readonly files: Set<string>}>();

function judge(name: string, candidates: readonly unknown[], file: string): void {
  // A name is not evidence if another object has had it for long.
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

const files = scripts();
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
