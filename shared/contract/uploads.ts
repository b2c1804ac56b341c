import * as z from 'zod';
import { Failure } from '../errors.ts';
import { call } from './call.ts';
import { ActionId, BytesId, ConnectionId, Instant } from '../model/ids.ts';

/** A file that waits on the service for the create request that uses it (API v2). */
export const UploadedFile = z.object({
  token: z.string(),
  /** File name on the service, which may differ from the name of the uploaded file. */
  fileName: z.string(),
  /**
   * Time of the upload: the service's own text, which has no time zone, and the instant derived
   * from it (`createdAt`).
   */
  createdOn: z.string().nullable(),
  createdAt: Instant.nullable(),
  deletedOn: z.string().nullable(),
});
export type UploadedFile = z.infer<typeof UploadedFile>;

/**
 * An uploaded file in the list. An orphan belongs to no draft of this computer, including drafts
 * that are being sent.
 */
export const ListedUpload = UploadedFile.extend({ isOrphan: z.boolean() });
export type ListedUpload = z.infer<typeof ListedUpload>;

const UploadName = z.object({ connectionId: ConnectionId, token: z.string().min(1).max(200) });

const UnknownUploadOutcome = z.object({
  outcome: z.literal('unknown'),
  actionId: ActionId,
  failure: Failure,
});

export const uploadCalls = {
  'uploads.list': call(
    z.object({ connectionId: ConnectionId }),
    z.object({ files: z.array(ListedUpload), total: z.number().int() }),
  ),
  'uploads.add': call(
    z.object({ connectionId: ConnectionId, name: z.string().min(1).max(255), bytes: BytesId }),
    z.discriminatedUnion('outcome', [
      z.object({ outcome: z.literal('done'), actionId: ActionId, file: UploadedFile }),
      UnknownUploadOutcome,
    ]),
  ),
  /**
   * Returns an uploaded file; null if it was used, deleted or expired. Throws 'not-found' for an
   * unknown token.
   */
  'uploads.show': call(UploadName, UploadedFile.nullable()),
  'uploads.remove': call(
    UploadName,
    z.discriminatedUnion('outcome', [
      z.object({ outcome: z.literal('done'), actionId: ActionId, wasAlready: z.boolean() }),
      UnknownUploadOutcome,
    ]),
  ),
} as const;
