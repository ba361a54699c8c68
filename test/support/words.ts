import {TYPE, type MessageFormatElement} from '@formatjs/icu-messageformat-parser';
import {argumentsOf, readMessage, type Group, type MessageFile} from '../../.build/messages.js';

/** The messages of one language, by its tag. */
export interface Language {
  readonly name: string;
  readonly messages: MessageFile | Group;
}

/** The interfaces of all messages, with the English sentence of each as its comment. */
export function typesOf({form, errors, order}: MessageFile): string {
  return `// Written by \`npm run words\` from \`en.json\`.

/** The words of the first load: frame and form. */
export interface FirstMessages {${members(form)}}

/** The words that come later: what can go wrong, and everything after the form. */
export interface LateMessages {${members({...errors, ...order})}}

/** All words of the widget in one language. */
export interface Messages extends FirstMessages, LateMessages {}
`;
}

/** The same for the one-file pages. */
export function typesOfPages(file: Group): string {
  return `// Written by \`npm run words\` from \`words/en.json\`.

/** The words of the rescue page. */
export interface RescueWords {${members(file)}}

const NAMES = '${Object.keys(file).sort().join(' ')}';

/** The words from a language's texts, which are in the order of their names. */
export const named = (texts: readonly unknown[]) =>
  Object.fromEntries(NAMES.split(' ').map((name, at) => [name, texts[at]])) as unknown as RescueWords;
`;
}

function members(group: Group): string {
  return Object.entries(group)
    .map(([key, value]) => {
      const name = /^\w+$/.test(key) ? key : `'${key}'`;
      if (typeof value !== 'string') return `\n  readonly ${name}: {${members(value)}};`;
      return `\n  /** ${value.replaceAll('*/', '*\\/').replaceAll('\u00a0', ' ')} */\n  readonly ${name}: ${typeOf(value)};`;
    })
    .join('');
}

function typeOf(message: string): string {
  const given = [...argumentsOf(readMessage(message))];
  if (!given.length) return 'string';
  return `(values: {${given.map(([name, kind]) => `readonly ${name}: ${kind}`).join('; ')}}) => string`;
}

/** All messages of a file by their paths, such as `form problems connect`. */
export function messagesOf(group: MessageFile | Group, path = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const [key, value] of Object.entries(group)) {
    const name = path ? `${path} ${key}` : key;
    if (typeof value === 'string') found.set(name, value);
    else for (const [inner, message] of messagesOf(value, name)) found.set(inner, message);
  }
  return found;
}

/**
 * The faults of a language compared with English: each one names its message. `equal` are the English messages that
 * another language may use unchanged.
 */
export function faultsOf({name, messages}: Language, english: MessageFile | Group, equal: readonly string[]): string[] {
  const faults: string[] = [];
  const own = messagesOf(messages);
  const theirs = messagesOf(english);
  for (const path of theirs.keys()) if (!own.has(path)) faults.push(`${path}: is missing.`);
  for (const [path, message] of own) {
    const model = theirs.get(path);
    if (model === undefined) faults.push(`${path}: English has no such message.`);
    try {
      const elements = readMessage(message);
      const given = asText(argumentsOf(elements));
      const wanted = model === undefined ? given : asText(argumentsOf(readMessage(model)));
      if (given !== wanted) faults.push(`${path}: is given ${given || 'nothing'}, and not ${wanted || 'nothing'}.`);
      faults.push(...faultsOfPlurals(elements, name).map(fault => `${path}: ${fault}`));
      faults.push(...faultsOfText(message).map(fault => `${path}: ${fault}`));
    } catch (error) {
      faults.push(`${path}: ${(error as Error).message}`);
    }
    // A message without its own words needs no translation: “{amount} {symbol}”.
    if (name !== 'en' && message === model && /\p{L}{2}/u.test(literalsOf(message)) && !equal.includes(message)) {
      faults.push(`${path}: “${message}” is English.`);
    }
  }
  return faults;
}

const asText = (given: ReadonlyMap<string, string>) =>
  [...given]
    .map(([name, kind]) => `${name} (${kind})`)
    .sort()
    .join(', ');

/** A plural has exactly the forms of its language. */
function faultsOfPlurals(elements: readonly MessageFormatElement[], language: string): string[] {
  const rules = new Intl.PluralRules(language);
  const known = rules.resolvedOptions().pluralCategories as readonly string[];
  return elements.flatMap(element => {
    if (!('options' in element)) return [];
    const faults = Object.values(element.options).flatMap(({value}) => faultsOfPlurals(value, language));
    if ('pluralType' in element) {
      const forms = Object.keys(element.options).filter(form => !form.startsWith('='));
      // One form is enough if no word depends on the number. Some languages have another one, from a million on.
      const used = new Set(Array.from({length: forms.length > 1 ? 1000 : 0}, (_, n) => rules.select(n)));
      const missing = [...used].filter(form => !forms.includes(form));
      const strange = forms.filter(form => !known.includes(form));
      if (missing.length) faults.push(`the plural lacks ${missing.join(', ')}.`);
      if (strange.length) faults.push(`the plural has ${strange.join(', ')}, which the language has not.`);
    }
    return faults;
  });
}

function faultsOfText(message: string): string[] {
  const faults: string[] = [];
  if (/["']/.test(message)) faults.push('a straight quote.');
  if (/\s{2}|[\t\n]/.test(message)) faults.push('more than one space.');
  if (message !== message.trim() || !message) faults.push('nothing, or a space at an end.');
  if (message.includes('...')) faults.push('three points are “…”.');
  if (message !== message.normalize()) faults.push('letters that are not put together (NFC).');
  return faults;
}

/** A message's own text, in all of its branches. */
export function literalsOf(message: string): string {
  const text = (elements: readonly MessageFormatElement[]): string =>
    elements
      .map(element => {
        if ('options' in element)
          return Object.values(element.options)
            .map(({value}) => text(value))
            .join(' ');
        return element.type === TYPE.literal ? element.value : ' ';
      })
      .join('');
  return text(readMessage(message));
}
