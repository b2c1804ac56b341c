import type { RemindTarget } from '../../../shared/contract/actions.ts';
import type { AgreementKey } from '../../../shared/model/ids.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Party, RemoteAgreement } from '../../../shared/model/agreement.ts';
import type { PartyNotification, RemoteExtras } from '../../../shared/model/remote-extras.ts';
import { readFreshAgreement } from '../services/fresh-copy.ts';
import { allConnectionsToServiceOf } from '../services/same-service.ts';
import type { NotificationPlace } from '../services/ports.ts';
import {
  aboutAgreement,
  requireV1Actions,
  requireRight,
  requireState,
} from '../services/capabilities.ts';
import type { Lease } from '../turn-ports.ts';
import type { Stores } from '../ports.ts';
import type { TargetResult, EndPorts } from './revoke-remove.ts';
import type { ActionStore, StoredAction } from './ports.ts';
import { REMINDER_COOLDOWN_MS } from '../../../shared/rules/reminders/judge.ts';

/** Notification with the signing link (API v1, "Notification"). */
const INVITATION_TYPE = 'READY_TO_SIGN';

export interface RemindPorts extends EndPorts {
  readonly stores: EndPorts['stores'] & { readonly actions: ActionStore } & Pick<
      Stores,
      'people' | 'transaction'
    >;
}

/** A notification and its addresses and numbers, sorted, in lower case. */
export interface RemindedNotification extends NotificationPlace {
  /**
   * Sorted addresses and numbers of the notification; empty if the service does not report them.
   */
  readonly to: readonly string[];
}

/**
 * Asks the service to resend notifications of one agreement; each at most once an hour per address.
 */
export async function remindOne(ports: RemindPorts, target: RemindTarget): Promise<TargetResult> {
  const { connectionId, id } = target;
  requireRight(ports.stores, { connectionId, id }, 'remind');
  const places = await notificationsToResend(ports, target);
  for (const place of places) rejectRepeatedReminder(ports, { connectionId, id }, place);
  let unknown: TargetResult | null = null;
  for (const place of places) {
    const outcome = await resendNotification(ports, { connectionId, id }, place);
    if (outcome.kind === 'unknown') unknown = { as: 'unknown', failure: outcome.failure };
  }
  return unknown ?? { as: 'done', wasAlready: false, told: null, reminded: places.length };
}

/** Origin of a reminder that no user requested. */
export interface ReminderOrigin {
  readonly rule: string;
  /** Throws if the reminder is no longer due: time has passed since the decision. */
  readonly requireDue: () => void;
  /** Lease of the task if one computer of an office sends the reminders of all; otherwise null. */
  readonly lease: Lease | null;
}

/** Asks the service once to resend one notification. */
export function resendNotification(
  ports: RemindPorts,
  key: AgreementKey,
  { to, ...place }: RemindedNotification,
  by: ReminderOrigin | null = null,
) {
  const { partyId, notificationId } = place;
  const about = aboutAgreement(ports.stores, key);
  const rule = by?.rule ?? null;
  return ports.actionRunner.run({
    what: { kind: 'remind', ...about, partyId, notificationId, rule, goal: { to } },
    lease: by?.lease ?? null,
    // Checked again when the action's turn comes: the same notification may have been sent while
    // the action waited.
    prepare: async () => {
      rejectRepeatedReminder(ports, key, { ...place, to });
      by?.requireDue();
      return {};
    },
    send: (actions, _from, signal) => requireV1Actions(actions).remind(place, signal),
  });
}

/**
 * Returns the notifications to resend: the named one, or the invitations of the parties whose turn
 * it is. Throws 'conflict' if there are none.
 */
async function notificationsToResend(
  ports: RemindPorts,
  target: RemindTarget,
): Promise<RemindedNotification[]> {
  const { connectionId, id, partyId, notificationId } = target;
  if (partyId !== undefined && notificationId !== undefined) {
    const place = { id, partyId, notificationId };
    const { signal } = new AbortController();
    const { notification } = await ports.services.act(connectionId, (actions) =>
      requireV1Actions(actions).readNotification(place, signal),
    );
    return [{ ...place, to: addressesOf(notification, null) }];
  }
  const seen = await readRemindable(ports, { connectionId, id });
  const places = invitationsOf(id, seen, partyId);
  if (places.length > 0) return places;
  throw nobodyToRemindError();
}

export const nobodyToRemindError = (): AppError =>
  new AppError(
    'conflict',
    'The parties whose turn it is have no notification that can be sent again',
    { reason: 'nobody-to-remind' },
  );

/** Current agreement at the service, with its parties' notifications. */
interface RemindableAgreement {
  readonly remote: RemoteAgreement;
  readonly extras: RemoteExtras;
}

/**
 * Reads an agreement with its notifications. Throws 'not-found', 'forbidden', or 'conflict' if its
 * state does not allow a reminder.
 */
export async function readRemindable(
  ports: RemindPorts,
  key: AgreementKey,
): Promise<RemindableAgreement> {
  const { connectionId, id } = key;
  const { signal } = new AbortController();
  const remote = await readFreshAgreement(ports, { connectionId, id }, signal);
  if (remote === null) throw new AppError('not-found', 'The service does not have this agreement');
  requireState(ports.stores, connectionId, 'remind', remote);
  const extras = await ports.services.act(connectionId, (actions) => actions.extras(id, signal));
  return { remote, extras };
}

/** Returns the invitations of one party, or of all parties, whose turn it is. */
export function invitationsOf(
  id: AgreementKey['id'],
  { remote, extras }: RemindableAgreement,
  partyId: string | undefined,
): RemindedNotification[] {
  const isMeant = ({ id: party, state }: Party) =>
    state === 'turn' && (partyId === undefined || party === partyId);
  const meant = new Map((remote.parties ?? []).filter(isMeant).map((one) => [one.id, one]));
  return extras.parties.flatMap((party) => {
    const known = meant.get(party.id);
    if (known === undefined) return [];
    return (party.notifications ?? [])
      .filter(({ type, recipients }) => type === INVITATION_TYPE && recipients?.length !== 0)
      .flatMap((one): RemindedNotification[] =>
        one.id === null
          ? []
          : [{ id, partyId: party.id, notificationId: one.id, to: addressesOf(one, known) }],
      );
  });
}

/**
 * Returns the recipients of the notification; if there are none, the addresses of its party (API
 * v1, "Notification").
 */
function addressesOf(
  { recipients }: Pick<PartyNotification, 'recipients'>,
  party: Pick<Party, 'email' | 'mobile'> | null,
): readonly string[] {
  const all = recipients?.map(({ address }) => address) ?? [party?.email, party?.mobile];
  const known = all.flatMap((one) => one?.toLowerCase() ?? []);
  return [...new Set(known)].toSorted();
}

/**
 * Throws 'limited' with the retry time if the same notification was requested for the same
 * addresses within the hour.
 */
function rejectRepeatedReminder(
  { stores, clock }: RemindPorts,
  { connectionId, id }: AgreementKey,
  { notificationId, to }: RemindedNotification,
): void {
  const since = clock.now() - REMINDER_COOLDOWN_MS;
  // A reminder without recorded addresses counts for every address.
  const wentTo = ({ goal }: StoredAction) => goal?.to ?? [];
  const isSame = (one: StoredAction) =>
    wentTo(one).length === 0 || to.every((address) => wentTo(one).includes(address));
  // A reminder of unknown outcome may have been sent.
  const counts = (one: StoredAction) =>
    one.kind === 'remind' &&
    one.notificationId === notificationId &&
    (one.state === 'done' || one.state === 'unknown') &&
    one.createdAt > since &&
    isSame(one);
  // The limit is per agreement, across all connections to its service.
  const last = allConnectionsToServiceOf(stores, connectionId)
    .flatMap((one) => stores.actions.list({ connectionId: one, agreementId: id }, since))
    .filter(counts)
    .toSorted((one, other) => other.createdAt - one.createdAt)[0];
  if (last === undefined) return;
  const retryAt = last.createdAt + REMINDER_COOLDOWN_MS;
  const [sent, next] = [last.createdAt, retryAt].map(minuteText);
  const message = `The notification was sent again at ${sent}. It can be sent again after ${next}`;
  throw new AppError('limited', message, { reason: 'reminded-lately', retryAt });
}

const minuteText = (at: number): string => `${new Date(at).toISOString().slice(0, 16)}Z`;
