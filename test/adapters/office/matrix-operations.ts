import { randomUUID } from 'node:crypto';
import type { TestDesk } from './office-database.ts';

const STATES = ['claimed', 'done', 'unknown', 'given-up', 'released'] as const;
type State = (typeof STATES)[number];
const KINDS = ['send', 'sign', 'change'] as const;
/** Users of an operation: the one who started it, and the user of its current computer. */
const WHOSE = ['own', 'another’s', 'taken over', 'taken away'] as const;

export interface OperationRow {
  readonly id: string;
  readonly kind: (typeof KINDS)[number];
  readonly state: State;
  readonly whose: (typeof WHOSE)[number];
  /** Whether the operation has not changed for an hour. */
  readonly isOld: boolean;
  readonly make: string;
}

export function operationRows(own: TestDesk, other: TestDesk): readonly OperationRow[] {
  return KINDS.flatMap((kind) =>
    STATES.flatMap((state) =>
      WHOSE.flatMap((whose) =>
        // A signature differs from a send only in the right that it requires.
        (kind === 'sign' ? [true] : [false, true]).map((isOld) => {
          const id = randomUUID();
          const beganBy = whose === 'own' || whose === 'taken away' ? own : other;
          const heldBy = whose === 'own' || whose === 'taken over' ? own : other;
          const [started, moved] = isOld ? ['2 hours', '1 hour'] : ['0', '0'];
          const make = `INSERT INTO operation
            (id, kind, desk, seat, state, sealed, key_version, started_at, moved_at)
            VALUES ('${id}', '${kind}', '${heldBy.desk}', '${beganBy.seat}', '${state}', '', 1,
              now() - interval '${started}', now() - interval '${moved}');`;
          return { id, kind, state, whose, isOld, make };
        }),
      ),
    ),
  );
}

/** Target state of an operation. */
export interface Next {
  readonly state: State;
  readonly desk: 'own' | 'held' | 'third';
  readonly hasNewContent: boolean;
}

/** Whether the complete state machine allows this change: next state, computer and content. */
export function mayBecome(row: OperationRow, next: Next, mayDoIt: boolean): boolean {
  const { state, whose, isOld, kind } = row;
  const isAct = kind === 'change';
  if (whose === 'own' || whose === 'taken over') {
    if (next.desk !== 'own') return false;
    if (state === 'done') return next.state === 'done' && !next.hasNewContent;
    if (next.state === 'claimed' && state !== 'claimed' && !mayDoIt) return false;
    if (whose === 'own') return true;
    const isClaimedAnew = state === 'released' && next.state === 'claimed';
    if (next.hasNewContent && !isClaimedAnew) return false;
    return next.state !== 'released' || state === 'released';
  }
  if (next.desk === 'held') {
    const mayTell = mayDoIt || whose === 'taken away';
    return next.state === 'done' && state !== 'done' && mayTell && !next.hasNewContent;
  }
  if (next.desk !== 'own' || !mayDoIt) return false;
  if (next.state === 'claimed') {
    return state === 'released' || (state === 'given-up' && whose === 'taken away');
  }
  if (next.hasNewContent) return false;
  if (next.state === 'given-up') return state === 'unknown' && isAct;
  if (next.state !== 'unknown') return false;
  return state === 'claimed' ? isOld : state === 'unknown' && (isOld || isAct);
}
