import type { Agreement } from '../../shared/contract/agreements.ts';
import type { ArchiveRun } from '../../shared/contract/archive.ts';
import type { Connection } from '../../shared/contract/connections.ts';
import type { AgreementKey, ConnectionId } from '../../shared/contract/ids.ts';
import type { Failure } from '../../shared/errors.ts';
import { acceptPdf } from '../../shared/rules/pdf-shape.ts';
import { type ExtraPorts, saveBeside, wantedBeside } from './archive-extras.ts';
import { type ArchiveFolders, baseName, relativeTo } from './archive-folders.ts';
import { tokensOf } from './archive-names.ts';
import type { ArchivePace } from './archive-pace.ts';
import type { ArchivedPdf } from './archive-ports.ts';
import { AppError } from '../../shared/errors.ts';
import type { WrittenFile } from './file-ports.ts';
import type { EvidenceIntents } from './evidence-intents.ts';

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

/** Whether the file that was saved of it lies there with its content; nothing is fetched. */
export async function isPresent(
  ports: OnePorts,
  { folders, pattern, run, connections }: OneRun,
  agreement: Agreement,
): Promise<boolean> {
  const { stores, files, clock } = ports;
  const { connectionId, id } = agreement;
  const key = { connectionId, id };
  const { root } = folders;
  if (agreement.state !== 'signed') {
    const copy = stores.archive.extras(root, key).find(({ kind }) => kind === 'unsigned');
    return copy !== undefined && (await files.hash(copy.file)) === copy.sha256;
  }
  const here = stores.archive.placed(root, key);
  if (here !== null) return isIntact(ports, root, key, here);
  const saved = stores.archive.saved(key);
  if (saved === null) return false;
  // The folder was moved, or this is a copy of it: the file is what was fetched once.
  const tokens = tokensOf(stores, connections, agreement, `${pattern}${run.subfolder ?? ''}`);
  const inside = relativeTo(root, saved.file);
  const file =
    inside === null
      ? files.join(folders.placeFor(agreement, tokens), baseName(saved.file, files))
      : saved.file;
  if ((await files.hash(file)) !== saved.sha256) return false;
  const changedAt = (await files.look(file))?.changedAt ?? null;
  stores.archive.record(key, { ...saved, file, changedAt }, clock.now(), root);
  return true;
}

/** A file of the same size that the system has not seen change is not read again. */
async function isIntact(
  { stores, files, clock }: OnePorts,
  root: string,
  key: AgreementKey,
  saved: ArchivedPdf,
): Promise<boolean> {
  const found = await files.look(saved.file);
  if (found === null || found.bytes !== saved.bytes) return false;
  if (found.changedAt === saved.changedAt) return true;
  if ((await files.hash(saved.file)) !== saved.sha256) return false;
  stores.archive.record(key, { ...saved, changedAt: found.changedAt }, clock.now(), root);
  return true;
}

/** Fetches the PDF and gives it its place; gives what was written. Throws when it cannot. */
export async function saveOne(
  ports: OnePorts,
  shared: OneRun,
  agreement: Agreement,
  signal: AbortSignal,
): Promise<WrittenFile> {
  const { stores } = ports;
  const { folders, run, connections } = shared;
  const isSigned = agreement.state === 'signed';
  const pattern = isSigned ? shared.pattern : `${shared.pattern.replace(/\.pdf$/i, '')}${UNSIGNED}`;
  const tokens = tokensOf(stores, connections, agreement, `${pattern}${run.subfolder ?? ''}`);
  let place: { readonly file: string } | null = null;
  for (let tries = 1; ; tries += 1) {
    try {
      return await shared.pace.inTurn(signal, async () => {
        place ??= await folders.nameFor(agreement, tokens, pattern);
        return fetchTo(ports, shared, agreement, place.file, signal);
      });
    } catch (error) {
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
  file: string,
  signal: AbortSignal,
): Promise<WrittenFile> {
  const key = { connectionId, id };
  const { archive } = stores;
  const download = await services.use(connectionId, (service) => service.download(id, signal));
  let written: WrittenFile = { bytes: 0, sha256: '', seal: null };
  archive.work.begin(file, key);
  try {
    await files.saveNew(file, download, acceptPdf, signal, {
      isPdf: true,
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
  const { bytes, sha256 } = written;
  if (state === 'signed') {
    const changedAt = (await files.look(file))?.changedAt ?? null;
    archive.record(key, { file, ...written, changedAt }, clock.now(), folders.root);
    intents.archived(key, title, { id: null, name: baseName(file, files), bytes, sha256 });
  } else {
    const about = { kind: 'unsigned', name: state, savedAt: clock.now() } as const;
    archive.recordExtra(folders.root, key, { file, bytes, sha256, ...about });
  }
  return written;
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
