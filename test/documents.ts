/**
 * The parts of documents that are generated from the code: `npm run docs` writes them between their marks, `--check`
 * only reports what is out of date. Both check that all links work, that table rows fit on a screen, that samples only
 * use what exists and compile in strict TypeScript, and that documents do not grow. Needs the built package.
 */
import {existsSync, readFileSync, readdirSync, statSync, writeFileSync} from 'node:fs';
import {dirname, extname, join, normalize} from 'node:path';
import {gzipSync} from 'node:zlib';
import {format, resolveConfig} from 'prettier';
import type {Token, Tokens} from 'marked';
import {DOCUMENTS, headingsOf, isPublished, read, readDocument} from '../demo/documents.js';
import {CHECKS} from '../demo/conformance/findings.js';
import {ALL_KNOWN} from '../src/domain/known/all.js';
import {markdownOf, readReports, type Group} from './bench/measure.js';
import {DIST, firstLoad, lateEntries, loadedFor, sharedByFamilies} from './support/dist.js';
import {mistypedSamples, withoutText} from './support/document-samples.js';

const WIDEST_ROW = 100;
/** How much a size may differ from the document: compressors vary a little, and not every byte matters. */
const TOLERANCE = 0.05;
const MARK = /<!-- generated: ([\w./+-]+) -->\n[^]*?<!-- \/generated -->/g;

interface Item {
  readonly name: string;
  readonly description?: string;
  readonly default?: string;
  readonly type?: {readonly text: string};
}
interface Member extends Item {
  readonly kind: string;
  readonly attribute?: string;
  readonly readonly?: boolean;
  readonly static?: boolean;
}
interface Declaration {
  readonly name: string;
  readonly tagName?: string;
  readonly members?: readonly Member[];
  readonly attributes: readonly Item[];
  readonly events: readonly Item[];
  readonly cssParts: readonly Item[];
  readonly cssProperties: readonly Item[];
  readonly slots?: readonly Item[];
}

const manifest = JSON.parse(readFileSync(join(DIST, 'custom-elements.json'), 'utf8')) as {
  modules: readonly {readonly declarations: readonly Declaration[]}[];
};
const declarations = manifest.modules.flatMap(module => module.declarations);
const elementOf = (tag: string) => {
  const element = declarations.find(({tagName}) => tagName === tag);
  if (!element) throw new Error(`The manifest has no <${tag}>.`);
  return element;
};
const [widget, status] = [elementOf('swap-widget'), elementOf('swap-status')];
const {members = [], attributes, events, cssParts, cssProperties, slots = []} = widget;
const fieldsOf = ({members = []}: Declaration) =>
  members.filter(({kind, attribute}) => kind === 'field' && attribute === undefined);
const fields = fieldsOf(widget);

// -- generated parts

const line = (name: string, description = '', more = '') =>
  `- **\`${name}\`**${more}: ${description.replace(/\s+/g, ' ').trim()}`;
const list = (items: readonly Item[], more: (item: Item) => string = () => '') =>
  items.map(item => line(item.name, item.description, more(item))).join('\n');

const BLOCKS: Readonly<Record<string, () => string>> = {
  attributes: () => settings(attributes),
  properties: () => settings(fields.filter(field => !field.readonly)),
  'read-only': () => list(fields.filter(field => field.readonly && !field.static)),
  methods: () =>
    [
      ...members.filter(({kind}) => kind === 'method').map(({name, description}) => line(`${name}()`, description)),
      ...fields.filter(field => field.static).map(({name, description}) => line(`SwapWidget.${name}`, description)),
    ].join('\n'),
  events: () => list(events, ({type}) => factsOf(type?.text ?? '')),
  slots: () => (slots.length ? list(slots) : 'There are no slots: children of the element are not shown.'),
  parts: () => list(cssParts),
  'custom-properties': () => list(cssProperties, item => (item.default ? ` (\`${item.default}\`)` : '')),
  'status-attributes': () => beside(attributes, status.attributes),
  'status-properties': () => beside(fields, fieldsOf(status)),
  'status-events': () => beside(events, status.events),
  'status-slots': () => beside(slots, status.slots ?? []),
  stages: () => union('src/domain/stage.ts', 'Stage'),
  codes: () => union('src/domain/error.ts', 'SwapErrorCode'),
  chain: () => facts('src/domain/asset.ts', 'ChainSettings'),
  asset: () => facts('src/domain/asset.ts', 'AssetSettings'),
  service: () => settings(factsIn('src/api/dialect.ts', 'ServiceDialect')),
  policy: () =>
    settings([
      ...factsIn('src/elements/settings/settings.ts', 'PolicySettings'),
      // The rest of it follows from the attribute `unverified`.
      ...factsIn('src/domain/deposit.ts', 'Policy').filter(({name}) => name === 'redeemers?'),
    ]),
  order: () => facts('src/domain/order.ts', 'Order'),
  leg: () => facts('src/domain/order.ts', 'Leg'),
  'main-networks': () => assetsOf(false),
  'test-networks': () => assetsOf(true),
  faults: () =>
    [...readFileSync('demo/sandbox/faults.ts', 'utf8').matchAll(/^ {2}(\w+): fault\(\s*(['"])([^]*?)\2,/gm)]
      .map(([, name = '', , text]) => line(name, text))
      .join('\n'),
  sizes,
  speed,
  checks: () =>
    Object.entries(CHECKS)
      .map(([id, {says, by}]) => line(id, says, by === 'specification' ? '' : ` (${by})`))
      .join('\n'),
  visitor: () => measured('visitor'),
  'first-load': () =>
    `The form is ${kilobytes(firstLoad('define.js'))}; everything else loads when it is first needed.`,
};

/** Another element's members: only names if their descriptions are the widget's, otherwise with descriptions. */
function beside(ofWidget: readonly Item[], own: readonly Item[]): string {
  const isSame = ({name, description}: Item) =>
    ofWidget.some(item => item.name === name && item.description === description);
  const same = own.filter(isSame).map(({name}) => `\`${name}\``);
  const others = list(own.filter(item => !isSame(item)));
  return [same.length ? `- As the widget’s: ${same.join(', ')}.` : '', others].filter(Boolean).join('\n');
}

function factsOf(event: string): string {
  const {members = []} = declarations.find(({name}) => name === event) ?? {};
  const own = members.filter(({kind}) => kind === 'field');
  return own.length ? ` (${own.map(({name}) => `\`${name}\``).join(', ')})` : '';
}

/** A union of texts, each with the comment before it. */
function union(file: string, name: string): string {
  const [, body = ''] = new RegExp(`export type ${name} =\\n([^]*?);\\n`).exec(readFileSync(file, 'utf8')) ?? [];
  const items = [...body.matchAll(/\/\*\*([^]*?)\*\/\s*\| '([^']+)'/g)];
  if (!items.length) throw new Error(`${file} has no commented union ${name}.`);
  return items.map(([, comment = '', text = '']) => line(text, unstarred(comment))).join('\n');
}

/** The properties of an interface, each with the comment before it. */
function factsIn(file: string, name: string): Item[] {
  const [, body = ''] =
    new RegExp(`export interface ${name} [^{]*\\{\\n([^]*?)\\n\\}\\n`).exec(readFileSync(file, 'utf8')) ?? [];
  const items = [...body.matchAll(/(?:\/\*\*((?:(?!\*\/)[^])*)\*\/\s*)?readonly (\w+)(\??): (\{[^}]*\}|[^;]+);/g)];
  if (!items.length) throw new Error(`${file} has no interface ${name}.`);
  return items.map(([, comment = '', property = '', optional = '', type = '']) => ({
    name: property + optional,
    description: unstarred(comment),
    type: {text: type},
  }));
}

function facts(file: string, name: string): string {
  return factsIn(file, name)
    .map(({name, description, type}) =>
      description ? line(name, description) : `- **\`${name}\`** (\`${type?.text ?? ''}\`)`,
    )
    .join('\n');
}

/** Settings, each with its kind, and the default that its description ends with. */
function settings(items: readonly Item[]): string {
  return items
    .map(({name, description = '', type}) => {
      const kind = kindOf(type?.text ?? '');
      const [, words = '', standard] = /^(.*?)(?: ?Default: (.*)\.)?$/.exec(description.replace(/\s+/g, ' ')) ?? [];
      const [, isRequired, sentence = ''] = /^(Required\. )?(.*)$/.exec(words) ?? [];
      const unset = isRequired ? 'required' : `default: ${standard ?? 'off'}`;
      if (!isRequired && (standard === undefined) !== (kind === 'boolean'))
        wrong.push(`The description of ${name} has no default, or is of a boolean and has one.`);
      return `- **\`${name.replace('?', '')}\`** · ${kind} · ${unset}\\\n  ${sentence}`;
    })
    .join('\n');
}

function kindOf(type: string): string {
  if (/^boolean\b/.test(type)) return 'boolean';
  if (type.startsWith("'")) return 'keyword';
  if (type.includes('Record<')) return /^string\b/.test(type) ? 'text' : 'object';
  if (type.includes('[]')) return 'list';
  if (type.includes('number')) return 'number';
  if (/^string\b/.test(type)) return 'text';
  return /^(?:ReferencePrice|typeof globalThis\.fetch)\b/.test(type) ? 'function' : 'object';
}

function unstarred(comment: string): string {
  return comment
    .replace(/^\s*\*/gm, '')
    .replace(/\s+/g, ' ')
    .trim();
}

function assetsOf(test: boolean): string {
  const chains = ALL_KNOWN.chains.filter(chain => chain.test === test);
  const on = (name: string) => ALL_KNOWN.assets.filter(({id}) => id.startsWith(`${name}:`));
  const offered = chains.flatMap(({name}) => {
    const names = on(name).flatMap(({id, isGone}) => (isGone ? [] : [`\`${id.split(':')[1] ?? ''}\``]));
    return names.length ? [`- **\`${name}\`**: ${names.join(' ')}`] : [];
  });
  const gone = chains.flatMap(({name}) => on(name).flatMap(({id, isGone}) => (isGone ? [`\`${id}\``] : [])));
  const rest = gone.length
    ? [`- Only offered where \`assets\` names them, as the operator left them: ${gone.join(' ')}`]
    : [];
  return [...offered, ...rest].join('\n');
}

function sizes(): string {
  const form = firstLoad('define.js');
  const families = {
    shared: sharedByFamilies(),
    evm: loadedFor('evm'),
    names: loadedFor('names', 'evm'),
    bitcoin: loadedFor('bitcoin'),
    payers: loadedFor('bitcoin wallets', 'bitcoin'),
    solana: loadedFor('solana'),
    starknet: loadedFor('starknet'),
  };
  const known = new Set([...form, ...Object.values(families).flat()]);
  const late = lateEntries().filter(({source}) => /^src\/(?!chains\/|locales\/(?!en)\w\w\.json)/.test(source));
  const others = new Set(late.flatMap(({files}) => files).filter(file => !known.has(file)));
  return `| what | when it loads | compressed |
| --- | --- | --- |
| the form | with the page | ${kilobytes(form)} |
| prices, orders, all other views | when first needed | ${kilobytes([...others])} in all |
| what all families share | with the first wallet or address | ${kilobytes(families.shared)} |
| EVM chains | with the first of theirs | ${kilobytes(families.evm)} |
| ENS names | with the first name | ${kilobytes(families.names)} |
| Bitcoin | with the first of its wallets or addresses | ${kilobytes(families.bitcoin)} |
| Bitcoin wallets | when one is looked for | ${kilobytes(families.payers)} |
| Solana | with the first of its wallets or addresses | ${kilobytes(families.solana)} |
| Starknet | the same | ${kilobytes(families.starknet)} |
| \`rescue.html\` | never with the widget: a page of its own | ${kilobytes(['rescue.html'])} |`;
}

/** The latest measurements of the widget on a page, by group. */
function speed(): string {
  const titles: Readonly<Partial<Record<Group, string>>> = {
    form: 'The form',
    feel: 'What is felt',
    flow: 'After the form',
    memory: 'After a long time',
  };
  return Object.entries(titles)
    .filter(([group]) => readReports()[group as Group])
    .map(([group, title]) => `### ${title}\n\n${measured(group as Group)}`)
    .join('\n\n');
}

function measured(group: Group): string {
  const report = readReports()[group];
  if (!report) return 'Not measured yet.';
  const {date, machine, results} = report;
  // Counts with a fake clock are the same on every machine.
  if (group === 'visitor') return `Counted on ${date}.\n\n${markdownOf(results)}`;
  return `Measured on ${date} in ${machine.browser}, on ${String(machine.processors)} processors (${machine.model}).\n\n${markdownOf(results)}`;
}

function kilobytes(files: readonly string[]): string {
  const bytes = files.reduce((sum, file) => sum + gzipSync(readFileSync(join(DIST, file)), {level: 9}).length, 0);
  return `${(bytes / 1000).toFixed(1)} kB`;
}

function whole(path: string): string {
  return `\`\`\`${extname(path).slice(1)}\n${readFileSync(path, 'utf8').trimEnd()}\n\`\`\``;
}

async function written(path: string, text: string): Promise<string> {
  const filled = text.replace(MARK, (_, name: string) => {
    const block = BLOCKS[name] ?? (existsSync(name) && (() => whole(name)));
    if (!block) throw new Error(`${path}: nothing is known of “${name}”.`);
    return `<!-- generated: ${name} -->\n\n${block()}\n\n<!-- /generated -->`;
  });
  return format(filled, {...(await resolveConfig(path)), parser: 'markdown'});
}

/** Whether two texts are equal, with sizes within the tolerance. */
function isSame(one: string, other: string): boolean {
  const size = /\b(\d+\.\d) kB/g;
  const blank = (text: string) => text.replace(size, '').replace(/ +|-{3,}/g, ' ');
  const sizesOf = (text: string) => [...text.matchAll(size)].map(([, number]) => Number(number));
  const others = sizesOf(other);
  return (
    blank(one) === blank(other) &&
    sizesOf(one).every((size, i) => Math.abs(size - (others[i] ?? 0)) <= TOLERANCE * size)
  );
}

// -- checks

const wrong: string[] = [];
const paths: readonly string[] = Object.values(DOCUMENTS).flat();

function* walk(tokens: readonly Token[]): Generator<Token> {
  for (const token of tokens) {
    yield token;
    if ('tokens' in token && token.tokens) yield* walk(token.tokens);
    if (token.type === 'list') yield* walk((token as Tokens.List).items);
    if (token.type !== 'table') continue;
    const {header, rows} = token as Tokens.Table;
    for (const {tokens} of [header, ...rows].flat()) yield* walk(tokens);
  }
}

const anchors = new Map(paths.map(path => [path, new Set(headingsOf(read(readDocument(path))).values())] as const));

function lookAtLink(path: string, href: string) {
  if (/^(https?|mailto):/.test(href)) return;
  const [file = '', anchor] = href.split('#');
  const target = file ? normalize(join(dirname(path), file)).replaceAll('\\', '/') : path;
  if (!existsSync(target) || statSync(target).isDirectory()) wrong.push(`${path}: ${href} leads nowhere`);
  else if (!isPublished(target)) wrong.push(`${path}: ${href} is no page of the playground (demo/documents.ts)`);
  else if (anchor !== undefined && !anchors.get(target)?.has(anchor)) wrong.push(`${path}: ${href} names no heading`);
}

const known = {
  attributes: new Set([...attributes.map(({name}) => name), 'id', 'class', 'style', 'ref']),
  properties: new Set([...members.map(({name}) => name), 'addEventListener', 'setAttribute']),
  events: new Set(events.map(({name}) => name)),
  parts: new Set(cssParts.map(({name}) => name)),
  customProperties: new Set(cssProperties.map(({name}) => name)),
};

/** What a sample uses of the element: attributes, properties of a `widget`, events, parts, custom properties. */
function lookAtSample(path: string, sample: string) {
  const named = (kind: keyof typeof known, pattern: RegExp, text = sample) => {
    for (const [, name = ''] of text.matchAll(pattern))
      if (!known[kind].has(name)) wrong.push(`${path}: a sample names ${name}, which is not among the ${kind}`);
  };
  // The inputs of the sample's own directive (Angular).
  const inputs = new Set([...sample.matchAll(/(\w+) = input\b/g)].map(([, name = '']) => name));
  for (const [, tag = ''] of sample.matchAll(/<swap-widget\s([^]*?)\/?>(?:\n|<|$)/g)) {
    const outside = tag
      .replace(/\{[^]*?\}(?=\s|$)|"[^"]*"/g, '')
      .replace(/\b(?:dangerouslySetInnerHTML|suppressHydrationWarning|set:html)\b/g, '');
    // Frameworks mark a name's kind with a prefix: `attr:`, `prop:`, `on:`. Their directives are not the element's.
    for (const [, name = ''] of outside.matchAll(/(?:attr[.:]|prop:|on:?(?=swap-))?([a-z][\w-]*)/gi)) {
      if (!known.attributes.has(name) && !known.properties.has(name) && !known.events.has(name) && !inputs.has(name))
        wrong.push(`${path}: a sample gives <swap-widget> ${name}, which it does not have`);
    }
  }
  named('properties', /^\s*widget\.(\w+)/gm);
  named('events', /addEventListener\('(swap-[\w-]+)'/g);
  named('parts', /::part\((\w+)\)/g);
  named('customProperties', /(--swap-[\w-]+)/g);
}

for (const path of paths) {
  const text = readDocument(path);
  for (const token of walk(read(text))) {
    if (token.type === 'link' || token.type === 'image') lookAtLink(path, (token as Tokens.Link).href);
    if (token.type === 'html')
      for (const [, href = ''] of token.raw.matchAll(/\b(?:src|srcset|href)="([^"]+)"/g)) lookAtLink(path, href);
    if (token.type === 'code') lookAtSample(path, (token as Tokens.Code).text);
    if (token.type === 'table' && path !== 'CHANGELOG.md') {
      const [row = ''] = token.raw.split('\n').filter(row => row.length > WIDEST_ROW);
      if (row) wrong.push(`${path}: a row is ${String(row.length)} characters wide: ${row.slice(0, 60)}…`);
    }
  }
}

// Samples for engineers concern this repository's files; generated ones are files that are built and run.
const forPartners = Object.entries(DOCUMENTS).flatMap(([audience, paths]) =>
  audience === 'For engineers' ? [] : paths,
);
wrong.push(...mistypedSamples(new Map(forPartners.map(path => [path, readDocument(path).replace(MARK, withoutText)]))));

// A document that nobody reads to the end says nothing.
const wordsOf = (text: string) => text.replace(MARK, '').split(/\s+/).filter(Boolean).length;
const forAll = paths.filter(path => path === 'README.md' || path.startsWith('demo/docs/'));
const news = /^## \[Unreleased\]\n([^]*?)^## /m.exec(readDocument('CHANGELOG.md'))?.[1] ?? '';
const LENGTHS = [
  {what: 'README.md and demo/docs, in words', is: wordsOf(forAll.map(readDocument).join('\n')), most: 19_000},
  {what: 'what is unreleased in CHANGELOG.md, in words', is: wordsOf(news), most: 600},
  ...Object.entries({
    'README.md': 10_000,
    'CONTRIBUTING.md': 15_000,
    'src/README.md': 10_000,
    'src/chains/README.md': 12_000,
  }).map(([path, most]) => ({
    what: `${path}, in bytes`,
    is: Buffer.byteLength(readDocument(path)),
    most,
  })),
];
for (const {what, is, most} of LENGTHS)
  if (is > most) wrong.push(`${what}: ${String(is)}, and no more than ${String(most)} are allowed`);

// No reader would find a document that is not among the pages.
for (const folder of ['.', 'demo', 'src', 'test', '.github']) {
  for (const file of readdirSync(folder, {recursive: folder !== '.', encoding: 'utf8'})) {
    const path = normalize(join(folder, file)).replaceAll('\\', '/');
    const isTemplate = /TEMPLATE/i.test(path);
    // The parts common to all examples are on the page on frameworks.
    const isExample = /^demo\/embed\/(?:[^/]+\/)?README\.md$/.test(path);
    const isHome = path === 'demo/docs/.vitepress/home.md';
    if (path.endsWith('.md') && !isTemplate && !isExample && !isHome && !isPublished(path))
      wrong.push(`${path} is missing in demo/documents.ts`);
  }
}

const onlyLooks = process.argv.includes('--check');
for (const path of paths) {
  const text = readDocument(path);
  if (!text.match(MARK)) continue;
  const now = await written(path, text);
  if (isSame(text, now)) continue;
  if (onlyLooks) wrong.push(`${path} is out of date: npm run docs`);
  else writeFileSync(path, now);
}

if (wrong.length) {
  console.log(wrong.join('\n'));
  process.exit(1);
}
