/**
 * Generates the types of all messages from the English ones, `npm run words`: the widget's, and those of the one-file
 * pages. With `--check` it writes nothing, reports whether they are up to date, and compares every language with
 * English.
 */
import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {format, resolveConfig} from 'prettier';
import type {Group, MessageFile} from '../.build/messages.js';
import {faultsOf, typesOf, typesOfPages} from './support/words.js';

const read = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as unknown;
const EQUAL = read('test/locales/equal.json') as readonly string[];

/** A folder of language files, with the types generated from the English one. */
interface Catalogue {
  readonly folder: string;
  readonly file: string;
  readonly types: string;
}

const PAGES = 'src/pages/words';
const WIDGET = 'src/locales';
const catalogues: readonly Catalogue[] = [
  {folder: WIDGET, file: `${WIDGET}/words.ts`, types: typesOf(read(`${WIDGET}/en.json`) as MessageFile)},
  {folder: PAGES, file: 'src/pages/words.ts', types: typesOfPages(read(`${PAGES}/en.json`) as Group)},
];

const namesIn = (folder: string) => readdirSync(folder).filter(name => name.endsWith('.json'));
const faults: string[] = [];
for (const {folder, file, types} of catalogues) {
  const english = read(`${folder}/en.json`) as MessageFile | Group;
  for (const name of namesIn(WIDGET)) {
    const path = `${folder}/${name}`;
    if (!namesIn(folder).includes(name)) faults.push(`${path} is missing.`);
    else
      for (const fault of faultsOf(
        {name: name.replace('.json', ''), messages: read(path) as MessageFile | Group},
        english,
        EQUAL,
      ))
        faults.push(`${path}: ${fault}`);
  }
  const written = await format(types, {...(await resolveConfig(file)), parser: 'typescript'});
  if (!process.argv.includes('--check')) {
    writeFileSync(file, written);
    console.log(`${file} is written.`);
  } else if (readFileSync(file, 'utf8') !== written) {
    faults.push(`${file} is not what ${folder}/en.json makes: npm run words.`);
  }
}
if (faults.length) {
  console.error(faults.join('\n'));
  process.exitCode = 1;
}
