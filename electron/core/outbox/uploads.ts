import type { OutboxRef } from '../../../shared/model/ids.ts';
import type { Emit } from '../../../shared/contract/index.ts';
import type { UploadedFile } from '../../../shared/contract/uploads.ts';
import { AppError, type ErrorCode, isConnectionRejected } from '../../../shared/errors.ts';
import type { ToFailure } from '../../../shared/wire.ts';
import { orNull } from '../app-error.ts';
import type { ActionResult } from '../services/ports.ts';
import { requireV2Actions } from '../services/capabilities.ts';
import type { OutboxTransitions } from './transitions.ts';
import type { OutboxUpload, StoredItem } from './ports.ts';
import type { Stores, PreUpload, WriteResult } from '../ports.ts';
import type { Services } from '../services/services.ts';

interface UploadPorts {
  readonly stores: Pick<Stores, 'outbox'>;
  readonly transitions: OutboxTransitions;
  readonly services: Services;
  readonly emit: Emit;
  readonly toFailure: ToFailure;
}

/** Reason why a request is still incomplete. */
export type UploadObstacle =
  | Exclude<WriteResult, { readonly kind: 'done' }>
  /** The program is closing, or the row was returned to drafts in the meantime. */
  | { readonly kind: 'stopped' };

/**
 * Error codes of a query about an uploaded file that mean that the service no longer has the file.
 * The query changes nothing on the service, regardless of its outcome.
 */
const GONE_CODES: readonly ErrorCode[] = ['not-found', 'forbidden'];

/**
 * Uploads the files that a waiting create request refers to by token, and completes the request.
 * Returns null on success. A file that is uploaded twice does no harm, because the service ignores
 * unused files.
 */
export async function uploadOutboxFiles(
  ports: UploadPorts,
  { complete }: PreUpload,
  item: StoredItem,
  signal: AbortSignal,
  isClosed: () => boolean,
): Promise<UploadObstacle | null> {
  const { outbox } = ports.stores;
  const { ref } = item;
  ports.transitions.postpone(ref, item.nextAt, { cause: 'upload', reason: null });
  for (const upload of outbox.uploads(ref)) {
    if (isClosed() || outbox.get(ref).state !== 'queued') return { kind: 'stopped' };
    const notUploaded = await uploadOutboxFile(ports, item, upload, signal);
    if (notUploaded !== null) return notUploaded;
  }
  if (isClosed()) return { kind: 'stopped' };
  const tokens = outbox.uploads(ref).flatMap(({ token }) => token ?? []);
  const isWhole = outbox.complete(ref, complete(outbox.request(ref).body, tokens));
  return isWhole ? null : { kind: 'stopped' };
}

/** Uploads one file. Returns null once the service has the file and its token is on disk. */
async function uploadOutboxFile(
  ports: UploadPorts,
  item: StoredItem,
  { place, name, token }: OutboxUpload,
  signal: AbortSignal,
): Promise<UploadObstacle | null> {
  const { outbox } = ports.stores;
  const { ref } = item;
  if (token !== null) {
    const waits = await stillWaits(ports, item, token, signal);
    if (waits === true) return null;
    if (waits !== false) return waits;
    recordToken(ports, ref, place, null);
  }
  const result = await addFile(ports, item, name, outbox.uploadData(ref, place), signal);
  if (result.kind !== 'done') return result;
  recordToken(ports, ref, place, result.reply.token);
  return null;
}

async function addFile(
  { services, toFailure }: UploadPorts,
  { connectionId }: StoredItem,
  name: string,
  data: Uint8Array,
  signal: AbortSignal,
): Promise<ActionResult<UploadedFile>> {
  try {
    return await services.act(connectionId, (actions) =>
      requireV2Actions(actions).uploads.add(name, data, signal),
    );
  } catch (error) {
    return { kind: 'unknown', failure: toFailure(error, 'outbox.run') };
  }
}

/**
 * Whether an uploaded file of an earlier attempt still exists. The service removes old files.
 * Returns the obstacle if the service could not be queried.
 */
async function stillWaits(
  { services, toFailure }: UploadPorts,
  { connectionId }: StoredItem,
  token: string,
  signal: AbortSignal,
): Promise<boolean | UploadObstacle> {
  try {
    const found = await services.act(connectionId, (actions) =>
      requireV2Actions(actions).uploads.show(token, signal),
    );
    return found !== null;
  } catch (error) {
    const failure = toFailure(error, 'outbox.run');
    if (GONE_CODES.includes(failure.code)) return false;
    return { kind: isConnectionRejected(failure) ? 'turned-away' : 'not-sent', failure };
  }
}

/**
 * Whether a file uploaded for the row's create request is still unused. If so, the request used no
 * file, and nothing has been created so far (API v2, "File upload for attachments").
 */
export async function isUnused(
  { stores, services }: { readonly stores: Stores; readonly services: Services },
  item: StoredItem,
): Promise<boolean> {
  const { signal } = new AbortController();
  for (const token of tokensOf(stores, item)) {
    try {
      const found = await services.act(item.connectionId, (actions) =>
        requireV2Actions(actions).uploads.show(token, signal),
      );
      if (found !== null) return true;
    } catch (error) {
      if (!(error instanceof AppError) || !GONE_CODES.includes(error.failure.code)) throw error;
    }
  }
  return false;
}

/** Returns the tokens of the row's own files and of files whose tokens are in the draft. */
function tokensOf({ outbox, drafts }: Stores, { ref, draftId }: StoredItem): readonly string[] {
  const own = outbox.uploads(ref).flatMap(({ token }) => token ?? []);
  const draft = draftId === null ? null : orNull(() => drafts.get(draftId));
  const content = draft?.content;
  if (content?.api !== 'v2' || content.body.type !== 'ATTACHED') return own;
  const given = content.body.attachments?.flatMap(({ file, token }) =>
    file === undefined && token !== undefined ? token : [],
  );
  return [...own, ...(given ?? [])];
}

function recordToken(
  { stores, emit }: UploadPorts,
  ref: OutboxRef,
  place: number,
  token: string | null,
): void {
  stores.outbox.setToken(ref, place, token);
  emit('outbox.changed', { ref });
}
