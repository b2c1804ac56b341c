import { ActionKind } from '../../../shared/contract/actions.ts';
import { ActionScanData, SendScan } from '../../../shared/contract/office/office.ts';
import { AppError, type Failure, isCode } from '../../../shared/errors.ts';
import { ActionId, type ConnectionId, OutboxRef } from '../../../shared/model/ids.ts';
import type { OutboxTransitions } from '../outbox/transitions.ts';
import type { Clock, Stores } from '../ports.ts';
import type { Services } from '../services/services.ts';
import { sealedCredential } from './operation.ts';
import { connectionsTo, connectionTo } from '../services/same-service.ts';
import { stateOf } from './outcome.ts';
import type { JoinedOffice, OpenOperation, AdoptionDelays } from './ports.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';
import { orNull } from '../app-error.ts';

/**
 * Time without a change of the claim after which a user may let this computer settle an operation
 * that another one began. Until then, the other computer may be sending it. Each attempt and each
 * answer changes the claim.
 */
export const ADOPTION_DELAY_MS = 15 * MINUTE;
/** Delays before a send is taken over that its computer abandoned. */
export const DELAYS_FOR_ABANDONED_SEND: AdoptionDelays = {
  claimed: ADOPTION_DELAY_MS,
  unknown: ADOPTION_DELAY_MS,
};
/**
 * Delays before an unknown outcome is taken over that its computer no longer resolves: that
 * computer handed over the decision, or the operation is an act.
 */
export const DELAYS_FOR_UNRESOLVED_OUTCOME: AdoptionDelays = {
  claimed: ADOPTION_DELAY_MS,
  unknown: 0,
};
/** Delays before operations are taken over that another computer certainly no longer sends. */
export const NO_ADOPTION_DELAYS: AdoptionDelays = { claimed: 0, unknown: 0 };
/**
 * Placeholder for a credential that this computer does not have. Scans with another credential
 * cannot prove that a send is absent.
 */
const FOREIGN_CREDENTIAL = 'of another desk';

interface AdoptPorts {
  readonly stores: Pick<Stores, 'outbox' | 'actions' | 'connections' | 'transaction'>;
  readonly services: Pick<Services, 'open'>;
  readonly transitions: Pick<OutboxTransitions, 'apply'>;
  readonly clock: Clock;
}

const adopted: Failure = {
  code: 'conflict',
  message: 'Another computer in the office started this send and has not reported the outcome',
  reason: 'outcome-unknown',
};

/**
 * Makes this computer settle an operation that another computer left. The send becomes an outbox
 * row of unknown outcome without its request, so scans look for it and this computer cannot send
 * it. With the credential that sent it, scans can prove that it does not exist on the service. With
 * another credential, they can only find it. Throws 'not-found' if no connection of this computer
 * reaches the service, and 'conflict' if another computer was faster or may still be sending.
 */
export async function adopt(
  ports: AdoptPorts,
  office: JoinedOffice,
  operation: OpenOperation,
  silence: AdoptionDelays,
): Promise<OutboxRef> {
  const { stores, transitions, clock } = ports;
  const ref = OutboxRef.parse(operation.id);
  const { about, isGone, age, seat, startedAt } = operation;
  if (operation.desk === office.desk && isHere(stores, operation)) return ref;
  if (about === null) throw unreadableOperationError();
  if (about.scan === null) {
    const message =
      'To find this send on the service, personal numbers are needed, which your user may not see';
    throw new AppError('forbidden', message);
  }
  const scan = SendScan.parse(about.scan);
  const { connectionId, credential } = await connectionFor(ports, office, about.service, scan);
  await takeOver(office, operation, silence);
  await settleOwn(stores, office, ref);
  const now = clock.now();
  const item = {
    ref,
    connectionId,
    kind: scan.target === null ? ('create' as const) : ('sign' as const),
    title: about.title,
    people: [],
    mark: scan.mark,
    parties: scan.parties,
    remoteId: scan.target?.agreementId ?? null,
    nextAt: null,
  };
  const request = { body: new Uint8Array(), target: scan.target, signedAt: null };
  const context = { cause: 'office', actor: 'person', shown: { seat, startedAt, age, isGone } };
  stores.transaction(() => {
    // The row came back or another call was faster; that row has more information than the claim.
    if (isHere(stores, operation)) return;
    stores.outbox.insert({ item, request, uploads: [] }, now);
    stores.outbox.claim(ref, { at: now, floor: scan.floor, credential });
    transitions.apply(ref, { kind: 'lost', endedAt: null }, { ...context, reason: adopted });
  });
  return ref;
}

/**
 * Reports the outcome if this computer has the row. A computer that was restored from an older copy
 * of its data still has the rows that it began under its former ID.
 */
async function settleOwn(
  { outbox }: Pick<Stores, 'outbox'>,
  { claims }: JoinedOffice,
  ref: OutboxRef,
): Promise<void> {
  const item = orNull(() => outbox.get(ref));
  const state = item === null ? 'claimed' : stateOf(item);
  if (state !== 'claimed') await claims.settle([{ id: ref, state }]);
}

/** Whether this computer has the outbox row or the action of an operation. */
export function isHere(
  { outbox, actions }: Pick<Stores, 'outbox' | 'actions'>,
  operation: Pick<OpenOperation, 'id' | 'kind'>,
): boolean {
  if (isAct(operation)) return actions.has(ActionId.parse(operation.id));
  return orNull(() => outbox.get(OutboxRef.parse(operation.id))) !== null;
}

/**
 * Adopts operations that the office assigns to this computer and that are missing here. Either they
 * were taken over and the reply or the program ended before the write, or their rows were lost.
 * They may have been sent, so they get an unknown outcome here. If one cannot be settled here, it
 * stays in the list of open operations, which shows the user the reason.
 */
export async function adoptMissing(
  ports: AdoptPorts,
  office: JoinedOffice,
  ids: readonly string[],
): Promise<readonly OpenOperation[]> {
  if (ids.length === 0) return [];
  const open = await office.claims.open();
  const missing = open.filter(({ id, desk }) => desk === office.desk && ids.includes(id));
  const adopted: OpenOperation[] = [];
  for (const one of missing) {
    try {
      if (isAct(one)) await adoptAct(ports, office, one);
      else await adopt(ports, office, one, NO_ADOPTION_DELAYS);
      adopted.push(one);
    } catch (error) {
      if (!(error instanceof AppError) || error.failure.code === 'offline') throw error;
    }
  }
  return adopted;
}

const adoptedActFailure: Failure = {
  code: 'conflict',
  message: 'Another computer in the office started this action and has not reported the outcome',
  reason: 'outcome-unknown',
};

/** Acts are not outbox rows; the journal of actions has them. */
export const isAct = ({ kind }: Pick<OpenOperation, 'kind'>): boolean =>
  kind === 'remind' || kind === 'remove' || kind === 'change';

/**
 * Like `adopt`, for an act on an agreement: it gets an unknown outcome here, which a reading of the
 * agreement resolves if the service shows it. An act that this computer began and whose row was
 * lost comes back as well.
 */
export async function adoptAct(
  { stores, clock }: Pick<AdoptPorts, 'stores' | 'clock'>,
  office: JoinedOffice,
  operation: OpenOperation,
): Promise<ActionId> {
  const actionId = ActionId.parse(operation.id);
  const { about } = operation;
  if (operation.desk === office.desk && isHere(stores, operation)) return actionId;
  if (about === null) throw unreadableOperationError();
  const { kind, agreementId, partyId } = ActionScanData.parse(about.scan);
  const connectionId = connectionTo(stores, about.service);
  if (connectionId === null) {
    throw new AppError(
      'not-found',
      'No connection on this computer reaches the service of this agreement',
    );
  }
  await takeOver(office, operation, DELAYS_FOR_UNRESOLVED_OUTCOME);
  if (isHere(stores, operation)) return actionId;
  const now = clock.now();
  stores.actions.insert({
    actionId,
    kind: ActionKind.parse(kind),
    state: 'unknown',
    connectionId,
    agreementId,
    title: about.title,
    partyId,
    notificationId: null,
    token: null,
    rule: null,
    goal: null,
    failure: adoptedActFailure,
    revokedAt: null,
    createdAt: Math.min(now, operation.startedAt),
    updatedAt: now,
  });
  return actionId;
}

/**
 * Takes over settling. The computer of a removed user sends nothing once its last claim is a minute
 * old, and a scan proves nothing before that. Operations assigned to this computer whose rows are
 * missing are not being sent.
 */
async function takeOver(
  { claims, desk }: JoinedOffice,
  operation: OpenOperation,
  wanted: AdoptionDelays,
): Promise<void> {
  const { age, state, isGone } = operation;
  const silence = isGone || operation.desk === desk ? NO_ADOPTION_DELAYS : wanted;
  if (age < silence[state]) throw adoptedTooSoonError(age);
  if (await claims.takeOver(operation, silence)) return;
  throw new AppError(
    'conflict',
    'This send or action is already resolved, or another computer is resolving it',
  );
}

/**
 * Returns the connection whose credential made the send; otherwise, the first connection that
 * reaches the service.
 */
async function connectionFor(
  { stores, services }: Pick<AdoptPorts, 'stores' | 'services'>,
  office: JoinedOffice,
  service: string,
  { credentials }: SendScan,
): Promise<{ readonly connectionId: ConnectionId; readonly credential: string }> {
  const reaching = connectionsTo(stores, service);
  for (const connectionId of reaching) {
    const credential = await credentialOf(services, connectionId);
    const isSender = (one: string): boolean =>
      credential !== null && one === sealedCredential(office, credential);
    if (credential !== null && credentials.length > 0 && credentials.every(isSender)) {
      return { connectionId, credential };
    }
  }
  const [connectionId] = reaching;
  if (connectionId !== undefined) return { connectionId, credential: FOREIGN_CREDENTIAL };
  const message =
    'No connection on this computer reaches the service to which the agreement was sent';
  throw new AppError('not-found', message);
}

/**
 * Returns the credential of a connection; null if it is missing, for example because it was removed
 * from the credential store.
 */
async function credentialOf(
  services: Pick<Services, 'open'>,
  id: ConnectionId,
): Promise<string | null> {
  try {
    return (await services.open(id)).credential;
  } catch (error) {
    if (isCode(error, 'signed-out')) return null;
    throw error;
  }
}

function unreadableOperationError(): AppError {
  const message =
    'This computer cannot read the details of this send or action, so nothing was changed. Resolve it on another computer';
  return new AppError('storage', message, { reason: 'data-damaged' });
}

function adoptedTooSoonError(age: number): AppError {
  const minutes = (milliseconds: number): string => `${Math.ceil(milliseconds / 60_000)} min`;
  const message = `The other computer may still be working on this, so nothing was changed. Try again in ${minutes(ADOPTION_DELAY_MS - age)}. Another computer can take over after ${minutes(ADOPTION_DELAY_MS)} without progress, or when the user of that computer is removed`;
  return new AppError('conflict', message, { reason: 'claim-moves' });
}
