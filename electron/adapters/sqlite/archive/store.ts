import * as z from 'zod';
import { SavedFile } from '../../../../shared/contract/agreements.ts';
import { ArchiveExtraFile, ArchiveItem } from '../../../../shared/contract/archive.ts';
import {
  AgreementId,
  type AgreementKey,
  ConnectionId,
  Instant,
} from '../../../../shared/model/ids.ts';
import { AppError } from '../../../../shared/errors.ts';
import type {
  ArchivedPdf,
  ArchiveStore,
  ArchiveWork,
  ListMarks,
  PlacedPdf,
} from '../../../core/archive/ports.ts';
import { relativeTo } from '../../../../shared/rules/files/relative-to.ts';
import { createArchiveRuleStore } from './rule-store.ts';
import { isSafelyArchivedSql } from '../database/archive-damage.ts';
import { flagColumn, jsonColumn } from '../database/columns.ts';
import type { Database } from '../database/database.ts';

const sql = {
  // Archived files stay listed after their agreement or connection was removed. An agreement that
  // was never archived is listed while the service can still deliver it, or if the service is known
  // to have deleted it.
  list: `
    SELECT a.connection_id AS connectionId, a.id, a.title, a.party_names AS parties,
      a.closed_at AS closedAt, a.deletes_at AS deletesAt,
      CASE WHEN f.file IS NOT NULL THEN 'archived'
           WHEN a.gone = 'deleted' THEN 'deleted-on-service'
           ELSE 'not-archived' END AS state,
      f.file, f.sha256, f.saved_at AS savedAt, f.checked_at AS checkedAt, f.finding,
      a.is_live = 1 AND a.gone IS NULL AS isOnService, a.closed_key AS closedKey
    FROM agreement a
    LEFT JOIN archive f ON f.connection_id = a.connection_id AND f.id = a.id
    WHERE a.state = 'signed' AND (f.file IS NOT NULL OR a.is_live = 1)
      AND (@connectionId IS NULL OR a.connection_id = @connectionId)
    UNION ALL
    SELECT f.connection_id, f.id, f.title, f.party_names, f.closed_at, NULL, 'archived',
      f.file, f.sha256, f.saved_at, f.checked_at, f.finding, 0, coalesce(f.closed_at, 0)
    FROM archive f
    WHERE (@connectionId IS NULL OR f.connection_id = @connectionId)
      AND NOT EXISTS (SELECT 1 FROM agreement a
        WHERE a.connection_id = f.connection_id AND a.id = f.id AND a.state = 'signed')
    ORDER BY closedKey DESC, id`,
  saved: `SELECT file, bytes, sha256, changed_at AS changedAt, seal, finding FROM archive
    WHERE connection_id = @connectionId AND id = @id`,
  record: `
    INSERT INTO archive
      (connection_id, id, title, party_names, closed_at, file, bytes, sha256, saved_at,
       changed_at, seal)
    SELECT connection_id, id, title, party_names, closed_at, @file, @bytes, @sha256, @at,
      @changedAt, @seal
    FROM agreement WHERE connection_id = @connectionId AND id = @id
    ON CONFLICT (connection_id, id) DO UPDATE SET file = excluded.file, bytes = excluded.bytes,
      sha256 = excluded.sha256, saved_at = excluded.saved_at,
      changed_at = excluded.changed_at, seal = coalesce(excluded.seal, seal),
      checked_at = NULL, finding = NULL`,
  // The local copy of the agreement is gone, but the agreement was archived earlier.
  renew: `UPDATE archive SET file = @file, bytes = @bytes, sha256 = @sha256, saved_at = @at,
      changed_at = @changedAt, seal = coalesce(@seal, seal), checked_at = NULL, finding = NULL
    WHERE connection_id = @connectionId AND id = @id`,
  placed: `SELECT file, bytes, sha256, changed_at AS changedAt, seal FROM archive_place
    WHERE folder = @folder AND connection_id = @connectionId AND id = @id`,
  sameContent: `SELECT connection_id AS connectionId, id, title FROM archive_place
    WHERE folder = @folder AND sha256 = @sha256
      AND NOT (connection_id = @connectionId AND id = @id) LIMIT 1`,
  noteFinding: `UPDATE archive SET checked_at = @at, finding = @finding
    WHERE connection_id = @connectionId AND id = @id AND file = @file`,
  // Every index of the lists contains this mark, so it is written only if it changes.
  mark: `UPDATE agreement SET archived = NOT archived
    WHERE connection_id = @connectionId AND id = @id AND archived <> ${isSafelyArchivedSql}`,
  doubtPlaced: `UPDATE archive_place SET changed_at = NULL
    WHERE folder = @folder AND connection_id = @connectionId AND id = @id AND file = @file`,
  inFolder: `SELECT connection_id AS connectionId, id, title, party_names AS parties,
      closed_at AS closedAt, file, bytes, sha256, saved_at AS savedAt, changed_at AS changedAt, seal
    FROM archive_place WHERE folder = @folder ORDER BY saved_at, connection_id, id`,
  place: `INSERT OR REPLACE INTO archive_place (folder, connection_id, id, title, party_names,
      closed_at, file, bytes, sha256, saved_at, changed_at, seal)
    SELECT @folder, connection_id, id, title, party_names, closed_at, file, bytes, sha256,
      saved_at, changed_at, seal
    FROM archive WHERE connection_id = @connectionId AND id = @id`,
  extras: `SELECT connection_id AS connectionId, id, kind, name, file, bytes, sha256,
      saved_at AS savedAt
    FROM archive_extra WHERE folder = @folder
      AND (@connectionId IS NULL OR (connection_id = @connectionId AND id = @id))
    ORDER BY connection_id, id, kind, name`,
  recordExtra: `INSERT OR REPLACE INTO archive_extra
      (folder, connection_id, id, kind, name, file, bytes, sha256, saved_at)
    VALUES (@folder, @connectionId, @id, @kind, @name, @file, @bytes, @sha256, @savedAt)`,
  work: `SELECT file, connection_id AS connectionId, id, bytes, sha256, seal FROM archive_work`,
  begin: `INSERT OR REPLACE INTO archive_work (file, connection_id, id)
    VALUES (@file, @connectionId, @id)`,
  whole: `UPDATE archive_work SET bytes = @bytes, sha256 = @sha256, seal = @seal
    WHERE file = @file`,
  end: 'DELETE FROM archive_work WHERE file = @file',
  held: 'SELECT 1 AS held FROM archive_folder WHERE folder = @folder',
  heldFolders: 'SELECT folder FROM archive_folder',
  renamed: 'UPDATE archive SET file = @to WHERE file = @from',
  renamedPlace: 'UPDATE archive_place SET file = @to WHERE folder = @folder AND file = @from',
  renamedExtra: 'UPDATE archive_extra SET file = @to WHERE folder = @folder AND file = @from',
  listMarks: 'SELECT lists FROM archive_folder WHERE folder = @folder',
  markLists: 'UPDATE archive_folder SET lists = @lists WHERE folder = @folder',
  placedFiles: 'SELECT folder, file FROM archive_place',
  extraFiles: 'SELECT folder, file FROM archive_extra',
  forgetPlaced: 'DELETE FROM archive_place WHERE folder = @folder AND file = @file',
  forgetExtra: 'DELETE FROM archive_extra WHERE folder = @folder AND file = @file',
  forgetLists: 'UPDATE archive_folder SET lists = NULL WHERE folder = @folder',
  holds: 'INSERT OR IGNORE INTO archive_folder (folder, since) VALUES (@folder, @at)',
};

const Row = ArchiveItem.omit({ folder: true, isElsewhere: true, copyFolder: true }).extend({
  parties: jsonColumn(z.array(z.string())).nullable(),
  isOnService: flagColumn,
});

const SavedRow = SavedFile.extend({
  changedAt: z.number().nullable(),
  seal: z.string().nullable(),
});
const agreementColumns = { connectionId: ConnectionId, id: AgreementId } as const;
const ArchivedAgreementRow = z.object({ ...agreementColumns, title: z.string() });
const PlacedFileRow = SavedRow.extend({
  ...agreementColumns,
  title: z.string(),
  parties: jsonColumn(z.array(z.string())).nullable(),
  closedAt: Instant.nullable(),
  savedAt: Instant,
}).transform(({ connectionId, id, ...file }): PlacedPdf => ({
  key: { connectionId, id },
  ...file,
}));
const ExtraFile = SavedFile.extend({
  ...agreementColumns,
  kind: ArchiveExtraFile.or(z.literal('unsigned')),
  name: z.string(),
  savedAt: Instant,
}).transform(({ connectionId, id, ...file }) => ({ key: { connectionId, id }, ...file }));
const ListMarksRow: z.ZodType<ListMarks> = z.object({
  turn: z.number().nullable(),
  hashes: z.record(z.string(), z.string()),
});
const ArchiveWorkRow = z
  .object({
    file: z.string(),
    connectionId: ConnectionId,
    id: AgreementId,
    bytes: z.number().nullable(),
    sha256: z.string().nullable(),
    seal: z.string().nullable(),
  })
  .transform(({ file, connectionId, id, bytes, sha256, seal }): ArchiveWork => ({
    file,
    key: { connectionId, id },
    whole: bytes === null || sha256 === null ? null : { bytes, sha256, seal },
  }));

export function createArchiveStore(database: Database): ArchiveStore {
  const list = database.query(sql.list, Row);
  const saved = database.query(sql.saved, SavedRow.extend({ finding: Row.shape.finding }));
  const placed = database.query<ArchivedPdf>(sql.placed, SavedRow);
  const inFolder = database.query(sql.inFolder, PlacedFileRow);
  const sameContent = database.query(sql.sameContent, ArchivedAgreementRow);
  const noteFinding = database.command(sql.noteFinding);
  const mark = database.command(sql.mark);
  const doubtPlaced = database.command(sql.doubtPlaced);
  const extras = database.query(sql.extras, ExtraFile);
  const held = database.query(sql.held, z.object({ held: z.literal(1) }));
  const heldFolders = database.query(sql.heldFolders, z.object({ folder: z.string() }));
  const end = database.command(sql.end);
  const recordExtra = database.command(sql.recordExtra);
  const holds = database.command(sql.holds);
  const renamed = database.command(sql.renamed);
  const renamedPlace = database.command(sql.renamedPlace);
  const renamedExtra = database.command(sql.renamedExtra);
  const listMarks = database.query(
    sql.listMarks,
    z.object({ lists: jsonColumn(ListMarksRow).nullable() }),
  );
  const markLists = database.command(sql.markLists);
  const forgetLists = database.command(sql.forgetLists);

  return {
    list: (connectionId) => list.all({ connectionId: connectionId ?? null }),
    saved: (key) => saved.first(key) ?? null,
    ...createRecording(database, end),
    placed: (folder, { connectionId, id }) => placed.first({ folder, connectionId, id }) ?? null,
    inFolder: (folder) => inFolder.all({ folder }),
    sameContent: (folder, { connectionId, id }, sha256) =>
      sameContent.first({ folder, connectionId, id, sha256 }) ?? null,
    noteFindings: (folder, findings, at) =>
      database.transaction(() => {
        for (const { key, file, finding } of findings) {
          const { connectionId, id } = key;
          noteFinding({ connectionId, id, file, finding, at });
          mark({ connectionId, id });
          if (finding !== 'intact') doubtPlaced({ folder, connectionId, id, file });
        }
      }),
    extras: (folder, key) =>
      extras.all({ folder, connectionId: key?.connectionId ?? null, id: key?.id ?? null }),
    recordExtra: (folder, { connectionId, id }, extra) =>
      database.quickTransaction(() => {
        recordExtra({ folder, connectionId, id, ...extra });
        end({ file: extra.file });
      }),
    work: createWork(database, end),
    held: (folder) => held.first({ folder }) !== undefined,
    heldFolders: () => heldFolders.all({}).map(({ folder }) => folder),
    holds: (folder, at) => void holds({ folder, at }),
    renamed: (folder, changes) =>
      database.transaction(() => {
        for (const { from, to } of changes) {
          renamed({ from, to });
          renamedPlace({ folder, from, to });
          renamedExtra({ folder, from, to });
        }
      }),
    listMarks: (folder) => listMarks.first({ folder })?.lists ?? null,
    markLists: (folder, marks) => void markLists({ folder, lists: JSON.stringify(marks) }),
    forgetStrays: createForgetStrays(database, end),
    forgetLists: (folder) => void forgetLists({ folder }),
    rules: createArchiveRuleStore(database),
  };
}

const StrayFileRow = z.object({ folder: z.string(), file: z.string() });

function createForgetStrays(
  database: Database,
  end: ReturnType<Database['command']>,
): ArchiveStore['forgetStrays'] {
  const books = [
    [database.query(sql.placedFiles, StrayFileRow), database.command(sql.forgetPlaced)],
    [database.query(sql.extraFiles, StrayFileRow), database.command(sql.forgetExtra)],
  ] as const;
  const work = database.query(sql.work, ArchiveWorkRow);
  return () =>
    database.transaction(() => {
      for (const [files, forget] of books) {
        for (const one of files.all({}).filter(isStray)) forget(one);
      }
      for (const { file } of work.all().filter(isOutsidePath)) end({ file });
    });
}

const isStray = ({ folder, file }: z.infer<typeof StrayFileRow>): boolean =>
  relativeTo(folder, file) === null || isOutsidePath({ file });

const isOutsidePath = ({ file }: { readonly file: string }): boolean =>
  file.split(/[\\/]/u).includes('..');

function createWork(
  database: Database,
  end: ReturnType<Database['command']>,
): ArchiveStore['work'] {
  const work = database.query(sql.work, ArchiveWorkRow);
  const begin = database.command(sql.begin);
  const whole = database.command(sql.whole);
  return {
    list: () => work.all(),
    begin: (works) =>
      database.quickTransaction(() => {
        for (const { file, key } of works)
          begin({ file, connectionId: key.connectionId, id: key.id });
      }),
    // The record is written before the file is renamed, so that the owner of the file is known
    // after a kill. If a power failure loses the record, the file is downloaded a second time, and
    // the existing file is found.
    whole: (works) =>
      database.quickTransaction(() => {
        for (const { file, bytes, sha256, seal } of works) whole({ file, bytes, sha256, seal });
      }),
    end: (files) =>
      database.quickTransaction(() => {
        for (const file of files) end({ file });
      }),
  };
}

/** Records saved files, which also ends their pending work. */
function createRecording(
  database: Database,
  end: ReturnType<Database['command']>,
): Pick<ArchiveStore, 'record' | 'recordAll'> {
  const record = database.command(sql.record);
  const mark = database.command(sql.mark);
  const renew = database.command(sql.renew);
  const place = database.command(sql.place);
  /** Records one file. Returns false if the agreement is neither stored nor archived. */
  const recordOne = (
    { connectionId, id }: AgreementKey,
    { file, bytes, sha256, changedAt = null, seal = null }: SavedFile & Partial<ArchivedPdf>,
    at: number,
    folder: string | undefined,
  ): boolean => {
    const row = { connectionId, id, file, bytes, sha256, changedAt, seal, at };
    const isKnown = record(row) > 0 || renew(row) > 0;
    if (isKnown && folder !== undefined) place({ folder, connectionId, id });
    if (isKnown) {
      mark({ connectionId, id });
      end({ file });
    }
    return isKnown;
  };

  return {
    // If a power failure loses a record, the file is checked again, or downloaded a second time and
    // found.
    record: (key, file, at, folder) =>
      database.quickTransaction(() => {
        if (!recordOne(key, file, at, folder)) {
          throw new AppError('not-found', `Agreement ${key.id} is not on this computer`);
        }
      }),
    // The transaction waits for the disk once for all files, and for the earlier records of their
    // work.
    recordAll: (files, folder) =>
      database.transaction(() =>
        files
          .filter(({ key, savedAt, ...file }) => !recordOne(key, file, savedAt, folder))
          .map(({ key }) => key),
      ),
  };
}
