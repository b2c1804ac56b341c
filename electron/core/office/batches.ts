import { CoalescedTask } from '../../../shared/coalesced.ts';
import type { EventName, HandlersOf } from '../../../shared/contract/index.ts';
import type { OfficeBatch } from '../../../shared/contract/office/batches.ts';
import type { BatchId } from '../../../shared/model/ids.ts';
import type { ToFailure } from '../../../shared/wire.ts';
import { progressNumbers } from '../batches/run.ts';
import type { Clock, Stores } from '../ports.ts';
import { deactivationOf } from '../deactivation.ts';
import type { OfficeSession } from './session.ts';
import { DAY } from '../../../shared/rules/time/units.ts';

/**
 * Minimum time between reports. Many rows are sent per second, and other users check every few
 * seconds.
 */
const REPORT_EVERY_MS = 5000;
/** Maximum age of an ended batch that is still reported (ms). */
const RECENT_BATCH_AGE_MS = 7 * DAY;

interface BatchPorts {
  readonly stores: Pick<Stores, 'batches' | 'outbox' | 'office' | 'evidence'>;
  readonly room: OfficeSession;
  readonly clock: Clock;
  readonly toFailure: ToFailure;
}

/** Reports the progress of each computer's batches to the other computers. For information only. */
export class OfficeBatches {
  readonly handlers: Pick<HandlersOf<'office'>, 'office.batches'>;
  readonly #ports: BatchPorts;
  readonly #reporting = new CoalescedTask(() => this.#report());
  readonly #reported = new Map<BatchId, string>();
  #callOff: (() => void) | null = null;
  #hasEnded = false;

  constructor(ports: BatchPorts) {
    this.#ports = ports;
    this.handlers = { 'office.batches': () => this.#list() };
  }

  /** Schedules a report when a batch may have progressed. */
  noticed(name: EventName): void {
    if (name !== 'outbox.changed' && name !== 'batches.changed') return;
    if (this.#callOff !== null || this.#hasEnded) return;
    const { stores, clock } = this.#ports;
    if (stores.office.membership() === null) return;
    this.#callOff = clock.after(REPORT_EVERY_MS, () => {
      this.#callOff = null;
      void this.quietly();
    });
  }

  /** Reports changes; a failed report is repeated at the next visit to the office. */
  async quietly(): Promise<void> {
    await this.#reporting
      .run()
      .catch((error: unknown) => void this.#ports.toFailure(error, 'office.batches'));
  }

  /** Sends a pending report immediately. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    if (this.#callOff === null) return;
    this.#callOff();
    this.#callOff = null;
    await this.quietly();
  }

  async #report(): Promise<void> {
    const { stores, room, clock } = this.#ports;
    if (deactivationOf(stores) !== null) return;
    const office = await room.open();
    if (office === null) return;
    const isFirst = this.#reported.size === 0;
    for (const batch of stores.outbox.batches(clock.now() - RECENT_BATCH_AGE_MS)) {
      const { batchId, title } = batch;
      const numbers = { title, ...progressNumbers(batch) };
      const text = JSON.stringify(numbers);
      if (this.#reported.get(batchId) === text) continue;
      await office.batches.report(batchId, numbers);
      this.#reported.set(batchId, text);
    }
    if (isFirst) await office.batches.dropOld();
  }

  async #list(): Promise<OfficeBatch[]> {
    const { stores, room } = this.#ports;
    const membership = stores.office.membership();
    if (membership === null) return [];
    const office = await room.require();
    const reports = await office.batches.list();
    if (reports.length === 0) return [];
    const names = await office.seatNames();
    return reports.map(({ seat, ...one }) => ({
      ...one,
      seat: names.get(seat) ?? '',
      isThisDesk: one.desk === membership.desk,
    }));
  }
}
