/**
 * Syntax highlighting of the playground's code: the kind of each piece of a text. It does not parse, it only
 * recognizes comments, strings, words and tags; a misjudged piece has another color, and no text is lost.
 */

export type PieceKind = 'plain' | 'comment' | 'string' | 'number' | 'keyword' | 'tag' | 'name';

export interface Piece {
  readonly kind: PieceKind;
  readonly text: string;
}

/** The first matching group determines the kind. */
type Rules = readonly (readonly [PieceKind, RegExp])[];

const KEYWORDS =
  /\b(?:as|async|await|break|case|catch|class|const|continue|default|delete|do|else|export|extends|false|finally|for|from|function|if|implements|import|in|instanceof|interface|let|new|null|of|private|public|readonly|return|satisfies|static|super|switch|this|throw|true|try|type|typeof|undefined|var|void|while|yield)\b/;
const SCRIPT: Rules = [
  ['comment', /\/\/.*|\/\*[^]*?\*\//],
  ['string', /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[^]|[^`\\])*`/],
  ['tag', /<\/?[A-Za-z][\w.-]*(?=[\s/>])|<\/?>/],
  ['keyword', KEYWORDS],
  ['number', /\b\d[\d_]*(?:\.\d+)?n?\b/],
  ['name', /[\w$]+(?=\??:\s)|@[A-Z]\w*/],
];
const STYLES: Rules = [
  ['comment', /\/\*[^]*?\*\//],
  ['string', /'[^'\n]*'|"[^"\n]*"/],
  ['keyword', /@[\w-]+|!important/],
  ['name', /--[\w-]+|[\w-]+(?=:\s)/],
  ['number', /#[\da-f]{3,8}\b|-?\b\d+(?:\.\d+)?(?:%|[a-z]+)?/i],
];
const INSIDE_TAG: Rules = [
  ['string', /"[^"]*"|'[^']*'|(?<==)\{[^]*?\}(?=[\s/>])/],
  ['tag', /^<\/?[\w-]+|\/?>$/],
  ['name', /[:@[(]?[\w.-]+[\])]?(?==)|[\w-]+/],
];
/** Comments, the contents of scripts and style sheets, and tags. */
const MARKUP =
  /<!--[^]*?-->|(?<=<(script|style)\b[^>]*>)(?!<\/)[^]+?(?=<\/\1>)|<\/?[A-Za-z](?:"[^"]*"|'[^']*'|=\{[^]*?\}(?=[\s/>])|[^>"'])*>/g;

/**
 * The pieces of a text, which together are the whole text.
 * @param language - As after the three backticks in Markdown.
 */
export function highlight(text: string, language: string): readonly Piece[] {
  return /^(?:html|vue|svelte)$/.test(language) ? inMarkup(text) : byRules(text, SCRIPT);
}

function inMarkup(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const {0: found, 1: inner, index} of text.matchAll(MARKUP)) {
    pieces.push(...plain(text.slice(end, index)));
    if (inner) pieces.push(...byRules(found, inner === 'style' ? STYLES : SCRIPT));
    else if (found.startsWith('<!--')) pieces.push({kind: 'comment', text: found});
    else pieces.push(...byRules(found, INSIDE_TAG));
    end = index + found.length;
  }
  return [...pieces, ...plain(text.slice(end))];
}

function byRules(text: string, rules: Rules): readonly Piece[] {
  const flags = rules.some(([, {flags}]) => flags.includes('i')) ? 'gi' : 'gm';
  const all = new RegExp(rules.map(([, {source}]) => `(${source})`).join('|'), flags);
  const pieces: Piece[] = [];
  let end = 0;
  for (const found of text.matchAll(all)) {
    const kind =
      rules[[...found.slice(1)].findIndex((group: string | undefined) => group !== undefined)]?.[0] ?? 'plain';
    pieces.push(...plain(text.slice(end, found.index)), {kind, text: found[0]});
    end = found.index + found[0].length;
  }
  return [...pieces, ...plain(text.slice(end))];
}

function plain(text: string): readonly Piece[] {
  return text ? [{kind: 'plain', text}] : [];
}
