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
  const number = (name: string) => `\${v.${name}.toLocaleString("${language}-u-nu-latn")}`;

  /** The content of a template literal. A `#` stands for the number that is counted. */
  const text = (elements: Elements, counted = ''): string =>
    elements
      .map(element => {
        if (element.type === TYPE.literal) return element.value.replace(/[`\\]|\$(?=\{)/g, '\\$&');
        if (element.type === TYPE.pound) return number(counted);
        if (element.type === TYPE.number) return number(element.value);
        const value = `v.${(element as {value: string}).value}`;
        if (!('options' in element)) return `\${${value}}`;
        const isPlural = element.type === TYPE.plural;
        const form = isPlural ? `new Intl.PluralRules("${language}").select(${value})` : value;
        // An exact number, `=0`, is first, whatever its plural form.
        const branches = Object.keys(element.options).sort((one, other) => rank(one) - rank(other));
        const codes = branches.map(option => {
          const inner = `\`${text(element.options[option]?.value ?? [], isPlural ? element.value : counted)}\``;
          if (option === 'other') return inner;
          return `${option.startsWith('=') ? `${value}=${option}` : `${form}=="${option}"`}?${inner}:`;
        });
        return `\${${codes.join('')}}`;
      })
      .join('');

  const entry = (value: string | Group = ''): string => {
    if (typeof value !== 'string') return group(value);
    const elements = readMessage(value);
    const code = `\`${text(elements)}\``;
    return argumentsOf(elements).size ? `v=>${code}` : code;
  };

  const group = (entries: Group): string =>
    `{${Object.entries(entries)
      .map(([key, value]) => `${JSON.stringify(key)}:${entry(value)}`)
      .join(',\n')}}`;

  if (part === 'form') return `export default ${group(file.form)};\n`;
  if (part === 'late') return `let made;export default()=>made??=${group({...file.errors, ...file.order})};\n`;
  // A page of one file has the names of its messages once, for all of its languages.
  const texts = Object.keys(file)
    .sort()
    .map(name => entry(file[name]));
  return `import {named} from "../words.ts";export default()=>named([${texts.join(',\n')}]);\n`;
}

/** Where a branch is among those of its message: what is left is last. */
const rank = (option: string) => (option === 'other' ? 2 : option.startsWith('=') ? 0 : 1);

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
