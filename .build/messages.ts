import {readFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {parse, TYPE, type MessageFormatElement} from '@formatjs/icu-messageformat-parser';
import type {Plugin} from 'vite';

/** Messages of one language, in groups. */
export interface Group {
  readonly [key: string]: string | Group;
}

/** The messages of a file: those of the first load, the errors, and everything after the form. */
export interface MessageFile extends Group {
  readonly form: Group;
  readonly errors: Group;
  readonly order: Group;
}

/** The widget's messages that the rescue page says too: by their names there, the paths in a language's file. */
const FROM_WIDGET: Readonly<Record<string, string>> = {
  rejected: 'errors errors rejected what',
  'wallet-locked': 'errors errors wallet-locked what',
  'wrong-network': 'errors errors wrong-network what',
  network: 'order network',
  order: 'order order',
  amount: 'order checks amount',
  rescue: 'order rescue',
  refundNow: 'order refundNow',
  refundUnderWay: 'order refundUnderWay',
  waiting: 'order waiting',
};

/** All messages of the rescue page in one language: its own, and those that it shares with the widget. */
export function pageMessages(own: Group, widget: MessageFile): Group {
  const shared = Object.entries(FROM_WIDGET).map(([name, path]) => {
    const value = path.split(' ').reduce<string | Group | undefined>((at, key) => (at as Group)[key], widget);
    if (typeof value !== 'string') throw new Error(`There is no message “${path}”.`);
    return [name, value] as const;
  });
  return {...own, ...Object.fromEntries(shared)};
}

type Elements = readonly MessageFormatElement[];

/** Parses a message in ICU format. Throws if it is invalid. */
export function readMessage(message: string): Elements {
  return parse(message, {ignoreTag: true, requiresOtherClause: true});
}

/** The kinds of a message's arguments: text, or one of several keywords; or a number. */
export type ArgumentKind = 'string' | 'number';

/** The names of a message's arguments, with their kinds. Throws at what the compiler does not support. */
export function argumentsOf(elements: Elements, found = new Map<string, ArgumentKind>()): Map<string, ArgumentKind> {
  for (const element of elements) {
    const {type} = element;
    if (type === TYPE.literal || type === TYPE.pound) continue;
    const isText = type === TYPE.argument || type === TYPE.select;
    const isNumber = type === TYPE.number ? !element.style : type === TYPE.plural && element.pluralType === 'cardinal';
    if (!isText && !isNumber) throw new Error('Only text, plain numbers, plurals and selections are known here.');
    found.set(element.value, isText ? 'string' : 'number');
    if ('options' in element) for (const {value} of Object.values(element.options)) argumentsOf(value, found);
  }
  return found;
}

/** The immediate or the late part of a file as a module: its messages, or a function that creates them. */
export function compile(file: MessageFile, part: 'form' | 'late', language: string): string {
  return part === 'form'
    ? compileGroup(file.form, language)
    : compileGroup({...file.errors, ...file.order}, language, true);
}

/** Messages as a module. Late ones are loaded before they are needed: they are created once one of them is read. */
function compileGroup(messages: Group, language: string, isLate = false): string {
  const number = (name: string) => `\${v.${name}.toLocaleString("${language}-u-nu-latn")}`;

  /** The content of a template literal. A `#` stands for the number that is counted. */
  const text = (elements: Elements, counted = ''): string =>
    elements
      .map(element => {
        if (element.type === TYPE.literal) return element.value.replace(/[`\\]|\$(?=\{)/g, '\\$&');
        if (element.type === TYPE.pound) return number(counted);
        if (element.type === TYPE.number) return number(element.value);
        if (!('options' in element)) return `\${v.${(element as {value: string}).value}}`;
        const {value: name, options, type} = element;
        const branches = Object.entries(options).map(([option, {value}]) => {
          const literal = `\`${text(value, type === TYPE.plural ? name : counted)}\``;
          if (option === 'other') return [2, literal] as const;
          if (option.startsWith('=')) return [0, `v.${name}==${option.slice(1)}?${literal}:`] as const;
          const isOne = type === TYPE.plural && isOneOrOther(language);
          const form = type === TYPE.plural ? `r.select(v.${name})` : `v.${name}`;
          return [1, `${isOne ? `v.${name}==1` : `${form}=="${option}"`}?${literal}:`] as const;
        });
        return `\${${branches
          .sort(([one], [other]) => one - other)
          .map(([, code]) => code)
          .join('')}}`;
      })
      .join('');

  const entry = (value: string | Group): string => {
    if (typeof value !== 'string') return group(value);
    const elements = readMessage(value);
    const code = `\`${text(elements)}\``;
    return argumentsOf(elements).size ? `v=>${code}` : code;
  };

  const group = (entries: Group): string =>
    `{${Object.entries(entries)
      .map(([key, value]) => `${JSON.stringify(key)}:${entry(value)}`)
      .join(',\n')}}`;

  const made = group(messages);
  const rules = made.includes('r.select(') ? `const r=new Intl.PluralRules("${language}");\n` : '';
  return `${rules}${isLate ? `let made;export default()=>made??=${made}` : `export default ${made}`};\n`;
}

/** Compiles the languages’ files to modules: `locales/de.json?form` and `?late`; `pages/words/de.json?rescue`. */
export function words(): Plugin {
  return {
    name: 'words',
    enforce: 'pre',
    load: {
      filter: {id: /\.json\?(?:form|late|rescue)$/},
      handler(id) {
        const [path = '', part] = id.split('?');
        const language = basename(path, '.json');
        const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as MessageFile;
        const code =
          part === 'form' || part === 'late'
            ? compile(read(path), part, language)
            : compileGroup(
                pageMessages(read(path), read(join(path, `../../../locales/${language}.json`))),
                language,
                true,
              );
        return {code, map: null, moduleType: 'js'};
      },
    },
  };
}

/** A language's plural forms for the numbers that occur here. Some have another one, from a million on. */
export function pluralForms(language: string): Set<string> {
  const rules = new Intl.PluralRules(language);
  return new Set(Array.from({length: 1000}, (_, n) => rules.select(n)));
}

/** Whether a language has one form for 1 and another for all other numbers. */
function isOneOrOther(language: string): boolean {
  const rules = new Intl.PluralRules(language);
  return pluralForms(language).size === 2 && rules.select(0) === 'other' && rules.select(1) === 'one';
}
