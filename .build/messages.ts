import {readFileSync} from 'node:fs';
import {basename} from 'node:path';
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

/** The part of a file that is there at once, the part that comes late, or, of a page of one file, all of it. */
export type Part = 'form' | 'late' | 'page';

/** A part of a file as a module: its messages, or a function that creates them once one of them is read. */
export function compile(file: MessageFile, part: Part, language: string): string {
  const late = {...file.errors, ...file.order};
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

  // A page of one file has the names of its messages once, for all of its languages.
  const texts = () =>
    Object.keys(file)
      .sort()
      .map(name => entry(file[name] ?? ''));
  const made = part === 'page' ? `named([${texts().join(',\n')}])` : group({form: file.form, late}[part]);
  const rules = made.includes('r.select(') ? `const r=new Intl.PluralRules("${language}");\n` : '';
  const start = part === 'page' ? `import {named} from "../words.ts";\n${rules}` : rules;
  return `${start}${part === 'form' ? `export default ${made}` : `let made;export default()=>made??=${made}`};\n`;
}

/** Compiles the languages’ files to modules: `locales/de.json?form` and `?late`; `pages/words/de.json?page`. */
export function words(): Plugin {
  return {
    name: 'words',
    enforce: 'pre',
    load: {
      filter: {id: /\.json\?(?:form|late|page)$/},
      handler(id) {
        const [path = '', part] = id.split('?');
        const file = JSON.parse(readFileSync(path, 'utf8')) as MessageFile;
        return {code: compile(file, part as Part, basename(path, '.json')), map: null, moduleType: 'js'};
      },
    },
  };
}

/** Whether a language has one form for 1 and another for all other numbers that occur here. */
function isOneOrOther(language: string): boolean {
  const rules = new Intl.PluralRules(language);
  return Array.from({length: 1000}, (_, n) => rules.select(n) === (n === 1 ? 'one' : 'other')).every(Boolean);
}
