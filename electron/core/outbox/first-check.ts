import type { ToFailure } from '../../../shared/wire.ts';
import type { Clock, Stores } from '../ports.ts';
import { deactivationOf } from '../deactivation.ts';
import type { OutboxEpoch } from './epoch.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

/** Retry delay after the external state could not be read (ms). */
const CHECK_AGAIN_MS = MINUTE;

interface FirstCheckPorts {
  readonly stores: Pick<Stores, 'evidence'>;
  readonly epoch: Pick<OutboxEpoch, 'check'>;
  readonly clock: Clock;
  readonly toFailure: ToFailure;
}

/**
 * Checks whether the data was restored, copied or moved, before anything runs automatically. After
 * a failure, the check is repeated, and nothing runs until it succeeds.
 */
export class FirstCheck {
  readonly #ports: FirstCheckPorts;
  #isKnown = true;
  #hasEnded = false;
  #callOff: () => void = () => undefined;

  constructor(ports: FirstCheckPorts) {
    this.#ports = ports;
  }

  async run(): Promise<void> {
    const { stores, epoch, toFailure } = this.#ports;
    // A deactivated computer sends nothing, and its reactivation sets the outcome of all its rows
    // to unknown.
    if (deactivationOf(stores) !== null) return;
    this.#isKnown = false;
    try {
      await epoch.check();
      this.#isKnown = true;
    } catch (error) {
      toFailure(error, 'desk.check');
    }
  }

  /** Calls `begin` once the check has succeeded, or immediately if no check was needed. */
  whenKnown(begin: () => void): void {
    if (this.#isKnown) {
      begin();
      return;
    }
    this.#callOff = this.#ports.clock.after(CHECK_AGAIN_MS, () => {
      void this.run().then(() => {
        if (!this.#hasEnded) this.whenKnown(begin);
      });
    });
  }

  end(): void {
    this.#hasEnded = true;
    this.#callOff();
  }
}
