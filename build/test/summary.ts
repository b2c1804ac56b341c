import { SKIPS } from '../checks/skips.ts';
import type { Ending, Failure, FileReport } from './report.ts';
import type { TierLine } from './tiers.ts';

const SLOWEST = 10;
/** Share of the limit; a file takes up to a third more on another computer. */
const NEAR_LIMIT_SHARE = 0.75;

/**
 * Quick files that exceeded their processor time. `slowness` is how many times slower this computer
 * is than the one on which the limits were measured.
 */
export function overLimit(
  files: readonly FileReport[],
  tiers: ReadonlyMap<string, TierLine>,
  slowness: number,
): readonly FileReport[] {
  return files.filter((one) => shareOf(one, tiers, slowness) > 1);
}

/** One line for each quick file that is within its limit, but might exceed it in the next run. */
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

/** Processor time of a quick file as a share of its limit; 1 is the limit. */
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

/** The files with the most processor time, and the sum of all files. */
export function slowest(files: readonly FileReport[], slowness: number): string[] {
  if (files.length === 0) return [];
  const sum = files.reduce((all, { processorSeconds }) => all + processorSeconds, 0);
  const inOrder = files.toSorted((a, b) => b.processorSeconds - a.processorSeconds);
  return [
    `${files.length} files took ${sum.toFixed(0)} s of processor, ${slowness.toFixed(1)} times what an idle computer takes; the most:`,
    ...inOrder
      .slice(0, SLOWEST)
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
      .map(({ name }) => `skipped, see ${SKIPS}: ${file}: ${name}`),
  );
}

/** Failures with their positions; `strays` failed outside any test. */
export function failureLines(files: readonly FileReport[], strays: readonly Failure[]): string[] {
  const line = (place: string) => (failure: Failure) =>
    `failed: ${place}: ${failure.name}\n    ${failure.message}`;
  return [
    ...files.flatMap(({ file, failures }) => failures.map(line(file))),
    ...strays.map(line('outside of any test')),
  ];
}

/** `N passed, N failed, N skipped`; at least one failed unless `isGood`. */
export function closingLine(files: readonly FileReport[], isGood: boolean): string {
  const count = (...endings: readonly Ending[]) =>
    files.flatMap(({ tests }) => tests).filter(({ ending }) => endings.includes(ending)).length;
  const failed = count('failed', 'lost');
  // A failed gate, or a file that cannot be loaded, fails no test, but the run must not pass.
  const failures = isGood ? failed : Math.max(failed, 1);
  return `${count('passed')} passed, ${failures} failed, ${count('skipped')} skipped`;
}
