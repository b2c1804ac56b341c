import type { ActionKind } from '../../../shared/contract/actions.ts';
import { AppError } from '../../../shared/errors.ts';
import type { ToFailure } from '../../../shared/wire.ts';
import type { ActGuard } from '../actions/ports.ts';
import type { Stores } from '../ports.ts';
import type { Lease } from '../turn-ports.ts';
import { askOffice } from './away.ts';
import { heldElsewhere } from './held.ts';
import { actOf } from './operation.ts';
import { stateOfAction } from './outcome.ts';
import type { Claimed, HeldBy, JoinedOffice, Operation } from './ports.ts';

/** These may be done again after a while; sooner, a person looks at who did it. */
const REPEATED: readonly ActionKind[] = ['remind', 'share'];
const AFTER = 24 * 3_600_000;

interface ActPorts {
  readonly stores: Pick<Stores, 'outbox' | 'connections' | 'office' | 'actions'>;
  readonly joined: () => Promise<JoinedOffice> | null;
  readonly toFailure: ToFailure;
}

/** See `ActGuard`; for a desk in no office nothing is asked. */
export function createOfficeActs({ stores, joined, toFailure }: ActPorts): ActGuard {
  return {
    async claim(action, lease = null) {
      const office = await askOffice(joined);
      const operation = office === null ? null : actOf(stores, office, action);
      if (office === null || operation === null) return;
      const reply = await ask(office, operation, lease);
      if (reply.ok) return;
      const isOld = REPEATED.includes(action.kind) && reply.held.every(isLongDone);
      const again = isOld ? await ask(office, following(operation, reply.held), lease) : reply;
      if (!again.ok) throw AppError.from(heldElsewhere(again));
    },
    ended({ actionId }) {
      const joining = joined();
      if (joining === null) return;
      const action = stores.actions.get(actionId);
      const state = stateOfAction(action);
      if (state === 'claimed') return;
      // What could not be reported now is found again when the office is reconciled.
      joining
        .then(async (office) => {
          if (actOf(stores, office, action) === null) return;
          await office.claims.settle([{ id: actionId, state }]);
        })
        .catch((error: unknown) => void toFailure(error, 'office.settle'));
    },
  };
}

/** Throws 'conflict' with 'lease-lost' where its task is another desk's by now. */
async function ask(
  { claims }: JoinedOffice,
  operation: Operation,
  lease: Lease | null,
): Promise<Claimed> {
  const replies = await askOffice(() => claims.claim([operation], lease));
  const reply = replies?.[0];
  if (reply === undefined) throw new AppError('unexpected', 'The office gave no reply');
  return reply;
}

const isLongDone = ({ state, age }: HeldBy): boolean => state === 'done' && age > AFTER;

function following(operation: Operation, held: readonly HeldBy[]): Operation {
  const generation = Math.max(...held.map((one) => one.generation));
  return { ...operation, keys: operation.keys.map(({ key }) => ({ key, seen: generation })) };
}
