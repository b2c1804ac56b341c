import type {
  ChangeOutcome,
  CorrectionOutcome,
  NotificationOutcome,
  Notice,
} from '../../../shared/contract/actions.ts';
import type { AgreementKey } from '../../../shared/model/ids.ts';
import type { HandlersOf } from '../../../shared/contract/index.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Party, RemoteAgreement } from '../../../shared/model/agreement.ts';
import { requireAddress, requireDeadlines, requireRecipients } from './checks.ts';
import type { ActionRequest, ActionOutcome, ChangedResult } from './runner.ts';
import type { ActionsV1, FreshNotification, NotificationPlace } from '../services/ports.ts';
import { isKnown, keepCopy, readFreshAgreement } from '../services/fresh-copy.ts';
import {
  aboutAgreement,
  requireV1Actions,
  requireAction,
  requireRight,
} from '../services/capabilities.ts';
import { correctAddress } from '../people/correct.ts';
import { type RemindPorts, remindOne } from './remind.ts';
import type { TargetResult } from './revoke-remove.ts';

type Handlers = HandlersOf<'actions'>;
type ActionsOfV1 = Pick<
  Handlers,
  | 'actions.change'
  | 'actions.correctEmail'
  | 'actions.notification'
  | 'actions.replaceRecipients'
  | 'actions.silence'
  | 'actions.signingLink'
>;

interface WithEtag {
  readonly etag: string;
}
type ActionV1Request<Fresh> = ActionRequest<WithEtag, null, ChangedResult<Fresh>>;
type ActionV1Outcome<Fresh> = ActionOutcome<null> | ChangedResult<Fresh>;

/** Creates the handlers for changes to a sent agreement in API v1. */
export function createActionsV1(ports: RemindPorts): ActionsOfV1 {
  const { stores, services, actionRunner } = ports;
  const { signal } = new AbortController();
  return {
    'actions.change': async (input) =>
      toChangeOutcome(ports, input.key, await changeDeadlines(ports, input)),
    'actions.correctEmail': (input) => correctEmail(ports, input),
    'actions.notification': async ({ key, partyId, notificationId }) => {
      requireRight(stores, key, 'replaceRecipients');
      const place = { id: key.id, partyId, notificationId };
      return services.act(key.connectionId, (actions) =>
        requireV1Actions(actions).readNotification(place, signal),
      );
    },
    'actions.replaceRecipients': async ({ key, etag, recipients, nobody, ...at }) => {
      if (recipients.length === 0 && !nobody) {
        const sentence =
          'Without recipients, this notification reaches no one. Confirm that the list of recipients is empty';
        throw new AppError('invalid', sentence, { fields: { nobody: sentence } });
      }
      const wanted = requireRecipients(recipients);
      const place = { id: key.id, ...at };
      const goal = { recipients: [...wanted] };
      const order = notificationActionRequest(
        ports,
        'replace-recipients',
        key,
        place,
        etag,
        goal,
        (actions, from, ends) => actions.replaceRecipients(place, wanted, from.etag, ends),
      );
      const names = wanted.map(({ address }) => address);
      const outcome = await actionRunner.runGuarded({ ...order, names });
      return toNotificationOutcome(ports, key, outcome);
    },
    'actions.silence': async ({ key, etag, ...at }) => {
      const place = { id: key.id, ...at };
      const outcome = await actionRunner.runGuarded(
        notificationActionRequest(ports, 'silence', key, place, etag, null, (actions, from, ends) =>
          actions.silence(place, from.etag, ends),
        ),
      );
      return toNotificationOutcome(ports, key, outcome);
    },
    'actions.signingLink': async ({ key, partyId }) => {
      requireAction(stores, key.connectionId, 'signingLink');
      const link = await services.act(key.connectionId, (actions) =>
        requireV1Actions(actions).signingLink(key.id, partyId, signal),
      );
      return { link };
    },
  };
}

function changeDeadlines(
  ports: RemindPorts,
  { key, expiresAt, deletesAt, etag }: Parameters<Handlers['actions.change']>[0],
): Promise<ActionV1Outcome<RemoteAgreement>> {
  requireRight(ports.stores, key, 'change');
  if (expiresAt === undefined && deletesAt === undefined) {
    throw new AppError('invalid', 'Give the new expiry date or deletion date of the agreement');
  }
  const deadlines = {
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(deletesAt === undefined ? {} : { deletesAt }),
  };
  requireDeadlines(ports.stores, key, deadlines, ports.clock.now());
  const order: ActionV1Request<RemoteAgreement> = {
    what: { kind: 'change', ...aboutAgreement(ports.stores, key), goal: deadlines },
    prepare: async (actions, signal, follow) =>
      resolveEtag(requireV1Actions(actions), key, etag, follow, signal),
    send: (actions, from, signal) =>
      requireV1Actions(actions).change(key.id, deadlines, from.etag, signal),
  };
  return ports.actionRunner.runGuarded(order);
}

/**
 * Sets the signing deadline of one agreement of several. Throws 'conflict' if it changed at that
 * moment.
 */
export async function setExpiry(
  ports: RemindPorts,
  key: AgreementKey,
  expiresAt: number,
): Promise<TargetResult> {
  const outcome = toChangeOutcome(ports, key, await changeDeadlines(ports, { key, expiresAt }));
  if (outcome.outcome === 'unknown') return { as: 'unknown', failure: outcome.failure };
  if (outcome.outcome === 'done') return { as: 'done', wasAlready: false, told: null, reminded: 0 };
  throw new AppError(
    'conflict',
    'The agreement was changed on the service in the meantime, so nothing was done',
  );
}

/**
 * Corrects an address, then notifies the party: one action whose second half can fail alone. With
 * `from`, the party must still have that address, because the user decided on the basis of a local
 * copy. Throws 'conflict'.
 */
export async function correctEmail(
  ports: RemindPorts,
  input: Parameters<Handlers['actions.correctEmail']>[0],
  from?: string | null,
): Promise<CorrectionOutcome> {
  const { key, partyId, notify, etag } = input;
  requireRight(ports.stores, key, 'correctEmail');
  const address = requireAddress(input.address);
  const subject = aboutAgreement(ports.stores, key);
  const order: ActionV1Request<RemoteAgreement> = {
    what: { kind: 'correct-email', ...subject, partyId, goal: { address } },
    names: [address],
    prepare: async (actions, signal, follow) => {
      const start = await resolveEtag(requireV1Actions(actions), key, etag, follow, signal);
      // Read after the ETag: any change in between makes the ETag stale.
      if (from !== undefined) await requireOldAddress(ports, key, partyId, from, signal);
      return start;
    },
    send: (actions, from, signal) =>
      requireV1Actions(actions).correctEmail({ id: key.id, partyId }, address, from.etag, signal),
  };
  const before = knownPartyOf(ports, key, partyId);
  const outcome = toChangeOutcome(ports, key, await ports.actionRunner.runGuarded(order));
  if (outcome.outcome !== 'done') return outcome;
  const old = from ?? before?.email ?? null;
  if (before !== null && old !== null) {
    const { name, kind } = before;
    const inBook = kind === 'person' ? kind : 'company';
    correctAddress(ports, { kind: inBook, name, from: old, to: address });
  }
  return {
    ...outcome,
    notice: notify ? await resendInvitations(ports, key, partyId) : notAskedNotice,
  };
}

/** Returns the party in the local copy. */
function knownPartyOf({ stores }: RemindPorts, key: AgreementKey, partyId: string): Party | null {
  if (!isKnown(stores.agreements, key)) return null;
  const { parties } = stores.agreements.details(key);
  return parties?.find(({ id }) => id === partyId) ?? null;
}

async function requireOldAddress(
  ports: RemindPorts,
  key: AgreementKey,
  partyId: string,
  from: string | null,
  signal: AbortSignal,
): Promise<void> {
  const remote = await readFreshAgreement(ports, key, signal);
  const email = remote?.parties?.find(({ id }) => id === partyId)?.email ?? null;
  if (remote !== null && email === from) return;
  throw new AppError('conflict', 'The party has a different address now, so it was not corrected');
}

const notAskedNotice: Notice = { state: 'not-asked', failure: null };

/** Second half of a correction: resends the party's invitations if it is its turn. */
export async function resendInvitations(
  ports: RemindPorts,
  key: AgreementKey,
  partyId: string,
): Promise<Notice> {
  try {
    const ended = await remindOne(ports, { ...key, partyId });
    if (ended.as === 'unknown') return { state: 'unknown', failure: ended.failure };
    return { state: 'reminded', failure: null };
  } catch (error) {
    const failure = ports.toFailure(error, 'actions.correctEmail');
    return { state: failure.reason === 'nobody-to-remind' ? 'nobody' : 'failed', failure };
  }
}

function notificationActionRequest(
  { stores }: RemindPorts,
  kind: 'replace-recipients' | 'silence',
  key: AgreementKey,
  place: NotificationPlace,
  etag: string | undefined,
  goal: NonNullable<ActionV1Request<FreshNotification>['what']['goal']> | null,
  send: (
    actions: ActionsV1,
    from: WithEtag,
    signal: AbortSignal,
  ) => ReturnType<ActionV1Request<FreshNotification>['send']>,
): ActionV1Request<FreshNotification> {
  const name = kind === 'silence' ? 'silence' : 'replaceRecipients';
  requireRight(stores, key, name);
  const { partyId, notificationId } = place;
  return {
    what: { kind, ...aboutAgreement(stores, key), partyId, notificationId, goal },
    prepare: async (actions, signal, follow) => {
      if (etag !== undefined) return { etag: follow(etag) };
      return requireEtag((await requireV1Actions(actions).readNotification(place, signal)).etag);
    },
    send: (actions, from, signal) => send(requireV1Actions(actions), from, signal),
  };
}

async function resolveEtag(
  actions: ActionsV1,
  { id }: AgreementKey,
  etag: string | undefined,
  follow: (etag: string) => string,
  signal: AbortSignal,
): Promise<WithEtag> {
  if (etag !== undefined) return { etag: follow(etag) };
  return requireEtag((await actions.extras(id, signal)).etag);
}

function requireEtag(etag: string | null): WithEtag {
  if (etag !== null) return { etag };
  const message =
    'The service sent no version (ETag) of the agreement. Nothing was changed, because a change of someone else could be lost';
  throw new AppError('service', message, { reason: 'answer-mismatch' });
}

/** Saves the newer version that was read, so that the copy and the window show the same. */
function toChangeOutcome(
  ports: RemindPorts,
  key: AgreementKey,
  outcome: ActionV1Outcome<RemoteAgreement>,
): ChangeOutcome {
  switch (outcome.kind) {
    case 'done':
      return { outcome: 'done', actionId: outcome.actionId, etag: outcome.etag };
    case 'unknown':
      return { outcome: 'unknown', actionId: outcome.actionId, failure: outcome.failure };
    case 'changed': {
      const { fresh } = outcome;
      if (!fresh.ok) return { outcome: 'changed', fresh: null, etag: null };
      return {
        outcome: 'changed',
        fresh: keepFreshAgreement(ports, key, fresh.value),
        etag: fresh.value.etag,
      };
    }
  }
}

function toNotificationOutcome(
  ports: RemindPorts,
  key: AgreementKey,
  outcome: ActionV1Outcome<FreshNotification>,
): NotificationOutcome {
  if (outcome.kind !== 'changed') {
    const { actionId } = outcome;
    return outcome.kind === 'done'
      ? { outcome: 'done', actionId, etag: outcome.etag }
      : { outcome: 'unknown', actionId, failure: outcome.failure };
  }
  const { fresh } = outcome;
  if (!fresh.ok) return { outcome: 'changed', fresh: null, notification: null, etag: null };
  const { agreement, notification, etag } = fresh.value;
  return {
    outcome: 'changed',
    fresh: keepFreshAgreement(ports, key, agreement),
    notification: notification?.notification ?? null,
    etag,
  };
}

function keepFreshAgreement(ports: RemindPorts, key: AgreementKey, remote: RemoteAgreement) {
  const { stores, emit } = ports;
  const { connectionId } = key;
  keepCopy(ports, connectionId, remote);
  emit('agreements.changed', { connectionId, added: 0, changed: 1 });
  return stores.agreements.details(key);
}
