import * as z from 'zod';
import { DraftId, FileId } from '../../../../shared/model/ids.ts';
import type { PeopleStore } from '../../../core/people/ports.ts';
import { blobColumn, jsonColumn } from '../database/columns.ts';
import type { Database, Parameters } from '../database/database.ts';
import { byNameOnly, copies, names, parametersOf, used } from './erasure.ts';

const sql = {
  groups: `
    SELECT DISTINCT person_group.name FROM group_member
      JOIN person_group ON person_group.id = group_member.group_id
    WHERE person_id = @id ORDER BY person_group.name`,
  drafts: `
    SELECT id, coalesce(content ->> '$.body.title', content ->> '$.body.name', '') AS title,
      CASE WHEN sending IS NOT NULL THEN 'sending' WHEN sent_as IS NOT NULL THEN 'sent'
        WHEN trashed_at IS NOT NULL THEN 'trashed' ELSE 'open' END AS state,
      created_at AS createdAt, updated_at AS updatedAt, content
    FROM draft
    WHERE ${names('draft.content')} OR EXISTS (
      SELECT 1 FROM draft_step WHERE draft_id = draft.id AND ${names('draft_step.content')})
    ORDER BY updated_at DESC, id`,
  files: `
    SELECT id, name, sha256 FROM draft_file WHERE draft_id = @draft AND is_listed = 1
    ORDER BY number`,
  file: 'SELECT data FROM draft_file WHERE draft_id = @draft AND id = @file',
  copies: `
    SELECT connection.name AS connection, a.id, copy.remote AS agreement
    ${copies.replace('WHERE', 'JOIN connection ON connection.id = a.connection_id WHERE')}
    ORDER BY a.updated_at DESC, a.id`,
  rows: `
    SELECT batch.name AS batch, batch_row.number AS row, batch.sheet, batch_row.cells,
      batch_row.original, outbox.state, outbox.remote_id AS agreement
    FROM batch JOIN batch_row ON batch_row.batch_id = batch.id
      LEFT JOIN outbox ON outbox.ref = batch_row.ref
    WHERE ${names('batch_row.cells')} OR (
      batch_row.original IS NOT NULL AND ${names('batch_row.original')})
    ORDER BY batch.updated_at DESC, batch.id, batch_row.number`,
  actions: `
    SELECT kind, state, title, agreement_id AS agreement, created_at AS at,
      coalesce(goal, 'null') AS goal
    FROM action WHERE ${names('action.title')} OR (goal IS NOT NULL AND ${names('action.goal')})
    ORDER BY created_at, id`,
  records: `
    SELECT kind, state, title, remote_id AS agreement, people, created_at AS at FROM outbox
    WHERE state <> 'staged' AND (${names('outbox.title')} OR ${byNameOnly('outbox.people')})
    ORDER BY created_at, ref`,
  evidence: `SELECT entry FROM evidence WHERE ${names('evidence.entry')} ORDER BY number`,
  archive: `
    SELECT title, file, sha256, saved_at AS savedAt FROM archive
    WHERE ${names('archive.title')} OR (
      party_names IS NOT NULL AND ${byNameOnly('archive.party_names')})
    ORDER BY saved_at, id`,
  templates: `
    SELECT name, content FROM template WHERE ${names('template.content')} ORDER BY name, id`,
};

const json = jsonColumn(z.json());
const texts = z.array(z.string());
const AT_COLUMN = { at: z.number() };
const Draft = z.object({
  id: DraftId,
  title: z.string(),
  state: z.enum(['open', 'sending', 'sent', 'trashed']),
  createdAt: z.number(),
  updatedAt: z.number(),
  content: json,
});
const File = z.object({ id: FileId, name: z.string(), sha256: z.string() });
const Copy = z.object({ connection: z.string(), id: z.string(), agreement: json });
const Row = z.object({
  batch: z.string(),
  row: z.number(),
  sheet: jsonColumn(z.object({ columns: z.array(z.object({ name: z.string() })) })),
  cells: jsonColumn(texts),
  original: jsonColumn(texts).nullable(),
  state: z.string().nullable(),
  agreement: z.string().nullable(),
});
const doneColumns = {
  kind: z.string(),
  state: z.string(),
  title: z.string(),
  agreement: z.string().nullable(),
  ...AT_COLUMN,
};
const Archived = z.object({
  title: z.string(),
  file: z.string(),
  sha256: z.string(),
  savedAt: z.number(),
});

/** Collects all data of a person in the data file, for a copy given to that person. */
export function createCollected(database: Database): Pick<PeopleStore, 'collect' | 'draftFile'> {
  return {
    collect: (id, traces) =>
      database.snapshot(() => {
        const asked = { id, ...parametersOf(traces) };
        const all = <Found>(statement: string, row: z.ZodType<Found>, more: Parameters = {}) => [
          ...database.query(statement, row).all(used(statement, { ...asked, ...more })),
        ];
        return {
          groups: all(sql.groups, z.object({ name: z.string() })).map(({ name }) => name),
          drafts: all(sql.drafts, Draft).map((draft) =>
            Object.assign(draft, { files: all(sql.files, File, { draft: draft.id }) }),
          ),
          copies: all(sql.copies, Copy),
          batchRows: all(sql.rows, Row).map(({ sheet, cells, ...row }) => {
            const heads = sheet.columns.map(({ name }, at) => name || String(at + 1));
            const named = cells.map((cell, at) => [heads[at] ?? String(at + 1), cell] as const);
            return Object.assign(row, { cells: Object.fromEntries(named) });
          }),
          corrections: all(sql.actions, z.object({ ...doneColumns, goal: json })),
          records: all(sql.records, z.object({ ...doneColumns, people: json })),
          evidence: all(sql.evidence, z.object({ entry: json })).map(({ entry }) => entry),
          archive: all(sql.archive, Archived),
          templates: all(sql.templates, z.object({ name: z.string(), content: json })),
        };
      }),
    draftFile: (draft, file) =>
      database.query(sql.file, z.object({ data: blobColumn })).first({ draft, file })?.data ?? null,
  };
}
