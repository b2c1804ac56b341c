import * as z from 'zod';
import { DraftId, FileId } from '../../../../shared/model/ids.ts';
import type { PeopleStore } from '../../../core/people/ports.ts';
import { blobColumn, jsonColumn } from '../database/columns.ts';
import type { Database, Parameters } from '../database/database.ts';
import {
  namesPersonByNameSql,
  agreementCopiesSql,
  namesPersonSql,
  parametersOf,
  usedParameters,
} from './erasure.ts';

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
    WHERE ${namesPersonSql('draft.content')} OR EXISTS (
      SELECT 1 FROM draft_step WHERE draft_id = draft.id AND ${namesPersonSql('draft_step.content')})
    ORDER BY updated_at DESC, id`,
  files: `
    SELECT id, name, sha256 FROM draft_file WHERE draft_id = @draft AND is_listed = 1
    ORDER BY number`,
  file: 'SELECT data FROM draft_file WHERE draft_id = @draft AND id = @file',
  copies: `
    SELECT connection.name AS connection, a.id, copy.remote AS agreement
    ${agreementCopiesSql.replace('WHERE', 'JOIN connection ON connection.id = a.connection_id WHERE')}
    ORDER BY a.updated_at DESC, a.id`,
  rows: `
    SELECT batch.name AS batch, batch_row.number AS row, batch.sheet, batch_row.cells,
      batch_row.original, outbox.state, outbox.remote_id AS agreement
    FROM batch JOIN batch_row ON batch_row.batch_id = batch.id
      LEFT JOIN outbox ON outbox.ref = batch_row.ref
    WHERE ${namesPersonSql('batch_row.cells')} OR (
      batch_row.original IS NOT NULL AND ${namesPersonSql('batch_row.original')})
    ORDER BY batch.updated_at DESC, batch.id, batch_row.number`,
  actions: `
    SELECT kind, state, title, agreement_id AS agreement, created_at AS at,
      coalesce(goal, 'null') AS goal
    FROM action WHERE ${namesPersonSql('action.title')} OR (goal IS NOT NULL AND ${namesPersonSql('action.goal')})
    ORDER BY created_at, id`,
  records: `
    SELECT kind, state, title, remote_id AS agreement, people, created_at AS at FROM outbox
    WHERE state <> 'staged' AND (${namesPersonSql('outbox.title')} OR ${namesPersonByNameSql('outbox.people')})
    ORDER BY created_at, ref`,
  evidence: `SELECT entry FROM evidence WHERE ${namesPersonSql('evidence.entry')} ORDER BY number`,
  archive: `
    SELECT title, file, sha256, saved_at AS savedAt FROM archive
    WHERE ${namesPersonSql('archive.title')} OR (
      party_names IS NOT NULL AND ${namesPersonByNameSql('archive.party_names')})
    ORDER BY saved_at, id`,
  templates: `
    SELECT name, content FROM template WHERE ${namesPersonSql('template.content')} ORDER BY name, id`,
};

const jsonValueColumn = jsonColumn(z.json());
const textListSchema = z.array(z.string());
const AT_COLUMN = { at: z.number() };
const CollectedDraft = z.object({
  id: DraftId,
  title: z.string(),
  state: z.enum(['open', 'sending', 'sent', 'trashed']),
  createdAt: z.number(),
  updatedAt: z.number(),
  content: jsonValueColumn,
});
const CollectedFile = z.object({ id: FileId, name: z.string(), sha256: z.string() });
const CollectedCopy = z.object({
  connection: z.string(),
  id: z.string(),
  agreement: jsonValueColumn,
});
const Row = z.object({
  batch: z.string(),
  row: z.number(),
  sheet: jsonColumn(z.object({ columns: z.array(z.object({ name: z.string() })) })),
  cells: jsonColumn(textListSchema),
  original: jsonColumn(textListSchema).nullable(),
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
const ArchivedRow = z.object({
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
          ...database.query(statement, row).all(usedParameters(statement, { ...asked, ...more })),
        ];
        return {
          groups: all(sql.groups, z.object({ name: z.string() })).map(({ name }) => name),
          drafts: all(sql.drafts, CollectedDraft).map((draft) =>
            Object.assign(draft, { files: all(sql.files, CollectedFile, { draft: draft.id }) }),
          ),
          copies: all(sql.copies, CollectedCopy),
          batchRows: all(sql.rows, Row).map(({ sheet, cells, ...row }) => {
            const heads = sheet.columns.map(({ name }, at) => name || String(at + 1));
            const named = cells.map((cell, at) => [heads[at] ?? String(at + 1), cell] as const);
            return Object.assign(row, { cells: Object.fromEntries(named) });
          }),
          corrections: all(sql.actions, z.object({ ...doneColumns, goal: jsonValueColumn })),
          records: all(sql.records, z.object({ ...doneColumns, people: jsonValueColumn })),
          evidence: all(sql.evidence, z.object({ entry: jsonValueColumn })).map(
            ({ entry }) => entry,
          ),
          archive: all(sql.archive, ArchivedRow),
          templates: all(sql.templates, z.object({ name: z.string(), content: jsonValueColumn })),
        };
      }),
    draftFile: (draft, file) =>
      database.query(sql.file, z.object({ data: blobColumn })).first({ draft, file })?.data ?? null,
  };
}
