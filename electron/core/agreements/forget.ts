import type { AgreementKey } from '../../../shared/model/ids.ts';
import type { Emit } from '../../../shared/contract/index.ts';
import { AppError } from '../../../shared/errors.ts';
import { openStates } from '../outbox/handlers.ts';
import type { Clock, Stores } from '../ports.ts';

interface ForgetPorts {
  readonly stores: Pick<Stores, 'actions' | 'agreements' | 'outbox'>;
  readonly clock: Clock;
  readonly emit: Emit;
}

/**
 * Removes local copies of agreements, whichever connection to the service read them; see the call
 * `agreements.forget`. Returns the number removed.
 */
export function forgetAgreements(ports: ForgetPorts, asked: readonly AgreementKey[]): number {
  const { stores, clock, emit } = ports;
  const keys = stores.agreements.copiesOf(asked);
  const unsettled = unsettledIn(stores);
  if (keys.some((key) => unsettled.has(keyTextOf(key)))) {
    throw new AppError(
      'conflict',
      'The outcome of an action on one of the agreements is not known yet, so none was removed',
      { reason: 'outcome-unknown' },
    );
  }
  const forgotten = stores.agreements.forget(keys, clock.now());
  for (const connectionId of new Set(keys.map((key) => key.connectionId))) {
    emit('agreements.changed', { connectionId, added: 0, changed: 0 });
  }
  return forgotten;
}

/** Returns the agreements with a request in flight or of unknown outcome. */
function unsettledIn({ actions, outbox }: ForgetPorts['stores']): ReadonlySet<string> {
  const acted = (['queued', 'sending', 'unknown'] as const)
    .flatMap((state) => actions.inState(state))
    .flatMap(({ connectionId, agreementId }) =>
      agreementId === null ? [] : [keyTextOf({ connectionId, id: agreementId })],
    );
  const sent = openStates
    .flatMap((state) => outbox.inState(state))
    .flatMap(({ connectionId, remoteId }) =>
      remoteId === null ? [] : [keyTextOf({ connectionId, id: remoteId })],
    );
  return new Set([...acted, ...sent]);
}

const keyTextOf = ({ connectionId, id }: AgreementKey) => `${connectionId} ${id}`;
