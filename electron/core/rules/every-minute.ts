import type { Clock } from '../ports.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

/** Work that goes on while the window is open. */
export interface Schedule {
  begin(): void;
  end(): void;
}

/**
 * Checks at once and then every minute, which is as exact as a time of day without seconds, and at the
 * first minute after a sleep. A check that takes longer, as on a slow network drive, is not made twice.
 */
export function everyMinute(
  clock: Clock,
  check: () => Promise<void> | undefined,
  complain: (error: unknown) => void,
): Schedule {
  let callOff: () => void = () => {};
  let running: Promise<void> | null = null;
  const checkOnce = (): void => {
    if (running !== null) return;
    try {
      running = check() ?? null;
    } catch (error) {
      complain(error);
    }
    running?.catch(complain).finally(() => {
      running = null;
    });
  };
  const begin = (): void => {
    callOff = clock.after(MINUTE, begin);
    checkOnce();
  };
  return { begin, end: () => callOff() };
}
