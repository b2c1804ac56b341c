import * as z from 'zod';
import type { TemplateId } from '../../../../shared/model/ids.ts';
import { Template, TemplateSource } from '../../../../shared/contract/templates.ts';
import { AppError } from '../../../../shared/errors.ts';
import { TemplateContent } from '../../../../shared/model/template.ts';
import type { TemplateStore } from '../../../core/templates/ports.ts';
import { blobColumn, jsonColumn } from '../database/columns.ts';
import type { Database } from '../database/database.ts';

const columns = `id, name, source, content, next_number AS nextNumber, used, revision,
  created_at AS createdAt, updated_at AS updatedAt, trashed_at AS trashedAt`;

const sql = {
  list: `SELECT ${columns} FROM template ORDER BY name COLLATE NOCASE, id`,
  get: `SELECT ${columns} FROM template WHERE id = @id`,
  pdf: 'SELECT data FROM template_pdf WHERE template_id = @id',
  insert: `
    INSERT INTO template (id, name, source, content, next_number, used, revision, created_at,
      updated_at, trashed_at)
    VALUES (@id, @name, @source, @content, @nextNumber, @used, @revision, @createdAt,
      @updatedAt, @trashedAt)`,
  save: `
    UPDATE template SET name = @name, source = @source, content = @content,
      updated_at = @updatedAt, revision = revision + 1
    WHERE id = @id AND revision = @revision`,
  putPdf: `
    INSERT INTO template_pdf (template_id, data) VALUES (@id, @data)
    ON CONFLICT (template_id) DO UPDATE SET data = excluded.data`,
  setTrashed: 'UPDATE template SET trashed_at = @at WHERE id = @id',
  takeNumber: 'UPDATE template SET next_number = next_number + 1 WHERE id = @id',
  countUse: 'UPDATE template SET used = used + 1 WHERE id = @id',
};

const Row = Template.extend({
  source: jsonColumn(TemplateSource),
  content: jsonColumn(TemplateContent),
});

export function createTemplateStore(database: Database): TemplateStore {
  const { list, one, pdf, ...write } = prepare(database);
  const get = (id: TemplateId): Template => one.first({ id }) ?? throwMissingTemplate(id);
  const row = ({ source, content, ...rest }: Template) => ({
    ...rest,
    source: JSON.stringify(source),
    content: JSON.stringify(content),
  });
  return {
    list: () => list.all(),
    get,
    pdf: (id) => pdf.first({ id })?.data ?? throwMissingTemplate(id),
    insert: (template, data) => {
      database.transaction(() => {
        write.insert(row(template));
        if (data !== null) write.putPdf({ id: template.id, data });
      });
    },
    save: (template, data) =>
      database.transaction(() => {
        const { id, name, source, content, revision, updatedAt } = row(template);
        if (write.save({ id, name, source, content, revision, updatedAt }) === 0) {
          get(template.id);
          throw new AppError('conflict', 'The template was changed in the meantime. Open it again');
        }
        if (data !== null) write.putPdf({ id: template.id, data });
        return get(template.id);
      }),
    setTrashed: (id, at) => {
      if (write.setTrashed({ id, at }) === 0) throwMissingTemplate(id);
    },
    takeNumber: (id) =>
      database.transaction(() => {
        const { nextNumber } = get(id);
        write.takeNumber({ id });
        return nextNumber;
      }),
    countUse: (id) => {
      if (write.countUse({ id }) === 0) throwMissingTemplate(id);
    },
  };
}

const prepare = (database: Database) => ({
  list: database.query(sql.list, Row),
  one: database.query(sql.get, Row),
  pdf: database.query(sql.pdf, z.object({ data: blobColumn })),
  insert: database.command(sql.insert),
  save: database.command(sql.save),
  putPdf: database.command(sql.putPdf),
  setTrashed: database.command(sql.setTrashed),
  takeNumber: database.command(sql.takeNumber),
  countUse: database.command(sql.countUse),
});

function throwMissingTemplate(id: TemplateId): never {
  throw new AppError('not-found', `There is no template ${id}`);
}
