import type { Clock } from '../../electron/core/ports.ts';

/** A clock faster than the computer's. It is the same in every process that knows its start. */
export interface ScaledTime {
  /** Time of the computer when both clocks were equal (epoch ms). */
  readonly begin: number;
  /** Number of milliseconds of the program's clock per millisecond of the computer's. */
  readonly factor: number;
}

export const scaledNow = ({ begin, factor }: ScaledTime): number =>
  Math.round(begin + (Date.now() - begin) * factor);

export function createScaledClock(time: ScaledTime): Clock {
  return {
    now: () => scaledNow(time),
    after(milliseconds, run) {
      const timer = setTimeout(run, Math.ceil(milliseconds / time.factor));
      return () => {
        clearTimeout(timer);
      };
    },
  };
}
