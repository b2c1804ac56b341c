import type { Agreement } from '../../../shared/contract/agreements.ts';
import type { ArchiveRun } from '../../../shared/contract/archive.ts';
import type { AgreementKey } from '../../../shared/model/ids.ts';
import { assertWholePdf } from '../../../shared/rules/files/pdf-shape.ts';
import { isAbort } from '../app-error.ts';
import { isCode } from '../../../shared/errors.ts';
import { agreementKeyText } from './choice.ts';
import type { ArchivedPdf, StoredArchiveItem } from './ports.ts';
import type { Files, Stores, WrittenFile } from '../ports.ts';

export interface CopyPorts {
  readonly stores: Pick<Stores, 'archive'>;
  readonly files: Files;
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

/** Whether the file has its recorded content; a file that cannot be read counts as gone. */
async function hasRecordedContent(
  files: Files,
  { file, sha256 }: Pick<ArchivedPdf, 'file' | 'sha256'>,
): Promise<boolean> {
  return (await files.hash(file).catch(() => null)) === sha256;
}

/** See `archive.copy`. */
export async function findIntactCopy(
  { stores, files }: CopyPorts,
  key: AgreementKey,
): Promise<{ readonly file: string; readonly isIntact: boolean } | null> {
  const copies = recordedCopies(stores, key);
  for (const copy of copies) {
    if (await hasRecordedContent(files, copy)) return { file: copy.file, isIntact: true };
  }
  const [newest] = copies;
  return newest === undefined ? null : { file: newest.file, isIntact: false };
}

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
      if (copy.file !== file && (await this.#isIntact(copy))) return copy.file;
    }
    return null;
  }

  /** Whether the file exists with its recorded size. */
  async isThere({ file, bytes }: Pick<ArchivedPdf, 'file' | 'bytes'>): Promise<boolean> {
    const found = await this.#ports.files.statFile(file).catch(() => null);
    return found?.bytes === bytes;
  }

  async #isIntact(copy: ArchivedPdf): Promise<boolean> {
    const found = await this.#ports.files.statFile(copy.file).catch(() => null);
    if (found?.bytes !== copy.bytes) return false;
    if (found.changedAt === copy.changedAt) return true;
    const version = `${found.changedAt} ${copy.sha256}`;
    const known = this.#read.get(copy.file);
    if (known?.version === version) return known.isIntact;
    const isIntact = await hasRecordedContent(this.#ports.files, copy);
    this.#read.set(copy.file, { version, isIntact });
    return isIntact;
  }
}

/**
 * Copies the signed PDF from another archive folder into the `.part` file of `file`. Returns null
 * without an intact copy: the hash of the copied bytes must be the recorded one.
 */
export async function receiveCopy(
  { stores, files }: CopyPorts,
  key: AgreementKey,
  file: string,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<WrittenFile | null> {
  for (const copy of recordedCopies(stores, key)) {
    if (copy.file === file || signal.aborted) continue;
    try {
      const found = await files.statFile(copy.file);
      if (found?.bytes !== copy.bytes) continue;
      const source = { chunks: files.chunks(copy.file), bytes: copy.bytes };
      const steps = { isPdf: true, onBytes };
      const written = await files.receivePart(file, source, assertWholePdf, signal, steps);
      if (written.sha256 === copy.sha256) return written;
      await files.dropPart(file);
    } catch (error) {
      if (signal.aborted || isAbort(error) || isCode(error, 'cancelled')) throw error;
      // The copy cannot be read now. If the new file cannot be written, the download fails too.
    }
  }
  return null;
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
  const apis = new Map(stores.connections.list().map(({ id, api }) => [id, api]));
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
