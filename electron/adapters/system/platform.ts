import { randomInt, randomUUID } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import type { Origin } from '../../core/evidence/ports.ts';
import type { Chance, Clock, Scheduler } from '../../core/ports.ts';

/**
 * Maximum delay of a timer (ms). Node's timers use 31 bits; a longer delay would fire immediately.
 */
const MAX_WAIT_MS = 2 ** 31 - 1;
/** Widest range that `randomInt` accepts. */
const FRACTION_STEPS = 2 ** 48 - 1;

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
  fraction: () => randomInt(FRACTION_STEPS) / FRACTION_STEPS,
};

/** Returns the account and the computer that the program runs on, as the system names them. */
export function originOf(version: string): Origin {
  return { user: userName(), computer: hostname(), program: `Signing Desk ${version}` };
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // The account has no entry in the system's list, as in some containers.
    return `uid ${process.getuid?.() ?? '?'}`;
  }
}
