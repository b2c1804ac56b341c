/** Random numbers that are the same in every run (mulberry32). */
export function createSeeded(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  /** A whole number from `least` to `most`, both included. */
  const whole = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  const pick = <T>(from: readonly [T, ...T[]]): T => from[whole(0, from.length - 1)] ?? from[0];
  return { whole, pick };
}

/** Changes that people and programs make to a number on its way into a spreadsheet. */
export function disguise(text: string, chance: ReturnType<typeof createSeeded>): string {
  const marks = [...text].map((mark) => {
    if (mark === '-') return chance.pick(['-', '–', '−', '‑']);
    return chance.whole(0, 9) > 0 ? mark : chance.pick(['\u200b', '\ufeff', '\u2060']) + mark;
  });
  return (
    chance.pick(['', ' ', '\u00a0', '\u202a']) + marks.join('') + chance.pick(['', ' ', '\u202f'])
  );
}
