/*
 * What a one-file page shows, without a library. It is described anew whenever something changes, and only what differs
 * is changed in the document, so an input keeps its text and its focus.
 */

/** An empty text keeps the place of what is not shown. */
export type Markup = Tag | string | false | undefined | readonly Markup[];

export interface Tag {
  readonly name: string;
  readonly given: Given;
  readonly inner: readonly (Tag | string)[];
}

/** Attributes, those in `PROPERTIES` and listeners (`onclick`) as properties. None for `undefined` and `false`. */
type Given = Readonly<Record<string, string | number | boolean | ((event: Event) => unknown) | undefined>>;

const PROPERTIES = /^(?:on|value$|selected$|disabled$|required$)/;

export function tag(name: string, given: Given = {}, ...inner: readonly Markup[]): Tag {
  return {name, given, inner: flat(inner)};
}

function flat(markup: Markup): readonly (Tag | string)[] {
  if (Array.isArray(markup)) return (markup as readonly Markup[]).flatMap(flat);
  return [(markup || '') as Tag | string];
}

type Drawn = Node & {shows?: Tag};

export function draw(root: Element, markup: Markup): void {
  const wanted = flat(markup);
  for (const [at, one] of wanted.entries()) {
    const old = root.childNodes[at];
    const node = old && isSame(old, one) ? old : make(one);
    if (!old) root.append(node);
    else if (node !== old) old.replaceWith(node);
    if (typeof one !== 'string') {
      draw(node as Element, one.inner);
      give(node as Element, one);
    } else if (node.nodeValue !== one) node.nodeValue = one;
  }
  while (root.childNodes.length > wanted.length) root.lastChild?.remove();
}

function make(one: Tag | string): Node {
  return typeof one === 'string' ? document.createTextNode('') : document.createElement(one.name);
}

/** Whether a node can show this: another field is another node. */
function isSame(node: Node, one: Tag | string): boolean {
  const before = (node as Drawn).shows;
  if (typeof one === 'string') return node instanceof Text;
  return before?.name === one.name && before.given['id'] === one.given['id'];
}

function give(element: Element, one: Tag): void {
  const before = (element as Drawn).shows?.given ?? {};
  const properties = element as unknown as Record<string, unknown>;
  for (const [name, value] of Object.entries({...emptied(before), ...one.given})) {
    if (PROPERTIES.test(name)) {
      if (properties[name] !== value) properties[name] = value;
    } else if (value === undefined || value === false) element.removeAttribute(name);
    else if (value !== before[name] && typeof value !== 'function') element.setAttribute(name, String(value));
  }
  (element as Drawn).shows = one;
}

const emptied = (given: Given): Given => Object.fromEntries(Object.keys(given).map(name => [name, undefined]));

/** The first of Unicode's characters for a program's own use, which no text has. */
const FIRST_MARK = 0xfdd0;

/** A message with elements in place of some of its values. */
export function pieces<V extends object>(
  message: (values: V) => string,
  values: {readonly [K in keyof V]: V[K] | Markup},
): readonly Markup[] {
  const found: Markup[] = [];
  const marked = Object.entries(values).map(([name, value]) =>
    typeof value === 'object'
      ? [name, String.fromCharCode(FIRST_MARK - 1 + found.push(value as Markup))]
      : [name, value],
  );
  return message(Object.fromEntries(marked) as V)
    .split(/([\ufdd0-\ufdef])/)
    .map((piece, at) => (at % 2 ? found[piece.charCodeAt(0) - FIRST_MARK] : piece));
}

/** A text with its first sentence in bold. A full-width stop includes its space. */
export function titled(text: string | readonly Markup[]): readonly Markup[] {
  const [first, ...rest] = typeof text === 'string' ? [text] : text;
  const [, title = '', after = ''] =
    /^(.*?(?:[。！？]|[.।!?](?=\s|$)))([^]*)$/.exec(typeof first === 'string' ? first : '') ?? [];
  return title ? [tag('strong', {}, title), after, ...rest] : [first, ...rest];
}
