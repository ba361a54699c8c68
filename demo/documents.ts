/**
 * The project's documents: which there are, and what their site is made from. VitePress builds the site
 * (`docs/.vitepress/`): `/docs/` under `npm start`, and in the built playground.
 */
import {cpSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join, posix} from 'node:path';
import {Marked, type Token, type Tokens} from 'marked';

/** The site and the tests run in the project's own folder, wherever they were compiled to. */
const ROOT = process.cwd();

/** All documents, by what a reader wants, in reading order. */
export const DOCUMENTS = {
  'Get started': [
    'README.md',
    'demo/docs/playground.md',
    'demo/docs/installing.md',
    'demo/docs/frameworks.md',
    'demo/docs/site-builders.md',
    'demo/docs/styling.md',
    'demo/docs/testing.md',
    'demo/docs/assistants.md',
    'demo/docs/reference.md',
    'demo/docs/releasing.md',
  ],
  Features: [
    'demo/docs/wallets.md',
    'demo/docs/bitcoin.md',
    'demo/docs/rescue.md',
    'demo/docs/languages.md',
    'demo/docs/affiliate-fees.md',
    'demo/docs/links.md',
    'demo/docs/events.md',
    'demo/docs/headless.md',
    'demo/docs/payments.md',
  ],
  'Safety and quality': [
    'demo/docs/safety.md',
    '.github/SECURITY.md',
    'demo/docs/accessibility.md',
    'demo/docs/browsers.md',
    'demo/docs/speed.md',
  ],
  'For operators': ['demo/docs/conformance.md', 'demo/docs/scale.md'],
  'For engineers': [
    'CONTRIBUTING.md',
    'src/README.md',
    'src/chains/README.md',
    'test/README.md',
    'demo/sandbox/README.md',
    'demo/minimal-service/README.md',
    'CHANGELOG.md',
  ],
} as const satisfies Record<string, readonly string[]>;

const FILES: Readonly<Record<string, string>> = {
  LICENSE: 'license.txt',
  'demo/docs/widget-light.webp': 'widget-light.webp',
  'demo/docs/widget-dark.webp': 'widget-dark.webp',
  'demo/docs/shared.png': 'shared.png',
};

/** The names on the site of what is not in `demo/docs/`. */
const NAMES: Readonly<Record<string, string>> = {
  'README.md': 'overview',
  '.github/SECURITY.md': 'security',
  'CONTRIBUTING.md': 'contributing',
  'src/README.md': 'inside',
  'src/chains/README.md': 'chains',
  'test/README.md': 'tests',
  'demo/sandbox/README.md': 'sandbox',
  'demo/minimal-service/README.md': 'minimal-service',
  'CHANGELOG.md': 'changelog',
};
const PATHS: readonly string[] = Object.values(DOCUMENTS).flat();

interface SitePage {
  /** Without an ending. */
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  /** Its Markdown, whose links lead to pages and files of the site. */
  readonly text: string;
}

const marked = new Marked();

export function readDocument(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** Whether a path is a document, or a file that documents can show. */
export function isPublished(path: string): boolean {
  return PATHS.includes(path) || Object.hasOwn(FILES, path);
}

export function read(markdown: string): Token[] {
  return marked.lexer(markdown);
}

/** The anchor of a heading, as on GitHub. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

/** The headings of a document, with their anchors as on GitHub. */
export function headingsOf(tokens: readonly Token[]): ReadonlyMap<Token, string> {
  const used = new Map<string, number>();
  const headings = new Map<Token, string>();
  for (const token of tokens) {
    if (token.type !== 'heading') continue;
    const slug = slugOf(plain(token as Tokens.Heading));
    const times = used.get(slug) ?? 0;
    used.set(slug, times + 1);
    headings.set(token, times ? `${slug}-${String(times)}` : slug);
  }
  return headings;
}

/** All pages of the site, by what a reader wants. */
export function sitePages(): Readonly<Record<string, readonly SitePage[]>> {
  return Object.fromEntries(Object.entries(DOCUMENTS).map(([group, paths]) => [group, paths.map(pageOf)]));
}

function pageOf(path: string): SitePage {
  const text = linked(readDocument(path), path).replace(/<!-- \/?generated\b.*-->\n+/g, '');
  const tokens = read(text);
  const heading = tokens.find(({type}) => type === 'heading') as Tokens.Heading;
  const lead = tokens.find(({type}) => type === 'paragraph') as Tokens.Paragraph;
  const words = plain(lead).replace(/\s+/g, ' ');
  return {
    name: nameOf(path),
    title: path === 'README.md' ? 'Overview' : plain(heading),
    summary: /^.*?[.:](?=\s|$)/.exec(words)?.[0].replace(/:$/, '.') ?? words,
    text,
  };
}

/** A document with links from page to page of the site: code stays as it is. */
function linked(text: string, path: string): string {
  const leadTo = (href: string) => {
    const [file = '', anchor] = href.split('#');
    if (!file || /^[a-z]+:/.test(file)) return href;
    const target = posix.join(posix.dirname(path), file);
    const place = PATHS.includes(target) ? `./${nameOf(target)}.md` : `./${FILES[target] ?? target}`;
    return anchor === undefined ? place : `${place}#${anchor}`;
  };
  return text
    .split(/(^```[^]*?^```$)/m)
    .map((part, at) =>
      at % 2
        ? part
        : part.replace(/(?<=\]\()[^)\s]+(?=\))/g, leadTo).replace(/(?<=\b(?:src|srcset|href)=")[^"]+(?=")/g, leadTo),
    )
    .join('');
}

function nameOf(path: string): string {
  return NAMES[path] ?? posix.basename(path, '.md');
}

/**
 * Writes what the site is made from into a folder: its pages, and in `public/` what is served as it is. For programs
 * that read, that is each page as Markdown, a list of all (`llms.txt`, https://llmstxt.org) and all that partners need
 * in one file (`llms-full.txt`).
 * @param site - The site's public URL.
 */
export function writeSources(folder: string, site: string): void {
  const files = join(folder, 'public');
  rmSync(folder, {recursive: true, force: true});
  mkdirSync(files, {recursive: true});
  for (const [path, name] of Object.entries(FILES)) cpSync(join(ROOT, path), join(files, name));
  cpSync(join(ROOT, 'demo/docs/.vitepress/home.md'), join(folder, 'index.md'));

  const groups = Object.entries(sitePages());
  for (const {name, text} of groups.flatMap(([, pages]) => pages)) {
    writeFileSync(join(files, `${name}.md`), text.replace(PICTURE, ''));
    writeFileSync(join(folder, `${name}.md`), text.replace(PICTURE, '<Live />\n'));
  }
  const forPartners = groups.flatMap(([group, pages]) => (group === ENGINEERS ? [] : pages));
  const lists = groups.map(([group, pages]) => {
    const items = pages.map(({name, title, summary}) => `- [${title}](${site}${name}.md): ${summary}`);
    return `## ${group === ENGINEERS ? 'Optional' : group}\n\n${items.join('\n')}\n`;
  });
  const head = `# <swap-widget>\n\n> ${forPartners[0]?.summary ?? ''}\n`;
  writeFileSync(join(files, 'llms.txt'), [head, ...lists].join('\n'));
  const whole = forPartners.map(({name, text}) => `<!-- ${site}${name}.html -->\n\n${text.replace(PICTURE, '')}`);
  writeFileSync(join(files, 'llms-full.txt'), whole.join('\n'));
}

const ENGINEERS = 'For engineers';
/** The README's picture, instead of which the site has the widget itself. */
const PICTURE = /^<picture>[^]*?<\/picture>\n/m;

function plain({tokens}: {readonly tokens: readonly Token[]}): string {
  return tokens
    .map(token =>
      'tokens' in token ? plain({tokens: token.tokens}) : 'text' in token ? String(token.text) : token.raw,
    )
    .join('');
}
