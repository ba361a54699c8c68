import {readFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {parse, TYPE, type MessageFormatElement} from '@formatjs/icu-messageformat-parser';
import type {Plugin} from 'vite';

/** Messages of one language, in groups. */
export interface Group {
  readonly [key: string]: string | Group;
}

/** The messages of a file: those of the first load, the errors, and everything after the form. */
export interface MessageFile {
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
export function pageMessages(own: Group, {form, errors, order}: MessageFile): Group {
  const all: Group = {form, errors, order};
  const shared = Object.entries(FROM_WIDGET).map(([name, path]) => {
    const value = path
      .split(' ')
      .reduce<string | Group | undefined>((at, step) => (typeof at === 'object' ? at[step] : undefined), all);
    if (typeof value !== 'string') throw new Error(`There is no message “${path}”.`);
    return [name, value] as const;
  });
  return {...own, ...Object.fromEntries(shared)};
}

/** The kinds of a message's arguments: text, a number, or one of several keywords. */
export type ArgumentKind = 'string' | 'number';

/** Parses a message in ICU format. Throws if it is invalid, or not supported by the compiler. */
export function readMessage(message: string): readonly MessageFormatElement[] {
  return parse(message, {ignoreTag: true, requiresOtherClause: true});
}

/** The names of a message's arguments, with their kinds, in the order of their first use. */
export function argumentsOf(elements: readonly MessageFormatElement[]): Map<string, ArgumentKind> {
  const found = new Map<string, ArgumentKind>();
  const add = (name: string, kind: ArgumentKind) => {
    if (!/^[a-z][A-Za-z]*$/.test(name)) throw new Error(`“${name}” is no name for an argument.`);
    // A number that selects a plural may also be used on its own.
    if (found.get(name) !== 'number') found.set(name, kind);
  };
  const visit = (some: readonly MessageFormatElement[]) => {
    for (const element of some) {
      switch (element.type) {
        case TYPE.literal:
        case TYPE.pound:
          break;
        case TYPE.argument:
          add(element.value, 'string');
          break;
        case TYPE.number:
          if (element.style) throw new Error('A number has no style of its own here.');
          add(element.value, 'number');
          break;
        case TYPE.plural:
          if (element.offset || element.pluralType !== 'cardinal')
            throw new Error('Only plain plurals are known here.');
          add(element.value, 'number');
          for (const {value} of Object.values(element.options)) visit(value);
          break;
        case TYPE.select:
          add(element.value, 'string');
          for (const {value} of Object.values(element.options)) visit(value);
          break;
        default:
          throw new Error('Dates, times and tags are not known here.');
      }
    }
  };
  visit(elements);
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
  /** The head of the module: the plural rules, if it needs any. */
  let head = '';
  const digits = JSON.stringify(`${language}-u-nu-latn`);
  const number = (name: string) => `\${v.${name}.toLocaleString(${digits})}`;

  const text = (
    elements: readonly MessageFormatElement[],
    kinds: Map<string, ArgumentKind>,
    counted?: string,
  ): string =>
    elements
      .map(element => {
        switch (element.type) {
          case TYPE.literal:
            return element.value.replace(/[`\\]|\$(?=\{)/g, '\\$&');
          case TYPE.pound:
            return counted === undefined ? '#' : number(counted);
          case TYPE.plural:
            return `\${${plural(element.value, branches(element.options, kinds, element.value))}}`;
          case TYPE.select:
            return `\${${select(element.value, branches(element.options, kinds, counted))}}`;
          default: {
            const name = (element as {value: string}).value;
            return kinds.get(name) === 'number' ? number(name) : `\${v.${name}}`;
          }
        }
      })
      .join('');

  const branches = (
    options: Readonly<Record<string, {readonly value: readonly MessageFormatElement[]}>>,
    kinds: Map<string, ArgumentKind>,
    counted: string | undefined,
  ) => Object.entries(options).map(([name, {value}]) => [name, `\`${text(value, kinds, counted)}\``] as const);

  const select = (name: string, options: readonly (readonly [string, string])[]) => {
    const other = options.find(([option]) => option === 'other')?.[1] ?? '``';
    return options
      .filter(([option]) => option !== 'other')
      .reduceRight((rest, [option, value]) => `v.${name}==${JSON.stringify(option)}?${value}:${rest}`, other);
  };

  const plural = (name: string, options: readonly (readonly [string, string])[]) => {
    const counts = options.filter(([option]) => option.startsWith('='));
    const forms = options.filter(([option]) => !option.startsWith('='));
    let rest = forms.find(([option]) => option === 'other')?.[1] ?? '``';
    if (forms.length > 1 && isOneOrOther(language)) {
      rest = `v.${name}==1?${forms.find(([option]) => option === 'one')?.[1] ?? rest}:${rest}`;
    } else if (forms.length > 1) {
      head = `const r=new Intl.PluralRules(${JSON.stringify(language)}),p=(n,f)=>f[r.select(n)]??f.other;\n`;
      rest = `p(v.${name},{${forms.map(([option, value]) => `${option}:${value}`).join()}})`;
    }
    return counts.reduceRight((last, [option, value]) => `v.${name}==${option.slice(1)}?${value}:${last}`, rest);
  };

  const entry = (value: string | Group): string => {
    if (typeof value !== 'string') return group(value);
    const elements = readMessage(value);
    const kinds = argumentsOf(elements);
    return kinds.size ? `v=>\`${text(elements, kinds)}\`` : JSON.stringify(elements.map(plain).join(''));
  };

  const group = (entries: Group): string =>
    `{${Object.entries(entries)
      .map(([key, value]) => `${/^\w+$/.test(key) ? key : JSON.stringify(key)}:${entry(value)}`)
      .join(',\n')}}`;

  const made = group(messages);
  return `${head}${isLate ? `let made;export default()=>made??=${made}` : `export default ${made}`};\n`;
}

/**
 * Compiles the languages’ files to modules: `locales/de.json?form` and `?late`; `pages/words/de.json?rescue`.
 */
export function words(): Plugin {
  const FILE = /[\\/]src[\\/](?:locales|pages[\\/]words)[\\/][\w-]+\.json$/;
  return {
    name: 'words',
    enforce: 'pre',
    resolveId: {
      filter: {id: /\.json\?(?:form|late|rescue)$/},
      async handler(id, importer) {
        const [path = '', part = ''] = id.split('?');
        const file = await this.resolve(path, importer, {skipSelf: true});
        // With its own name Vite would treat it as JSON.
        return file && FILE.test(file.id) ? `\0words:${file.id.replace(/\.json$/, '')}.${part}` : null;
      },
    },
    load: {
      filter: {id: /^\0words:/},
      handler(id) {
        const [, path = '', part = ''] = /^\0words:(.*)\.(\w+)$/.exec(id) ?? [];
        const language = basename(path);
        const read = (file: string) => {
          this.addWatchFile(file);
          return JSON.parse(readFileSync(file, 'utf8')) as unknown;
        };
        const file = read(`${path}.json`);
        if (part === 'form' || part === 'late') return {code: compile(file as MessageFile, part, language), map: null};
        const widget = read(join(path, `../../../locales/${language}.json`)) as MessageFile;
        return {
          code: compileGroup(pageMessages(file as Group, widget), language, true),
          map: null,
        };
      },
    },
  };
}

const plain = (element: MessageFormatElement) => (element.type === TYPE.literal ? element.value : '');

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
