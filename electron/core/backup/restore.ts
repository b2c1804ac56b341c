import {
  BackupCounts,
  type BackupLook,
  type BackupManifest,
  LookId,
  type Restored,
} from '../../../shared/contract/backup.ts';
import type { HandlersOf } from '../../../shared/contract/index.ts';
import { AppError } from '../../../shared/errors.ts';
import { saveBytes } from '../bytes/save.ts';
import { exportJson } from '../evidence/export.ts';
import { EvidenceLog } from '../evidence/log.ts';
import type { Origin } from '../evidence/ports.ts';
import type { Chance, Clock, Encoding, Files, Sha256, Stores } from '../ports.ts';
import { titleOf } from '../../../shared/rules/drafts/check.ts';
import { doubtRestored } from './doubts.ts';
import type { DataFacts } from '../copy-ports.ts';
import type { BackupFiles, Unpacked } from './ports.ts';
import type { RestorePlaces, TakenOut, Workplace } from '../restore-ports.ts';

export interface RestorePorts {
  readonly backupFiles: BackupFiles;
  readonly places: RestorePlaces;
  readonly files: Files;
  readonly origin: Origin;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly sha256: Sha256;
  readonly encoding: Encoding;
}

/** What is answered without any data being open. */
export type RestoreHandlers = Pick<
  HandlersOf<'backup'>,
  `backup.${'check' | 'look' | 'saveFile' | 'saveEvidence' | 'endLook' | 'restore'}`
>;

interface Opening {
  readonly file: string;
  readonly secret: string;
}

interface OpenLook {
  readonly place: Workplace;
  readonly stores: Stores;
  close(): void;
}

/** Backups as they are read: proven, looked into, taken back. */
export function createRestore(ports: RestorePorts): {
  readonly handlers: RestoreHandlers;
  close(): Promise<void>;
} {
  const looks = new Map<LookId, OpenLook>();
  const find = (id: LookId): OpenLook => {
    const look = looks.get(id);
    if (look === undefined) throw new AppError('not-found', 'This look has ended');
    return look;
  };
  const end = async (id: LookId): Promise<void> => {
    const look = looks.get(id);
    looks.delete(id);
    look?.close();
    await look?.place.remove();
  };
  const handlers: RestoreHandlers = {
    'backup.check': async (opening) => {
      const place = await ports.places.workplace();
      try {
        const { manifest, bytes } = await proven(ports, opening, place.file);
        return { manifest, bytes };
      } finally {
        await place.remove();
      }
    },
    'backup.look': async (opening) => {
      const id = LookId.parse(ports.chance.uuid());
      const place = await ports.places.workplace();
      try {
        const { manifest, secrets } = await proven(ports, opening, place.file);
        const { stores, close } = ports.places.open({ file: place.file, key: secrets.dataKey });
        looks.set(id, { place, stores, close });
        return { id, manifest, drafts: draftsIn(stores) };
      } catch (error) {
        await place.remove();
        throw error;
      }
    },
    'backup.saveFile': async ({ id, draftId, fileId, to }) => {
      const { data } = find(id).stores.drafts.fileData(draftId, fileId);
      const { file, bytes } = await saveBytes(ports.files, to, data);
      return { file, bytes };
    },
    'backup.saveEvidence': async ({ id, to }) => {
      const { evidence } = find(id).stores;
      const last = evidence.last();
      const entries = evidence.list({ limit: last?.number ?? 1 }).toReversed();
      const anchor = {
        format: 'signing-desk-evidence-anchor',
        entries: last?.number ?? 0,
        hash: last?.hash ?? '',
        at: ports.clock.now(),
      } as const;
      const { file, bytes } = await saveBytes(
        ports.files,
        to,
        exportJson(entries, anchor, ports.encoding),
      );
      return { file, bytes };
    },
    'backup.endLook': async ({ id }) => {
      await end(id);
      return {};
    },
    'backup.restore': ({ folder, ...opening }) => restore(ports, opening, folder),
  };
  const close = async (): Promise<void> => {
    for (const id of looks.keys()) await end(id);
  };
  return { handlers, close };
}

/** Decrypts a backup into `into`, and compares what lies there with what it says of itself. */
async function proven(
  { backupFiles, places }: RestorePorts,
  { file, secret }: Opening,
  into: string,
): Promise<Unpacked> {
  const unpacked = await backupFiles.unpack(file, secret, into);
  const facts = await readWhole(places, { file: into, key: unpacked.secrets.dataKey });
  if (isSame(unpacked.manifest, facts)) return unpacked;
  throw damaged();
}

async function readWhole(places: RestorePlaces, copy: TakenOut): Promise<DataFacts> {
  try {
    return await places.inspect(copy);
  } catch (error) {
    const reason = error instanceof AppError ? error.failure.reason : undefined;
    throw reason === 'data-damaged' || reason === 'data-wrong-key' ? damaged(error) : error;
  }
}

const damaged = (cause?: unknown): AppError =>
  new AppError('storage', 'The backup is damaged: the data in it is not what it says', {
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

function draftsIn(stores: Stores): BackupLook['drafts'] {
  return stores.drafts.list().map(({ id, content, files, updatedAt }) => ({
    id,
    title: titleOf(content),
    changedAt: updatedAt,
    files: files.map((file) => ({ id: file.id, name: file.name, bytes: file.bytes })),
  }));
}

/**
 * The copy is made ready under another name, beside nothing that anybody reads, and gets its own as
 * the last step: whatever ends before leaves a folder without data, which takes the next restore.
 */
async function restore(
  ports: RestorePorts,
  opening: Opening,
  folder: string | null,
): Promise<Restored> {
  const { places, clock, chance } = ports;
  const target = await places.target(folder);
  const place = await target.prepare();
  try {
    const { manifest, secrets } = await proven(ports, opening, place.file);
    const key = await target.dataKey();
    await places.changeKey({ file: place.file, key: secrets.dataKey }, key);
    const { stores, close } = places.open({ file: place.file, key });
    const { vault } = target;
    const witness = target.witness(place.file);
    let missingEvidence = 0;
    let doubts = { doubtful: 0, pausedRules: 0 };
    try {
      const log = new EvidenceLog({
        ...ports,
        evidence: stores.evidence,
        vault,
        witness,
        emit: () => undefined,
      });
      missingEvidence = await log.restored(manifest.madeAt);
      doubts = await doubtRestored({ stores, vault, witness, clock, chance });
      for (const [name, secret] of Object.entries(secrets.credentials)) {
        await vault.write(name, secret);
      }
    } finally {
      close();
    }
    await target.adopt(place.file);
    const { withCredentials } = manifest;
    return { folder: target.folder, manifest, ...doubts, withCredentials, missingEvidence };
  } finally {
    await place.remove();
  }
}
