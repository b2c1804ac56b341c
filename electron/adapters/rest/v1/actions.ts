import { AppError } from '../../../../shared/errors.ts';
import { parseV1Time, formatV1Time } from '../../../../shared/rules/time/wire-time.ts';
import type {
  ActionCapabilities,
  ActionsV1,
  NewDeadlines,
  RevokeReply,
} from '../../../core/services/ports.ts';
import { readReply, type Client } from '../http/client.ts';
import { encodeBody } from '../both/encode.ts';
import { withFreshState } from '../both/guarded.ts';
import { readRaw } from '../http/raw-text.ts';
import { listV1, readV1 } from './agreements.ts';
import { readExtrasV1 } from './extras.ts';
import { createNotificationActions } from './notifications.ts';
import { selectionFilter } from './selection.ts';
import * as v1 from './table.ts';
import { actIfMatch, actOnce } from '../http/write.ts';

const actionCapabilitiesV1: ActionCapabilities = {
  rawForms: ['json'],
  removable: null,
  corrections: true,
  rejection: false,
  sharing: false,
  fieldValues: false,
  uploads: false,
};

/** Actions of API v1 on agreements, except creating, signing and downloading. */
export function createV1Actions(client: Client): ActionsV1 {
  return {
    api: 'v1',
    can: actionCapabilitiesV1,
    requestCount: () => client.transport.requestCount(),
    select: (selection, signal) => listV1(client, selectionFilter(selection), signal),

    async extras(id, signal) {
      const ask = { path: { id }, query: v1.INCLUDE_EXTRAS, signal };
      const { reply, etag } = await readReply(client, v1.fetchExtras, ask);
      return readExtrasV1(reply.data, etag);
    },

    raw(id, form, signal) {
      const ask = { path: { id }, query: v1.INCLUDE_EXTRAS, signal };
      if (form === 'json') return readRaw(client, v1.fetchExtras, ask);
      return Promise.reject(new AppError('invalid', 'API v1 answers in JSON only'));
    },

    async signingLink(id, partyId, signal) {
      const ask = { path: { id }, query: v1.INCLUDE_SIGNING_LINKS, signal };
      const { data } = (await readReply(client, v1.fetchSigningLinks, ask)).reply;
      const links = data.parties.find((party) => party.id === partyId)?.links ?? [];
      const link = links.find(({ type }) => type === 'WEBFLOW_SIGNING');
      if (link !== undefined) return link.href;
      throw new AppError('not-found', 'The service gives no signing link for this party');
    },

    revoke: (id, signal) =>
      actOnce(client, v1.revokeAgreement, { path: { id }, body: null, signal }, (reply) =>
        readRevoked(reply, id),
      ),

    remove: (id, signal) =>
      actOnce(client, v1.deleteAgreement, { path: { id }, body: null, signal }, () => null),

    async change(id, deadlines, etag, signal) {
      const change = { path: { id }, body: encodeDeadlines(deadlines), etag, signal };
      const result = await actIfMatch(client, v1.updateAgreement, change, ({ data }) =>
        isSameId(data.id, id),
      );
      return withFreshState(result, () => readV1(client, id, signal));
    },

    async correctEmail({ id, partyId }, address, etag, signal) {
      const change = { path: { id, partyId }, body: encodeBody({ address }), etag, signal };
      const result = await actIfMatch(client, v1.updateEmail, change, () => true);
      return withFreshState(result, () => readV1(client, id, signal));
    },

    ...createNotificationActions(client),
  };
}

/**
 * Reads a reply; undefined if it is about another agreement, or states that this one is not
 * revoked.
 */
function readRevoked({ data }: v1.RevokedReplyV1, id: string): RevokeReply | undefined {
  const nativeState = data.state ?? null;
  if (!isSameId(data.id, id) || (nativeState !== null && nativeState !== 'REVOKED')) {
    return undefined;
  }
  const revokedOn = data.revokedOn ?? null;
  return { nativeState, revokedAt: revokedOn === null ? null : parseV1Time(revokedOn) };
}

/**
 * Encodes new deadlines.
 * @throws AppError 'invalid' if nothing would change
 */
function encodeDeadlines({ expiresAt, deletesAt }: NewDeadlines): Uint8Array {
  if (expiresAt === undefined && deletesAt === undefined) {
    throw new AppError('invalid', 'Give the new expiry date or deletion date of the agreement');
  }
  return encodeBody({
    ...(expiresAt === undefined ? {} : { expireOn: formatV1Time(expiresAt) }),
    ...(deletesAt === undefined ? {} : { deleteOn: formatV1Time(deletesAt) }),
  });
}

/** Whether two IDs are equal; UUIDs ignore case (RFC 4122). */
function isSameId(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
