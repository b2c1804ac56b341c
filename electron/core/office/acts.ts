import { AppError, type Failure } from '../../../shared/errors.ts';
import type { ConfirmedClaim } from '../../../shared/contract/office/office.ts';
import { ActionId } from '../../../shared/model/ids.ts';
import { isSeenClaim } from '../../../shared/rules/office/seen-claim.ts';
import type { ToFailure } from '../../../shared/wire.ts';
import type { ActionGuard, StoredAction } from '../actions/ports.ts';
import type { Clock, Stores } from '../ports.ts';
import type { Lease } from '../turn-ports.ts';
import { NO_ADOPTION_DELAYS } from './adopt.ts';
import { withOfficeErrors } from './offline.ts';
import { operationOfAction, withHoldersSeen } from './operation.ts';
import { isLongAgo, isRepeated, stateOfAction } from './outcome.ts';
import type {
  ClaimResult,
  ClaimHolder,
  JoinedOffice,
  Operation,
  SettledOperation,
} from './ports.ts';
import { requireReportedToOffice } from './told.ts';
import { HOUR, MINUTE } from '../../../shared/rules/time/units.ts';

/**
 * Age (ms) at which a claimed action without an outcome counts as interrupted. An action is sent
 * right after its claim, and the service replies within minutes.
 */
const INTERRUPTED_AFTER_MS = HOUR;
/**
 * Maximum time (ms) for the reply to a claim. If the reply took longer, the act is claimed again:
 * this computer slept, and another computer may have claimed the act since.
 */
const MAX_CLAIM_REPLY_MS = MINUTE;

type RefusedClaim = Extract<ClaimResult, { readonly ok: false }>;

interface ActPorts {
  readonly stores: Pick<Stores, 'outbox' | 'connections' | 'office' | 'actions'>;
  readonly joined: () => Promise<JoinedOffice> | null;
  readonly clock: Clock;
  readonly toFailure: ToFailure;
}

/** See `ActionGuard`. If this computer is in no office, no claims are made. */
export interface OfficeActs extends ActionGuard {
  /** Returns the claims of other acts with the same effect. Throws 'offline' with 'office-away'. */
  holders(id: ActionId): Promise<readonly ClaimHolder[]>;
  /**
   * Records that the user has seen these claims and allows the act once more; the journal of
   * actions keeps this. Throws 'conflict' if no computer of the office prevents the act.
   */
  allow(id: ActionId, seen: readonly ConfirmedClaim[]): void;
}

export function createOfficeActs(ports: ActPorts): OfficeActs {
  const { stores, joined, clock, toFailure } = ports;
  return {
    async claim(action, lease = null) {
      const office = await withOfficeErrors(joined);
      const operation = office === null ? null : operationOfAction(stores, office, action);
      if (office === null || operation === null) return;
      requireReportedToOffice(stores);
      for (;;) {
        const askedAt = clock.now();
        const reply = await claimOrFollow(ports, office, operation, action, lease);
        if (!reply.ok) throw AppError.from(claimFailure(reply, office));
        if (Math.abs(clock.now() - askedAt) < MAX_CLAIM_REPLY_MS) return;
      }
    },
    ended({ actionId }) {
      const joining = joined();
      if (joining === null) return;
      const action = stores.actions.get(actionId);
      const state = stateOfAction(action, clock.now());
      if (state === 'claimed') return;
      // If the report fails now, reconciling with the office repeats it.
      joining
        .then(async (office) => {
          if (operationOfAction(stores, office, action) === null) return;
          await office.claims.settle([{ id: actionId, state }]);
        })
        .catch((error: unknown) => void toFailure(error, 'office.settle'));
    },
    async holders(id) {
      const office = await withOfficeErrors(joined);
      const operation =
        office === null ? null : operationOfAction(stores, office, stores.actions.get(id));
      if (office === null || operation === null) return [];
      const keys = operation.keys.map(({ key }) => key);
      const held = (await withOfficeErrors(() => office.claims.holders(keys))) ?? [];
      return held.filter((one) => one.id !== id);
    },
    allow(id, seen) {
      const { state, failure } = stores.actions.get(id);
      if (state !== 'refused' || !RETAINED_REASONS.has(failure?.reason ?? '')) {
        throw new AppError(
          'conflict',
          'No other computer in the office blocks this action, so it needs no permission',
        );
      }
      for (const claim of seen) stores.office.see(claim, null);
      const move = { to: 'refused', cause: 'person', failure: allowedAgainFailure } as const;
      stores.actions.move(id, ['refused'], move, clock.now());
    },
  };
}

const allowedAgainFailure: Failure = {
  code: 'cancelled',
  message: 'A person checked which computer was doing this action, and allowed it again',
};
const RETAINED_REASONS: ReadonlySet<string> = new Set(['claimed-elsewhere', 'unsettled-elsewhere']);

/** Claims the act. Claims that no longer block are followed without asking the user. */
async function claimOrFollow(
  ports: ActPorts,
  office: JoinedOffice,
  operation: Operation,
  action: StoredAction,
  lease: Lease | null,
): Promise<ClaimResult> {
  const first = await claimOperation(office, operation, lease);
  const reply =
    first.ok || !(await reportOwnAction(ports, office, first.held))
      ? first
      : await claimOperation(office, operation, lease);
  if (reply.ok) return reply;
  const seen = operation.keys.flatMap((one) => one.seen);
  const mayFollow = (one: ClaimHolder) =>
    one.id !== operation.id && (isSeenClaim(one, seen) || canBeRepeated(one, action));
  const isFree = reply.held.every(
    (one) => mayFollow(one) && (isSettled(one) || isInterrupted(one)),
  );
  if (!isFree) return reply;
  for (const one of reply.held) {
    if (one.state === 'claimed')
      await withOfficeErrors(() => office.claims.takeOver(one, NO_ADOPTION_DELAYS));
  }
  return claimOperation(office, withHoldersSeen(operation, reply.held), lease);
}

/** Throws 'conflict' with 'lease-lost' if another computer has taken over the task. */
async function claimOperation(
  { claims }: JoinedOffice,
  operation: Operation,
  lease: Lease | null,
): Promise<ClaimResult> {
  const replies = await withOfficeErrors(() => claims.claim([operation], lease));
  const reply = replies?.[0];
  if (reply === undefined) throw new AppError('unexpected', 'The office database did not answer');
  return reply;
}

/**
 * Reports acts of this computer that ended but were not reported, for example because the program
 * crashed. Returns false if there are none.
 */
async function reportOwnAction(
  { stores, clock }: ActPorts,
  { desk, claims }: JoinedOffice,
  held: readonly ClaimHolder[],
): Promise<boolean> {
  const settled = held.flatMap((one): SettledOperation[] => {
    if (one.desk !== desk || one.state !== 'claimed') return [];
    const id = ActionId.parse(one.id);
    if (!stores.actions.has(id)) return [];
    const state = stateOfAction(stores.actions.get(id), clock.now());
    return state === 'claimed' ? [] : [{ id, state }];
  });
  if (settled.length === 0) return false;
  await withOfficeErrors(() => claims.settle(settled));
  return true;
}

/**
 * Whether the act may be repeated. A reminder or a share may be repeated after a day, regardless of
 * its outcome. Every other act leads to a state that was just read and is not reached, so it may be
 * repeated unless it is done. A computer outside of an office repeats it too.
 */
function canBeRepeated(one: ClaimHolder, { kind }: StoredAction): boolean {
  if (isRepeated(kind)) return isLongAgo(timeSinceStart(one));
  return one.state !== 'done';
}

const isSettled = ({ state }: ClaimHolder): boolean => state !== 'claimed';
const isInterrupted = (one: ClaimHolder): boolean => timeSinceStart(one) > INTERRUPTED_AFTER_MS;

/** Time from start to now or to the outcome (ms), by the office's clock. */
const timeSinceStart = ({ startedAt, settledAt, age }: ClaimHolder): number =>
  (settledAt ?? startedAt) + age - startedAt;

function claimFailure({ held }: RefusedClaim, { desk }: JoinedOffice): Failure {
  const isDone = held.some(({ state }) => state === 'done');
  const isNow = held.some((one) => !isSettled(one) && !isInterrupted(one));
  if (!isDone && !isNow) return unsettledFailure;
  const who = held.every((one) => one.desk === desk)
    ? 'This computer'
    : 'Another computer in the office';
  const message = isDone
    ? `${who} has already done this action`
    : `${who} is doing this action now`;
  return { code: 'conflict', message, reason: 'claimed-elsewhere' };
}

const unsettledFailure: Failure = {
  code: 'conflict',
  message: 'This action was started earlier in the office, and it is not known whether it was done',
  reason: 'unsettled-elsewhere',
};
