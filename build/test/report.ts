import { writeFile } from 'node:fs/promises';
import type { Reporter, SerializedError, TestCase, TestModule, TestSuite } from 'vitest/node';

declare module 'vitest' {
  interface TaskMeta {
    /** Processor seconds of a file, with its loading, its hooks and its child processes. */
    processorSeconds?: number;
  }
}

/** Result of a test; `lost` if a hook before the test failed. */
export type Ending = 'passed' | 'failed' | 'skipped' | 'lost';

export interface FileReport {
  readonly file: string;
  /** Duration of the loading, the tests and the hooks of the file, in seconds. */
  readonly seconds: number;
  /** Processor seconds of the file with its child processes; 0 if the file could not be loaded. */
  readonly processorSeconds: number;
  readonly tests: readonly { readonly name: string; readonly ending: Ending }[];
  /** Failures with their positions: tests, hooks, and the file itself if it cannot be loaded. */
  readonly failures: readonly Failure[];
}

export interface RunReport {
  readonly files: readonly FileReport[];
  /** Failures that belong to no test file and also fail the run; their `name` is empty. */
  readonly strays: readonly Failure[];
}

export interface Failure {
  /** Name of the test, or of the group of tests whose hook failed; empty for the file. */
  readonly name: string;
  readonly message: string;
}

/** Environment variable with the path of the file to which a run of Vitest writes its report. */
export const REPORT_FILE_VARIABLE = 'SIGNING_DESK_TEST_REPORT';

/**
 * Returns a reporter that writes the data that the runner needs to the file `place`. Vitest's own
 * reporter omits the time of hooks.
 */
export function createReporter(place: string): Reporter {
  return {
    async onTestRunEnd(modules, strays) {
      const report: RunReport = {
        files: modules.map(describeModule),
        strays: strays.map((error) => describeError('', error)),
      };
      await writeFile(place, JSON.stringify(report));
    },
  };
}

function describeModule(module: TestModule): FileReport {
  const { collectDuration, duration } = module.diagnostic();
  const tests = [...module.children.allTests()];
  return {
    file: module.relativeModuleId,
    seconds: (collectDuration + duration) / 1000,
    processorSeconds: module.meta().processorSeconds ?? 0,
    tests: tests.map((test) => ({ name: test.fullName, ending: testResultOf(test) })),
    failures: [module, ...module.children.allSuites(), ...tests].flatMap(failuresOf),
  };
}

function failuresOf(of: TestModule | TestSuite | TestCase): Failure[] {
  const name = of.type === 'module' ? '' : of.fullName;
  const errors = of.type === 'test' ? of.result().errors : of.errors();
  return (errors ?? []).map((error) => describeError(name, error));
}

function describeError(name: string, { message, stacks }: SerializedError): Failure {
  const [at] = stacks ?? [];
  return { name, message: at ? `${message}\n    at ${at.file}:${at.line}` : message };
}

function testResultOf(test: TestCase): Ending {
  const { state } = test.result();
  if (state === 'passed' || state === 'failed') return state;
  // Vitest also reports a test as skipped if a hook before the test failed.
  return state === 'skipped' && !isBelowFailure(test) ? 'skipped' : 'lost';
}

function isBelowFailure({ parent }: Pick<TestCase, 'parent'>): boolean {
  if (parent.errors().length > 0) return true;
  return parent.type === 'suite' && isBelowFailure(parent);
}
