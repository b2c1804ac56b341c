import {
  BackupCounts,
  type BackupContents,
  type BackupManifest,
  LookId,
  type RestoredLocation,
  type RestoreOutcome,
} from '../../../shared/contract/backup.ts';
import type { HandlersOf } from '../../../shared/contract/index.ts';
import { AppError } from '../../../shared/errors.ts';
import type { DraftId, FileId } from '../../../shared/model/ids.ts';
import { documentName } from '../../../shared/rules/files/document-name.ts';
import { foldName } from '../../../shared/rules/files/file-name.ts';
import { saveBytes } from '../bytes/save.ts';
import { exportJson } from '../evidence/export.ts';
import { EvidenceLog } from '../evidence/log.ts';
import type { Files, Stores } from '../ports.ts';
import { titleOf } from '../../../shared/rules/drafts/check.ts';
import type { DataFacts } from '../copy-ports.ts';
import type { RestorePlaces, ExtractedDataFile, RestoreWorkspace } from '../restore-ports.ts';
import { storeCredentials, credentialsInBackup } from './credentials.ts';
import { markUnknownAfterRestore } from './uncertain.ts';
import { findBackups } from './find.ts';
import { blockUntilConfirmed, reachesOf } from './reaches.ts';
import { examineDamagedData, recoverDamagedData } from './recover.ts';
import type { BackupFiles, UnpackedBackup } from './ports.ts';
import { BackupReadings, type BackupReadContext } from './readings.ts';
import type { RestorePorts } from './restoring.ts';

export interface ProofPorts {
  readonly backupFiles: Pick<BackupFiles, 'unpack'>;
  readonly places: Pick<RestorePlaces, 'inspect' | 'workplace'>;
  readonly files: Pick<Files, 'statFile'>;
}

/** Handlers of calls that need no open data. */
export type RestoreHandlers = Pick<
  HandlersOf<'backup'>,
  `backup.${'find' | 'check' | 'look' | 'saveFile' | 'saveEvidence' | 'endLook'}` | RestoreCallName
>;
type RestoreCallName =
  `backup.${'room' | 'restore' | 'restoreLook' | 'copies' | 'examine' | 'recover' | 'stopReading'}`;

interface BackupSource {
  readonly file: string;
  readonly secret: string;
}

interface OpenBackupView {
  readonly opening: BackupSource;
  readonly place: RestoreWorkspace;
  readonly stores: Stores;
  close(): void;
}

export function createRestore(ports: RestorePorts): {
  readonly handlers: RestoreHandlers;
  close(): Promise<void>;
} {
  const { own, files, emit } = ports;
  const readings = new BackupReadings(emit);
  const looks = new OpenBackupViews(ports);
  const restoreInto = async (
    opening: BackupSource,
    folder: string | null,
    turn: BackupReadContext,
  ) => {
    if (folder !== null) return restoreBackup(ports, opening, { folder, isReplaced: false }, turn);
    const isReplaced = (await own.room()).takes === 'damaged';
    return own.renewed(() => restoreBackup(ports, opening, { folder, isReplaced }, turn));
  };
  const handlers: RestoreHandlers = {
    'backup.find': ({ folder }) => findBackups(files, folder),
    'backup.check': ({ reading, ...opening }) =>
      readings.run(reading, async (turn) => {
        const place = await ports.places.workplace();
        try {
          const { manifest, bytes, secrets } = await unpackAndVerify(
            ports,
            opening,
            place.file,
            turn,
          );
          const { stores, close } = ports.places.open({ file: place.file, key: secrets.dataKey });
          try {
            return { manifest, bytes, reaches: reachesOf(stores) };
          } finally {
            close();
          }
        } finally {
          await place.remove();
        }
      }),
    'backup.look': ({ reading, ...opening }) =>
      readings.run(reading, (turn) => looks.begin(opening, turn)),
    'backup.saveFile': ({ id, ...what }) => looks.saveFile(id, what),
    'backup.saveEvidence': ({ id, to }) => looks.saveEvidence(id, to),
    'backup.endLook': async ({ id }) => {
      await looks.end(id);
      return {};
    },
    'backup.room': () => own.room(),
    'backup.restore': ({ reading, folder, ...opening }) =>
      readings.run(reading, (turn) => restoreInto(opening, folder, turn)),
    'backup.restoreLook': ({ reading, folder, id }) =>
      readings.run(reading, (turn) => restoreInto(looks.find(id).opening, folder, turn)),
    'backup.copies': async () => [...ports.places.copies()],
    'backup.examine': ({ reading, copy }) =>
      readings.run(reading, (turn) => own.whileClosed(() => examineDamagedData(ports, copy, turn))),
    'backup.recover': ({ reading, copy, folder }) =>
      readings.run(reading, (turn) => {
        const work = () => recoverDamagedData(ports, { copy, folder }, turn);
        return folder === null ? own.renewed(work) : own.whileClosed(work);
      }),
    'backup.stopReading': async ({ reading }) => {
      readings.stop(reading);
      return {};
    },
  };
  const close = async (): Promise<void> => {
    await readings.stopAll();
    await looks.endAll();
  };
  return { handlers, close };
}

/**
 * Backups that the user is inspecting. Their data is in temporary folders that are removed
 * afterwards.
 */
class OpenBackupViews {
  readonly #ports: RestorePorts;
  readonly #open = new Map<LookId, OpenBackupView>();

  constructor(ports: RestorePorts) {
    this.#ports = ports;
  }

  find(id: LookId): OpenBackupView {
    const look = this.#open.get(id);
    if (look === undefined) {
      throw new AppError('not-found', 'The backup is no longer open. Open it again');
    }
    return look;
  }

  async begin(opening: BackupSource, turn: BackupReadContext): Promise<BackupContents> {
    const { places, chance } = this.#ports;
    const id = LookId.parse(chance.uuid());
    const place = await places.workplace();
    try {
      const { manifest, secrets } = await unpackAndVerify(this.#ports, opening, place.file, turn);
      const { stores, close } = places.open({ file: place.file, key: secrets.dataKey });
      this.#open.set(id, { opening, place, stores, close });
      return { id, manifest, reaches: reachesOf(stores), drafts: draftsIn(stores) };
    } catch (error) {
      await place.remove();
      throw error;
    }
  }

  async saveFile(
    id: LookId,
    { draftId, fileId, folder }: { draftId: DraftId; fileId: FileId; folder: string },
  ): Promise<WrittenExport> {
    const { files } = this.#ports;
    const { drafts } = this.find(id).stores;
    const kept = drafts.get(draftId).files.find((file) => file.id === fileId);
    if (kept === undefined) throw new AppError('not-found', 'The draft does not have this file');
    const { data } = drafts.fileData(draftId, fileId);
    const taken = new Set((await files.prepareFolder(folder)).map(foldName));
    const name = documentName(kept, taken);
    return toWrittenExport(await saveBytes(files, files.join(folder, name), data));
  }

  async saveEvidence(id: LookId, to: string): Promise<WrittenExport> {
    const { files, clock, encoding } = this.#ports;
    const { evidence } = this.find(id).stores;
    const last = evidence.last();
    const entries = evidence.list({ limit: last?.number ?? 1 }).toReversed();
    const anchor = {
      format: 'signing-desk-evidence-anchor',
      entries: last?.number ?? 0,
      hash: last?.hash ?? '',
      at: clock.now(),
    } as const;
    return toWrittenExport(await saveBytes(files, to, exportJson(entries, anchor, encoding)));
  }

  async end(id: LookId): Promise<void> {
    const look = this.#open.get(id);
    this.#open.delete(id);
    look?.close();
    await look?.place.remove();
  }

  async endAll(): Promise<void> {
    for (const id of this.#open.keys()) await this.end(id);
  }
}

interface WrittenExport {
  readonly file: string;
  readonly bytes: number;
}
const toWrittenExport = ({ file, bytes }: WrittenExport): WrittenExport => ({ file, bytes });

/**
 * Decrypts a backup into `into`, and compares the result with its manifest. Throws 'storage' with
 * 'backup-damaged' if they differ.
 */
export async function unpackAndVerify(
  { backupFiles, places, files }: ProofPorts,
  opening: BackupSource,
  into: string,
  { signal, report }: BackupReadContext,
): Promise<UnpackedBackup> {
  const total = (await files.statFile(opening.file))?.bytes ?? null;
  let done = 0;
  report({ step: 'opening', done, total });
  const onBytes = (bytes: number): void => {
    done += bytes;
    report({ step: 'opening', done, total });
  };
  const unpacked = await backupFiles.unpack({ ...opening, into }, onBytes, signal);
  report({ step: 'proving', done: 0, total: null });
  const copy = { file: into, key: unpacked.secrets.dataKey };
  const facts = await readWholeBackup(places, copy, signal);
  if (isSame(unpacked.manifest, facts)) return unpacked;
  throw backupDamagedError();
}

async function readWholeBackup(
  places: ProofPorts['places'],
  copy: ExtractedDataFile,
  signal: AbortSignal,
): Promise<DataFacts> {
  try {
    return await places.inspect(copy, signal);
  } catch (error) {
    const reason = error instanceof AppError ? error.failure.reason : undefined;
    throw reason === 'data-damaged' || reason === 'data-wrong-key'
      ? backupDamagedError(error)
      : error;
  }
}

const backupDamagedError = (cause?: unknown): AppError =>
  new AppError('storage', 'The backup is damaged: its data does not match its description', {
    reason: 'backup-damaged',
    cause,
  });

function isSame({ schema, counts, evidence, database }: BackupManifest, facts: DataFacts): boolean {
  const kinds = BackupCounts.keyof().options;
  return (
    schema === facts.schema &&
    database.sha256 === facts.sha256 &&
    evidence.entries === facts.evidence.entries &&
    evidence.hash === facts.evidence.hash &&
    kinds.every((kind) => counts[kind] === facts.counts[kind])
  );
}

function draftsIn(stores: Stores): BackupContents['drafts'] {
  return stores.drafts.list().map(({ id, content, files, updatedAt }) => ({
    id,
    title: titleOf(content),
    changedAt: updatedAt,
    files: files.map((file) => ({ id: file.id, name: file.name, bytes: file.bytes })),
  }));
}

/**
 * Restores a backup. The data is prepared under a temporary name and renamed as the last step: if
 * the restore is interrupted, the folder has no data and accepts the next restore.
 */
async function restoreBackup(
  ports: RestorePorts,
  opening: BackupSource,
  { folder, isReplaced }: { readonly folder: string | null; readonly isReplaced: boolean },
  turn: BackupReadContext,
): Promise<RestoreOutcome> {
  const { places, clock, chance } = ports;
  const target = await places.target(folder, isReplaced);
  const place = await target.prepare();
  try {
    const { manifest, secrets } = await unpackAndVerify(ports, opening, place.file, turn);
    const key = await target.dataKey();
    turn.report({ step: 'preparing', done: 0, total: null });
    // No record of updates is read from damaged data: only the recovery reads such data.
    const updates = isReplaced ? null : await target.updates();
    await places.changeKey({ file: place.file, key: secrets.dataKey }, key);
    const { stores, close } = places.open({ file: place.file, key });
    const { vault } = target;
    const externalState = target.externalState(place.file);
    let missingEvidence = 0;
    let doubts = { doubtful: 0, pausedRules: 0 };
    let credentials: ReadonlyMap<string, string>;
    let reaches: RestoredLocation[];
    try {
      const log = new EvidenceLog({
        ...ports,
        evidence: stores.evidence,
        vault,
        externalState,
        emit: () => undefined,
      });
      missingEvidence = await log.restored(manifest.madeAt);
      doubts = await markUnknownAfterRestore({ stores, vault, externalState, clock, chance });
      reaches = reachesOf(stores);
      blockUntilConfirmed(stores, updates, ports.files);
      credentials = credentialsInBackup({ manifest, secrets }, stores.connections.list());
    } finally {
      close();
    }
    turn.signal.throwIfAborted();
    if (isReplaced) await target.replace(place.file);
    else await target.adopt(place.file);
    // The credentials are written last, so that a stopped restore leaves the credential store
    // unchanged.
    const areKept = await storeCredentials(vault, credentials);
    const withCredentials = manifest.withCredentials && areKept;
    const { folder: into } = target;
    return { folder: into, manifest, ...doubts, withCredentials, missingEvidence, reaches };
  } finally {
    await place.remove();
  }
}
