import { ActionKind } from '../../../shared/contract/actions.ts';
import { ActScan, SendScan } from '../../../shared/contract/office/office.ts';
import { AppError, type Failure, isCode } from '../../../shared/errors.ts';
import { ActionId, type ConnectionId, OutboxRef } from '../../../shared/model/ids.ts';
import type { OutboxTransitions } from '../outbox/transitions.ts';
import type { Clock, Stores } from '../ports.ts';
import type { Services } from '../services/services.ts';
import { sealedCredential } from './operation.ts';
import { connectionsTo, connectionTo } from '../services/same-service.ts';
import { stateOf } from './outcome.ts';
import type { JoinedOffice, OpenOperation, Silence } from './ports.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';
import { orNull } from '../app-error.ts';

/**
 * A person lets this desk settle what another one began once its claim has not moved for so long: until then
 * that desk may be sending it. An attempt, and every answer to it, moves the claim.
 */
export const ADOPT_AFTER = 15 * MINUTE;
/** A send that a desk left. */
export const LEFT: Silence = { claimed: ADOPT_AFTER, unknown: ADOPT_AFTER };
/** Of unknown outcome, and its desk sends it no more: it gave the decision away, or it is an act. */
export const GIVEN: Silence = { claimed: ADOPT_AFTER, unknown: 0 };
/** Nothing of it leaves another desk any more. */
export const AT_ONCE: Silence = { claimed: 0, unknown: 0 };
/** In the place of a credential that this desk does not have: no scan of it proves absence. */
const OTHER_CREDENTIAL = 'of another desk';

interface AdoptPorts {
  readonly stores: Pick<Stores, 'outbox' | 'actions' | 'connections' | 'transaction'>;
  readonly services: Pick<Services, 'open'>;
  readonly transitions: Pick<OutboxTransitions, 'apply'>;
  readonly clock: Clock;
}

const adopted: Failure = {
  code: 'conflict',
  message: 'Another computer in the office was sending this and has not reported the outcome',
  reason: 'outcome-unknown',
};

/**
 * Makes this desk settle what another one left: the send becomes a row of this outbox, of unknown
 * outcome and without its request, so that scans look for it and nothing can send it from here. With the
 * credential that sent it they can prove that the service has none; with another one they can only find it.
 * Throws 'not-found' where no connection reaches its
 * service, and 'conflict' where another desk was faster, or its desk may be sending it.
 */
export async function adopt(
  ports: AdoptPorts,
  office: JoinedOffice,
  operation: OpenOperation,
  silence: Silence,
): Promise<OutboxRef> {
  const { stores, transitions, clock } = ports;
  const ref = OutboxRef.parse(operation.id);
  const { about, isGone, age, seat, startedAt } = operation;
  if (operation.desk === office.desk && isHere(stores, operation)) return ref;
  if (about === null) throw unreadable();
  if (about.scan === null) {
    const message = 'The search for this needs personal numbers, which this user may not see';
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
    // It came back, or another call was faster: that row knows more than the claim does.
    if (isHere(stores, operation)) return;
    stores.outbox.insert({ item, request, uploads: [] }, now);
    stores.outbox.claim(ref, { at: now, floor: scan.floor, credential });
    transitions.apply(ref, { kind: 'lost', endedAt: null }, { ...context, reason: adopted });
  });
  return ref;
}

/** A desk whose data was put back from an older copy has the row of what it began itself, as another desk. */
async function settleOwn(
  { outbox }: Pick<Stores, 'outbox'>,
  { claims }: JoinedOffice,
  ref: OutboxRef,
): Promise<void> {
  const item = orNull(() => outbox.get(ref));
  const state = item === null ? 'claimed' : stateOf(item);
  if (state !== 'claimed') await claims.settle([{ id: ref, state }]);
}

/** Whether this desk has what an operation is of: a row of its outbox, or an action. */
export function isHere(
  { outbox, actions }: Pick<Stores, 'outbox' | 'actions'>,
  operation: Pick<OpenOperation, 'id' | 'kind'>,
): boolean {
  if (isAct(operation)) return actions.has(ActionId.parse(operation.id));
  return orNull(() => outbox.get(OutboxRef.parse(operation.id))) !== null;
}

/**
 * What the office says is this desk's, and is not here: it was taken over, and the reply of the office or the program
 * ended before it was written here; or its row was lost. It may have been sent, so it comes (back) here as one of
 * unknown outcome. What cannot be settled here stays in the list of what is open, where a person is told why.
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
      else await adopt(ports, office, one, AT_ONCE);
      adopted.push(one);
    } catch (error) {
      if (!(error instanceof AppError) || error.failure.code === 'offline') throw error;
    }
  }
  return adopted;
}

const adoptedAct: Failure = {
  code: 'conflict',
  message: 'Another computer in the office was doing this and has not reported the outcome',
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
  { stores, clock }: Pick<AdoptPorts, 'stores' | 'clock'>,
  office: JoinedOffice,
  operation: OpenOperation,
): Promise<ActionId> {
  const actionId = ActionId.parse(operation.id);
  const { about } = operation;
  if (operation.desk === office.desk && isHere(stores, operation)) return actionId;
  if (about === null) throw unreadable();
  const { kind, agreementId, partyId } = ActScan.parse(about.scan);
  const connectionId = connectionTo(stores, about.service);
  if (connectionId === null) {
    throw new AppError(
      'not-found',
      'No connection on this computer reaches the service of this agreement',
    );
  }
  await takeOver(office, operation, GIVEN);
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
    failure: adoptedAct,
    revokedAt: null,
    createdAt: Math.min(now, operation.startedAt),
    updatedAt: now,
  });
  return actionId;
}

/**
 * A removed seat's desk sends nothing once its last claim is a minute old; a scan proves nothing before that. Of what
 * is this desk's own and not here, nothing is sent.
 */
async function takeOver(
  { claims, desk }: JoinedOffice,
  operation: OpenOperation,
  wanted: Silence,
): Promise<void> {
  const { age, state, isGone } = operation;
  const silence = isGone || operation.desk === desk ? AT_ONCE : wanted;
  if (age < silence[state]) throw tooSoon(age);
  if (await claims.takeOver(operation, silence)) return;
  throw new AppError('conflict', 'This is already settled, or another computer is settling it');
}

/** The connection whose credential sent it, else the first that reaches its service. */
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
  if (connectionId !== undefined) return { connectionId, credential: OTHER_CREDENTIAL };
  const message = 'No connection on this computer reaches the service it was sent to';
  throw new AppError('not-found', message);
}

/** Null where there is none, as after it was removed from the credential store. */
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

function unreadable(): AppError {
  const message =
    'This computer cannot read the details of this, so it was not taken over. Settle it on a computer that can';
  return new AppError('storage', message, { reason: 'data-damaged' });
}

function tooSoon(age: number): AppError {
  const minutes = (milliseconds: number): string => `${Math.ceil(milliseconds / 60_000)} min`;
  const message = `The other computer may still be sending this, so nothing was changed. Try again in ${minutes(ADOPT_AFTER - age)}. It can be taken over after ${minutes(ADOPT_AFTER)} without progress, or when the user of that computer is removed`;
  return new AppError('conflict', message, { reason: 'claim-moves' });
}
