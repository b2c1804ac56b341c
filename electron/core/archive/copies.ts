import type { Agreement } from '../../../shared/contract/agreements.ts';
import type { ArchiveFinding, ArchiveRun } from '../../../shared/contract/archive.ts';
import type { AgreementKey } from '../../../shared/model/ids.ts';
import { assertWholePdf } from '../../../shared/rules/files/pdf-shape.ts';
import { isAbort } from '../app-error.ts';
import { AppError, isCode } from '../../../shared/errors.ts';
import { agreementKeyText } from './choice.ts';
import type { ArchivedPdf, StoredArchiveItem } from './ports.ts';
import type { Clock, Files, Stores, WrittenFile } from '../ports.ts';

export interface CopyPorts {
  readonly stores: Pick<Stores, 'archive'>;
  readonly files: Files;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Returns the recorded signed PDFs of an agreement in all archive folders, each file once. A copy
 * with other content than the newest one is excluded: it must not replace it.
 */
export function recordedCopies(
  { archive }: Pick<Stores, 'archive'>,
  key: AgreementKey,
): readonly ArchivedPdf[] {
  const placed = archive.heldFolders().flatMap((folder) => archive.placed(folder, key) ?? []);
  const newest = archive.saved(key);
  const all = newest === null ? placed : [newest, ...placed];
  const same = all.filter(({ sha256 }) => newest === null || sha256 === newest.sha256);
  return [...new Map(same.map((one) => [one.file, one])).values()];
}

/** Condition of a copy; null if the file cannot be read now. */
async function conditionOf(
  files: Files,
  { file, sha256 }: Pick<ArchivedPdf, 'file' | 'sha256'>,
): Promise<ArchiveFinding | null> {
  try {
    const hash = await files.hash(file);
    if (hash === null) return 'missing';
    return hash === sha256 ? 'intact' : 'changed';
  } catch {
    return null;
  }
}

/** Records that a copy is missing or changed, so that it no longer counts as safe. */
function noteDamage(
  { stores: { archive }, files, clock }: CopyPorts,
  key: AgreementKey,
  { file }: Pick<ArchivedPdf, 'file'>,
  finding: ArchiveFinding,
): void {
  const { connectionId, id } = key;
  const noted = [{ key: { connectionId, id }, file, finding }];
  const holders = archive
    .heldFolders()
    .filter((folder) => archive.placed(folder, key)?.file === file);
  // A file that is recorded for no folder is recorded for the agreement only.
  const folders = holders.length > 0 ? holders : [files.folderOf(file)];
  for (const folder of folders) archive.noteFindings(folder, noted, clock.now());
}

/** See `archive.copy`. Records which copies are missing or changed. */
export async function findIntactCopy(
  ports: CopyPorts,
  key: AgreementKey,
): Promise<{ readonly file: string; readonly isIntact: boolean } | null> {
  const copies = recordedCopies(ports.stores, key);
  for (const copy of copies) {
    const condition = await conditionOf(ports.files, copy);
    if (condition === 'intact') return { file: copy.file, isIntact: true };
    if (condition !== null) noteDamage(ports, key, copy, condition);
  }
  const [newest] = copies;
  return newest === undefined ? null : { file: newest.file, isIntact: false };
}

/**
 * Returns the error of an agreement that can no longer be downloaded and has no intact copy: it
 * names the file that was saved last, and its condition. Null if no file is recorded.
 */
export async function lostCopyError(
  { stores, files }: Pick<CopyPorts, 'stores' | 'files'>,
  key: AgreementKey,
  cause: unknown,
): Promise<AppError | null> {
  const [newest] = recordedCopies(stores, key);
  if (newest === undefined) return null;
  const { file } = newest;
  switch (await conditionOf(files, newest)) {
    case 'missing':
      return new AppError('not-found', LOST_MESSAGES.missing, {
        reason: 'copy-missing',
        file,
        cause,
      });
    case 'changed':
      return new AppError('not-found', LOST_MESSAGES.changed, {
        reason: 'copy-changed',
        file,
        cause,
      });
    case 'intact':
    case null:
      return new AppError('not-found', LOST_MESSAGES.unreadable, { file, cause });
  }
}

/** Messages without the name of the file, which may contain names of people. */
const LOST_MESSAGES = {
  missing: 'The file is missing, no other copy is intact, and the agreement cannot be downloaded',
  changed: 'The file was changed, no other copy is intact, and the agreement cannot be downloaded',
  unreadable: 'The file cannot be read now, and the agreement cannot be downloaded',
} as const;

/** Remembers the results of hashed files, because the list of the archive is read often. */
export class CopyChecks {
  readonly #ports: CopyPorts;
  readonly #read = new Map<string, { readonly version: string; readonly isIntact: boolean }>();

  constructor(ports: CopyPorts) {
    this.#ports = ports;
  }

  /** Returns the path of a copy with its recorded content, other than `file`; null if there is none. */
  async intactCopy(key: AgreementKey, file: string | null): Promise<string | null> {
    for (const copy of recordedCopies(this.#ports.stores, key)) {
      if (copy.file !== file && (await this.isIntact(copy))) return copy.file;
    }
    return null;
  }

  /** Whether the file exists, with any content. */
  async isThere(file: string): Promise<boolean> {
    return (await this.#ports.files.statFile(file).catch(() => null)) !== null;
  }

  /**
   * Whether the file has its recorded content. If its size or change time is not as recorded, the
   * content decides; the result is remembered until the file changes.
   */
  async isIntact(copy: ArchivedPdf): Promise<boolean> {
    const found = await this.#ports.files.statFile(copy.file).catch(() => null);
    if (found?.bytes !== copy.bytes) return false;
    if (found.changedAt === copy.changedAt) return true;
    const version = `${found.changedAt} ${copy.sha256}`;
    const known = this.#read.get(copy.file);
    if (known?.version === version) return known.isIntact;
    const isIntact = (await conditionOf(this.#ports.files, copy)) === 'intact';
    this.#read.set(copy.file, { version, isIntact });
    return isIntact;
  }
}

/**
 * Copies the signed PDF from another archive folder into the `.part` file of `file`. Returns null
 * without an intact copy: the hash of the copied bytes must be the recorded one. Records which
 * copies are missing or changed. Throws if the new file cannot be written.
 */
export async function receiveCopy(
  ports: CopyPorts,
  key: AgreementKey,
  file: string,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<WrittenFile | null> {
  for (const copy of recordedCopies(ports.stores, key)) {
    if (copy.file === file || signal.aborted) continue;
    const received = await receiveFrom(ports, copy, file, signal, onBytes);
    if (typeof received === 'object' && received !== null) return received;
    if (received !== null) noteDamage(ports, key, copy, received);
  }
  return null;
}

/** Returns the condition of a copy that is not intact; null if the copy cannot be read now. */
async function receiveFrom(
  { files }: CopyPorts,
  copy: ArchivedPdf,
  file: string,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<WrittenFile | 'changed' | 'missing' | null> {
  let isRead = true;
  async function* readCopy(): AsyncGenerator<Uint8Array> {
    try {
      yield* files.chunks(copy.file);
    } catch (error) {
      isRead = false;
      throw error;
    }
  }
  const found = await files.statFile(copy.file).catch(() => undefined);
  if (found === undefined) return null;
  if (found === null) return 'missing';
  if (found.bytes !== copy.bytes) return 'changed';
  try {
    const source = { chunks: readCopy(), bytes: copy.bytes };
    const steps = { isPdf: true, onBytes };
    const written = await files.receivePart(file, source, assertWholePdf, signal, steps);
    if (written.sha256 === copy.sha256) return written;
  } catch (error) {
    if (signal.aborted || isAbort(error) || isCode(error, 'cancelled')) throw error;
    if (!isRead) return null;
    // The copy is not the whole PDF any more. Other errors are about the new file.
    if (isCode(error, 'service')) return 'changed';
    throw error;
  }
  await files.dropPart(file);
  return 'changed';
}

/**
 * Returns the archived agreements that the service can no longer deliver; `only` names some of them.
 * Their local copies may be gone, too.
 */
export function agreementsOnlyInCopies(
  { stores }: { readonly stores: Pick<Stores, 'archive' | 'connections'> },
  { connectionId, filter, since, until }: ArchiveRun,
  only: readonly AgreementKey[] | undefined,
): readonly Agreement[] {
  const wanted = only === undefined ? null : new Set(only.map(agreementKeyText));
  const from = since ?? filter?.closedFrom ?? -Infinity;
  const to = until ?? filter?.closedTo ?? Infinity;
  const apis = new Map(stores.connections.ever().map(({ id, api }) => [id, api]));
  return stores.archive
    .list(connectionId ?? filter?.connectionId)
    .filter(({ file, isOnService }) => file !== null && !isOnService)
    .filter((item) => wanted?.has(agreementKeyText(item)) ?? true)
    .filter(({ closedAt }) => (closedAt ?? 0) >= from && (closedAt ?? 0) < to)
    .map((item) => agreementOf(item, apis.get(item.connectionId) ?? 'v1'));
}

function agreementOf(
  { connectionId, id, title, parties, closedAt, deletesAt, savedAt }: StoredArchiveItem,
  api: Agreement['api'],
): Agreement {
  return {
    connectionId,
    id,
    api,
    title,
    state: 'signed',
    nativeState: '',
    perhapsExpired: false,
    parties,
    signedCount: null,
    partyCount: null,
    myTurn: false,
    sentAt: null,
    updatedAt: null,
    closedAt,
    expiresAt: null,
    deletesAt,
    archivedAt: savedAt,
    gone: 'deleted',
  };
}
