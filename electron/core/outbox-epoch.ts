import type { Clock, Stores, Vault } from './ports.ts';

/** Where the number lies in the credential store. */
const NAME = 'outbox-epoch';

interface EpochPorts {
  readonly stores: Pick<Stores, 'outbox'>;
  readonly vault: Vault;
  readonly clock: Clock;
  /** Nothing that waits in this copy of the data may be believed. */
  readonly distrust: () => void;
}

/**
 * One number, in the data file and in the credential store, that grows before rows are armed and
 * before and after every run of sends. A restored copy of the data file is behind the credential
 * store: what waits there may have been sent since.
 */
export class OutboxEpoch {
  readonly #ports: EpochPorts;
  #checked: Promise<void> | null = null;
  #raising: Promise<void> = Promise.resolve();

  constructor(ports: EpochPorts) {
    this.#ports = ports;
  }

  /** Once in the life of a process, before anything goes out. Throws 'vault'. */
  async check(): Promise<void> {
    this.#checked ??= this.#compare();
    try {
      await this.#checked;
    } catch (error) {
      this.#checked = null;
      throw error;
    }
  }

  /** Throws 'vault': then nothing was armed, and nothing may go out. */
  async raise(): Promise<void> {
    await this.check();
    const before = this.#raising;
    const mine = before.then(
      () => this.#write(this.#ports.stores.outbox.epoch().current + 1),
      () => this.#write(this.#ports.stores.outbox.epoch().current + 1),
    );
    this.#raising = mine;
    await mine;
  }

  async #compare(): Promise<void> {
    const { stores, vault, distrust } = this.#ports;
    const { current, next } = stores.outbox.epoch();
    const kept = await vault.read(NAME);
    const known = kept === null ? 0 : Number(kept);
    // The program may have ended between the two; then the credential store holds either.
    if (known === current || (next !== null && known === next)) {
      stores.outbox.setEpoch({ current: known, next: null });
      return;
    }
    distrust();
    await this.#write(Math.max(current, Number.isFinite(known) ? known : 0) + 1);
  }

  async #write(number: number): Promise<void> {
    const { stores, vault } = this.#ports;
    const { current } = stores.outbox.epoch();
    stores.outbox.setEpoch({ current, next: number });
    await vault.write(NAME, String(number));
    stores.outbox.setEpoch({ current: number, next: null });
  }
}
