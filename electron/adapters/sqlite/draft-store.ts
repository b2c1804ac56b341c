import * as z from 'zod';
import { Draft, DraftContent, DraftFile } from '../../../shared/contract/drafts.ts';
import type { DraftId, FileId } from '../../../shared/contract/ids.ts';
import { AppError } from '../../../shared/errors.ts';
import type { DraftStore } from '../../core/ports.ts';
import { blobColumn, jsonColumn } from './columns.ts';
import type { Database } from './database.ts';

const columns = `id, connection_id AS connectionId, content, revision, sending,
  created_at AS createdAt, updated_at AS updatedAt`;

const sql = {
  list: `SELECT ${columns} FROM draft ORDER BY updated_at DESC, id`,
  get: `SELECT ${columns} FROM draft WHERE id = @id`,
  insert: `
    INSERT INTO draft (id, connection_id, content, revision, sending, created_at, updated_at)
    VALUES (@id, @connectionId, @content, @revision, @sending, @createdAt, @updatedAt)`,
  save: `
    UPDATE draft SET content = @content, connection_id = @connectionId, updated_at = @at,
      revision = revision + 1
    WHERE id = @id`,
  remove: 'DELETE FROM draft WHERE id = @id',
  setSending: 'UPDATE draft SET sending = @ref WHERE id = @id',
  files: `
    SELECT id, name, mime_type AS mimeType, bytes, sha256, pages, field_count AS fieldCount, notices
    FROM draft_file WHERE draft_id = @draft ORDER BY number`,
  addFile: `
    INSERT INTO draft_file (draft_id, id, name, mime_type, bytes, sha256, pages, field_count,
      notices, modified_at, data)
    VALUES (@draft, @id, @name, @mimeType, @bytes, @sha256, @pages, @fieldCount,
      @notices, @modifiedAt, @data)`,
  removeFile: 'DELETE FROM draft_file WHERE draft_id = @draft AND id = @file',
  fileData: `
    SELECT name, data, modified_at AS modifiedAt
    FROM draft_file WHERE draft_id = @draft AND id = @file`,
};

const Row = Draft.omit({ files: true }).extend({ content: jsonColumn(DraftContent) });
const FileRow = DraftFile.extend({ notices: jsonColumn(DraftFile.shape.notices) });
const DataRow = z.object({
  name: z.string(),
  data: blobColumn,
  modifiedAt: z.number().nullable(),
});

export function createDraftStore(database: Database): DraftStore {
  const { list, one, files, ...statements } = prepare(database);

  const withFiles = (row: z.infer<typeof Row>): Draft => ({
    ...row,
    files: [...files.all({ draft: row.id })],
  });
  const get = (id: DraftId): Draft => withFiles(one.first({ id }) ?? missing(id));
  const editable = (id: DraftId): Draft => {
    const draft = get(id);
    if (draft.sending === null) return draft;
    throw new AppError('conflict', 'The draft is being sent', { reason: 'draft-locked' });
  };

  return {
    list: () => list.all().map(withFiles),
    get,
    insert: ({ files: attached, content, ...row }) => {
      if (attached.length > 0) throw new TypeError('Files of a draft are added with their data');
      statements.insert({ ...row, content: JSON.stringify(content) });
    },
    save: (id, revision, content, connectionId, at) =>
      database.transaction(() => {
        if (editable(id).revision !== revision) {
          throw new AppError('conflict', 'The draft was changed meanwhile');
        }
        statements.save({ id, content: JSON.stringify(content), connectionId, at });
        return get(id);
      }),
    remove: (id) => {
      if (statements.remove({ id }) === 0) missing(id);
    },
    addFile: (id, file, data, modifiedAt) => {
      database.transaction(() => {
        editable(id);
        const notices = JSON.stringify(file.notices);
        statements.addFile({ ...file, draft: id, notices, data, modifiedAt });
      });
    },
    removeFile: (id, file) => {
      database.transaction(() => {
        editable(id);
        if (statements.removeFile({ draft: id, file }) === 0) missingFile(file);
      });
    },
    fileData: (id, file) => statements.fileData.first({ draft: id, file }) ?? missingFile(file),
    setSending: (id, ref) => {
      if (statements.setSending({ id, ref }) === 0) missing(id);
    },
  };
}

const prepare = (database: Database) => ({
  list: database.query(sql.list, Row),
  one: database.query(sql.get, Row),
  files: database.query(sql.files, FileRow),
  fileData: database.query(sql.fileData, DataRow),
  insert: database.command(sql.insert),
  save: database.command(sql.save),
  remove: database.command(sql.remove),
  setSending: database.command(sql.setSending),
  addFile: database.command(sql.addFile),
  removeFile: database.command(sql.removeFile),
});

function missing(id: DraftId): never {
  throw new AppError('not-found', `There is no draft ${id}`);
}

function missingFile(file: FileId): never {
  throw new AppError('not-found', `The draft has no file ${file}`);
}
