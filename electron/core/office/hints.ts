import type { ConnectionId } from '../../../shared/model/ids.ts';
import type { ToFailure } from '../../../shared/wire.ts';
import type { Clock, Stores } from '../ports.ts';
import { hex, isOwnDemo } from './operation.ts';
import { serviceOf } from '../services/same-service.ts';
import type { JoinedOffice } from './ports.ts';
import type { OfficeSession } from './session.ts';

/**
 * Minimum time (ms) between hints about the same service. A batch sends many rows per second, and
 * another computer finds them all with one reading of the service.
 */
const SAY_EVERY_MS = 10_000;
/**
 * Minimum time (ms) between readings of the same service. A reading costs two requests even if it
 * finds no news.
 */
const READ_EVERY_MS = 30_000;

interface HintPorts {
  readonly stores: Pick<Stores, 'connections' | 'office'>;
  readonly room: OfficeSession;
  readonly clock: Clock;
  readonly toFailure: ToFailure;
  /** Reads news from the service of a connection soon, in addition to the regular syncs. */
  readonly readSoon: (id: ConnectionId) => void;
}

/**
 * Sends hints to other computers after a send, a reminder or a removal, so that they read the
 * service soon instead of at their next sync. A hint contains only a hash of the service's address,
 * so a lost or forged hint does no harm.
 */
export class ServiceHints {
  readonly #ports: HintPorts;
  readonly #saying: PacedWork<ConnectionId>;
  readonly #reading: PacedWork<ConnectionId>;

  constructor(ports: HintPorts) {
    const { clock, readSoon } = ports;
    this.#ports = ports;
    this.#saying = new PacedWork(clock, SAY_EVERY_MS, (id) => void this.#say(id));
    this.#reading = new PacedWork(clock, READ_EVERY_MS, readSoon);
  }

  changed(id: ConnectionId): void {
    const { stores } = this.#ports;
    if (stores.office.membership() === null || isOwnDemo(stores, id)) return;
    this.#saying.ask(id);
  }

  async heard(service: string): Promise<void> {
    const { stores, room, toFailure } = this.#ports;
    try {
      const joined = await room.joined();
      if (joined === null) return;
      for (const { id } of stores.connections.list()) {
        const isIt = !isOwnDemo(stores, id) && hex(keyOf(stores, joined, id)) === service;
        if (isIt) this.#reading.ask(id);
      }
    } catch (error) {
      toFailure(error, 'office.hint');
    }
  }

  end(): void {
    this.#saying.end();
    this.#reading.end();
  }

  async #say(id: ConnectionId): Promise<void> {
    const { stores, room, toFailure } = this.#ports;
    try {
      const office = await room.open();
      await office?.hint(keyOf(stores, office.joined, id));
    } catch (error) {
      // The other computers read the service at their next sync.
      toFailure(error, 'office.hint');
    }
  }
}

/**
 * Runs `work` for a key when it is requested, but not more often than once per interval. A request
 * during the interval runs the work at the end of the interval.
 */
class PacedWork<Key> {
  readonly #clock: Clock;
  readonly #every: number;
  readonly #work: (key: Key) => void;
  /**
   * Keys whose interval has not ended. `isAsked`: whether the work was requested again during the
   * interval.
   */
  readonly #waiting = new Map<Key, { isAsked: boolean; readonly callOff: () => void }>();

  constructor(clock: Clock, every: number, work: (key: Key) => void) {
    this.#clock = clock;
    this.#every = every;
    this.#work = work;
  }

  ask(key: Key): void {
    const waits = this.#waiting.get(key);
    if (waits !== undefined) {
      waits.isAsked = true;
      return;
    }
    const callOff = this.#clock.after(this.#every, () => {
      const isAsked = this.#waiting.get(key)?.isAsked === true;
      this.#waiting.delete(key);
      if (isAsked) this.ask(key);
    });
    this.#waiting.set(key, { isAsked: false, callOff });
    this.#work(key);
  }

  end(): void {
    for (const { callOff } of this.#waiting.values()) callOff();
    this.#waiting.clear();
  }
}

function keyOf(
  stores: Pick<Stores, 'connections'>,
  joined: JoinedOffice,
  id: ConnectionId,
): Uint8Array {
  return joined.claimKey(['service', serviceOf(stores, id)]);
}
