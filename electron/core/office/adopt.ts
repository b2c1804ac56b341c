import { ActionKind } from '../../../shared/contract/actions.ts';
import { ActScan, SendScan } from '../../../shared/contract/office/office.ts';
import { AppError, type Failure } from '../../../shared/errors.ts';
import { ActionId, OutboxRef } from '../../../shared/model/ids.ts';
import type { OutboxTransitions } from '../outbox/transitions.ts';
import type { Clock, Stores } from '../ports.ts';
import type { Services } from '../services/services.ts';
import { connectionTo } from './operation.ts';
import type { JoinedOffice, OpenOperation } from './ports.ts';

interface AdoptPorts {
  readonly stores: Pick<Stores, 'outbox' | 'connections'>;
  readonly services: Pick<Services, 'open'>;
  readonly transitions: Pick<OutboxTransitions, 'apply'>;
  readonly clock: Clock;
}

const adopted: Failure = {
  code: 'conflict',
  message: 'Another desk of the office was sending this, and has not said what became of it',
  reason: 'outcome-unknown',
};

/**
 * Makes this desk settle what another one left: the send becomes a row of this outbox, of unknown
 * outcome and without its request, so that scans look for it and nothing can send it from here. Throws
 * 'not-found' where no connection reaches its service, and 'conflict' where another desk was faster.
 */
export async function adopt(
  ports: AdoptPorts,
  office: JoinedOffice,
  operation: OpenOperation,
): Promise<OutboxRef> {
  const { stores, services, transitions, clock } = ports;
  const ref = OutboxRef.parse(operation.id);
  if (operation.about.scan === null) {
    const message = 'What is looked for holds personal numbers, which this user may not see';
    throw new AppError('forbidden', message);
  }
  const scan = SendScan.parse(operation.about.scan);
  const connectionId = connectionTo(stores, operation.about.service);
  if (connectionId === null) {
    const message = 'No connection of this desk reaches the service it was sent to';
    throw new AppError('not-found', message);
  }
  const { credential } = await services.open(connectionId);
  if (!(await office.claims.takeOver(operation))) {
    throw new AppError('conflict', 'It is settled by now, or another desk settles it');
  }
  const now = clock.now();
  const { title } = operation.about;
  const item = {
    ref,
    connectionId,
    kind: scan.target === null ? ('create' as const) : ('sign' as const),
    title,
    people: [],
    mark: scan.mark,
    parties: scan.parties,
    remoteId: scan.target?.agreementId ?? null,
    nextAt: null,
  };
  const request = { body: new Uint8Array(), target: scan.target, signedAt: null };
  stores.outbox.together(() => {
    stores.outbox.insert({ item, request, uploads: [] }, now);
    stores.outbox.claim(ref, { at: now, floor: scan.floor, credential });
    transitions.apply(ref, { kind: 'lost', endedAt: null }, { cause: 'office', reason: adopted });
  });
  return ref;
}

const adoptedAct: Failure = {
  code: 'conflict',
  message: 'Another desk of the office was doing this, and has not said what became of it',
  reason: 'outcome-unknown',
};

/** Acts are no rows of an outbox: the book of actions has them. */
export const isAct = ({ kind }: Pick<OpenOperation, 'kind'>): boolean =>
  kind === 'remind' || kind === 'remove' || kind === 'change';

/**
 * The same for an act on an agreement: it becomes one of unknown outcome here, which a reading of the agreement
 * settles where the service shows it. One that this desk began, and whose row was lost, comes back as well.
 */
export async function adoptAct(
  {
    stores,
    clock,
  }: Pick<AdoptPorts, 'clock'> & {
    readonly stores: Pick<Stores, 'actions' | 'connections'>;
  },
  office: JoinedOffice,
  operation: OpenOperation,
): Promise<ActionId> {
  const actionId = ActionId.parse(operation.id);
  const { kind, agreementId, partyId } = ActScan.parse(operation.about.scan);
  if (operation.desk === office.desk && stores.actions.has(actionId)) return actionId;
  const connectionId = connectionTo(stores, operation.about.service);
  if (connectionId === null) {
    throw new AppError('not-found', 'No connection of this desk reaches the service of it');
  }
  if (!(await office.claims.takeOver(operation))) {
    throw new AppError('conflict', 'It is settled by now, or another desk settles it');
  }
  if (stores.actions.has(actionId)) return actionId;
  const now = clock.now();
  stores.actions.insert({
    actionId,
    kind: ActionKind.parse(kind),
    state: 'unknown',
    connectionId,
    agreementId,
    title: operation.about.title,
    partyId,
    notificationId: null,
    token: null,
    rule: null,
    goal: null,
    failure: adoptedAct,
    revokedAt: null,
    createdAt: Math.min(now, operation.startedAt),
    updatedAt: now,
  });
  return actionId;
}
