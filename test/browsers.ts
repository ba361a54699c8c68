/**
 * Runs in each browser on this machine what has to work in every browser: the elements, the partner's page, and a swap
 * from each family. `npm run test:browsers -- Firefox` runs it in that one.
 */
import {spawn} from 'node:child_process';
import {BROWSERS, findBrowser, HOW_TO_INSTALL, type BrowserName} from './support/browsers.js';
import {installedChromium, packagedFonts} from './support/chromium.js';

const TESTS = ['test/elements', 'test/browsers/journeys.ts', 'test/node/embed.test.ts'];

/** What only Chromium supports, or was only tested there. */
const ONLY_IN_CHROMIUM = [
  'the accessibility tree of each state (test/node/trees.test.ts), which is read with its own protocol',
  'a script tag behind redirects and queries (test/node/script-tag.test.ts), wallets on a strict page (families.test.ts)',
  'how much of the sources the tests reach',
];

// These tests use the browsers that people have.
const installed = installedChromium();
if (installed) process.env['CHROME_PATH'] ??= installed;
// A test that counts lines needs the same font in each, which Firefox does not take.
Object.assign(process.env, await packagedFonts());

const wanted = process.argv.slice(2).map(name => name.toLowerCase());
const total = {passed: 0, failed: 0};
const missing: BrowserName[] = [];

for (const name of BROWSERS) {
  if (wanted.length && !wanted.includes(name.toLowerCase())) continue;
  try {
    await findBrowser(name);
  } catch {
    missing.push(name);
    continue;
  }
  console.log(`\n== ${name}`);
  const {passed, failed} = await run(name);
  total.passed += passed;
  total.failed += failed;
}

console.log(`\nNot tried outside Chromium:\n${ONLY_IN_CHROMIUM.map(line => `- ${line}`).join('\n')}`);
for (const name of missing) console.log(`\nNot found: ${name}. To run it, ${HOW_TO_INSTALL[name]}`);
console.log(`\n${String(total.passed)} passed, ${String(total.failed)} failed`);
process.exit(total.failed || !total.passed ? 1 : 0);

/** Runs the tests in one browser, prints their output, and reads its last line. */
async function run(name: BrowserName): Promise<{passed: number; failed: number}> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'test/run.ts', ...TESTS], {
    env: {...process.env, TEST_BROWSER: name},
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (text: Buffer) => {
    output += text.toString();
    process.stdout.write(text);
  });
  await new Promise(resolve => child.on('close', resolve));
  const [, passed, failed] = /(\d+) passed, (\d+) failed\s*$/.exec(output) ?? [];
  return passed === undefined ? {passed: 0, failed: 1} : {passed: Number(passed), failed: Number(failed)};
}
