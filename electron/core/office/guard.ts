import { Coalesced } from '../../../shared/coalesced.ts';
import { type Failure } from '../../../shared/errors.ts';
import type { SeenClaim } from '../../../shared/contract/office/office.ts';
import type { OutboxState } from '../../../shared/contract/outbox.ts';
import { ActionId, type BatchId, OutboxRef } from '../../../shared/model/ids.ts';
import type { SendGuardParts } from '../outbox/outbox.ts';
import type { SendGuard, StoredItem } from '../outbox/ports.ts';
import type { Clock, Stores } from '../ports.ts';
import type { ToFailure } from '../../../shared/wire.ts';
import { claimConflict } from './claim-conflict.ts';
import { following, repeatsIn, sendOf } from './operation.ts';
import { stateOf, stateOfAction } from './outcome.ts';
import { requireTold } from './told.ts';
import type {
  Claimed,
  HeldBy,
  JoinedOffice,
  LostOperation,
  Operation,
  OperationState,
  Settled,
} from './ports.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';
import { orNull } from '../app-error.ts';

/** Rows of a batch that are claimed together with the first of them that is due. */
const AT_ONCE = 500;
/**
 * A claim is not asked about again for so long. Another desk takes over only what a desk that was silent
 * for many times as long has left.
 */
const TRUSTED = MINUTE;

/** States in which the service has it, or may have. */
const SENT: readonly OutboxState[] = [
  'sending',
  'sent',
  'rejected',
  'unknown',
  'absent',
  'human',
  'duplicate',
  'abandoned',
];

interface GuardPorts extends SendGuardParts {
  readonly stores: Pick<Stores, 'outbox' | 'connections' | 'office' | 'actions'>;
  /** Null while this desk is in no office. Rejects with 'offline' where it cannot be reached. */
  readonly joined: () => Promise<JoinedOffice> | null;
  readonly clock: Clock;
  readonly toFailure: ToFailure;
}

interface Asked {
  /** By the clock here. */
  readonly at: number;
  /** As which desk of an office; null for one in none: what one office allowed, another one was not asked. */
  readonly desk: string | null;
}

interface Trust extends Asked {
  readonly credential: string;
}

/** Keeps a send to one desk of an office. For a desk in none nothing is asked, and nothing waits. */
export class OfficeGuard implements SendGuard {
  readonly #ports: GuardPorts;
  /** When each was asked about and claimed, and for an attempt with which credential. */
  readonly #trusted = new Map<OutboxRef, Trust>();
  /** When `claim` last let each go, for whatever reason. */
  readonly #letGo = new Map<OutboxRef, Asked>();
  readonly #outcomes = new Set<OutboxRef>();
  readonly #reporting = new Coalesced(() => this.#report());
  readonly #repeats = new Map<BatchId, ReadonlyMap<OutboxRef, number>>();

  constructor(ports: GuardPorts) {
    this.#ports = ports;
  }

  async claim(item: StoredItem, credential: string): Promise<Failure | null> {
    // An answer may arrive long after the question: the computer slept meanwhile.
    const asked = { at: this.#ports.clock.now(), desk: this.#desk() };
    const failure = await this.#claim(item, { ...asked, credential });
    if (failure === null) this.#letGo.set(item.ref, this.#trusted.get(item.ref) ?? asked);
    else this.#letGo.delete(item.ref);
    return failure;
  }

  isCurrent(ref: OutboxRef): boolean {
    return this.#ports.joined() === null || this.#isRecent(this.#letGo.get(ref));
  }

  async #claim(item: StoredItem, trust: Trust): Promise<Failure | null> {
    const { credential } = trust;
    const joining = this.#ports.joined();
    if (joining === null || this.#isTrusted(item.ref, credential)) return null;
    this.#trusted.delete(item.ref);
    const items = [item, ...this.#siblings(item, credential)];
    let replies: readonly Claimed[];
    try {
      const office = await joining;
      requireTold(this.#ports.stores);
      // What became of an earlier row may free what this one claims.
      if (this.#outcomes.size > 0) await this.#reporting.run();
      const operations = items.flatMap((one) => this.#operation(office, one, credential) ?? []);
      // Nothing of it could be another desk's.
      if (!operations.some(({ id }) => id === item.ref)) return null;
      replies = await this.#ask(office, operations, items);
    } catch (error) {
      return this.#withoutOffice(item, error);
    }
    let mine: Failure | null = null;
    for (const reply of replies) {
      const one = items.find(({ ref }) => ref === reply.id);
      if (one === undefined) continue;
      if (reply.ok) this.#trusted.set(one.ref, trust);
      else if (one.ref === item.ref) mine = claimConflict(reply);
      else this.#hold(one.ref, reply);
    }
    return mine;
  }

  /**
   * A row that takes the place of one that was given up, or of one that took the place of that, follows it: a person
   * sent it knowing of the earlier ones.
   */
  async #ask(
    { claims }: JoinedOffice,
    operations: readonly Operation[],
    items: readonly StoredItem[],
  ): Promise<readonly Claimed[]> {
    const replies = await claims.claim(operations);
    const again = replies.flatMap((reply): Operation[] => {
      const operation = operations.find(({ id }) => id === reply.id);
      if (reply.ok || operation === undefined) return [];
      const earlier = this.#replacedBy(items.find(({ ref }) => ref === reply.id));
      if (earlier.size === 0) return [];
      const isGivenUp = ({ id, state }: HeldBy): boolean => earlier.has(id) && state === 'given-up';
      return reply.held.every(isGivenUp) ? [following(operation, reply.held)] : [];
    });
    if (again.length === 0) return replies;
    const followed = new Map((await claims.claim(again)).map((reply) => [reply.id, reply]));
    return replies.map((reply) => followed.get(reply.id) ?? reply);
  }

  /** What a row takes the place of, one after the other. */
  #replacedBy(item: StoredItem | undefined): ReadonlySet<string> {
    const { outbox } = this.#ports.stores;
    const earlier = new Set<string>();
    for (let ref = item?.supersedes ?? null; ref !== null && !earlier.has(ref);) {
      earlier.add(ref);
      ref = outbox.get(ref).supersedes;
    }
    return earlier;
  }

  /** Outcomes are reported to the office, without holding anything up. */
  changed(ref: OutboxRef): void {
    const { joined, stores, toFailure } = this.#ports;
    if (joined() === null) return;
    const { state } = stores.outbox.get(ref);
    // Whoever sends it once more asks again: another desk may have settled it meanwhile.
    if (state !== 'queued' && state !== 'sending') {
      this.#trusted.delete(ref);
      this.#letGo.delete(ref);
    }
    this.#outcomes.add(ref);
    // What could not be reported now is found again by `reconcile`.
    this.#reporting.run().catch((error: unknown) => void toFailure(error, 'office.settle'));
  }

  /**
   * Reports what became of this desk's operations while the office could not be reached. Gives those that are not
   * here: see `adoptMissing`.
   */
  async reconcile(office: JoinedOffice): Promise<readonly string[]> {
    const unsettled = await office.claims.unsettled();
    const missing = unsettled.filter((id) => this.#stateById(id) === null);
    const settled = unsettled.flatMap((id): Settled[] => {
      // A row is on this disk before its claim: one that is not here may have been sent.
      const state = this.#stateById(id) ?? 'unknown';
      return state === 'claimed' ? [] : [{ id, state }];
    });
    await office.claims.settle(settled);
    await this.#claimAfterwards(office);
    return missing;
  }

  /** What this desk knows to be sent, or does not know, as the office had it; in the order in which it was sent. */
  known(): readonly StoredItem[] {
    const { outbox } = this.#ports.stores;
    // A service that turns away may have carried it out all the same.
    const turnedAway = outbox.inState('queued').filter(({ verify }) => verify);
    return [...SENT.flatMap((state) => outbox.inState(state)), ...turnedAway].toSorted(
      (one, other) => one.createdAt - other.createdAt,
    );
  }

  /** The same of one of them; null where nothing tells what it says, or nothing of it left. */
  lost(office: JoinedOffice, item: StoredItem): LostOperation | null {
    const operation = this.#operation(office, item);
    const state = stateOf(item);
    if (operation === null || state === 'released') return null;
    // What is on its way, or was turned away, may arrive.
    const known = state === 'claimed' ? 'unknown' : state;
    return { ...operation, state: known, startedAt: item.createdAt };
  }

  /** Resolves once all that changed is reported, or the office could not be reached. */
  reported(): Promise<void> {
    return this.#reporting.ended();
  }

  /** Who else has what this row would send. Throws 'offline'. */
  async holders(ref: OutboxRef): Promise<readonly HeldBy[]> {
    const office = await this.#ports.joined();
    if (office === null) return [];
    const operation = this.#operation(office, this.#ports.stores.outbox.get(ref));
    const held = await office.claims.allHolders((operation?.keys ?? []).map(({ key }) => key));
    // Its own row, as the desk that this one was before its data was put back, is another one's, too.
    return held.filter(({ id, desk }) => id !== ref || desk !== office.desk);
  }

  /** A person has seen these claims, and lets this row follow them. */
  follow(ref: OutboxRef, seen: readonly SeenClaim[]): void {
    for (const claim of seen) this.#ports.stores.office.see(claim, ref);
  }

  /** A person lets the row go out although the office cannot be asked. */
  goWithout(ref: OutboxRef): void {
    this.#ports.stores.office.goWithout(ref);
  }

  #isTrusted(ref: OutboxRef, credential: string): boolean {
    const trust = this.#trusted.get(ref);
    return trust?.credential === credential && this.#isRecent(trust);
  }

  #isRecent(asked: Asked | undefined): boolean {
    if (asked === undefined || asked.desk !== this.#desk()) return false;
    const age = this.#ports.clock.now() - asked.at;
    return age >= 0 && age < TRUSTED;
  }

  #desk(): string | null {
    return this.#ports.stores.office.membership()?.desk ?? null;
  }

  /** Others of its batch that are due too: they are claimed in one go. */
  #siblings({ ref, batchId }: StoredItem, credential: string): readonly StoredItem[] {
    if (batchId === null) return [];
    const { stores, clock } = this.#ports;
    return stores.outbox
      .due(clock.now(), AT_ONCE)
      .filter((one) => one.ref !== ref && one.batchId === batchId)
      .filter((one) => !this.#isTrusted(one.ref, credential));
  }

  /** `credential`: of the attempt that is about to leave. */
  #operation(
    office: JoinedOffice,
    item: StoredItem,
    credential: string | null = null,
  ): Operation | null {
    const { ref, batchId } = item;
    const repeats = batchId === null ? 0 : (this.#repeatsOf(batchId).get(ref) ?? 0);
    return sendOf(this.#ports, office, item, { repeats, credential });
  }

  #repeatsOf(batchId: BatchId): ReadonlyMap<OutboxRef, number> {
    const { outbox } = this.#ports.stores;
    const known = this.#repeats.get(batchId) ?? repeatsIn(outbox.inBatch(batchId));
    this.#repeats.set(batchId, known);
    return known;
  }

  #withoutOffice(item: StoredItem, error: unknown): Failure | null {
    const failure = this.#ports.toFailure(error, 'office.claim');
    // Nothing is let go without an office that is there: another desk may have sent what it lost.
    if (failure.code !== 'offline' || failure.reason === 'office-put-back') return failure;
    const isLetGo = this.#ports.stores.office.isWithout(item.ref);
    return isLetGo ? null : { ...failure, reason: 'office-away' };
  }

  #hold(ref: OutboxRef, reply: Claimed & { readonly ok: false }): void {
    const reason = claimConflict(reply);
    this.#ports.transitions.postpone(ref, null, { cause: 'office', reason });
  }

  async #report(): Promise<void> {
    const { joined, stores } = this.#ports;
    const office = await joined();
    const settled = [...this.#outcomes].flatMap((ref): Settled[] => {
      const state = stateOf(stores.outbox.get(ref));
      return state === 'claimed' ? [] : [{ id: ref, state }];
    });
    // What changes again while it is reported comes again.
    this.#outcomes.clear();
    await office?.claims.settle(settled);
  }

  /** What went out without a claim is claimed now, so that others see it; or both are seen. */
  async #claimAfterwards(office: JoinedOffice): Promise<void> {
    const { stores } = this.#ports;
    for (const ref of stores.office.unclaimed()) {
      const item = stores.outbox.get(ref);
      const operation = this.#operation(office, item);
      if (operation === null) continue;
      const [reply] = await office.claims.claim([operation]);
      const state = stateOf(item);
      if (reply?.ok === true && state !== 'claimed') {
        await office.claims.settle([{ id: ref, state }]);
      }
      // The office may have been told of it by now.
      const isOthers = reply?.ok === false && reply.held.some(({ id }) => id !== ref);
      if (isOthers) await this.#reportTwice(office, operation, reply);
      stores.office.claimed(ref);
    }
  }

  /** Another desk has it, too: the row says so, and both stand in what the office did. */
  async #reportTwice(
    { claims }: JoinedOffice,
    { id, ...operation }: Operation,
    reply: Claimed & { readonly ok: false },
  ): Promise<void> {
    const { stores, transitions } = this.#ports;
    const item = stores.outbox.get(OutboxRef.parse(id));
    if (item.state === 'queued') {
      this.#hold(item.ref, reply);
      return;
    }
    await claims.claim([{ ...operation, id, keys: [] }]);
    const state = stateOf(item);
    if (state !== 'claimed') await claims.settle([{ id, state }]);
    transitions.explain(item, { cause: 'office', reason: claimConflict(reply) });
  }

  #stateById(id: string): OperationState | null {
    const { stores } = this.#ports;
    const [ref, actionId] = [OutboxRef.safeParse(id), ActionId.safeParse(id)];
    const item = ref.success ? orNull(() => stores.outbox.get(ref.data)) : null;
    if (item !== null) return stateOf(item);
    const action = actionId.success ? orNull(() => stores.actions.get(actionId.data)) : null;
    return action === null ? null : stateOfAction(action, this.#ports.clock.now());
  }
}
