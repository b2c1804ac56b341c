import type { ActionRow, RemindTarget } from '../../../shared/contract/actions.ts';
import type { AgreementKey } from '../../../shared/model/ids.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Party, RemoteAgreement } from '../../../shared/model/agreement.ts';
import type { RemoteExtras } from '../../../shared/model/remote-extras.ts';
import { readNow } from '../services/fresh-copy.ts';
import type { NotificationPlace } from '../services/ports.ts';
import { aboutAgreement, onV1, requireRight, requireState } from '../services/capabilities.ts';
import type { Lease } from '../turn-ports.ts';
import type { Ended, EndPorts } from './revoke-remove.ts';
import type { ActionStore } from './ports.ts';

/** Nobody should be asked again before they had time to read the last time. */
const COOLDOWN = 3_600_000;
/** The notification that carries the link for signing (API v1, "Notification"). */
const INVITATION = 'READY_TO_SIGN';

export interface RemindPorts extends EndPorts {
  readonly stores: EndPorts['stores'] & { readonly actions: ActionStore };
}

/** Asks the service to send notifications of one agreement again; each at most once an hour. */
export async function remindOne(ports: RemindPorts, target: RemindTarget): Promise<Ended> {
  const { connectionId, id } = target;
  requireRight(ports.stores, { connectionId, id }, 'remind');
  const places = await placesOf(ports, target);
  for (const place of places) refuseSoon(ports, { connectionId, id }, place);
  let unknown: Ended | null = null;
  for (const place of places) {
    const outcome = await remindPlace(ports, { connectionId, id }, place);
    if (outcome.kind === 'unknown') unknown = { as: 'unknown', failure: outcome.failure };
  }
  return unknown ?? { as: 'done', wasAlready: false, told: null, reminded: places.length };
}

/** Who or what asks for it, where no person does. */
export interface ByRule {
  /** Its name. */
  readonly rule: string;
  /** Throws when it is not to be sent any more: time has passed since it was decided. */
  readonly requireDue: () => void;
  /** Where one desk of an office reminds for all. */
  readonly lease: Lease | null;
}

/** Asks the service once to send one notification again. */
export function remindPlace(
  ports: RemindPorts,
  key: AgreementKey,
  place: NotificationPlace,
  by: ByRule | null = null,
) {
  const { partyId, notificationId } = place;
  const about = aboutAgreement(ports.stores, key);
  const rule = by?.rule ?? null;
  return ports.actionRunner.run({
    what: { kind: 'remind', ...about, partyId, notificationId, rule },
    lease: by?.lease ?? null,
    // Read again in its turn: the same may have gone out while this waited.
    prepare: async () => {
      refuseSoon(ports, key, place);
      by?.requireDue();
      return {};
    },
    send: (actions, _from, signal) => onV1(actions).remind(place, signal),
  });
}

/**
 * What is sent again: the one that is named, or the invitations of the parties whose turn it is.
 * Throws 'conflict' when there are none.
 */
async function placesOf(ports: RemindPorts, target: RemindTarget): Promise<NotificationPlace[]> {
  const { connectionId, id, partyId, notificationId } = target;
  if (partyId !== undefined && notificationId !== undefined) {
    return [{ id, partyId, notificationId }];
  }
  const seen = await readRemindable(ports, { connectionId, id });
  const places = invitationsOf(id, seen, partyId);
  if (places.length > 0) return places;
  throw nobodyToRemind();
}

export const nobodyToRemind = (): AppError =>
  new AppError('conflict', 'Nobody whose turn it is has a notification that can be sent again', {
    reason: 'nobody-to-remind',
  });

/** An agreement as the service has it now, with its parties' notifications. */
interface Seen {
  readonly remote: RemoteAgreement;
  readonly extras: RemoteExtras;
}

/** Throws 'not-found', 'forbidden', or 'conflict' where it is in no state for it. */
export async function readRemindable(ports: RemindPorts, key: AgreementKey): Promise<Seen> {
  const { connectionId, id } = key;
  const { signal } = new AbortController();
  const remote = await readNow(ports, { connectionId, id }, signal);
  if (remote === null) throw new AppError('not-found', 'The service has no such agreement');
  requireState(ports.stores, connectionId, 'remind', remote);
  const extras = await ports.services.act(connectionId, (actions) => actions.extras(id, signal));
  return { remote, extras };
}

/** The invitations of one party, or of all, as far as it is their turn. */
export function invitationsOf(
  id: AgreementKey['id'],
  { remote, extras }: Seen,
  partyId: string | undefined,
): NotificationPlace[] {
  const isMeant = ({ id: party, state }: Party) =>
    state === 'turn' && (partyId === undefined || party === partyId);
  const meant = new Set((remote.parties ?? []).filter(isMeant).map((party) => party.id));
  return extras.parties
    .filter((party) => meant.has(party.id))
    .flatMap((party) =>
      (party.notifications ?? [])
        .filter(({ type, recipients }) => type === INVITATION && recipients?.length !== 0)
        .flatMap((one) =>
          one.id === null ? [] : [{ id, partyId: party.id, notificationId: one.id }],
        ),
    );
}

/** Throws 'limited' with the time when the same was asked for within the hour. */
function refuseSoon(
  { stores, clock }: RemindPorts,
  { connectionId, id }: AgreementKey,
  { notificationId }: NotificationPlace,
): void {
  const since = clock.now() - COOLDOWN;
  // One of unknown outcome may have gone out.
  const counts = (one: ActionRow) =>
    one.kind === 'remind' &&
    one.notificationId === notificationId &&
    (one.state === 'done' || one.state === 'unknown') &&
    one.createdAt > since;
  const last = stores.actions.list({ connectionId, agreementId: id }, since).find(counts);
  if (last === undefined) return;
  const retryAt = last.createdAt + COOLDOWN;
  const [sent, next] = [last.createdAt, retryAt].map(minuteOf);
  const message = `It was sent again at ${sent}; it can be once more after ${next}`;
  throw new AppError('limited', message, { reason: 'reminded-lately', retryAt });
}

const minuteOf = (at: number): string => `${new Date(at).toISOString().slice(0, 16)}Z`;
