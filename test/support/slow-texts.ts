import { nastyTexts } from './nasty-texts.ts';

const KIB = 1024;
/**
 * Maximum time per MiB (ms): for these texts, quadratic time takes minutes, and the slowest rule
 * half a second.
 */
const MAX_MS_PER_MIB = 5000;
/** Limit for short texts (ms), whose time may include constant work. */
const MAX_MS_AT_LEAST = 1000;
/** Highest power of growth that is assumed; steeper growth is found with the smallest text. */
const STEEPEST = 4;
/** Resolution of the clock in milliseconds. */
const UNSURE = 1;
/** Number of repeats of the shorter texts before the whole text is tried. */
const MAX_LOOKS = 1;

/**
 * Returns the names of the texts on which `run` takes too long, with the size at which this was
 * noticed. Each text is tried first with a sixteenth of its size, since quadratic work on it ends
 * soon and fails the test, then with a quarter. The whole text is skipped if these two show that it
 * would stay within its limit for any growth. Only the processor time of this thread is measured:
 * other programs and the engine's own threads hardly affect it.
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
  const [short, long, whole] = [textOf(most / 16), textOf(most / 4), most];
  // The first run may include compiling or garbage collection; the second does not.
  const again = (text: string, took: number): number => Math.min(took, time(run, text));
  let tookShort = time(run, short);
  if (tookShort > limit(most / 16)) tookShort = again(short, tookShort);
  if (tookShort > limit(most / 16)) return most / 16;
  let tookLong = time(run, long);
  if (tookLong > limit(most / 4)) tookLong = again(long, tookLong);
  if (tookLong > limit(most / 4)) return most / 4;
  if (tookLong * 4 ** STEEPEST < limit(whole)) return undefined;
  // Measure both texts without an interruption, which would otherwise count as time of the text.
  for (let left = MAX_LOOKS; left > 0; left -= 1) {
    tookShort = again(short, again(short, tookShort));
    if (mostOfWhole(tookShort, tookLong) < limit(whole)) return undefined;
    tookLong = again(long, tookLong);
    if (mostOfWhole(tookShort, tookLong) < limit(whole)) return undefined;
  }
  const text = textOf(whole);
  const took = time(run, text);
  return took > limit(whole) && again(text, took) > limit(whole) ? whole : undefined;
}

/**
 * Upper limit for the time of the whole text, from the times of a sixteenth and a quarter of it. If
 * the second time is more than four times the first, the excess grows at least with the square of
 * the length. A sixteenth of the excess is in the first time, so three quarters of it are visible.
 * The excess is assumed to grow with the fourth power, and the rest in proportion to the text.
 */
const mostOfWhole = (tookShort: number, tookLong: number): number =>
  4 * tookLong + (Math.max(0, tookLong - 4 * (tookShort - UNSURE)) / 0.75) * 4 ** STEEPEST;

const limit = (size: number): number => MAX_MS_AT_LEAST + (MAX_MS_PER_MIB * size) / (1024 * KIB);

function time(run: (text: string) => unknown, text: string): number {
  const before = process.threadCpuUsage();
  run(text);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
