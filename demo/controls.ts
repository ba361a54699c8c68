/**
 * The widget's settings in the playground: a control for everything in the element's manifest. Its input and its values
 * follow from its type there; the tables below only add what the manifest does not have.
 */
import type {Settings} from '../src/elements/settings/settings.js';
import type {Attributes} from '../src/frameworks/props.js';
import type {ManifestItem, WidgetManifest} from './manifest.js';

export type Kind = 'switch' | 'choice' | 'number' | 'text' | 'css' | 'json' | 'script';

export interface Control {
  /** The name of an attribute, a property or a custom property, also in the page's URL. */
  readonly name: string;
  readonly target: 'attribute' | 'property' | 'style';
  readonly kind: Kind;
  readonly choices: readonly string[];
  /** The type of a custom property: `<color>`, `<length>`, `<number>`, or a CSS property such as `<'border'>`. */
  readonly syntax: string;
  /** Its description, with names in backticks. */
  readonly help: string;
  readonly standard: string;
}

export type Reading = {readonly value: unknown} | {readonly problem: string};

/** The languages of the widget, by their own names. */
export const LANGUAGES: Readonly<Record<string, string>> = {
  en: 'English',
  ar: 'العربية',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  hi: 'हिन्दी',
  ja: '日本語',
  ko: '한국어',
  pt: 'Português',
  tr: 'Türkçe',
  zh: '中文',
};

type Name = keyof Attributes | keyof Settings | keyof Pick<HTMLElement, 'lang' | 'dir'> | `--swap-${string}`;

/** Attributes of every element, which are not in this one's manifest. */
const DIRECTION: ManifestItem = {
  name: 'dir',
  description: 'The direction of the widget. Default: that of its language.',
  type: {text: "'ltr' | 'rtl'"},
};

/** Set by a script, and turned on and off here. */
const BY_SCRIPT: readonly string[] = ['wallets', 'referencePrice', 'fetch'] satisfies readonly Name[];

/** Not stored in a URL that may be shared, but in the tab, since it may contain a key. */
export const KEPT_IN_TAB: readonly string[] = [
  'app-id',
  'rpc',
  'chains',
  'walletconnect-project-id',
] satisfies readonly Name[];

/** What most pages set first. The rest is folded at first. */
export const FIRST_GROUP = 'The essentials';
const GROUPS = {
  [FIRST_GROUP]: ['from', 'to', 'amount', 'assets', 'affiliate-fees'],
  'The form': ['receive', 'lock', 'recipient', 'refund-address', 'order-id'],
  Looks: [
    'theme',
    'variant',
    '--swap-accent',
    '--swap-surface',
    '--swap-ink',
    '--swap-radius',
    '--swap-font',
    '--swap-font-size',
    'no-header',
  ],
  Language: ['lang', 'dir', 'messages', 'value-currency'],
  'Prices and rules': ['price-tolerance', 'unverified', 'contracts', 'referencePrice', 'policy'],
  Service: ['base-url', 'app-id', 'service', 'fetch'],
  'Networks and wallets': ['rpc', 'chains', 'wallets', 'walletconnect-project-id'],
  'On the page': ['url-sync', 'paused', 'recall', 'support', 'storage'],
} satisfies Readonly<Record<string, readonly Name[]>>;
const REST = 'More';
const REST_OF_LOOKS = 'All custom properties';

/** Whether a setting affects the widget's looks, so that its states have it, too, in the playground and the gallery. */
export const isLook = (name: string) =>
  name.startsWith('--swap-') || [...(GROUPS.Looks as readonly string[]), 'lang', 'dir'].includes(name);

/**
 * A control for every attribute, property and custom property that a page can set.
 * @param offered - The ids of the available assets.
 */
export function controlsOf(
  {attributes, members, cssProperties}: WidgetManifest,
  offered: readonly string[],
): readonly Control[] {
  const properties = members.filter(
    ({kind, attribute, readonly}) => kind === 'field' && attribute === undefined && !readonly,
  );
  const named = new Set(attributes.map(({name}) => name));
  const toControl = (item: ManifestItem, target: Control['target']) =>
    readItem(item, target, {lang: Object.keys(LANGUAGES), from: offered, to: offered});
  return [
    ...attributes.map(item => toControl(item, 'attribute')),
    toControl(DIRECTION, 'attribute'),
    ...properties.filter(({name}) => !named.has(name)).map(item => toControl(item, 'property')),
    ...cssProperties.map(item => toControl(item, 'style')),
  ];
}

export function groupsOf(controls: readonly Control[]): readonly (readonly [title: string, controls: Control[]])[] {
  const find = (name: string) => controls.filter(control => control.name === name);
  const grouped = Object.entries(GROUPS).map(([title, names]) => [title, names.flatMap(find)] as const);
  const placed = new Set(grouped.flatMap(([, list]) => list));
  const left = controls.filter(control => !placed.has(control));
  return [
    ...grouped,
    [REST, left.filter(({target}) => target !== 'style')] as const,
    [REST_OF_LOOKS, left.filter(({target}) => target === 'style')] as const,
  ].filter(([, list]) => list.length > 0);
}

/** What the form begins with. Then the visitor's own choice counts. */
const PRESETS: readonly string[] = ['from', 'to', 'amount', 'receive'] satisfies readonly Name[];

export function titleOf({name}: Pick<Control, 'name'>): string {
  const words = name
    .replace(/^--swap-/, '')
    .replace(/[A-Z]/g, letter => `-${letter}`)
    .toLowerCase()
    .split('-')
    .map(word => SHORT[word] ?? word)
    .join(' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1) + (PRESETS.includes(name) ? ', at first' : '');
}

const SHORT: Readonly<Record<string, string>> = {
  url: 'URL',
  id: 'id',
  rpc: 'RPC',
  walletconnect: 'WalletConnect',
  dir: 'direction',
  lang: 'language',
};

/** Reads a control's text. The widget itself reports other errors of a value. */
export function readValue({kind, choices, syntax}: Control, text: string): Reading {
  switch (kind) {
    case 'switch':
    case 'script':
      return text === 'true' ? {value: true} : {problem: `“${text}” is neither “true” nor left out.`};
    case 'choice':
      return choices.includes(text) ? {value: text} : {problem: `“${text}” is not one of ${choices.join(', ')}.`};
    case 'number':
      return text.trim() !== '' && Number.isFinite(Number(text))
        ? {value: Number(text)}
        : {problem: `“${text}” is not a number.`};
    case 'css':
      return CSS.supports(cssPropertyOf(syntax), text) && endsItself(text)
        ? {value: text}
        : {problem: `“${text}” is not ${says(syntax)}.`};
    case 'json':
      return readObject(text);
    case 'text':
      return {value: text};
  }
}

/** Whether a style sheet would parse exactly this value: an open quote, bracket or comment would swallow the rest. */
function endsItself(text: string): boolean {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`a { --value: ${text}; --next: here }`);
  const [rule, ...others] = sheet.cssRules;
  return (
    rule instanceof CSSStyleRule &&
    !others.length &&
    rule.style.length === 2 &&
    rule.style.getPropertyValue('--next').trim() === 'here'
  );
}

function readObject(text: string): Reading {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? {value} : {problem: 'It has to be an object: {…}.'};
  } catch (error) {
    return {problem: `This is not JSON. ${error instanceof Error ? error.message : ''}`};
  }
}

function readItem(
  {name, description = '', default: standard = '', type}: ManifestItem,
  target: Control['target'],
  known: Readonly<Record<string, readonly string[]>>,
): Control {
  const text = (type?.text ?? 'string').replace(/\s*\|\s*undefined\b/g, '').trim();
  const choices = known[name] ?? literalsOf(text);
  return {
    name,
    target,
    kind: target === 'style' ? 'css' : choices.length ? 'choice' : kindOf(name, text),
    choices,
    syntax: target === 'style' ? text : '',
    help: description.replace(/\s+/g, ' ').trim(),
    standard: standard.replace(/^''$/, ''),
  };
}

function kindOf(name: string, type: string): Kind {
  const parts = type.split('|').map(part => part.trim());
  if (type === 'boolean') return 'switch';
  if (BY_SCRIPT.includes(name) || type.includes('=>')) return 'script';
  if (parts.includes('number')) return 'number';
  return parts.includes('string') ? 'text' : 'json';
}

function literalsOf(type: string): readonly string[] {
  const parts = type.split('|').map(part => part.trim());
  const texts = parts.flatMap(part => /^'([^']*)'$/.exec(part)?.[1] ?? []);
  // A union with `string` only lets editors suggest these.
  return parts.every(part => /^'[^']*'$|^\(?string & .*\)?$/.test(part)) ? texts : [];
}

function cssPropertyOf(syntax: string): string {
  const [, named] = /^<'([\w-]+)'>$/.exec(syntax) ?? [];
  return named ?? {'<color>': 'color', '<length>': 'inline-size', '<number>': 'opacity'}[syntax] ?? '--any';
}

function says(syntax: string): string {
  return {'<color>': 'a color', '<length>': 'a length', '<number>': 'a number'}[syntax] ?? `a value of ${syntax}`;
}
