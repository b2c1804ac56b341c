import type { Agreement } from '../../../shared/contract/agreements.ts';
import type {
  ArchiveRun,
  ArchivePdfWarning,
  ArchiveResult,
} from '../../../shared/contract/archive.ts';
import type { AgreementKey, ConnectionId } from '../../../shared/model/ids.ts';
import { AppError, type Failure, isCode } from '../../../shared/errors.ts';
import { assertWholePdf } from '../../../shared/rules/files/pdf-shape.ts';
import { lostCopyError, receiveCopy } from './copies.ts';
import { type ExtraPorts, saveExtraFile, missingExtraFiles } from './extras.ts';
import { type ArchiveFolders, baseName, type FilePlace } from './folders.ts';
import { tokensOf } from './names.ts';
import type { ArchivePace } from './pace.ts';
import type { ArchivedExtra, RecordedPdf } from './ports.ts';
import type { EvidenceIntents } from '../evidence/intents.ts';
import { type Files, REJECTED_SUFFIX, type WrittenFile } from '../file-ports.ts';
import { isTestSeal, sealKind } from '../../../shared/rules/files/pdf-seal.ts';
import type { KnownConnection, Stores } from '../ports.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

export interface OnePorts extends ExtraPorts {
  readonly intents: EvidenceIntents;
}

export interface ArchiveRunContext {
  readonly run: ArchiveRun;
  readonly pattern: string;
  readonly folders: ArchiveFolders;
  readonly pace: ArchivePace;
  readonly connections: ReadonlyMap<ConnectionId, KnownConnection>;
  readonly onBytes: (bytes: number) => void;
}

/** Maximum number of attempts for a damaged or stalled download: an immediate retry may succeed. */
const MAX_TRIES = 5;
const RETRYABLE_REASONS: ReadonlySet<string> = new Set([
  'cut-answer',
  'not-a-pdf',
  'file-empty',
  'connection-lost',
  'timed-out',
]);
/** Maximum wait (ms) until the retry time of the service: the other agreements wait, too. */
const MAX_RETRY_WAIT = 15 * MINUTE;
/** File name suffix for agreements that not everyone signed. */
const UNSIGNED_SUFFIX = ' (unsigned copy)';

/** An agreement and the location of its PDF. */
export interface PlannedPdf {
  readonly agreement: Agreement;
  readonly place: FilePlace;
}

/** A complete, checked PDF on the disk, not yet renamed. */
export interface ReceivedPdf {
  readonly agreement: Agreement;
  /** Final path of the PDF. If not `isNamed`, the PDF is still in the `.part` file next to it. */
  readonly file: string;
  readonly isNamed: boolean;
  readonly written: WrittenFile;
  /** Whether the PDF was copied from another archive folder instead of downloaded. */
  readonly isCopy: boolean;
}

/** Returns the location for a missing or changed PDF; reserves the file name. */
export async function placeOf(
  { stores, files }: OnePorts,
  { folders, run, connections, pattern: plain }: ArchiveRunContext,
  agreement: Agreement,
): Promise<FilePlace> {
  const isSigned = agreement.state === 'signed';
  const before = isSigned ? stores.archive.placed(folders.root, keyOf(agreement)) : null;
  if (before !== null) {
    const replaces = (await files.statFile(before.file)) !== null;
    if (replaces || (await folders.takeAgain(before.file))) {
      return { file: before.file, twin: null, rejected: null, replaces };
    }
  }
  const pattern = isSigned ? plain : `${plain.replace(/\.pdf$/i, '')}${UNSIGNED_SUFFIX}`;
  const tokens = tokensOf(stores, connections, agreement, `${pattern}${run.subfolder ?? ''}`);
  return folders.nameFor(agreement, tokens, pattern);
}

/**
 * Copies a PDF whose work is recorded from another archive folder, or downloads it with retries if
 * there is no intact copy. On failure, removes the record of the work, unless a part may remain on
 * the disk. `refusal`: known failure of all downloads of this connection.
 */
export async function receivePdf(
  ports: OnePorts,
  shared: ArchiveRunContext,
  planned: PlannedPdf,
  signal: AbortSignal,
  refusal?: Failure,
): Promise<ReceivedPdf> {
  const { agreement } = planned;
  let { place } = planned;
  try {
    const copied = await copyPdf(ports, shared, planned, signal);
    if (copied !== null) return copied;
    if (refusal !== undefined) throw AppError.from(refusal);
    for (let tries = 1; ; tries += 1) {
      try {
        return await shared.pace.inTurn(signal, () =>
          downloadPdf(ports, shared, { agreement, place }, signal),
        );
      } catch (error) {
        place = await saveRejectedAnswer(ports.files, place, error);
        if (!(error instanceof AppError) || signal.aborted || tries >= MAX_TRIES) throw error;
        if (!isRetryAllowed(error.failure, shared.pace, ports.clock.now())) throw error;
      }
    }
  } catch (error) {
    // After a storage error, the file may exist but be unreachable: the record stays, and the next
    // run looks for the file.
    if (!isCode(error, 'storage')) ports.stores.archive.work.end([place.file]);
    const isGone = agreement.gone === 'deleted' && isCode(error, 'not-found');
    throw (isGone ? await lostCopyError(ports, keyOf(agreement), error) : null) ?? error;
  }
}

/**
 * Whether a failed download may be tried again. A rate limit slows down all downloads, not only
 * this one.
 */
function isRetryAllowed(failure: Failure, pace: ArchivePace, now: number): boolean {
  if (failure.code === 'limited') {
    if (failure.retryAt !== undefined && failure.retryAt - now > MAX_RETRY_WAIT) return false;
    pace.slow(failure.retryAt);
    return true;
  }
  return failure.reason !== undefined && RETRYABLE_REASONS.has(failure.reason);
}

async function downloadPdf(
  { services, files }: OnePorts,
  { folders, onBytes }: ArchiveRunContext,
  planned: PlannedPdf,
  signal: AbortSignal,
): Promise<ReceivedPdf> {
  const { connectionId, id } = planned.agreement;
  const { file } = planned.place;
  const download = await services.use(connectionId, (service) => service.download(id, signal));
  const steps = { isPdf: true, onBytes };
  const written = await files.receivePart(file, download, assertWholePdf, signal, steps);
  return { ...(await makeRoom(files, folders, planned, written)), isCopy: false };
}

async function copyPdf(
  ports: OnePorts,
  { folders, onBytes }: ArchiveRunContext,
  planned: PlannedPdf,
  signal: AbortSignal,
): Promise<ReceivedPdf | null> {
  const { agreement, place } = planned;
  if (agreement.state !== 'signed') return null;
  const written = await receiveCopy(ports, keyOf(agreement), place.file, signal, onBytes);
  if (written === null) return null;
  return { ...(await makeRoom(ports.files, folders, planned, written)), isCopy: true };
}

/** Makes the final name of a complete PDF free, unless an existing file is this PDF. */
async function makeRoom(
  files: Files,
  folders: ArchiveFolders,
  { agreement, place: { file, twin, rejected, replaces } }: PlannedPdf,
  written: WrittenFile,
): Promise<Omit<ReceivedPdf, 'isCopy'>> {
  if (twin !== null && (await files.hash(twin)) === written.sha256) {
    await files.dropPart(file);
    folders.take(twin);
    return { agreement, file: twin, isNamed: true, written };
  }
  if (rejected !== null) await files.drop(rejected);
  if (replaces) await files.setAside(file);
  return { agreement, file, isNamed: false, written };
}

/**
 * Records a PDF that has its final name: in the evidence if it is signed, otherwise as an unsigned
 * copy. Returns the record of the file itself.
 */
export function savedPdf(
  { stores, files, clock, intents }: OnePorts,
  { folders }: ArchiveRunContext,
  { agreement, file, written }: ReceivedPdf,
  changedAt: number | null,
): RecordedPdf {
  const { connectionId, id, title, state } = agreement;
  const key = { connectionId, id };
  const { bytes, sha256, seal } = written;
  const savedAt = clock.now();
  if (state === 'signed') {
    intents.archived(key, title, { id: null, name: baseName(file, files), bytes, sha256 });
  } else {
    const copy = { file, bytes, sha256, kind: 'unsigned', name: state, savedAt } as const;
    stores.archive.recordExtra(folders.root, key, copy);
  }
  return { file, bytes, sha256, seal, changedAt, savedAt };
}

const keyOf = ({ connectionId, id }: Agreement): AgreementKey => ({ connectionId, id });

/**
 * Saves the answer that came instead of a PDF, for troubleshooting; it contains no personal data.
 */
async function saveRejectedAnswer(
  files: Files,
  place: FilePlace,
  error: unknown,
): Promise<FilePlace> {
  if (!(error instanceof AppError) || error.sample === null) return place;
  const rejected = `${place.file}${REJECTED_SUFFIX}`;
  await files.replaceText(rejected, error.sample);
  return { ...place, rejected };
}

/**
 * Saves the missing sidecar files that the rule requires, and returns their number; throws at the
 * first failure.
 */
export async function saveExtras(
  ports: OnePorts,
  { run, folders }: ArchiveRunContext,
  agreement: Agreement,
  signal: AbortSignal,
): Promise<number> {
  const kinds = run.beside ?? [];
  if (kinds.length === 0) return 0;
  const { stores, files } = ports;
  const { connectionId, id } = agreement;
  const key = { connectionId, id };
  const pdf = stores.archive.placed(folders.root, key);
  if (pdf === null) return 0;
  const known = await keepIntactExtras(files, stores.archive.extras(folders.root, key));
  const wanted = await missingExtraFiles(ports, agreement, kinds, known, signal);
  if (wanted.length === 0) return 0;
  const beside = {
    folder: files.folderOf(pdf.file),
    stem: baseName(pdf.file, files).replace(/\.pdf$/i, ''),
    taken: await folders.takenIn(files.folderOf(pdf.file)),
  };
  for (const one of wanted) {
    const saved = await saveExtraFile(ports, beside, one, signal);
    stores.archive.recordExtra(folders.root, key, saved);
  }
  return wanted.length;
}

/** Returns the unchanged sidecar files; sets a changed file aside to free its name. */
async function keepIntactExtras(
  files: Files,
  extras: readonly ArchivedExtra[],
): Promise<readonly ArchivedExtra[]> {
  const intact: ArchivedExtra[] = [];
  for (const extra of extras) {
    const hash = await files.hash(extra.file);
    if (hash === extra.sha256) intact.push(extra);
    else if (hash !== null) await files.setAside(extra.file);
  }
  return intact;
}

/**
 * Finds anomalies of a saved PDF. A PDF cannot show which agreement it belongs to, because the
 * service does not promise an ID in its PDFs; but two agreements with the same PDF are detected.
 */
export function findAnomalies(
  { archive }: Pick<Stores, 'archive'>,
  { folders, connections }: Pick<ArchiveRunContext, 'folders' | 'connections'>,
  { connectionId, id, title }: Agreement,
  { sha256, seal }: Pick<WrittenFile, 'sha256' | 'seal'>,
): ArchiveResult['doubtful'] {
  const key = { connectionId, id };
  const doubts: ArchivePdfWarning[] = [];
  const kind = sealKind(seal ?? '');
  if (kind === 'extended') doubts.push('seal-extended');
  if (kind === 'malformed') doubts.push('seal-malformed');
  const isProduction = connections.get(connectionId)?.environment === 'production';
  if (isProduction && isTestSeal(seal ?? '')) doubts.push('seal-of-test');
  if (archive.sameContent(folders.root, key, sha256) !== null) doubts.push('same-as-another');
  return doubts.map((doubt) => ({ ...key, title, doubt }));
}
