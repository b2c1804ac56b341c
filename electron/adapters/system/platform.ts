import { randomInt, randomUUID } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import type { Origin } from '../../core/evidence/ports.ts';
import type { Chance, Clock, Scheduler } from '../../core/ports.ts';

/** Node's timers keep 31 bits; a longer wait would fire at once. */
const MAX_WAIT_MS = 2 ** 31 - 1;
/** The widest range that `randomInt` draws from. */
const FRACTIONS = 2 ** 48 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, run) {
    const timer = setTimeout(run, Math.min(milliseconds, MAX_WAIT_MS));
    return () => {
      clearTimeout(timer);
    };
  },
};

export const systemScheduler: Scheduler = {
  yield: () => setImmediate(),
};

export const systemChance: Chance = {
  uuid: () => randomUUID(),
  fraction: () => randomInt(FRACTIONS) / FRACTIONS,
};

/** The account the program runs on, as the system names it. */
export function originOf(version: string): Origin {
  return { user: userName(), computer: hostname(), program: `Signing Desk ${version}` };
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // An account without an entry in the system's list, as in some containers.
    return `uid ${process.getuid?.() ?? '?'}`;
  }
}
