import type { Agreement, SavedFile } from '../../../shared/contract/agreements.ts';
import type { ArchiveRun, ArchiveDoubt, ArchiveResult } from '../../../shared/contract/archive.ts';
import type { Connection } from '../../../shared/contract/connections.ts';
import type { ConnectionId } from '../../../shared/model/ids.ts';
import { AppError, type Failure } from '../../../shared/errors.ts';
import { acceptPdf } from '../../../shared/rules/files/pdf-shape.ts';
import { type ExtraPorts, saveBeside, wantedBeside } from './extras.ts';
import { type ArchiveFolders, baseName, type FilePlace } from './folders.ts';
import { tokensOf } from './names.ts';
import type { ArchivePace } from './pace.ts';
import type { RecordedPdf } from './ports.ts';
import type { EvidenceIntents } from '../evidence/intents.ts';
import { type Files, REJECTED, type WrittenFile } from '../file-ports.ts';
import { isTestSeal, sealKind } from '../../../shared/rules/files/pdf-seal.ts';
import type { Stores } from '../ports.ts';

export interface OnePorts extends ExtraPorts {
  readonly intents: EvidenceIntents;
}

/** What the saving of all agreements of a run shares. */
export interface OneRun {
  readonly run: ArchiveRun;
  readonly pattern: string;
  readonly folders: ArchiveFolders;
  readonly pace: ArchivePace;
  readonly connections: ReadonlyMap<ConnectionId, Connection>;
  readonly onBytes: (bytes: number) => void;
}

/** Of a download that came damaged, or stopped coming: the service may do better at once. */
const MOST_TRIES = 5;
const AGAIN: ReadonlySet<string> = new Set([
  'cut-answer',
  'not-a-pdf',
  'file-empty',
  'connection-lost',
  'timed-out',
]);
/** Beyond this the rest of the agreements is not kept waiting. */
const LONGEST_REST = 15 * 60_000;
/** Behind the name of what not everybody signed. */
const UNSIGNED = ' (unsigned copy)';

/** Fetches the PDF and gives it its place; gives what is to be noted. Throws when it cannot. */
export async function saveOne(
  ports: OnePorts,
  shared: OneRun,
  agreement: Agreement,
  signal: AbortSignal,
): Promise<RecordedPdf> {
  const { stores } = ports;
  const { folders, run, connections } = shared;
  const isSigned = agreement.state === 'signed';
  const pattern = isSigned ? shared.pattern : `${shared.pattern.replace(/\.pdf$/i, '')}${UNSIGNED}`;
  const tokens = tokensOf(stores, connections, agreement, `${pattern}${run.subfolder ?? ''}`);
  let place = await folders.nameFor(agreement, tokens, pattern);
  for (let tries = 1; ; tries += 1) {
    try {
      return await shared.pace.inTurn(signal, () =>
        fetchTo(ports, shared, agreement, place, signal),
      );
    } catch (error) {
      place = await keepRejected(ports.files, place, error);
      if (!(error instanceof AppError) || signal.aborted || tries >= MOST_TRIES) throw error;
      if (!mayTryAgain(error.failure, shared.pace, ports.clock.now())) throw error;
    }
  }
}

/** A refusal for being too fast slows everything down, not only this one. */
function mayTryAgain(failure: Failure, pace: ArchivePace, now: number): boolean {
  if (failure.code === 'limited') {
    if (failure.retryAt !== undefined && failure.retryAt - now > LONGEST_REST) return false;
    pace.slow(failure.retryAt);
    return true;
  }
  return failure.reason !== undefined && AGAIN.has(failure.reason);
}

async function fetchTo(
  { stores, services, files, clock, intents }: OnePorts,
  { folders, onBytes }: OneRun,
  { connectionId, id, title, state }: Agreement,
  { file, twin, rejected }: FilePlace,
  signal: AbortSignal,
): Promise<RecordedPdf> {
  const key = { connectionId, id };
  const { archive } = stores;
  const download = await services.use(connectionId, (service) => service.download(id, signal));
  let written: WrittenFile = { bytes: 0, sha256: '', seal: null };
  let saved: SavedFile;
  archive.work.begin(file, key);
  try {
    saved = await files.saveNew(file, download, acceptPdf, signal, {
      isPdf: true,
      isFree: true,
      twin,
      stale: rejected,
      onBytes,
      onWhole: (whole) => {
        written = whole;
        // Of an unsigned copy nothing is told apart after a kill: it is fetched again.
        if (state === 'signed') archive.work.whole(file, whole);
      },
    });
  } catch (error) {
    // A whole part is kept for the next run; everything else is gone already.
    if (written.sha256 === '' || isConflict(error)) archive.work.end(file);
    throw error;
  }
  if (saved.file !== file) {
    folders.take(saved.file);
    archive.work.end(file);
  }
  const savedAt = clock.now();
  if (state === 'signed') {
    const { bytes, sha256 } = saved;
    intents.archived(key, title, { id: null, name: baseName(saved.file, files), bytes, sha256 });
  } else {
    archive.recordExtra(folders.root, key, { ...saved, kind: 'unsigned', name: state, savedAt });
  }
  const changedAt = (await files.statFile(saved.file))?.changedAt ?? null;
  return { ...saved, seal: written.seal, changedAt, savedAt };
}

/** What came in place of a PDF, for whoever must find out why; without personal data. */
async function keepRejected(files: Files, place: FilePlace, error: unknown): Promise<FilePlace> {
  if (!(error instanceof AppError) || error.sample === null) return place;
  const rejected = `${place.file}${REJECTED}`;
  await files.replaceText(rejected, error.sample);
  return { ...place, rejected };
}

const isConflict = (error: unknown): boolean =>
  error instanceof AppError && error.failure.code === 'conflict';

/** Saves what the rule wants beside the PDF and is not there; throws at the first that fails. */
export async function saveExtras(
  ports: OnePorts,
  { run, folders }: OneRun,
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
  const known = stores.archive.extras(folders.root, key);
  const wanted = await wantedBeside(ports, agreement, kinds, known, signal);
  if (wanted.length === 0) return 0;
  const beside = {
    folder: files.folderOf(pdf.file),
    stem: baseName(pdf.file, files).replace(/\.pdf$/i, ''),
    taken: await folders.takenIn(files.folderOf(pdf.file)),
  };
  for (const one of wanted) {
    const saved = await saveBeside(ports, beside, one, signal);
    stores.archive.recordExtra(folders.root, key, saved);
  }
  return wanted.length;
}

/**
 * What is odd about a PDF that was saved. Whose it is cannot be read from it, since nothing says
 * that the service writes an id into its PDFs; that two agreements have the same one can be told.
 */
export function doubtsAbout(
  { archive }: Pick<Stores, 'archive'>,
  { folders, connections }: Pick<OneRun, 'folders' | 'connections'>,
  { connectionId, id, title }: Agreement,
  { sha256, seal }: Pick<WrittenFile, 'sha256' | 'seal'>,
): ArchiveResult['doubtful'] {
  const key = { connectionId, id };
  const doubts: ArchiveDoubt[] = [];
  const kind = sealKind(seal ?? '');
  if (kind === 'extended') doubts.push('seal-extended');
  if (kind === 'malformed') doubts.push('seal-malformed');
  const isProduction = connections.get(connectionId)?.environment === 'production';
  if (isProduction && isTestSeal(seal ?? '')) doubts.push('seal-of-test');
  if (archive.sameContent(folders.root, key, sha256) !== null) doubts.push('same-as-another');
  return doubts.map((doubt) => ({ ...key, title, doubt }));
}
