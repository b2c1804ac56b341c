import { isCode } from '../../../../shared/errors.ts';
import type {
  ActionsV1,
  FreshNotification,
  NotificationPlace,
  NotificationReading,
} from '../../../core/services/ports.ts';
import { readReply, type Client } from '../http/client.ts';
import { encodeBody } from '../both/encode.ts';
import { withFreshState } from '../both/guarded.ts';
import { readV1 } from './agreements.ts';
import { readNotification } from './extras.ts';
import * as v1 from './table.ts';
import { actIfMatch, actOnce } from '../http/write.ts';

type NotificationActions = Pick<
  ActionsV1,
  'readNotification' | 'replaceRecipients' | 'silence' | 'remind'
>;

export function createNotificationActions(client: Client): NotificationActions {
  return {
    readNotification: (place, signal) => readPlace(client, place, signal),

    async replaceRecipients(place, recipients, etag, signal) {
      const body = encodeBody(recipients.map(({ medium, address }) => ({ medium, address })));
      const change = { path: pathOf(place), body, etag, signal };
      const result = await actIfMatch(client, v1.replaceRecipients, change, () => true);
      return withFreshState(result, () => readFresh(client, place, etag, signal));
    },

    async silence(place, etag, signal) {
      const change = { path: pathOf(place), body: null, etag, signal };
      const result = await actIfMatch(client, v1.deleteNotification, change, () => true);
      return withFreshState(result, () => readFresh(client, place, etag, signal));
    },

    remind: (place, signal) => {
      const change = { path: pathOf(place), body: encodeBody({}), signal };
      return actOnce(client, v1.notifyParty, change, () => null);
    },
  };
}

async function readPlace(
  client: Client,
  place: NotificationPlace,
  signal: AbortSignal,
): Promise<NotificationReading> {
  const ask = { path: pathOf(place), signal };
  const { reply, etag } = await readReply(client, v1.fetchNotification, ask);
  return { notification: readNotification(reply.data), etag };
}

/** Reads both objects again, since the API does not report which ETag was rejected. */
async function readFresh(
  client: Client,
  place: NotificationPlace,
  refused: string,
  signal: AbortSignal,
): Promise<FreshNotification> {
  const [notification, agreement] = await Promise.all([
    readPlace(client, place, signal).catch(nullWhenGone),
    readV1(client, place.id, signal),
  ]);
  const own = notification?.etag ?? null;
  return { agreement, notification, etag: own === refused ? agreement.etag : own };
}

function nullWhenGone(error: unknown): null {
  if (isCode(error, 'not-found')) return null;
  throw error;
}

function pathOf({ id, partyId, notificationId }: NotificationPlace) {
  return { id, partyId, notificationId };
}
