import type { OfficeRestore } from '../../../shared/contract/office/office.ts';
import type { Emit } from '../../../shared/contract/index.ts';
import type { StoredItem } from '../outbox/ports.ts';
import type { OutboxTransitions } from '../outbox/transitions.ts';
import type { Clock, Stores } from '../ports.ts';
import type { OfficeGuard } from './guard.ts';
import { claimConflict } from './claim-conflict.ts';
import type { OfficeExchange } from './items/exchange.ts';
import { operationOfAction } from './operation.ts';
import { stateOf, stateOfAction } from './outcome.ts';
import type {
  DetectedOfficeRestore,
  KnownComputer,
  LostOperation,
  LastSeenComputer,
  OpenOffice,
  OperationState,
  SettledOperation,
} from './ports.ts';
import { hasReportedToOffice, CLAIM_NAMES_VERSION } from './told.ts';
import { HOUR } from '../../../shared/rules/time/units.ts';

const OPERATIONS_PER_REPORT = 500;
/** Tolerated age (ms) of the remembered time of a visit. */
const MAX_VISIT_AGE_MS = HOUR;

interface OfficeRestorePorts {
  readonly stores: Pick<Stores, 'outbox' | 'connections' | 'office' | 'actions'>;
  readonly office: Pick<OfficeGuard, 'known' | 'lost'>;
  readonly transitions: Pick<OutboxTransitions, 'explain'>;
  readonly exchange: () => Pick<OfficeExchange, 'rebase' | 'soon'>;
  readonly clock: Clock;
  readonly emit: Emit;
}

/**
 * Reports this computer's operations to the office. A new office does not know earlier operations
 * of the computers that join, so each reports them at its first visit. An office whose database was
 * restored from an older dump has lost operations since. Each computer then reports its known sends
 * and compares the shared items. Until all computers have reported, none sends, except that a user
 * may stop waiting for some of them.
 */
export class OfficeRestoreReports {
  readonly #ports: OfficeRestorePorts;

  constructor(ports: OfficeRestorePorts) {
    this.#ports = ports;
  }

  /**
   * Reports this computer's operations, once after it joined and once for each restore of the
   * office. Also remembers the computers that it sees there. Throws 'offline'.
   */
  async tell(office: OpenOffice): Promise<void> {
    const { stores } = this.#ports;
    let found = await office.putBacks.read();
    if (found !== null && !found.isTold) {
      await this.#tell(office, found);
      found = await office.putBacks.read();
    } else if (!hasReportedToOffice(stores)) {
      await this.#bringBack(office);
    }
    stores.office.tell(office.joined.desk, CLAIM_NAMES_VERSION);
    await this.#meet(office, found?.awaited ?? []);
  }

  async #tell(office: OpenOffice, found: DetectedOfficeRestore): Promise<void> {
    await office.putBacks.miss(found.id, this.#ports.stores.office.desks());
    await this.#bringBack(office);
    await this.#ports.exchange().rebase(office, found);
    await office.putBacks.told(found.id);
    this.#ports.emit('office.changed', {});
    this.#ports.exchange().soon();
  }

  async #meet({ putBacks, seatNames }: OpenOffice, awaited: DetectedOfficeRestore['awaited']) {
    const store = this.#ports.stores.office;
    const before = new Map(store.desks().map((one) => [keyOf(one), one]));
    const met = await putBacks.desks();
    // Computers that the office has lost keep their names here while their reports are awaited.
    const waits = new Set(awaited.map(({ seat }) => seat));
    const lost = [...before.values()].filter(({ seat }) => waits.has(seat));
    const all = new Map([...lost, ...met].map((one) => [keyOf(one), one]));
    const isSame = [...all].every(
      ([key, { seenAt }]) => seenAt - (before.get(key)?.seenAt ?? 0) < MAX_VISIT_AGE_MS,
    );
    if (isSame && all.size === before.size) return;
    const names = await seatNames();
    const nameOf = (one: LastSeenComputer) =>
      names.get(one.seat) ?? before.get(keyOf(one))?.name ?? '';
    store.keepDesks([...all.values()].map((one) => ({ ...one, name: nameOf(one) })));
  }

  async #bringBack({ joined, putBacks }: OpenOffice): Promise<void> {
    const { stores, office, transitions, clock } = this.#ports;
    const rows = office.known();
    for (let at = 0; at < rows.length; at += OPERATIONS_PER_REPORT) {
      const some = rows.slice(at, at + OPERATIONS_PER_REPORT);
      const known = await putBacks.known(some.map(({ ref }) => ref));
      const told = some.filter((item) => isLost(known.get(item.ref)) || mayLackKeys(item));
      const heldToo = await putBacks.bringBack(
        told.flatMap((item) => office.lost(joined, item) ?? []),
      );
      for (const item of told) {
        const held = heldToo.get(item.ref);
        if (held === undefined) continue;
        const reason = claimConflict({ id: item.ref, ok: false, held });
        transitions.explain(item, { cause: 'office', reason });
      }
      await joined.claims.settle(
        some.flatMap((item) => changedOutcomes(known, item.ref, stateOf(item))),
      );
    }
    const acts = (['done', 'unknown'] as const).flatMap((state) =>
      stores.actions.inState(state).map((action) => ({ ...action, state })),
    );
    for (let at = 0; at < acts.length; at += OPERATIONS_PER_REPORT) {
      const some = acts.slice(at, at + OPERATIONS_PER_REPORT);
      const known = await putBacks.known(some.map(({ actionId }) => actionId));
      const stateNow = (action: (typeof acts)[number]) => stateOfAction(action, clock.now());
      const told = some.filter(({ actionId }) => isLost(known.get(actionId)));
      await putBacks.bringBack(
        told.flatMap((action): LostOperation[] => {
          const operation = operationOfAction(stores, joined, action);
          if (operation === null) return [];
          return [{ ...operation, state: stateNow(action), startedAt: action.createdAt }];
        }),
      );
      await joined.claims.settle(
        some.flatMap((action) => changedOutcomes(known, action.actionId, stateNow(action))),
      );
    }
  }
}

/** Key of a computer and its user: another user may have a computer with the ID of a lost one. */
const keyOf = ({ desk, seat }: LastSeenComputer): string => `${desk} ${seat}`;

/** Whether the dump lacks the operation or has it as released, so that others could repeat it. */
const isLost = (then: OperationState | undefined): boolean =>
  then === undefined || then === 'released';

/**
 * Whether the operation may have a name that the dump or an earlier version of this program lacks.
 */
const mayLackKeys = ({ once, draftId, batchId }: StoredItem): boolean =>
  once.length > 0 || draftId !== null || batchId !== null;

/** Returns the outcome of an operation if its state in the dump differs. */
function changedOutcomes(
  known: ReadonlyMap<string, OperationState>,
  id: string,
  state: OperationState,
): readonly SettledOperation[] {
  const then = known.get(id);
  const isSame = then === undefined || then === state;
  return isSame || state === 'claimed' ? [] : [{ id, state }];
}

/**
 * Returns the last restore for display; null if there was none. `met`: names of users that the
 * office has lost.
 */
export async function readOfficeRestore(
  office: OpenOffice,
  met: readonly KnownComputer[],
): Promise<OfficeRestore | null> {
  const found = await office.putBacks.read();
  if (found === null) return null;
  const names = new Map([
    ...met.map(({ seat, name }) => [seat, name] as const),
    ...(await office.seatNames()),
  ]);
  const { id, noticedAt, asOf } = found;
  const awaited = found.awaited.map(({ desk, seat, seenAt }) => ({
    desk,
    seat: names.get(seat) ?? '',
    seenAt,
    isThis: desk === office.joined.desk,
  }));
  return { id, noticedAt, asOf, awaited };
}
