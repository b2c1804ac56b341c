import { randomInt, randomUUID } from 'node:crypto';
import type { Chance, Clock } from '../core/ports.ts';

/** Node's timers keep 31 bits; a longer wait would fire at once. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;
/** The widest range that `randomInt` draws from. */
const FRACTIONS = 2 ** 48 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, run) {
    const timer = setTimeout(run, Math.min(milliseconds, LONGEST_WAIT_MS));
    return () => {
      clearTimeout(timer);
    };
  },
};

export const systemChance: Chance = {
  uuid: () => randomUUID(),
  fraction: () => randomInt(FRACTIONS) / FRACTIONS,
};
