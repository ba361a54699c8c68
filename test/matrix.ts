/**
 * Swaps every ordered pair of the documented assets through the widget, with every way to pay: `npm run test:matrix`.
 * It prints a line for each: `from -> to  method  ok|failed  ms`. `npm run test:matrix -- solana` only runs those whose
 * line contains the word.
 */
import type {TestRunnerCoreConfig, TestSuiteResult} from '@web/test-runner';
import {createSandboxHost} from './support/sandbox-host.js';
import {browserTests, runToEnd} from './wtr.js';

type Reporter = NonNullable<TestRunnerCoreConfig['reporters']>[number];

let passed = 0;
let failed = 0;

/** Prints a line for each swap, with the error of a failed one. */
const lines: Reporter = {
  reportTestFileResults({sessionsForTestFile}) {
    for (const {testResults, errors} of sessionsForTestFile) {
      for (const error of errors) {
        failed++;
        console.log(error.message);
      }
      if (testResults) tell(testResults);
    }
  },
};

function tell({tests, suites}: TestSuiteResult): void {
  for (const {name, passed: isOk, duration, error} of tests) {
    // Skipped by the filter.
    if (!isOk && !error) continue;
    if (isOk) passed++;
    else failed++;
    console.log(`${name}  ${isOk ? 'ok' : 'failed'}  ${String(Math.round(duration ?? 0))} ms`);
    if (error) console.log(`  ${error.message}`);
  }
  suites.forEach(tell);
}

const sandboxes = createSandboxHost();
try {
  const config = await browserTests(['test/matrix/pairs.test.ts'], sandboxes);
  const grep = process.argv[2] ?? '';
  const testFramework = {config: {...(config.testFramework?.config as object), grep}};
  await runToEnd({...config, reporters: [lines], testFramework});
} finally {
  await sandboxes.closeAll();
}
console.log(`\n${String(passed)} ok, ${String(failed)} failed`);
process.exit(failed || !passed ? 1 : 0);
