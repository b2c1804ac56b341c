import { nastyTexts } from './nasty-texts.ts';

const KIB = 1024;
/** Time that grows with the square of a text takes minutes; the slowest rule takes half a second. */
const MOST_MS_PER_MIB = 5000;
/** Whatever the length: a short text may meet work that does not grow with it. */
const MOST_MS_AT_LEAST = 1000;
/** What grows faster than this power of the length is noticed in the smallest text. */
const STEEPEST = 4;

/**
 * The names of the texts on which `run` takes too long, with the size at which it was noticed: each
 * nasty text with a sixteenth of the size first, as the square of it is soon over and ends the test,
 * then with a quarter. The whole text is left out where a quarter is over so soon that the whole,
 * were its time to grow with the fourth power even, would stay within its limit.
 * What counts is the processor's time in this thread: neither another program nor the engine's own
 * threads lengthen it much.
 */
export function slowTexts(run: (text: string) => unknown, most = 1024 * KIB): readonly string[] {
  return nastyTexts.flatMap(([name, textOf]) => {
    const size = slowSize(run, textOf, most);
    return size === undefined ? [] : [`${name}: ${String(size / KIB)} KiB`];
  });
}

function slowSize(
  run: (text: string) => unknown,
  textOf: (length: number) => string,
  most: number,
): number | undefined {
  for (const size of [most / 16, most / 4, most]) {
    const text = textOf(size);
    // Whatever it was the first time, compiling or tidying up, it is not that twice.
    const took = time(run, text);
    if (took > limit(size) && time(run, text) > limit(size)) return size;
    if (size === most / 4 && took * 4 ** STEEPEST < limit(most)) return undefined;
  }
  return undefined;
}

const limit = (size: number): number => MOST_MS_AT_LEAST + (MOST_MS_PER_MIB * size) / (1024 * KIB);

function time(run: (text: string) => unknown, text: string): number {
  const before = process.threadCpuUsage();
  run(text);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
