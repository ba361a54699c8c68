/**
 * What the playground's build knows: `virtual:playground`. The analyzer's data about `<swap-widget>` are generated again
 * whenever their sources have changed, in a child process, since a compiler keeps its memory.
 */
import {execFile} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {join, relative} from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import type {Plugin} from 'vite';
import type {Token, Tokens} from 'marked';
import {read, readDocument} from './documents.js';
import {kept} from './sandbox/kept.js';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const ANALYZER = 'node_modules/@custom-elements-manifest/analyzer/cem.js';
const CONFIG = 'test/cem.config.js';
export const MANIFEST_SOURCES = [
  CONFIG,
  'src/elements/swap-widget.ts',
  'src/elements/settings/settings.ts',
  'src/events.ts',
];
export const GUIDES = 'demo/docs/playground.md';
const ID = 'virtual:playground';

/** One attribute, property, custom property or event in the manifest. */
export interface ManifestItem {
  readonly name: string;
  readonly description?: string;
  readonly default?: string;
  readonly type?: {readonly text: string};
}

/** The element in the manifest. */
export interface WidgetManifest {
  readonly attributes: readonly ManifestItem[];
  readonly members: readonly (ManifestItem & {
    readonly kind: string;
    readonly attribute?: string;
    readonly readonly?: boolean;
  })[];
  readonly events: readonly ManifestItem[];
  readonly cssProperties: readonly ManifestItem[];
}

/** Text of a document, with its weight. */
export interface GuidePiece {
  readonly kind: 'text' | 'strong' | 'codespan';
  readonly text: string;
}

/** The numbered steps under a heading of the page of the playground. */
export interface Guide {
  readonly title: string;
  readonly steps: readonly (readonly GuidePiece[])[];
}

export interface Place {
  readonly hasSandbox: boolean;
  /** The path from the page to the built widget's folder. */
  readonly dist: string;
  readonly documents: string;
}

/** Provides `virtual:playground`: the manifest of the widget, the guides, and where the page runs. */
export function playground(place: Place): Plugin {
  return {
    name: 'playground',
    resolveId: id => (id === ID ? `\0${ID}` : null),
    async load(id) {
      if (id !== `\0${ID}`) return null;
      const manifest = await readManifest();
      const values = Object.entries({manifest, place, guides: readGuides()});
      return values.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`).join('\n');
    },
  };
}

/** Reads the element's manifest, generated again if its sources have changed. */
export async function readManifest(): Promise<WidgetManifest> {
  const folder = kept.find('manifest') ?? (await kept.keep('manifest', analyze));
  const {modules} = JSON.parse(readFileSync(join(folder, 'custom-elements.json'), 'utf8')) as {
    modules: readonly {declarations: readonly (WidgetManifest & {tagName?: string})[]}[];
  };
  const widget = modules.flatMap(({declarations}) => declarations).find(({tagName}) => tagName === 'swap-widget');
  if (!widget) throw new Error('The manifest has no <swap-widget>.');
  const {attributes, members, events, cssProperties} = widget;
  return {attributes, members, events, cssProperties};
}

function readGuides(): readonly Guide[] {
  const tokens = read(readDocument(GUIDES));
  return tokens.flatMap((token, at) => {
    if (token.type !== 'list' || !(token as Tokens.List).ordered) return [];
    const heading = tokens.slice(0, at).findLast(({type}) => type === 'heading') as Tokens.Heading;
    const steps = (token as Tokens.List).items.map(({tokens}) => tokens.flatMap(piecesOf));
    return [{title: heading.text, steps}];
  });
}

function piecesOf(token: Token): readonly GuidePiece[] {
  if (token.type === 'strong' || token.type === 'codespan')
    return [{kind: token.type, text: (token as Tokens.Strong).text}];
  if ('tokens' in token) return token.tokens.flatMap(piecesOf);
  return [{kind: 'text', text: 'text' in token ? String(token.text) : token.raw}];
}

async function analyze(folder: string): Promise<string[]> {
  const outdir = relative(ROOT, folder);
  await promisify(execFile)(process.execPath, [ANALYZER, 'analyze', '--config', CONFIG, '--outdir', outdir], {
    cwd: ROOT,
  });
  return MANIFEST_SOURCES.map(source => join(ROOT, source));
}
