import type { Clock } from '../ports.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

export interface Schedule {
  begin(): void;
  end(): void;
}

/**
 * Checks immediately and then every minute, which matches times of day without seconds; after
 * sleep, in the first minute. Checks never overlap, for example on a slow network drive.
 */
export function runEveryMinute(
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
