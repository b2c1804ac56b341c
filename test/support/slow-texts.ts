import { nastyTexts } from './nasty-texts.ts';

const KIB = 1024;
/** Twenty times what a window may wait; time that grows with the square of a text takes minutes. */
const MOST_MS = 1000;

/**
 * The names of the texts on which `run` takes too long, with the size at which it was noticed: each
 * nasty text with a sixteenth of the size first, as the square of it is soon over and ends the test.
 * What counts is the processor's time, which a busy machine does not lengthen: a second for a MiB.
 */
export function slowTexts(run: (text: string) => unknown, most = 1024 * KIB): readonly string[] {
  return nastyTexts.flatMap(([name, textOf]) => {
    const size = [most / 16, most].find((one) =>
      isSlow(run, textOf(one), (MOST_MS * one) / (1024 * KIB) + 200),
    );
    return size === undefined ? [] : [`${name}: ${String(size / KIB)} KiB`];
  });
}

function isSlow(run: (text: string) => unknown, text: string, most: number): boolean {
  // Whatever it was the first time, compiling or tidying up, it is not that twice.
  return time(run, text) > most && time(run, text) > most;
}

function time(run: (text: string) => unknown, text: string): number {
  const before = process.cpuUsage();
  run(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
