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
  check: () => void | Promise<void>,
  complain: (error: unknown) => void,
): Schedule {
  let isChecking = false;
  let callOff: () => void = () => {};
  const checkOnce = async (): Promise<void> => {
    if (isChecking) return;
    isChecking = true;
    try {
      await check();
    } catch (error) {
      complain(error);
    } finally {
      isChecking = false;
    }
  };
  const begin = (): void => {
    callOff = clock.after(MINUTE, begin);
    void checkOnce();
  };
  return { begin, end: () => callOff() };
}
