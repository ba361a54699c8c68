import {deepEqual, equal, ok} from 'node:assert/strict';
import {mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import type {Page, Protocol} from 'puppeteer-core';
import {openGallery, type Gallery} from '../support/open-gallery.js';

/*
 * The accessibility tree of each state, as text that a person reads before committing it. After an intended change,
 * `TREES=write npm test -- test/node/trees.test.ts` rewrites the files; read what changed.
 */

const FOLDER = 'test/elements/trees';
const isWriting = process.env['TREES'] === 'write';

/** Roles without a meaning of their own: only their content matters. */
const TRANSPARENT = new Set([
  'generic',
  'none',
  'paragraph',
  'strong',
  'emphasis',
  'LabelText',
  'Legend',
  'Figcaption',
  'DescriptionListDetail',
]);

/** Roles that are never announced. */
const SILENT = new Set(['InlineTextBox', 'LineBreak', 'ListMarker', 'iframe', 'Iframe']);

/** Roles whose name is announced in addition to their content. */
const NAMED_PLACES = new Set(['region', 'dialog', 'group', 'list', 'radiogroup', 'listbox', 'status', 'alert', 'form']);

/** States of a node that are announced. */
const HEARD = ['checked', 'disabled', 'expanded', 'invalid', 'modal', 'pressed', 'readonly', 'required', 'selected'];

type AXNode = Protocol.Accessibility.AXNode;

type Tree = ReadonlyMap<string, AXNode>;

const valueOf = (value: Protocol.Accessibility.AXValue | undefined) => clean(String(value?.value ?? ''));
const roleOf = ({role}: AXNode) => valueOf(role);
const childrenOf = ({childIds = []}: AXNode, tree: Tree) => childIds.flatMap(id => tree.get(id) ?? []);

/** A line for each node with a meaning of its own; successive texts are on one line. */
function linesOf(node: AXNode, tree: Tree, depth: number, isNamed = false): string[] {
  const lines: string[] = [];
  let texts: string[] = [];
  const flush = () => {
    if (texts.length) lines.push(`${'  '.repeat(depth)}${texts.join(' · ')}`);
    texts = [];
  };
  const walk = (child: AXNode) => {
    const role = roleOf(child);
    if (SILENT.has(role)) return;
    if (role === 'StaticText') {
      const text = valueOf(child.name);
      if (text && !isNamed && !child.ignored) texts.push(text);
    } else if (child.ignored || TRANSPARENT.has(role)) childrenOf(child, tree).forEach(walk);
    else {
      flush();
      lines.push(...describeNode(child, tree, depth));
    }
  };
  childrenOf(node, tree).forEach(walk);
  flush();
  return lines;
}

function describeNode(node: AXNode, tree: Tree, depth: number): string[] {
  const role = roleOf(node);
  const name = valueOf(node.name);
  const state = (wanted: string) => valueOf(node.properties?.find(({name}) => name === wanted)?.value);
  const states = HEARD.flatMap(wanted => {
    const value = state(wanted);
    return value === '' || value === 'false' ? [] : [value === 'true' ? wanted : `${wanted}: ${value}`];
  });
  const [value, description] = [valueOf(node.value), valueOf(node.description)];
  const head = [
    role + (role === 'heading' ? ` ${state('level')}` : ''),
    name && `“${name}”`,
    value && `= “${value}”`,
    description && `(${description})`,
    ...states.map(text => `[${text}]`),
  ];
  const inner = linesOf(node, tree, depth + 1, name !== '' && !NAMED_PLACES.has(role));
  const line = `${'  '.repeat(depth)}${head.filter(Boolean).join(' ')}`;
  const [only] = inner;
  // A short node is one line.
  return only !== undefined && inner.length === 1 ? [`${line}: ${only.trim()}`] : [line, ...inner];
}

/** Renders what browsers skip while it is out of view, and would describe inconsistently. Runs in the page. */
function drawAll() {
  const roots: (Document | ShadowRoot)[] = [document];
  for (const root of roots) {
    for (const element of root.querySelectorAll<HTMLElement>('*')) {
      if (element.shadowRoot) roots.push(element.shadowRoot);
      if (getComputedStyle(element).contentVisibility === 'auto') element.style.contentVisibility = 'visible';
    }
  }
}

function movements(): string[] {
  const roots: (Document | ShadowRoot)[] = [document];
  const names = new Set<string>();
  for (const root of roots) {
    for (const element of root.querySelectorAll('*')) if (element.shadowRoot) roots.push(element.shadowRoot);
    for (const each of root.getAnimations())
      if (each instanceof CSSAnimation && each.playState === 'running') names.add(each.animationName);
  }
  return [...names].sort();
}

async function readTrees(page: Page): Promise<ReadonlyMap<string, string>> {
  const session = await page.createCDPSession();
  const {nodes} = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  const tree: Tree = new Map(nodes.map(node => [node.nodeId, node]));
  return new Map(
    nodes
      .filter(node => !node.ignored && roleOf(node) === 'figure')
      .map(node => {
        const [caption = '', ...lines] = linesOf(node, tree, 0);
        return [caption.replace(/^Figcaption: /, ''), lines.join('\n')];
      }),
  );
}

function clean(text: string | undefined): string {
  return (text ?? '').replace(/\s+/g, ' ').trim();
}

describe('Every state', () => {
  let gallery: Gallery;
  let page: Page;
  let trees: ReadonlyMap<string, string> = new Map();

  before(async () => {
    gallery = await openGallery();
    ({page} = await gallery.browser.openPage('about:blank'));
    // Some headless browsers deny notifications, others prompt: each state is as if they prompt.
    await page.evaluateOnNewDocument(() => {
      Object.defineProperty(Notification, 'permission', {get: () => 'default'});
    });
    await page.emulateTimezone('UTC');
    await gallery.goto(page, '--swap-speed=0');
    // Views, pickers and icons load late, at different times.
    let last = '';
    for (let tries = 0; tries < 20; tries++) {
      await page.evaluate(drawAll);
      trees = await readTrees(page);
      const now = [...trees.values()].join();
      if (now === last) break;
      last = now;
      await new Promise(done => setTimeout(done, 1_000));
    }
    if (isWriting) write(trees);
  });

  after(() => gallery.close());

  it('has the expected accessibility tree', () => {
    ok(trees.size > 100);
    const kept = new Map(
      readdirSync(FOLDER).flatMap(file =>
        readFileSync(`${FOLDER}/${file}`, 'utf8')
          .split(/^## /m)
          .slice(1)
          .map(part => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 1).trimEnd()] as const),
      ),
    );
    for (const [name, tree] of trees) equal(tree, kept.get(name), name);
    equal(kept.size, trees.size);
  });

  it('is animated while it waits, except under prefers-reduced-motion', async () => {
    await page.evaluate(() => {
      for (const each of document.querySelectorAll<HTMLElement>('fake-session-widget'))
        each.style.removeProperty('--swap-speed');
    });
    deepEqual(await page.evaluate(movements), ['breathe', 'wait']);
    await page.emulateMediaFeatures([{name: 'prefers-reduced-motion', value: 'reduce'}]);
    deepEqual(await page.evaluate(movements), []);
  });
});

/** One file for all states whose names start alike. */
function write(all: ReadonlyMap<string, string>) {
  rmSync(FOLDER, {recursive: true, force: true});
  mkdirSync(FOLDER, {recursive: true});
  const files = new Map<string, string[]>();
  for (const [name, tree] of all) {
    const [file = ''] = name.split('-');
    files.set(file, [...(files.get(file) ?? []), `## ${name}\n${tree}\n`]);
  }
  for (const [file, states] of files) writeFileSync(`${FOLDER}/${file}.txt`, states.join('\n'));
}
