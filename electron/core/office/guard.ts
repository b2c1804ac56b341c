import { Coalesced } from '../../../shared/coalesced.ts';
import { AppError, type Failure } from '../../../shared/errors.ts';
import { ActionId, type BatchId, type ConnectionId, OutboxRef } from '../../../shared/model/ids.ts';
import type { OutboxTransitions } from '../outbox/transitions.ts';
import type { StoredItem } from '../outbox/ports.ts';
import type { Clock, Stores } from '../ports.ts';
import type { ToFailure } from '../../../shared/wire.ts';
import { heldElsewhere } from './held.ts';
import { repeatsIn, sendOf } from './operation.ts';
import { stateOf, stateOfAction } from './outcome.ts';
import type { Claimed, HeldBy, JoinedOffice, OperationState, Settled } from './ports.ts';

/** Rows of a batch that are claimed together with the first of them that is due. */
const AT_ONCE = 500;
/**
 * A claim is not asked about again for so long. Another desk takes over only what a desk that was silent
 * for many times as long has left.
 */
const TRUSTED = 60_000;

/** Keeps a send to one desk of an office. */
export interface OfficeGuard {
  /** Before each attempt: null when this desk may send it, else why not. */
  claim(item: StoredItem): Promise<Failure | null>;
  /** A row was moved: the office hears of outcomes, without holding anything up. */
  changed(ref: OutboxRef): void;
  /** The computer slept: nothing that was claimed before counts as asked about. */
  slept(): void;
  /** Tells the office what became of this desk's operations while it could not be reached. */
  reconcile(): Promise<void>;
  /** Resolves once the office has heard all that changed, or could not be reached. */
  told(): Promise<void>;
  /** Who has what this row would send. Throws 'offline'. */
  holders(ref: OutboxRef): Promise<readonly HeldBy[]>;
  /** A person has seen these, and lets this desk follow them. */
  follow(seen: readonly Pick<HeldBy, 'key' | 'generation'>[]): void;
  /** A person lets the row go out although the office cannot be asked. */
  goWithout(ref: OutboxRef): void;
}

interface GuardPorts {
  readonly stores: Pick<Stores, 'outbox' | 'connections' | 'office' | 'actions'>;
  readonly transitions: Pick<OutboxTransitions, 'postpone'>;
  /** Null while this desk is in no office. Rejects with 'offline' where it cannot be reached. */
  readonly joined: () => Promise<JoinedOffice> | null;
  /** The service's clock is not before this. */
  readonly floor: (id: ConnectionId) => number;
  readonly clock: Clock;
  readonly toFailure: ToFailure;
}

/** For desks in no office: nothing is asked, and nothing waits. */
export const noOffice: OfficeGuard = {
  claim: async () => null,
  changed: () => undefined,
  slept: () => undefined,
  reconcile: async () => undefined,
  told: async () => undefined,
  holders: async () => [],
  follow: () => undefined,
  goWithout: () => undefined,
};

export function createOfficeGuard(ports: GuardPorts): OfficeGuard {
  const { stores, clock } = ports;
  /** When each was claimed, by the clock here. */
  const trusted = new Map<OutboxRef, number>();
  const outcomes = new Set<OutboxRef>();
  const telling = new Coalesced(tell);

  const isTrusted = (ref: OutboxRef): boolean => {
    const age = clock.now() - (trusted.get(ref) ?? Number.NEGATIVE_INFINITY);
    return age >= 0 && age < TRUSTED;
  };

  async function claim(item: StoredItem): Promise<Failure | null> {
    const joining = ports.joined();
    if (joining === null || isTrusted(item.ref)) return null;
    const items = [item, ...siblings(item)];
    let replies: readonly Claimed[];
    try {
      const office = await joining;
      const operations = items.flatMap((one) => sendOf(ports, office, one, repeats(one)) ?? []);
      // Nothing of it could be another desk's.
      if (!operations.some(({ id }) => id === item.ref)) return null;
      replies = await office.claims.claim(operations);
    } catch (error) {
      return withoutOffice(item, error);
    }
    let mine: Failure | null = null;
    for (const reply of replies) {
      const one = items.find(({ ref }) => ref === reply.id);
      if (one === undefined) continue;
      if (reply.ok) trusted.set(one.ref, clock.now());
      else if (one.ref === item.ref) mine = heldElsewhere(reply);
      else
        ports.transitions.postpone(one.ref, null, {
          cause: 'office',
          reason: heldElsewhere(reply),
        });
    }
    return mine;
  }

  /** Others of its batch that are due too: they are claimed in one go. */
  function siblings({ ref, batchId }: StoredItem): readonly StoredItem[] {
    if (batchId === null) return [];
    return stores.outbox
      .due(clock.now(), AT_ONCE)
      .filter((one) => one.ref !== ref && one.batchId === batchId && !isTrusted(one.ref));
  }

  function repeats({ ref, batchId }: StoredItem): number {
    return batchId === null ? 0 : (repeatsOf(batchId).get(ref) ?? 0);
  }

  const counted = new Map<BatchId, ReadonlyMap<OutboxRef, number>>();
  function repeatsOf(batchId: BatchId): ReadonlyMap<OutboxRef, number> {
    const known = counted.get(batchId) ?? repeatsIn(stores.outbox.inBatch(batchId));
    counted.set(batchId, known);
    return known;
  }

  function withoutOffice(item: StoredItem, error: unknown): Failure | null {
    const failure = ports.toFailure(error, 'office.claim');
    if (failure.code !== 'offline') return failure;
    return stores.office.isWithout(item.ref) ? null : { ...failure, reason: 'office-away' };
  }

  async function tell(): Promise<void> {
    const office = await ports.joined();
    const settled = [...outcomes].flatMap((ref): Settled[] => {
      const state = stateOf(stores.outbox.get(ref));
      return state === 'claimed' ? [] : [{ id: ref, state }];
    });
    // What changes again while the office is told comes again.
    outcomes.clear();
    await office?.claims.settle(settled);
  }

  function changed(ref: OutboxRef): void {
    if (ports.joined() === null) return;
    const { state } = stores.outbox.get(ref);
    // Whoever sends it once more asks again: another desk may have settled it meanwhile.
    if (state !== 'queued' && state !== 'sending') trusted.delete(ref);
    outcomes.add(ref);
    // What could not be told now is found again by `reconcile`.
    telling.run().catch((error: unknown) => void ports.toFailure(error, 'office.settle'));
  }

  async function reconcile(): Promise<void> {
    const office = await ports.joined();
    if (office === null) return;
    const open = await office.claims.open();
    const settled = open.flatMap(({ id, desk }): Settled[] => {
      if (desk !== office.desk) return [];
      // Claimed, and then the program ended before anything was written down here.
      const state = stateById(id) ?? 'released';
      return state === 'claimed' ? [] : [{ id, state }];
    });
    await office.claims.settle(settled);
    await claimAfterwards(office);
  }

  /** What went out without a claim is claimed now, so that others see it; or both are seen. */
  async function claimAfterwards(office: JoinedOffice): Promise<void> {
    for (const ref of stores.office.unclaimed()) {
      const item = stores.outbox.get(ref);
      const operation = sendOf(ports, office, item, repeats(item));
      if (operation === null) continue;
      const [reply] = await office.claims.claim([operation]);
      const state = stateOf(item);
      if (reply?.ok === true && state !== 'claimed') {
        await office.claims.settle([{ id: ref, state }]);
      }
      if (reply?.ok === false) {
        const reason = heldElsewhere(reply);
        ports.transitions.postpone(ref, null, { cause: 'office', reason });
      }
      stores.office.claimed(ref);
    }
  }

  function stateById(id: string): OperationState | null {
    const [ref, actionId] = [OutboxRef.safeParse(id), ActionId.safeParse(id)];
    const item = ref.success ? found(() => stores.outbox.get(ref.data)) : null;
    if (item !== null) return stateOf(item);
    const action = actionId.success ? found(() => stores.actions.get(actionId.data)) : null;
    return action === null ? null : stateOfAction(action);
  }

  async function holders(ref: OutboxRef): Promise<readonly HeldBy[]> {
    const office = await ports.joined();
    if (office === null) return [];
    const item = stores.outbox.get(ref);
    const operation = sendOf(ports, office, item, repeats(item));
    const held = await office.claims.holders((operation?.keys ?? []).map(({ key }) => key));
    return held.filter(({ id }) => id !== ref);
  }

  return {
    claim,
    changed,
    slept: () => trusted.clear(),
    reconcile,
    told: () => telling.ended(),
    holders,
    follow(seen) {
      for (const { key, generation } of seen) stores.office.see(key, generation);
    },
    goWithout: (ref) => stores.office.goWithout(ref),
  };
}

function found<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof AppError && error.failure.code === 'not-found') return null;
    throw error;
  }
}
