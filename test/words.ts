/**
 * Writes the types of all messages from the English ones, `npm run words`. With `--check` it writes nothing, says whether
 * they are what it would write, and reads every language beside English.
 */
import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {format, resolveConfig} from 'prettier';
import {faultsOf, typesOf, type Language} from './support/words.js';

const FOLDER = 'src/locales';
const FILE = `${FOLDER}/words.ts`;
const EQUAL = 'test/locales/equal.json';

const read = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as unknown;
const languages = readdirSync(FOLDER)
  .filter(name => name.endsWith('.json'))
  .map(name => ({name: name.replace('.json', ''), messages: read(`${FOLDER}/${name}`)}) as Language);
const english = languages.find(({name}) => name === 'en');
if (!english) throw new Error(`There is no ${FOLDER}/en.json.`);

const written = await format(typesOf(english.messages), {...(await resolveConfig(FILE)), parser: 'typescript'});
const faults = languages.flatMap(language =>
  faultsOf(language, english.messages, read(EQUAL) as readonly string[]).map(
    fault => `${language.name}.json: ${fault}`,
  ),
);
if (!process.argv.includes('--check')) {
  writeFileSync(FILE, written);
  console.log(`${FILE} is written.`);
} else if (readFileSync(FILE, 'utf8') !== written) {
  faults.push(`${FILE} is not what ${FOLDER}/en.json makes: npm run words.`);
}
if (faults.length) {
  console.error(faults.join('\n'));
  process.exitCode = 1;
}
