import type { ApiName, AgreementKey, ConnectionId } from '../../../shared/model/ids.ts';
import type { ActionKind } from '../../../shared/contract/actions.ts';
import { AppError } from '../../../shared/errors.ts';
import type { RemoteAgreement } from '../../../shared/model/agreement.ts';
import type { PartyNotification, RemoteExtras } from '../../../shared/model/remote-extras.ts';
import {
  type ContactedRecipient,
  recipientAddressesIn,
  unallowedAddressesIn,
} from '../../../shared/rules/reach/places.ts';
import type { Encoding, Stores } from '../ports.ts';
import type { AgreementActions } from './ports.ts';

/*
 * A connection with a list of allowed recipients reaches only these. A create has all recipients in
 * its body; other requests reach people who are already in the agreement.
 */

/**
 * Recipients of an action. `named`: the recipients in the request. `notification`: the recipients
 * of the notification that is sent again. `people`: the people of the agreement, whom the service
 * notifies automatically (API v1, "Notification"; API v2, "notificationMessages", which has no type
 * for a revocation or a new date).
 */
type ActionReach = 'named' | 'notification' | 'people' | 'nobody';

export const actionReach = {
  revoke: { v1: 'people', v2: 'nobody' },
  remove: { v1: 'nobody', v2: 'nobody' },
  change: { v1: 'people', v2: 'nobody' },
  'correct-email': { v1: 'named', v2: 'nobody' },
  'replace-recipients': { v1: 'named', v2: 'nobody' },
  silence: { v1: 'nobody', v2: 'nobody' },
  remind: { v1: 'notification', v2: 'nobody' },
  reject: { v1: 'nobody', v2: 'people' },
  share: { v1: 'nobody', v2: 'named' },
  'upload-add': { v1: 'nobody', v2: 'nobody' },
  'upload-remove': { v1: 'nobody', v2: 'nobody' },
} as const satisfies Record<ActionKind, Record<ApiName, ActionReach>>;

/**
 * Throws 'invalid' with 'stranger' if one of these recipients is not allowed for the connection.
 */
export function requireAllowed(
  { connections }: Pick<Stores, 'connections'>,
  connectionId: ConnectionId,
  reached: readonly ContactedRecipient[],
): void {
  const { allowed, name } = connections.get(connectionId);
  const [stranger] = unallowedAddressesIn(reached, allowed);
  if (stranger === undefined) return;
  const { at, address } = stranger;
  const message = `The connection ${name} is limited to certain recipients and does not reach "${address}"`;
  throw new AppError('invalid', message, { reason: 'stranger', fields: { [at]: message } });
}

/** Checks a frozen create body just before sending. Throws as `requireAllowed`. */
export function requireBodyAllowed(
  {
    stores,
    encoding,
  }: { readonly stores: Pick<Stores, 'connections'>; readonly encoding: Encoding },
  connectionId: ConnectionId,
  body: Uint8Array,
): void {
  const { allowed, api } = stores.connections.get(connectionId);
  if (allowed === null) return;
  requireAllowed(stores, connectionId, reachedByBody(api, encoding.text(body)));
}

function reachedByBody(api: ApiName, text: string): readonly ContactedRecipient[] {
  const parsed: unknown = JSON.parse(text);
  if (typeof parsed !== 'object' || parsed === null) throw new Error('A body is no object');
  return recipientAddressesIn(api, parsed);
}

export interface PeoplePorts {
  readonly stores: Pick<Stores, 'connections' | 'outbox'>;
  readonly encoding: Encoding;
  readonly read: (key: AgreementKey, signal: AbortSignal) => Promise<RemoteAgreement | null>;
}

/**
 * Selects a notification of the agreement; null selects all notifications that the agreement can
 * send.
 */
export type NotificationFilter = {
  readonly partyId: string | null;
  readonly notificationId: string | null;
} | null;

/**
 * Reads the agreement and checks its recipients; makes no request if the connection may reach
 * anyone. Throws as `requireAllowed`, and 'invalid' with 'recipients-unknown' if neither API v2 nor
 * this computer knows the recipients.
 */
export async function requirePeopleAllowed(
  ports: PeoplePorts,
  key: AgreementKey,
  actions: AgreementActions,
  only: NotificationFilter,
  signal: AbortSignal,
): Promise<void> {
  const { stores, encoding, read } = ports;
  const { connectionId, id } = key;
  const { allowed, api } = stores.connections.get(connectionId);
  if (allowed === null) return;
  if (api === 'v2') {
    const sent = stores.outbox.boundTo(connectionId, id);
    if (sent === null) throw recipientsNotShownError();
    const { body } = stores.outbox.request(sent.ref);
    return requireAllowed(stores, connectionId, reachedByBody(api, encoding.text(body)));
  }
  const remote = await read(key, signal);
  if (remote === null) throw new AppError('not-found', 'The service does not have this agreement');
  const extras = await actions.extras(id, signal);
  requireAllowed(stores, connectionId, peopleOf(remote, extras, only));
}

const recipientsNotShownError = (): AppError =>
  new AppError(
    'invalid',
    'This connection may contact only certain recipients. The agreement was not sent from this computer, and API v2 does not show who would be notified, so nothing was done',
    { reason: 'recipients-unknown' },
  );

/**
 * Returns the recipients of these notifications. A notification without recipients is sent to the
 * party's email address, and so are all notifications of a party that has none of its own (API v1,
 * "Party"). A notification that the service does not show counts as one without recipients.
 */
function peopleOf(
  remote: RemoteAgreement,
  { parties, notifications }: RemoteExtras,
  only: NotificationFilter,
): readonly ContactedRecipient[] {
  const own = new Map(parties.map((party) => [party.id, party.notifications ?? []]));
  const ofParties = (remote.parties ?? []).flatMap(({ id, email }) => {
    if (only !== null && only.partyId !== id) return [];
    const all = own.get(id) ?? [];
    const meant = only === null ? all : all.filter((one) => one.id === only.notificationId);
    const goesToEmail =
      only === null ||
      meant.length === 0 ||
      meant.some(({ recipients }) => (recipients ?? []).length === 0);
    return [
      ...(goesToEmail && email !== null ? [reachedAddress(email)] : []),
      ...recipientsOf(meant),
    ];
  });
  return only === null ? [...ofParties, ...recipientsOf(notifications ?? [])] : ofParties;
}

const reachedAddress = (address: string): ContactedRecipient => ({
  at: 'address',
  address,
  isHost: false,
});

function recipientsOf(notifications: readonly PartyNotification[]): readonly ContactedRecipient[] {
  return notifications.flatMap(({ recipients }) =>
    (recipients ?? []).map(({ medium, address }) => ({
      ...reachedAddress(address),
      isHost: medium === 'WEBHOOK',
    })),
  );
}
