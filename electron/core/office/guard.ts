import { CoalescedTask } from '../../../shared/coalesced.ts';
import { type Failure } from '../../../shared/errors.ts';
import type { ConfirmedClaim } from '../../../shared/contract/office/office.ts';
import type { OutboxState } from '../../../shared/contract/outbox.ts';
import { ActionId, type BatchId, OutboxRef } from '../../../shared/model/ids.ts';
import type { SendGuardParts } from '../outbox/outbox.ts';
import type { SendGuard, StoredItem } from '../outbox/ports.ts';
import type { Clock, Stores } from '../ports.ts';
import type { ToFailure } from '../../../shared/wire.ts';
import { claimConflict } from './claim-conflict.ts';
import { withHoldersSeen, repeatsIn, operationOfSend } from './operation.ts';
import { stateOf, stateOfAction } from './outcome.ts';
import { requireReportedToOffice } from './told.ts';
import type {
  ClaimResult,
  ClaimHolder,
  JoinedOffice,
  LostOperation,
  Operation,
  OperationState,
  SettledOperation,
} from './ports.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';
import { orNull } from '../app-error.ts';

/** Maximum number of rows of a batch that are claimed together with the first due one. */
const MAX_ROWS_PER_CLAIM = 500;
/**
 * Time during which a claim is not checked again. Other computers take over only after a multiple
 * of this time.
 */
const CLAIM_TRUST_MS = MINUTE;

/** States in which the service has the agreement or may have it. */
const POSSIBLY_SENT_STATES: readonly OutboxState[] = [
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
  /** Null if this computer is in no office. Rejects with 'offline' if it is unreachable. */
  readonly joined: () => Promise<JoinedOffice> | null;
  readonly clock: Clock;
  readonly toFailure: ToFailure;
}

interface ClaimMoment {
  /** Local time. */
  readonly at: number;
  /**
   * ID of this computer in the office; null outside of an office. A claim in one office does not
   * count in another.
   */
  readonly desk: string | null;
}

interface TrustedClaim extends ClaimMoment {
  readonly credential: string;
}

/** Ensures that only one computer of an office makes a send. Does nothing outside of an office. */
export class OfficeGuard implements SendGuard {
  readonly #ports: GuardPorts;
  /** Time of the last successful claim of each row, and the credential of the attempt. */
  readonly #trusted = new Map<OutboxRef, TrustedClaim>();
  /** Time at which `claim` last allowed each row, for any reason. */
  readonly #letGo = new Map<OutboxRef, ClaimMoment>();
  readonly #outcomes = new Set<OutboxRef>();
  readonly #reporting = new CoalescedTask(() => this.#report());
  readonly #repeats = new Map<BatchId, ReadonlyMap<OutboxRef, number>>();

  constructor(ports: GuardPorts) {
    this.#ports = ports;
  }

  async claim(item: StoredItem, credential: string): Promise<Failure | null> {
    // The time of the request, because the reply may arrive much later if the computer slept.
    const asked = { at: this.#ports.clock.now(), desk: this.#desk() };
    const failure = await this.#claim(item, { ...asked, credential });
    if (failure === null) this.#letGo.set(item.ref, this.#trusted.get(item.ref) ?? asked);
    else this.#letGo.delete(item.ref);
    return failure;
  }

  isCurrent(ref: OutboxRef): boolean {
    return this.#ports.joined() === null || this.#isRecent(this.#letGo.get(ref));
  }

  async #claim(item: StoredItem, trust: TrustedClaim): Promise<Failure | null> {
    const { credential } = trust;
    const joining = this.#ports.joined();
    if (joining === null || this.#isTrusted(item.ref, credential)) return null;
    this.#trusted.delete(item.ref);
    const items = [item, ...this.#siblings(item, credential)];
    let replies: readonly ClaimResult[];
    try {
      const office = await joining;
      requireReportedToOffice(this.#ports.stores);
      // The outcome of an earlier row may free the keys of this one.
      if (this.#outcomes.size > 0) await this.#reporting.run();
      const operations = items.flatMap((one) => this.#operation(office, one, credential) ?? []);
      // The row has no key that another computer could claim.
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
   * Claims operations. If a row replaces abandoned rows, directly or through others, its claim
   * follows theirs: the user sent it knowing of the earlier ones.
   */
  async #ask(
    { claims }: JoinedOffice,
    operations: readonly Operation[],
    items: readonly StoredItem[],
  ): Promise<readonly ClaimResult[]> {
    const replies = await claims.claim(operations);
    const again = replies.flatMap((reply): Operation[] => {
      const operation = operations.find(({ id }) => id === reply.id);
      if (reply.ok || operation === undefined) return [];
      const earlier = this.#replacedBy(items.find(({ ref }) => ref === reply.id));
      if (earlier.size === 0) return [];
      const isGivenUp = ({ id, state }: ClaimHolder): boolean =>
        earlier.has(id) && state === 'given-up';
      return reply.held.every(isGivenUp) ? [withHoldersSeen(operation, reply.held)] : [];
    });
    if (again.length === 0) return replies;
    const followed = new Map((await claims.claim(again)).map((reply) => [reply.id, reply]));
    return replies.map((reply) => followed.get(reply.id) ?? reply);
  }

  #replacedBy(item: StoredItem | undefined): ReadonlySet<string> {
    const { outbox } = this.#ports.stores;
    const earlier = new Set<string>();
    for (let ref = item?.supersedes ?? null; ref !== null && !earlier.has(ref);) {
      earlier.add(ref);
      ref = outbox.get(ref).supersedes;
    }
    return earlier;
  }

  /** Reports outcomes to the office in the background. */
  changed(ref: OutboxRef): void {
    const { joined, stores, toFailure } = this.#ports;
    if (joined() === null) return;
    const { state } = stores.outbox.get(ref);
    // A further attempt needs a new claim, because another computer may have settled the row in the
    // meantime.
    if (state !== 'queued' && state !== 'sending') {
      this.#trusted.delete(ref);
      this.#letGo.delete(ref);
    }
    this.#outcomes.add(ref);
    // If the report fails, `reconcile` repeats it.
    this.#reporting.run().catch((error: unknown) => void toFailure(error, 'office.settle'));
  }

  /**
   * Reports outcomes of this computer's operations that the office lacks because it was
   * unreachable. Returns the IDs of operations that are missing on this computer; see
   * `adoptMissing`.
   */
  async reconcile(office: JoinedOffice): Promise<readonly string[]> {
    const unsettled = await office.claims.unsettled();
    const missing = unsettled.filter((id) => this.#stateById(id) === null);
    const settled = unsettled.flatMap((id): SettledOperation[] => {
      // A row is on disk before its claim, so a missing one may have been sent.
      const state = this.#stateById(id) ?? 'unknown';
      return state === 'claimed' ? [] : [{ id, state }];
    });
    await office.claims.settle(settled);
    await this.#claimAfterwards(office);
    return missing;
  }

  /**
   * Returns this computer's sends with a known or unknown outcome, in the order of sending. The
   * office should know all of them.
   */
  known(): readonly StoredItem[] {
    const { outbox } = this.#ports.stores;
    // A service that turns a request away may have carried it out anyway.
    const turnedAway = outbox.inState('queued').filter(({ verify }) => verify);
    return [
      ...POSSIBLY_SENT_STATES.flatMap((state) => outbox.inState(state)),
      ...turnedAway,
    ].toSorted((one, other) => one.createdAt - other.createdAt);
  }

  /**
   * Returns one of the `known` sends as an operation; null if its content is not recorded or its
   * request was never sent.
   */
  lost(office: JoinedOffice, item: StoredItem): LostOperation | null {
    const operation = this.#operation(office, item);
    const state = stateOf(item);
    if (operation === null || state === 'released') return null;
    // Requests in flight and rejected requests may still take effect.
    const known = state === 'claimed' ? 'unknown' : state;
    return { ...operation, state: known, startedAt: item.createdAt };
  }

  /** Resolves once all outcomes are reported or the office was unreachable. */
  reported(): Promise<void> {
    return this.#reporting.ended();
  }

  /** Returns other computers' claims on the content of this row. Throws 'offline'. */
  async holders(ref: OutboxRef): Promise<readonly ClaimHolder[]> {
    const office = await this.#ports.joined();
    if (office === null) return [];
    const operation = this.#operation(office, this.#ports.stores.outbox.get(ref));
    const held = await office.claims.allHolders((operation?.keys ?? []).map(({ key }) => key));
    // The row itself, claimed under this computer's former ID, also counts as another computer's.
    return held.filter(({ id, desk }) => id !== ref || desk !== office.desk);
  }

  /** Lets this row follow claims that the user has seen. */
  follow(ref: OutboxRef, seen: readonly ConfirmedClaim[]): void {
    for (const claim of seen) this.#ports.stores.office.see(claim, ref);
  }

  /** Lets the row be sent without the office, at the user's request. */
  goWithout(ref: OutboxRef): void {
    this.#ports.stores.office.goWithout(ref);
  }

  #isTrusted(ref: OutboxRef, credential: string): boolean {
    const trust = this.#trusted.get(ref);
    return trust?.credential === credential && this.#isRecent(trust);
  }

  #isRecent(asked: ClaimMoment | undefined): boolean {
    if (asked === undefined || asked.desk !== this.#desk()) return false;
    const age = this.#ports.clock.now() - asked.at;
    return age >= 0 && age < CLAIM_TRUST_MS;
  }

  #desk(): string | null {
    return this.#ports.stores.office.membership()?.desk ?? null;
  }

  #siblings({ ref, batchId }: StoredItem, credential: string): readonly StoredItem[] {
    if (batchId === null) return [];
    const { stores, clock } = this.#ports;
    return stores.outbox
      .due(clock.now(), MAX_ROWS_PER_CLAIM)
      .filter((one) => one.ref !== ref && one.batchId === batchId)
      .filter((one) => !this.#isTrusted(one.ref, credential));
  }

  /** `credential`: the credential of the attempt about to start. */
  #operation(
    office: JoinedOffice,
    item: StoredItem,
    credential: string | null = null,
  ): Operation | null {
    const { ref, batchId } = item;
    const repeats = batchId === null ? 0 : (this.#repeatsOf(batchId).get(ref) ?? 0);
    return operationOfSend(this.#ports, office, item, { repeats, credential });
  }

  #repeatsOf(batchId: BatchId): ReadonlyMap<OutboxRef, number> {
    const { outbox } = this.#ports.stores;
    const known = this.#repeats.get(batchId) ?? repeatsIn(outbox.inBatch(batchId));
    this.#repeats.set(batchId, known);
    return known;
  }

  #withoutOffice(item: StoredItem, error: unknown): Failure | null {
    const failure = this.#ports.toFailure(error, 'office.claim');
    // Only an unreachable office can be bypassed. An office restored from a backup may have lost a
    // send of another computer.
    if (failure.code !== 'offline' || failure.reason === 'office-put-back') return failure;
    const isLetGo = this.#ports.stores.office.isWithout(item.ref);
    return isLetGo ? null : { ...failure, reason: 'office-away' };
  }

  #hold(ref: OutboxRef, reply: ClaimResult & { readonly ok: false }): void {
    const reason = claimConflict(reply);
    this.#ports.transitions.postpone(ref, null, { cause: 'office', reason });
  }

  async #report(): Promise<void> {
    const { joined, stores } = this.#ports;
    const office = await joined();
    const settled = [...this.#outcomes].flatMap((ref): SettledOperation[] => {
      const state = stateOf(stores.outbox.get(ref));
      return state === 'claimed' ? [] : [{ id: ref, state }];
    });
    // An outcome that changes again during the report is added again.
    this.#outcomes.clear();
    await office?.claims.settle(settled);
  }

  /** Claims rows that were sent without a claim, so that others see them, or reports both sends. */
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
      // The holder may be this row itself, if it has been reported in the meantime.
      const isOthers = reply?.ok === false && reply.held.some(({ id }) => id !== ref);
      if (isOthers) await this.#reportTwice(office, operation, reply);
      stores.office.claimed(ref);
    }
  }

  /** Another computer made the same send: the row shows the conflict, and the office lists both. */
  async #reportTwice(
    { claims }: JoinedOffice,
    { id, ...operation }: Operation,
    reply: ClaimResult & { readonly ok: false },
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
