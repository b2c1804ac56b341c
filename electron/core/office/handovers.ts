import type { HandlersOf } from '../../../shared/contract/index.ts';
import type {
  HandoverItem,
  HandoverKind,
  OfficeHandover,
} from '../../../shared/contract/office/handovers.ts';
import { CoalescedTask } from '../../../shared/coalesced.ts';
import { AppError, isCode } from '../../../shared/errors.ts';
import { containsPersonNumber } from '../../../shared/rules/people/personal-numbers.ts';
import type { ToFailure } from '../../../shared/wire.ts';
import type { Chance, Clock, Stores } from '../ports.ts';
import { requireActive, deactivationOf } from '../deactivation.ts';
import { type BatchHandoverPorts, createBatchHandoverAdapter } from './handover/batch.ts';
import { createDraftHandoverAdapter, type DraftHandoverPorts } from './handover/draft.ts';
import type { HandoverAdapter } from './handover/mover.ts';
import { createQuestionHandoverAdapter, type QuestionHandoverPorts } from './handover/question.ts';

import type { HandedOverItem } from './handover/ports.ts';
import type { OfficeSession } from './session.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

interface HandoverPorts extends DraftHandoverPorts, BatchHandoverPorts, QuestionHandoverPorts {
  readonly stores: Stores;
  readonly sheets: BatchHandoverPorts['sheets'];
  readonly room: OfficeSession;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly toFailure: ToFailure;
}

type HandoverCallName = 'handOver' | 'handovers' | 'take';

/**
 * Time (ms) after which a handover that the office does not know certainly never arrived: the
 * office's server ends a request sooner.
 */
const MAX_ARRIVAL_MS = 10 * MINUTE;

/**
 * Hands items over from one user of the office to another. During a handover, an item may briefly
 * exist both on a computer and in the office, but always in at least one of them.
 */
export class OfficeHandoverWork {
  readonly handlers: Pick<HandlersOf<'office'>, `office.${HandoverCallName}`>;
  readonly #ports: HandoverPorts;
  readonly #movers: Readonly<Record<HandoverKind, HandoverAdapter>>;
  /** IDs of handovers whose request to the office is in flight. */
  readonly #asking = new Set<string>();
  readonly #following = new CoalescedTask(() => this.#follow());

  constructor(ports: HandoverPorts) {
    this.#ports = ports;
    this.#movers = {
      draft: createDraftHandoverAdapter(ports),
      batch: createBatchHandoverAdapter(ports),
      question: createQuestionHandoverAdapter(ports),
    };
    this.handlers = {
      'office.handOver': async (order) => {
        await this.#give(order);
        return {};
      },
      'office.handovers': () => this.#list(),
      'office.take': ({ id }) => this.#take(id),
    };
  }

  /**
   * Completes handovers that other users have accepted. If this fails, the next event of the office
   * starts it again.
   */
  async follow(): Promise<void> {
    await this.#following
      .run()
      .catch((error: unknown) => void this.#ports.toFailure(error, 'office.handovers'));
  }

  /**
   * Takes back each handover that no computer has accepted, before this computer leaves its office.
   * Works even if the office is unreachable.
   */
  async takeAllBack(): Promise<void> {
    const { stores, toFailure } = this.#ports;
    if (deactivationOf(stores) !== null) return;
    await this.follow();
    const waiting = await this.#waiting();
    for (const { id, kind, data, asked } of stores.office.given()) {
      // If it is unknown whether the handover arrived, the item is still on this computer. If the
      // handover no longer waits, the item is on another computer.
      const isHereOrTaken = asked !== null || waiting?.has(id) === false;
      if (isHereOrTaken) continue;
      try {
        if (waiting !== null && (await this.#takesBack(id))) continue;
        await this.#movers[kind].unpack(data, null);
        stores.office.dropGiven(id);
      } catch (error) {
        // The item cannot be read, or its person was erased. The handover stays recorded on this
        // computer.
        toFailure(error, 'office.handovers');
      }
    }
  }

  /**
   * Takes a handover back. Returns false if the office is unreachable; true otherwise, even if
   * another computer accepted the handover first.
   */
  async #takesBack(id: string): Promise<boolean> {
    try {
      await this.#take(id);
      return true;
    } catch (error) {
      const { code } = this.#ports.toFailure(error, 'office.handovers');
      return code !== 'offline';
    }
  }

  /**
   * Returns the IDs of this computer's handovers that are not accepted; null if the office is
   * unreachable.
   */
  async #waiting(): Promise<ReadonlySet<string> | null> {
    try {
      const office = await this.#ports.room.open();
      if (office === null) return null;
      const waiting = await office.handovers.list();
      const lost = await this.#lost(office.handovers, waiting);
      return new Set([...waiting, ...lost].map(({ id }) => id));
    } catch (error) {
      this.#ports.toFailure(error, 'office.handovers');
      return null;
    }
  }

  ended(): Promise<void> {
    return this.#following.ended();
  }

  async #follow(): Promise<void> {
    const { stores, room } = this.#ports;
    const given = stores.office.given().filter(({ id }) => !this.#asking.has(id));
    if (given.length === 0 || deactivationOf(stores) !== null) return;
    const office = await room.open();
    if (office === null) return;
    const { taken, unknown } = await office.handovers.ended(given.map(({ id }) => id));
    for (const one of given) this.#learn(one, unknown.includes(one.id));
    if (taken.size === 0) return;
    const names = await office.seatNames();
    for (const { id, kind, what } of given) {
      const seat = taken.get(id);
      if (seat === undefined) continue;
      this.#movers[kind].taken(what, names.get(seat) ?? 'Another user');
      stores.office.dropGiven(id);
    }
  }

  /**
   * Resolves a handover whose reply was lost. If the handover is in the office, it counts as given,
   * as if the reply had arrived.
   */
  #learn({ asked, ...item }: HandedOverItem, isUnknown: boolean): void {
    const { stores, clock } = this.#ports;
    if (asked === null) return;
    if (isUnknown) {
      // The item is still on this computer, unchanged.
      if (clock.now() - item.at > MAX_ARRIVAL_MS) stores.office.dropGiven(item.id);
      return;
    }
    this.#given({ ...item, revision: asked });
  }

  /**
   * Records that the office has the item, and notifies the item's adapter, which removes the item
   * from this computer.
   */
  #given({
    id,
    kind,
    revision,
    at,
    ...packed
  }: Omit<HandedOverItem, 'asked'> & { revision: number }) {
    const { office } = this.#ports.stores;
    const { what, title, data } = packed;
    // The item's data is recorded, because the office's server may lose the item before the other
    // user has it.
    office.keepGiven({ id, kind, what, title, data, at, asked: null });
    this.#movers[kind].given({ id: what, title, revision, data });
  }

  async #give({
    what,
    seat,
    note,
  }: Parameters<(typeof this.handlers)['office.handOver']>[0]): Promise<void> {
    const { stores, room, chance, clock } = this.#ports;
    requireActive(stores);
    const office = await room.require();
    const to = (await office.seats()).find((one) => one.id === seat && !one.isOwn);
    if (to === undefined)
      throw new AppError('not-found', 'The office has no other user with this ID');
    const mover = this.#movers[what.kind];
    // This check runs before `pack`, which stops the waiting rows of a batch on this computer.
    if (
      !to.rights.includes('numbers') &&
      (containsPersonNumber(note) || (await mover.hasPersonNumbers(what.id)))
    ) {
      const message = `The handover contains a personal number, or something similar, which ${to.name} may not see. Nothing was handed over`;
      throw new AppError('forbidden', message, { reason: 'numbers-withheld' });
    }
    const packed = await mover.pack(what.id, office);
    const { title, revision, data } = packed;
    const { kind } = what;
    const order = {
      id: chance.uuid(),
      kind,
      what: packed.id,
      revision,
      to: seat,
      title,
      note,
      data,
    };
    const item = { kind, what: packed.id, title, data, at: clock.now() };
    // The handover is recorded before the request: if the reply is lost, a later request shows the
    // outcome.
    stores.office.keepGiven({ ...item, id: order.id, asked: revision });
    this.#asking.add(order.id);
    try {
      const id = await office.handovers.give(order);
      // The office already had this revision of the item, in a handover with another ID.
      if (id !== order.id) stores.office.dropGiven(order.id);
      this.#given({ ...item, id, revision });
    } catch (error) {
      const isLost = isCode(error, 'offline');
      if (!isLost) stores.office.dropGiven(order.id);
      throw error;
    } finally {
      this.#asking.delete(order.id);
    }
  }

  async #list(): Promise<OfficeHandover[]> {
    const { stores, room } = this.#ports;
    const office = await room.open();
    if (office === null) return [];
    await this.follow();
    const waiting = await office.handovers.list();
    const lost = await this.#lost(office.handovers, waiting);
    if (waiting.length + lost.length === 0) return [];
    const names = await office.seatNames();
    const membership = stores.office.membership();
    return [
      ...waiting.map(({ from, to, ...one }) => ({
        ...one,
        from: names.get(from) ?? '',
        to: names.get(to) ?? '',
        isOwn: from === membership?.seat,
      })),
      ...lost.map(({ id, kind, title, at }) => ({
        id,
        kind,
        title,
        note: '',
        from: membership?.name ?? '',
        to: '',
        givenAt: at,
        isOwn: true,
      })),
    ];
  }

  /** Returns handovers of this computer that the office's server no longer knows. */
  async #lost(
    { ended }: { ended(ids: readonly string[]): Promise<{ unknown: readonly string[] }> },
    waiting: readonly { readonly id: string }[],
  ): Promise<readonly HandedOverItem[]> {
    const given = this.#ports.stores.office
      .given()
      .filter(({ id, asked }) => asked === null && !waiting.some((one) => one.id === id));
    if (given.length === 0) return [];
    const { unknown } = await ended(given.map(({ id }) => id));
    return given.filter(({ id }) => unknown.includes(id));
  }

  async #take(id: string): Promise<HandoverItem> {
    const { stores, room } = this.#ports;
    requireActive(stores);
    const office = await room.require();
    const kept = stores.office.given().find((one) => one.id === id);
    const waiting = (await office.handovers.list()).find((one) => one.id === id);
    if (waiting === undefined && kept !== undefined) {
      const { unknown } = await office.handovers.ended([id]);
      if (!unknown.includes(id)) throw handoverGoneError();
      const unpacked = await this.#movers[kept.kind].unpack(kept.data, office);
      stores.office.dropGiven(id);
      return requireUnresolved(unpacked);
    }
    if (waiting === undefined) throw handoverGoneError();
    const data = await office.handovers.read(id);
    // The item is stored on this computer before the office removes it, so that a copy exists even
    // if the program ends in between.
    const unpacked = await this.#movers[waiting.kind].unpack(data, office);
    if (!(await office.handovers.take(id))) {
      unpacked?.undo();
      throw new AppError('not-found', 'Another computer has already accepted this handover');
    }
    stores.office.dropGiven(id);
    return requireUnresolved(unpacked);
  }
}

const handoverGoneError = (): AppError =>
  new AppError('not-found', 'This handover was already accepted, or its sender withdrew it');

/** Returns the accepted item. Throws 'not-found' if the send in the handover is settled. */
function requireUnresolved(unpacked: { readonly what: HandoverItem } | null): HandoverItem {
  if (unpacked !== null) return unpacked.what;
  throw new AppError('not-found', 'The send in this handover is already resolved');
}
