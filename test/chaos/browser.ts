/** Runs the swaps of `element.ts` in a browser. */
import type {TestRunnerCoreConfig, TestSuiteResult} from '@web/test-runner';
import {createSandboxHost} from '../support/sandbox-host.js';
import {browserTests, runToEnd} from '../wtr.js';
import type {ElementRun} from './element.js';
import type {Cell} from './plan.js';

type Reporter = NonNullable<TestRunnerCoreConfig['reporters']>[number];

export interface ElementResult {
  readonly passed: number;
  /** The failures, each with the log until then. */
  readonly failures: readonly string[];
  /** The faults that happened, by swap. */
  readonly happened: readonly (readonly Cell[])[];
}

/** Swaps through the element, one plan after the other. */
export async function runElement(run: ElementRun, tell: (line: string) => void): Promise<ElementResult> {
  const sandboxes = createSandboxHost();
  const failures: string[] = [];
  const happened = new Map<number, Cell[]>();
  let passed = 0;

  const read = ({tests, suites}: TestSuiteResult): void => {
    for (const {name, passed: isOk, duration, error} of tests) {
      if (isOk) passed++;
      else failures.push(`${name}\n  ${error?.message ?? 'it did not run'}`);
      tell(`${name}  ${isOk ? 'ok' : 'failed'}  ${String(Math.round(duration ?? 0))} ms`);
    }
    suites.forEach(read);
  };
  const reporter: Reporter = {
    reportTestFileResults({sessionsForTestFile}) {
      for (const {testResults, errors} of sessionsForTestFile) {
        failures.push(...errors.map(({message}) => message));
        if (testResults) read(testResults);
      }
    },
  };

  try {
    const config = await browserTests(['test/chaos/element.ts'], sandboxes, {watch: false, coverage: false});
    await runToEnd({
      ...config,
      plugins: [
        ...(config.plugins ?? []),
        {
          name: 'chaos',
          executeCommand({command, payload}) {
            if (command === 'chaos:run') return run;
            if (command !== 'chaos:happened') return undefined;
            const {number, ...cell} = payload as Cell & {number: number};
            happened.set(number, [...(happened.get(number) ?? []), cell]);
            return 'noted';
          },
        },
      ],
      reporters: [reporter],
    });
  } finally {
    await sandboxes.closeAll();
  }
  return {passed, failures, happened: [...happened.values()]};
}
