import { spawnSync } from 'node:child_process';
import { findOffice } from '../../electron/adapters/documents/office/find.ts';
import { findProgram } from '../../electron/hosts/find-browser.ts';
import { findPostgres } from '../find-postgres.ts';
import { missingPackages } from '../package/stand-in/stand-in.ts';
import { readTable } from '../table.ts';
import type { FileReport } from '../test/report.ts';

export const SKIPS_DOCUMENT = 'test/SKIPS.md';

export interface Skip {
  readonly file: string;
  /** A test, or a group of tests, as Vitest names it; `…` stands for any text. */
  readonly test: string;
  /** Computers on which the test runs: one of `conditions`, or words that begin with `perhaps`. */
  readonly runs: string;
}

/**
 * Conditions that this program can check on a computer; with `perhaps …`, the test may run or be
 * skipped.
 */
export const conditions: ReadonlyMap<string, () => boolean> = new Map([
  ['never', () => false],
  ['on Linux', () => process.platform === 'linux'],
  ['on Windows', () => process.platform === 'win32'],
  ['not on Windows', () => process.platform !== 'win32'],
  ['not on macOS', () => process.platform !== 'darwin'],
  ['with qpdf', () => findProgram('qpdf') !== undefined],
  ['with age', () => findProgram('age') !== undefined],
  ['with LibreOffice', () => findOffice() !== null],
  ['with PostgreSQL', () => findPostgres() !== null],
  [
    'with the tools of packages',
    () => missingPackages().length === 0 && findProgram('appstreamcli') !== undefined,
  ],
  [
    'with a screen of its own',
    () => ['Xvfb', 'xfwm4', 'xprop', 'import'].every((name) => findProgram(name) !== undefined),
  ],
  ['with bagit.py', () => spawnSync('python3', ['-c', 'import bagit']).status === 0],
]);

export function readSkips(markdown: string): Skip[] {
  return readTable(markdown).map(([file = '', test = '', runs = '']) => ({ file, test, runs }));
}

/**
 * Returns the differences between the list and a run: a skipped test that is not listed, a test
 * skipped where it should run, a test that ran where it should be skipped. In a run of all files,
 * an entry without a test is a difference too.
 */
export function skipProblems(
  skips: readonly Skip[],
  files: readonly FileReport[],
  {
    isWhole,
    holds = isConditionMet,
  }: { isWhole: boolean; holds?: (runs: string) => boolean | null },
): string[] {
  const tests = files.flatMap(({ file, tests: all }) => all.map((test) => ({ file, ...test })));
  const of = (skip: Skip) =>
    tests.filter((test) => test.file === skip.file && matchesSkippedTest(skip, test));
  const unlisted = tests.filter(
    (test) => test.ending === 'skipped' && !skips.some((skip) => of(skip).includes(test)),
  );
  return [
    ...unlisted.map(({ file, name }) => `skipped, but not in ${SKIPS_DOCUMENT}: ${file}: ${name}`),
    ...skips.flatMap((skip) => {
      const found = of(skip).filter(({ ending }) => ending !== 'lost');
      const problem = skipProblemOf(skip, found, holds(skip.runs));
      if (found.length === 0 && !isWhole) return [];
      return problem === undefined ? [] : [`${problem}: ${skip.file}: ${skip.test}`];
    }),
  ];
}

function skipProblemOf(
  { runs }: Skip,
  found: readonly { readonly ending: string }[],
  shouldRun: boolean | null,
): string | undefined {
  if (shouldRun === null && !runs.startsWith('perhaps')) return `not a condition (${runs})`;
  if (found.length === 0) return `in ${SKIPS_DOCUMENT}, but no test any more`;
  if (shouldRun === true && found.some(({ ending }) => ending === 'skipped')) {
    return `skipped, though it runs ${runs}`;
  }
  if (shouldRun === false && found.some(({ ending }) => ending !== 'skipped')) {
    return `ran, though it runs ${runs} only`;
  }
  return undefined;
}

/** Whether this computer meets a condition; `null` for `perhaps …`. */
function isConditionMet(runs: string): boolean | null {
  return conditions.get(runs)?.() ?? null;
}

function matchesSkippedTest({ test }: Skip, { name }: { readonly name: string }): boolean {
  const [first = '', ...rest] = test.split('…');
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    at = name.indexOf(part, at);
    if (at < 0) return false;
    at += part.length;
  }
  // The entry matches the whole name of a test, or the name of a group that contains the test.
  return at === name.length || test.endsWith('…') || name.startsWith(' > ', at);
}
