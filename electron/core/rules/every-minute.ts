import type { Clock } from '../ports.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

export interface Schedule {
  begin(): void;
  end(): void;
}

/**
 * Runs a check immediately and then every minute, which is enough for times of day without seconds.
 * After sleep, it runs within the first minute. Checks never overlap, even if one takes long on a
 * slow network drive.
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
