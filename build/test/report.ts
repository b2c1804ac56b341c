import { writeFile } from 'node:fs/promises';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** How a test ended; one is lost when what it needed could not be made ready. */
export type Ending = 'passed' | 'failed' | 'skipped' | 'lost';

export interface FileReport {
  /** Its repository path. */
  readonly file: string;
  /** Its loading, its tests and what surrounds them. */
  readonly seconds: number;
  readonly tests: readonly { readonly name: string; readonly ending: Ending }[];
}

/** The variable that names the file a run of Vitest reports to. */
export const REPORT_TO = 'SIGNING_DESK_TEST_REPORT';

/** A reporter that leaves what the runner asks about: Vitest's own leaves out the hooks' time. */
export function reportsTo(place: string): Reporter {
  return {
    onTestRunEnd: (modules) => writeFile(place, JSON.stringify(modules.map(describeModule))),
  };
}

function describeModule(module: TestModule): FileReport {
  const { collectDuration, duration } = module.diagnostic();
  const tests = [...module.children.allTests()];
  return {
    file: module.relativeModuleId,
    seconds: (collectDuration + duration) / 1000,
    tests: tests.map((test) => ({ name: test.fullName, ending: endingOf(test) })),
  };
}

function endingOf(test: TestCase): Ending {
  const { state } = test.result();
  if (state === 'passed' || state === 'failed') return state;
  // Vitest calls a test skipped too when a hook before it failed.
  return state === 'skipped' && !isBelowFailure(test) ? 'skipped' : 'lost';
}

function isBelowFailure({ parent }: Pick<TestCase, 'parent'>): boolean {
  if (parent.errors().length > 0) return true;
  return parent.type === 'suite' && isBelowFailure(parent);
}
