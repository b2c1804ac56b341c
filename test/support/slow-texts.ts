import { nastyTexts } from './nasty-texts.ts';

const KIB = 1024;
/** Time that grows with the square of a text takes minutes; the slowest rule takes half a second. */
const MOST_MS_PER_MIB = 5000;
/** Whatever the length: a short text may meet work that does not grow with it. */
const MOST_MS_AT_LEAST = 1000;

/**
 * The names of the texts on which `run` takes too long, with the size at which it was noticed: each
 * nasty text with a sixteenth of the size first, as the square of it is soon over and ends the test.
 * What counts is the processor's time in this thread: neither another program nor the engine's own
 * threads lengthen it much.
 */
export function slowTexts(run: (text: string) => unknown, most = 1024 * KIB): readonly string[] {
  return nastyTexts.flatMap(([name, textOf]) => {
    const size = [most / 16, most].find((one) =>
      isSlow(run, textOf(one), MOST_MS_AT_LEAST + (MOST_MS_PER_MIB * one) / (1024 * KIB)),
    );
    return size === undefined ? [] : [`${name}: ${String(size / KIB)} KiB`];
  });
}

function isSlow(run: (text: string) => unknown, text: string, most: number): boolean {
  // Whatever it was the first time, compiling or tidying up, it is not that twice.
  return time(run, text) > most && time(run, text) > most;
}

function time(run: (text: string) => unknown, text: string): number {
  const before = process.threadCpuUsage();
  run(text);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
