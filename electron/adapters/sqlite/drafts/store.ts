import * as z from 'zod';
import { Draft, DraftContent, DraftFile } from '../../../../shared/contract/drafts.ts';
import { DraftId, FileId, OutboxRef } from '../../../../shared/model/ids.ts';
import { AppError } from '../../../../shared/errors.ts';
import { requireUnlocked } from '../../../../shared/rules/drafts/locked.ts';
import type { DraftStore } from '../../../core/ports.ts';
import { blobColumn, jsonColumn } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { createDraftHistory } from './history.ts';
import { createDraftSteps, type DraftSteps } from './steps.ts';

const columns = `id, connection_id AS connectionId, content, revision, sending,
  created_at AS createdAt, updated_at AS updatedAt`;
const isInListSql = 'trashed_at IS NULL AND sent_as IS NULL';

const sql = {
  list: `SELECT ${columns} FROM draft WHERE ${isInListSql} ORDER BY updated_at DESC, id`,
  ids: `SELECT id FROM draft WHERE ${isInListSql} ORDER BY updated_at DESC, id`,
  locked: `SELECT id, sending FROM draft WHERE ${isInListSql} AND sending IS NOT NULL ORDER BY id`,
  get: `SELECT ${columns} FROM draft WHERE id = @id AND ${isInListSql}`,
  any: `SELECT ${columns} FROM draft WHERE id = @id`,
  standing: 'SELECT sending, sent_as AS sentAs FROM draft WHERE id = @id',
  backFromTrash: 'UPDATE draft SET trashed_at = NULL WHERE id = @id',
  hasFile: 'SELECT id FROM draft_file WHERE draft_id = @draft AND id = @file',
  insert: `
    INSERT INTO draft (id, connection_id, content, revision, sending, created_at, updated_at)
    VALUES (@id, @connectionId, @content, @revision, @sending, @createdAt, @updatedAt)`,
  save: `
    UPDATE draft SET content = @content, connection_id = @connectionId, updated_at = @at,
      revision = revision + 1
    WHERE id = @id`,
  origin: 'SELECT origin FROM draft WHERE id = @id',
  setOrigin: 'UPDATE draft SET origin = @origin WHERE id = @id',
  noteTemplate: 'UPDATE draft SET template_id = @templateId WHERE id = @id',
  setSending: 'UPDATE draft SET sending = @ref WHERE id = @id',
  files: `
    SELECT id, name, mime_type AS mimeType, bytes, sha256, pages, field_count AS fieldCount, notices
    FROM draft_file WHERE draft_id = @draft AND is_listed = 1 ORDER BY number`,
  addFile: `
    INSERT INTO draft_file (draft_id, id, name, mime_type, bytes, sha256, pages, field_count,
      notices, modified_at, data)
    VALUES (@draft, @id, @name, @mimeType, @bytes, @sha256, @pages, @fieldCount,
      @notices, @modifiedAt, @data)`,
  removeFile: `
    UPDATE draft_file SET is_listed = 0
    WHERE draft_id = @draft AND id = @file AND is_listed = 1`,
  fileData: `
    SELECT name, data, modified_at AS modifiedAt
    FROM draft_file WHERE draft_id = @draft AND id = @file AND is_listed = 1`,
  listFiles: `
    UPDATE draft_file SET is_listed = 1
    WHERE draft_id = @draft AND id IN (SELECT value FROM json_each(@files)) AND is_listed = 0`,
  unlistFiles: `
    UPDATE draft_file SET is_listed = 0
    WHERE draft_id = @draft AND id NOT IN (SELECT value FROM json_each(@files)) AND is_listed = 1`,
  // Unlisted files that no undo step refers to can never return.
  dropFiles: `
    DELETE FROM draft_file WHERE draft_id = @draft AND is_listed = 0 AND NOT EXISTS (
      SELECT 1 FROM draft_step WHERE draft_id = @draft AND instr(content, draft_file.id) > 0)`,
};

const Row = Draft.omit({ files: true }).extend({ content: jsonColumn(DraftContent) });
const FileRow = DraftFile.extend({ notices: jsonColumn(DraftFile.shape.notices) });
const Id = z.object({ id: DraftId });
const LockedDraftRow = z.object({ id: DraftId, sending: OutboxRef });
const DraftOriginRow = z.object({ origin: DraftId.nullable() });
const DraftSendState = z.object({ sending: OutboxRef.nullable(), sentAs: OutboxRef.nullable() });
const isClosed = (standing: z.infer<typeof DraftSendState> | undefined): boolean =>
  standing !== undefined && (standing.sending ?? standing.sentAs) !== null;
const DataRow = z.object({
  name: z.string(),
  data: blobColumn,
  modifiedAt: z.number().nullable(),
});

export function createDraftStore(database: Database): DraftStore {
  const { list, one, any, files, ...statements } = prepare(database);
  const steps = createDraftSteps(database);

  const withFiles = (row: z.infer<typeof Row>): Draft => ({
    ...row,
    files: [...files.all({ draft: row.id })],
  });
  const get = (id: DraftId): Draft => withFiles(one.first({ id }) ?? throwMissingDraft(id));
  const unlocked = (id: DraftId): Draft => requireUnlocked(get(id));
  const editable = (id: DraftId, revision: number): Draft => {
    const draft = unlocked(id);
    if (draft.revision === revision) return draft;
    throw new AppError('conflict', 'The draft was changed in the meantime. Open it again');
  };
  const history = createDraftHistory(database, {
    read: (id) => withFiles(any.first({ id }) ?? throwMissingDraft(id)),
    unlocked,
  });

  return {
    ...history,
    ...createHistory(database, { get, editable, unlocked, statements, steps }),
    receive: createReceive(database, statements, steps),
    isClosed: (id) => isClosed(statements.standing.first({ id })),
    list: () => list.all().map(withFiles),
    ids: () => statements.ids.all().map(({ id }) => id),
    locked: () => [...statements.locked.all()],
    get,
    insert: ({ files: attached, content, ...row }, give = () => {}) => {
      if (attached.length > 0) throw new TypeError('Files of a draft are added with their data');
      database.transaction(() => {
        statements.insert({ ...row, content: JSON.stringify(content) });
        give();
      });
    },
    noteTemplate: (id, templateId) => {
      if (statements.noteTemplate({ id, templateId }) === 0) throwMissingDraft(id);
    },
    origin: (id) => (statements.origin.first({ id }) ?? throwMissingDraft(id)).origin,
    setOrigin: (id, origin) => {
      if (statements.setOrigin({ id, origin }) === 0) throwMissingDraft(id);
    },
    setSending: (id, ref) => {
      if (statements.setSending({ id, ref }) === 0) throwMissingDraft(id);
    },
  };
}

/** Stores a received draft; see `DraftStore.receive`. Undo restores the previous content. */
function createReceive(
  database: Database,
  statements: DraftContext['statements'],
  steps: DraftSteps,
): DraftStore['receive'] {
  return ({ id, content, connectionId, files }, dataOf, at) =>
    database.transaction(() => {
      const standing = statements.standing.first({ id });
      if (isClosed(standing)) return false;
      const wanted = files
        .filter(({ id: file }) => statements.hasFile.first({ draft: id, file }) === undefined)
        .map((file) => ({ file, data: dataOf(file) }));
      if (wanted.some(({ data }) => data === null)) return false;
      const text = JSON.stringify(content);
      if (standing === undefined) {
        const times = { createdAt: at, updatedAt: at };
        statements.insert({
          id,
          connectionId,
          content: text,
          revision: 1,
          sending: null,
          ...times,
        });
      } else {
        statements.backFromTrash({ id });
        steps.record(id, text, null);
        statements.save({ id, content: text, connectionId, at });
      }
      for (const { file, data } of wanted) {
        const notices = JSON.stringify(file.notices);
        statements.addFile({ ...file, draft: id, notices, data, modifiedAt: null });
      }
      const named = { draft: id, files: JSON.stringify(files.map((file) => file.id)) };
      statements.listFiles(named);
      statements.unlistFiles(named);
      statements.dropFiles({ draft: id });
      return true;
    });
}

interface DraftContext {
  readonly get: (id: DraftId) => Draft;
  readonly unlocked: (id: DraftId) => Draft;
  readonly editable: (id: DraftId, revision: number) => Draft;
  readonly statements: Omit<ReturnType<typeof prepare>, 'list' | 'one' | 'any' | 'files'>;
  readonly steps: DraftSteps;
}

/** Changes a draft with its undo steps, and the files that these refer to. */
function createHistory(
  database: Database,
  { get, unlocked, editable, statements, steps }: DraftContext,
): Pick<DraftStore, 'reach' | 'save' | 'step' | 'addFile' | 'removeFile' | 'fileData'> {
  return {
    reach: (id) => {
      get(id);
      return steps.reach(id);
    },
    save: (id, revision, content, connectionId, at, edit) =>
      database.transaction(() => {
        editable(id, revision);
        const text = JSON.stringify(content);
        steps.record(id, text, edit ?? null);
        statements.save({ id, content: text, connectionId, at });
        statements.listFiles({ draft: id, files: filesIn(content) });
        statements.dropFiles({ draft: id });
        return get(id);
      }),
    step: (id, revision, by, at) =>
      database.transaction(() => {
        const { connectionId } = editable(id, revision);
        const content = steps.go(id, by);
        if (content === null) return get(id);
        statements.save({ id, content, connectionId, at });
        const named = { draft: id, files: filesIn(get(id).content) };
        statements.listFiles(named);
        statements.unlistFiles(named);
        return get(id);
      }),
    addFile: (id, file, data, modifiedAt) => {
      database.transaction(() => {
        unlocked(id);
        const notices = JSON.stringify(file.notices);
        statements.addFile({ ...file, draft: id, notices, data, modifiedAt });
      });
    },
    removeFile: (id, file) => {
      database.transaction(() => {
        unlocked(id);
        if (statements.removeFile({ draft: id, file }) === 0) throwMissingDraftFile(file);
      });
    },
    fileData: (id, file) =>
      statements.fileData.first({ draft: id, file }) ?? throwMissingDraftFile(file),
  };
}

const prepare = (database: Database) => ({
  list: database.query(sql.list, Row),
  ids: database.query(sql.ids, Id),
  locked: database.query(sql.locked, LockedDraftRow),
  one: database.query(sql.get, Row),
  any: database.query(sql.any, Row),
  files: database.query(sql.files, FileRow),
  fileData: database.query(sql.fileData, DataRow),
  standing: database.query(sql.standing, DraftSendState),
  hasFile: database.query(sql.hasFile, z.object({ id: FileId })),
  backFromTrash: database.command(sql.backFromTrash),
  insert: database.command(sql.insert),
  save: database.command(sql.save),
  origin: database.query(sql.origin, DraftOriginRow),
  setOrigin: database.command(sql.setOrigin),
  noteTemplate: database.command(sql.noteTemplate),
  setSending: database.command(sql.setSending),
  addFile: database.command(sql.addFile),
  removeFile: database.command(sql.removeFile),
  listFiles: database.command(sql.listFiles),
  unlistFiles: database.command(sql.unlistFiles),
  dropFiles: database.command(sql.dropFiles),
});

/** Returns the IDs of the files in the content, as a JSON array. */
function filesIn({ body }: DraftContent): string {
  return JSON.stringify((body.attachments ?? []).flatMap(({ file }) => file ?? []));
}

function throwMissingDraft(id: DraftId): never {
  throw new AppError('not-found', `There is no draft ${id}`);
}

function throwMissingDraftFile(file: FileId): never {
  throw new AppError('not-found', `The draft has no file ${file}`);
}
