import { SKIPS } from '../checks/skips.ts';
import type { Ending, Failure, FileReport } from './report.ts';
import type { TierLine } from './tiers.ts';

/** As many of the slowest files are named as one would look into. */
const SLOWEST = 10;
/** From one computer to another a file takes up to a third more. */
const NEAR = 0.75;

/**
 * Quick files that took more processor time than they may. `slowness` is how many times slower this
 * computer is than the one that the limits were measured on.
 */
export function overLimit(
  files: readonly FileReport[],
  tiers: ReadonlyMap<string, TierLine>,
  slowness: number,
): readonly FileReport[] {
  return files.filter((one) => shareOf(one, tiers, slowness) > 1);
}

/** One line for each quick file that is not over its limit, and might be on the next run. */
export function nearLimit(
  files: readonly FileReport[],
  tiers: ReadonlyMap<string, TierLine>,
  slowness: number,
): readonly string[] {
  return files.flatMap((one) => {
    const share = shareOf(one, tiers, slowness);
    return share > NEAR && share <= 1
      ? [`${one.file} took ${(share * 100).toFixed(0)} % of the processor time that it may take`]
      : [];
  });
}

/** The processor time of a quick file, 1 where it is what such a file may take. */
function shareOf(
  { file, processorSeconds }: FileReport,
  tiers: ReadonlyMap<string, TierLine>,
  slowness: number,
): number {
  const { tier, seconds } = tiers.get(file) ?? { tier: 'all', seconds: Infinity };
  return tier === 'quick' ? processorSeconds / (seconds * slowness) : 0;
}

/** One sentence for each file of `overLimit`. */
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

/** The files that took most processor time, and the sum of all. */
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

/** One line per skipped test. */
export function skipLines(files: readonly FileReport[]): string[] {
  return files.flatMap(({ file, tests }) =>
    tests
      .filter(({ ending }) => ending === 'skipped')
      .map(({ name }) => `skipped, see ${SKIPS}: ${file}: ${name}`),
  );
}

/** What failed, with where; `strays` failed outside of any test. */
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
  // A gate that objects, or a file that cannot be loaded, fails no test, and still nothing may pass.
  const failures = isGood ? failed : Math.max(failed, 1);
  return `${count('passed')} passed, ${failures} failed, ${count('skipped')} skipped`;
}
