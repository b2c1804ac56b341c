import * as z from 'zod';
import { Failure } from '../errors.ts';
import { call } from './call.ts';
import { ActionId, BytesId, ConnectionId, Instant } from '../model/ids.ts';

/** A file that waits on the service for the create that uses it up (API v2). */
export const UploadedFile = z.object({
  token: z.string(),
  /** As the service has it, which may differ from what was sent. */
  fileName: z.string(),
  /** The service's own text, whose zone it does not tell, and the instant taken from it. */
  createdOn: z.string().nullable(),
  createdAt: Instant.nullable(),
  deletedOn: z.string().nullable(),
});
export type UploadedFile = z.infer<typeof UploadedFile>;

/** An orphan is named by no draft of this computer; one that is being sent is still a draft. */
export const ListedUpload = UploadedFile.extend({ isOrphan: z.boolean() });
export type ListedUpload = z.infer<typeof ListedUpload>;

const UploadName = z.object({ connectionId: ConnectionId, token: z.string().min(1).max(200) });

const Unknown = z.object({
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
      Unknown,
    ]),
  ),
  /** Null when it was used, deleted, or waited too long. Throws 'not-found' for no such token. */
  'uploads.show': call(UploadName, UploadedFile.nullable()),
  'uploads.remove': call(
    UploadName,
    z.discriminatedUnion('outcome', [
      z.object({ outcome: z.literal('done'), actionId: ActionId, wasAlready: z.boolean() }),
      Unknown,
    ]),
  ),
} as const;
