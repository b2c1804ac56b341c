import type { FaultAction } from '../../electron/demo/server/faults.ts';
import type { Demo } from '../../electron/demo/start.ts';

export interface Storm {
  /** Share of create requests that get a fault. */
  readonly faulty: number;
  readonly faults: readonly FaultAction[];
  /**
   * Fault of the remaining create requests after the last kill, so that the recovery can be
   * observed.
   */
  readonly calm?: FaultAction;
}

/** Numbers of create requests after which the program is killed; those in flight get no answer. */
const KILL_AFTER = [60, 130];
const ON_THE_WIRE = 3;
/** Number of create requests that a kill leaves without an answer. */
export const UNANSWERED = KILL_AFTER.length * ON_THE_WIRE;
const FOREVER = 600_000;

/** Drops answers to create requests; calls `kill` twice, which ends the program. */
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
