import { SKIPS_DOCUMENT } from '../checks/skips.ts';
import type { Ending, Failure, FileReport } from './report.ts';
import type { TierLine } from './tiers.ts';

const SLOWEST_FILES_LISTED = 10;
/**
 * Share of its limit above which a file is reported: on another computer, a file takes up to a
 * third more.
 */
const NEAR_LIMIT_SHARE = 0.75;

/**
 * Returns the quick files that exceeded their limit of processor time. `slowness` is how many times
 * slower this computer is than the one on which the limits were measured.
 */
export function overLimit(
  files: readonly FileReport[],
  tiers: ReadonlyMap<string, TierLine>,
  slowness: number,
): readonly FileReport[] {
  return files.filter((one) => shareOf(one, tiers, slowness) > 1);
}

/**
 * Returns one line for each quick file that is within its limit, but might exceed it in the next
 * run.
 */
export function nearLimit(
  files: readonly FileReport[],
  tiers: ReadonlyMap<string, TierLine>,
  slowness: number,
): readonly string[] {
  return files.flatMap((one) => {
    const share = shareOf(one, tiers, slowness);
    return share > NEAR_LIMIT_SHARE && share <= 1
      ? [`${one.file} took ${(share * 100).toFixed(0)} % of the processor time that it may take`]
      : [];
  });
}

/**
 * Returns the processor time of a quick file as a share of its limit: 1 is the limit. Returns 0 for
 * a file of the other tier.
 */
function shareOf(
  { file, processorSeconds }: FileReport,
  tiers: ReadonlyMap<string, TierLine>,
  slowness: number,
): number {
  const { tier, seconds } = tiers.get(file) ?? { tier: 'all', seconds: Infinity };
  return tier === 'quick' ? processorSeconds / (seconds * slowness) : 0;
}

export function tierProblems(
  files: readonly FileReport[],
  tiers: ReadonlyMap<string, TierLine>,
): string[] {
  return files.map(({ file, processorSeconds }) => {
    const took = processorSeconds.toFixed(1);
    const limit = tiers.get(file)?.seconds;
    return `failed: ${file} took ${took} s of processor, and a quick file may take ${limit}: make it shorter, or begin it with "// tier: all"`;
  });
}

/**
 * Returns lines with the files that took the most processor time, and with the sum of all files.
 */
export function slowest(files: readonly FileReport[], slowness: number): string[] {
  if (files.length === 0) return [];
  const sum = files.reduce((all, { processorSeconds }) => all + processorSeconds, 0);
  const inOrder = files.toSorted((a, b) => b.processorSeconds - a.processorSeconds);
  return [
    `${files.length} files took ${sum.toFixed(0)} s of processor, ${slowness.toFixed(1)} times what an idle computer takes; the most:`,
    ...inOrder
      .slice(0, SLOWEST_FILES_LISTED)
      .map(
        ({ file, processorSeconds, seconds }) =>
          `${processorSeconds.toFixed(1).padStart(8)} s (${seconds.toFixed(1)} s by the clock)  ${file}`,
      ),
  ];
}

export function skipLines(files: readonly FileReport[]): string[] {
  return files.flatMap(({ file, tests }) =>
    tests
      .filter(({ ending }) => ending === 'skipped')
      .map(({ name }) => `skipped, see ${SKIPS_DOCUMENT}: ${file}: ${name}`),
  );
}

/** Returns the failures with their positions; `strays` are failures that belong to no test file. */
export function failureLines(files: readonly FileReport[], strays: readonly Failure[]): string[] {
  const line = (place: string) => (failure: Failure) =>
    `failed: ${place}: ${failure.name}\n    ${failure.message}`;
  return [
    ...files.flatMap(({ file, failures }) => failures.map(line(file))),
    ...strays.map(line('outside of any test')),
  ];
}

/**
 * Returns `N passed, N failed, N skipped`; the number of failed tests is at least 1 unless
 * `isGood`.
 */
export function closingLine(files: readonly FileReport[], isGood: boolean): string {
  const count = (...endings: readonly Ending[]) =>
    files.flatMap(({ tests }) => tests).filter(({ ending }) => endings.includes(ending)).length;
  const failed = count('failed', 'lost');
  // If a gate fails or a file cannot be loaded, no test fails, but the run must not pass.
  const failures = isGood ? failed : Math.max(failed, 1);
  return `${count('passed')} passed, ${failures} failed, ${count('skipped')} skipped`;
}
