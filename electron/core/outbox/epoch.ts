import { Serial } from '../../../shared/serial.ts';
import type { StoredEpoch } from './ports.ts';
import type { Clock, Stores, Vault } from '../ports.ts';
import type { Place, ExternalState } from '../external-state-ports.ts';

/** Name of the epoch number in the credential store and in the external state. */
const EPOCH_NAME = 'outbox-epoch';
/**
 * Maximum epoch number, which increments of one never reach. A larger number was written into a
 * backup on purpose, so that the number could not be increased.
 */
const MAX_EPOCH = 10 ** 12;

interface EpochPorts {
  readonly stores: Pick<Stores, 'outbox'>;
  readonly vault: Vault;
  readonly externalState: ExternalState;
  readonly clock: Clock;
  /** Called when the waiting rows of this copy of the data must not be trusted. */
  readonly distrust: () => void;
}

/**
 * Number that is stored in the data file, in the credential store and in the external state. It is
 * increased before rows are armed, and before and after every run of sends. If the data was
 * restored, copied or moved, its number or location does not match: its waiting rows may already
 * have been sent. No clock is involved.
 */
export class OutboxEpoch {
  readonly #ports: EpochPorts;
  #checked: Promise<void> | null = null;
  readonly #raising = new Serial();
  /** Whether the number should have been increased, but has not been. */
  #isOwed = false;

  constructor(ports: EpochPorts) {
    this.#ports = ports;
  }

  /**
   * Compares the stored numbers; to be called before anything is sent. If it throws 'vault' or
   * 'storage', nothing may be sent.
   */
  async check(): Promise<void> {
    await this.#compareOnce();
    if (this.#isOwed) await this.#grow();
  }

  /**
   * Increases the number. If it throws 'vault' or 'storage', nothing was armed, and nothing may be
   * sent.
   */
  async raise(): Promise<void> {
    this.#isOwed = true;
    await this.#compareOnce();
    await this.#grow();
  }

  async #compareOnce(): Promise<void> {
    this.#checked ??= this.#compare();
    try {
      await this.#checked;
    } catch (error) {
      this.#checked = null;
      throw error;
    }
  }

  #grow(): Promise<void> {
    return this.#raising.run(async () => {
      // Another copy of this data may have been used while this process was running.
      await this.#compare();
      await this.#write(this.#ports.stores.outbox.epoch().current + 1);
      this.#isOwed = false;
    });
  }

  async #compare(): Promise<void> {
    const { stores, vault, externalState, distrust } = this.#ports;
    for (;;) {
      const stored = stores.outbox.epoch();
      const [kept, noted] = [
        await vault.read(EPOCH_NAME),
        await externalState.read(EPOCH_NAME),
      ].map(numberOf);
      const place = await externalState.place();
      // Another process wrote while the values were read, so they are inconsistent.
      if (!isEqual(stored, stores.outbox.epoch())) continue;
      const isMoved = stored.place !== null && !isSamePlace(stored.place, place);
      if (!isMoved && isCurrentOrNext(stored, kept) && isCurrentOrNext(stored, noted)) {
        // The program ended during a write. The write is completed with the same number.
        if (stored.next !== null) await this.#write(stored.next);
        return;
      }
      distrust();
      const numbers = [stored.current, stored.next, kept, noted].map((number) => number ?? 0);
      await this.#write(Math.max(0, ...numbers.filter((number) => number <= MAX_EPOCH)) + 1);
      return;
    }
  }

  async #write(number: number): Promise<void> {
    const { stores, vault, externalState } = this.#ports;
    const place = await externalState.place();
    const { current } = stores.outbox.epoch();
    stores.outbox.setEpoch({ current, next: number, place });
    await vault.write(EPOCH_NAME, String(number));
    await externalState.write(EPOCH_NAME, String(number));
    stores.outbox.setEpoch({ current: number, next: null, place });
  }
}

function numberOf(text: string | null): number | null {
  if (text === null) return 0;
  return /^\d{1,15}$/u.test(text) ? Number(text) : null;
}

function isCurrentOrNext(
  { current, next }: StoredEpoch,
  number: number | null | undefined,
): boolean {
  return number === current || (next !== null && number === next);
}

function isEqual(one: StoredEpoch, other: StoredEpoch): boolean {
  return one.current === other.current && one.next === other.next;
}

/** Whether both readings may be of the same location. @internal */
export function isSamePlace(one: Place, other: Place): boolean {
  const same = (a: string | null, b: string | null) => a === null || b === null || a === b;
  return (
    same(one.computer, other.computer) &&
    same(one.volume, other.volume) &&
    same(one.file, other.file) &&
    same(one.made, other.made)
  );
}
