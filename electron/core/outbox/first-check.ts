import type { ToFailure } from '../../../shared/wire.ts';
import type { Clock, Stores } from '../ports.ts';
import { deactivationOf } from '../deactivation.ts';
import type { OutboxEpoch } from './epoch.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

/** A folder for notes that could not be read is looked for again. */
const CHECK_AGAIN_MS = MINUTE;

interface FirstCheckPorts {
  readonly stores: Pick<Stores, 'evidence'>;
  readonly epoch: Pick<OutboxEpoch, 'check'>;
  readonly clock: Clock;
  readonly toFailure: ToFailure;
}

/**
 * Finds out whether the data was restored, copied or moved, before anything acts by itself. Where that
 * cannot be found out, nothing does until it can.
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
    // Nothing acts at rest, and whoever wakes it doubts all of it.
    if (deactivationOf(stores) !== null) return;
    this.#isKnown = false;
    try {
      await epoch.check();
      this.#isKnown = true;
    } catch (error) {
      toFailure(error, 'desk.check');
    }
  }

  /** Calls `begin` once it is known; at once where nobody asked. */
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
