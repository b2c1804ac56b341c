import { parseV2Time } from '../../../../shared/rules/time/wire-time.ts';
import type {
  ActionCapabilities,
  ActionsV2,
  RevokeReply,
  ShareDuration,
  ShareParameters,
} from '../../../core/services/ports.ts';
import { readReply, type Client } from '../http/client.ts';
import { encodeBody } from '../both/encode.ts';
import { readRaw } from '../http/raw-text.ts';
import { listV2 } from './agreements.ts';
import { readExtrasV2 } from './extras.ts';
import { selectionQuery } from './selection.ts';
import { createUploads } from './uploads.ts';
import * as v2 from './table.ts';
import { actOnce } from '../http/write.ts';

const actionCapabilitiesV2: ActionCapabilities = {
  rawForms: ['json', 'xml'],
  removable: ['rejected'],
  corrections: false,
  rejection: true,
  sharing: true,
  fieldValues: true,
  uploads: true,
};

const SHARE_END_TEXT = /^till (\d{4}-\d{2}-\d{2})$/;

/**
 * Creates the actions of API v2 on agreements, except creating, signing and downloading.
 * @param orgNo organisation number of the user's own company; null offers every company party for
 * signing
 */
export function createV2Actions(client: Client, orgNo: string | null): ActionsV2 {
  return {
    api: 'v2',
    can: actionCapabilitiesV2,
    requestCount: () => client.transport.requestCount(),
    select: (selection, signal) => listV2(client, selectionQuery(selection), orgNo, signal),

    async extras(id, signal) {
      const ask = { path: { referenceNumber: id }, signal };
      return readExtrasV2((await readReply(client, v2.getExtras, ask)).reply);
    },

    raw(id, form, signal) {
      const ask = { path: { referenceNumber: id }, signal };
      return readRaw(client, form === 'xml' ? v2.getXml : v2.getExtras, ask);
    },

    revoke: (referenceNumber, signal) => {
      const change = { path: { referenceNumber }, body: null, signal };
      return actOnce(client, v2.revokeAgreement, change, (reply) =>
        readRevoked(reply, referenceNumber),
      );
    },

    remove: (referenceNumber, signal) => {
      const change = { path: { referenceNumber }, body: null, signal };
      return actOnce(client, v2.deleteAgreement, change, (sentence) => sentence);
    },

    encodeReject: (rejection) => encodeBody(rejection),
    reject: (referenceNumber, body, signal) => {
      const change = { path: { referenceNumber }, body, signal };
      return actOnce(client, v2.rejectAgreement, change, (reply) =>
        reply.referenceNumber === referenceNumber ? null : undefined,
      );
    },

    share: (referenceNumber, sharing, signal) => {
      const change = { path: { referenceNumber }, body: encodeSharing(sharing), signal };
      return actOnce(client, v2.shareAgreement, change, (reply) =>
        reply.referenceNumber === referenceNumber ? readShared(reply.shareType ?? '') : undefined,
      );
    },

    async fieldValues(id, signal) {
      const ask = { path: { referenceNumber: id }, signal };
      const { reply } = await readReply(client, v2.listFields, ask);
      if (reply === null) return null;
      const fields = reply.fields ?? [];
      return {
        templateId: reply.dynamicPdfId ?? null,
        fields: fields.map(({ name, value }) => ({ name, value: value ?? null })),
      };
    },

    uploads: createUploads(client),
  };
}

/**
 * Reads a reply; undefined if it is about another agreement, or states that this one is not
 * revoked.
 */
function readRevoked(
  { referenceNumber, status, revokedOn }: v2.RevokedReplyV2,
  id: string,
): RevokeReply | undefined {
  const nativeState = status ?? null;
  if (referenceNumber !== id || (nativeState !== null && nativeState !== 'REVOKED')) {
    return undefined;
  }
  const revokedAt = typeof revokedOn === 'string' ? parseV2Time(revokedOn) : null;
  return { nativeState, revokedAt };
}

/**
 * Encodes a sharing (API v2, "Share Agreement"): without the number of the other type, and without
 * a date if there is no end.
 */
function encodeSharing({ with: other, email, message, until }: ShareParameters): Uint8Array {
  const { type: shareWithType, ...number } = other;
  return encodeBody({
    shareWithType,
    ...number,
    email,
    ...(message === null ? {} : { message }),
    ...(until === null ? { shareType: 'PERMANENT' } : { shareType: 'TILL_DATE', date: until }),
  });
}

/** Reads the answer, which has other words than the request for `PERMANENT` and `TILL_DATE`. */
function readShared(text: string): ShareDuration {
  if (text === 'permanent') return { kind: 'permanent' };
  const day = SHARE_END_TEXT.exec(text)?.[1];
  return day === undefined ? { kind: 'other', text } : { kind: 'until', day };
}
