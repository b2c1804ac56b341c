import type { FaultAction } from '../../electron/demo/server/faults.ts';
import type { Demo } from '../../electron/demo/start.ts';

export interface Storm {
  /** Of all creates, so many meet a fault. */
  readonly faulty: number;
  readonly faults: readonly FaultAction[];
  /** What the rest meets after the last kill, so that a person sees how it goes on. */
  readonly calm?: FaultAction;
}

/** The program is killed when so many creates have come, with those on the wire unanswered. */
const KILL_AFTER = [60, 130];
const ON_THE_WIRE = 3;
/** Creates that a kill leaves without an answer. */
export const UNANSWERED = KILL_AFTER.length * ON_THE_WIRE;
const FOREVER = 600_000;

/** Loses answers to creates; `kill` is told twice when the program is to end. */
export function startStorm(demo: Demo, { faulty, faults, calm }: Storm, kill: () => void): void {
  let [came, met, held, kills] = [0, 0, 0, 0];
  demo.weather(({ method, url }) => {
    if (method !== 'POST' || !/\/agreements$/.test(url)) return null;
    came += 1;
    if (came > (KILL_AFTER[kills] ?? Infinity)) {
      held += 1;
      if (held === ON_THE_WIRE) {
        [held, kills] = [0, kills + 1];
        setTimeout(kill, 50);
      }
      return { kind: 'delay', ms: FOREVER, when: 'after' };
    }
    if (came * faulty < met + 1) return kills === KILL_AFTER.length ? (calm ?? null) : null;
    met += 1;
    return faults[met % faults.length] ?? null;
  });
}
