import * as z from 'zod';
import {
  Batch,
  BatchSummary,
  ColumnMatch,
  type CellEdit,
} from '../../../../shared/contract/batches.ts';
import { AgreementId, BatchId, OutboxRef } from '../../../../shared/model/ids.ts';
import { FlaggedCell, SheetRow } from '../../../../shared/contract/sheets.ts';
import { AppError } from '../../../../shared/errors.ts';
import type { BatchStore, StoredRow } from '../../../core/batches/ports.ts';
import { sql } from './sql.ts';
import { createBatchWatch } from './watch.ts';
import { blobColumn, flagColumn, jsonColumn } from '../database/columns.ts';
import type { Database } from '../database/database.ts';

const Row = Batch.extend({
  sheet: jsonColumn(Batch.shape.sheet),
  choices: jsonColumn(Batch.shape.choices),
  mapping: jsonColumn(Batch.shape.mapping.unwrap()).nullable(),
  matches: jsonColumn(Batch.shape.matches),
  schedule: jsonColumn(Batch.shape.schedule),
});
const Cells = z.array(z.string());
const LineRow = z.object({
  row: z.number().int(),
  cells: jsonColumn(Cells),
  original: jsonColumn(Cells).nullable(),
  marks: jsonColumn(z.array(FlaggedCell)),
  choice: flagColumn.nullable(),
  answered: jsonColumn(z.array(z.string())).nullable(),
  ref: OutboxRef.nullable(),
  failure: z.string().nullable(),
  replaces: OutboxRef.nullable(),
});
const OriginRow = z.object({ origin: BatchId });
const ReplacedRow = z.object({ row: z.number().int(), replaces: OutboxRef });
const EarlierSendRow = z.object({
  hash: z.string(),
  batchName: z.string(),
  row: z.number().int(),
  ref: OutboxRef,
  at: z.number(),
  isGivenUp: flagColumn,
});
const SameRowSend = EarlierSendRow.extend({ asked: z.number().int() });

export function createBatchStore(database: Database): BatchStore {
  const statements = prepare(database);
  const get = (id: BatchId): Batch => statements.get.first({ id }) ?? throwMissingBatch(id);
  const open = (id: BatchId): Batch => {
    const batch = get(id);
    if (batch.stage === 'open') return batch;
    throw new AppError('conflict', 'The batch is already in the outbox, so it was not changed', {
      reason: 'batch-armed',
    });
  };
  return {
    list: () => statements.list.all(),
    get,
    file: (id) => statements.file.first({ id }) ?? throwMissingBatch(id),
    insert: ({ batch, data, sha256, rows, origin = null, ...rest }) => {
      const { replaces = new Map(), edits = [], choices = [] } = rest;
      database.transaction(() => {
        statements.insert({ ...writtenBatch(batch), data, sha256, origin });
        insertRows(statements, batch.id, rows, replaces);
        for (const edit of edits) editCell(statements, batch.id, edit);
        for (const [row, isLeftOut] of choices) {
          const choice = Number(isLeftOut);
          statements.choose({ id: batch.id, row, choice, answered: null });
        }
      });
    },
    change: (id, change, at) =>
      database.transaction(() => {
        const batch = { ...open(id), ...change };
        statements.save({ ...savedBatch(batch), at });
        return get(id);
      }),
    setRows: (id, sheet, choices, rows, at) =>
      database.transaction(() => {
        open(id);
        const replaced = statements.replaced.all({ id });
        statements.removeRows({ id });
        const replaces = new Map(replaced.map((one) => [one.row, one.replaces]));
        insertRows(statements, id, rows, replaces);
        const texts = { sheet: JSON.stringify(sheet), choices: JSON.stringify(choices) };
        statements.setSheet({ id, ...texts, at });
        return get(id);
      }),
    remove: (id) => {
      database.transaction(() => {
        open(id);
        statements.remove({ id });
      });
    },
    origin: (id) => (statements.origin.first({ id }) ?? throwMissingBatch(id)).origin,
    rows: (id) => statements.rows.all({ id }),
    ...createBatchWatch(database, {
      all: (id) => statements.rows.all({ id }),
      one: (id, row) => statements.line.first({ id, row }),
    }),
    setStage: (id, from, to, at) => statements.setStage({ id, from, to, at }) > 0,
    arming: () => statements.arming.all().map(({ id }) => id),
    ...rowWrites(database, statements, open),
    ...earlierSends(statements),
  };
}

function insertRows(
  statements: Statements,
  id: BatchId,
  rows: readonly SheetRow[],
  replaces: ReadonlyMap<number, OutboxRef>,
): void {
  for (const { row, cells, marks } of rows) {
    const texts = { cells: JSON.stringify(cells), marks: JSON.stringify(marks) };
    statements.insertRow({ id, row, ...texts, replaces: replaces.get(row) ?? null });
  }
}

type Statements = ReturnType<typeof prepare>;

function rowWrites(
  database: Database,
  statements: Statements,
  open: (id: BatchId) => Batch,
): Pick<BatchStore, 'edit' | 'choose' | 'setFailure' | 'setRefs'> {
  return {
    edit: (id, edits, at) =>
      database.transaction(() => {
        open(id);
        const before = edits.map((edit) => editCell(statements, id, edit));
        statements.touch({ id, at });
        return before;
      }),
    choose: (id, rows, choice, at, answered = new Map()) =>
      database.transaction(() => {
        open(id);
        const flag = choice === null ? null : Number(choice);
        const before = rows.map((row) => {
          const isExcluded = statements.line.first({ id, row })?.choice ?? null;
          const keys = choice === false ? JSON.stringify(answered.get(row) ?? []) : null;
          statements.choose({ id, row, choice: flag, answered: keys });
          return { row, isExcluded };
        });
        statements.touch({ id, at });
        return before;
      }),
    setFailure: (id, row, failure) => {
      statements.setFailure({ id, row, failure });
    },
    setRefs: (id, rows) => {
      database.transaction(() => {
        for (const { row, ref, hash } of rows) statements.setRef({ id, row, ref, hash });
      });
    },
  };
}

/** Reads earlier sends, and earlier choices of columns. */
function earlierSends(
  statements: Statements,
): Pick<BatchStore, 'sentBefore' | 'sentOfRows' | 'foreignKeys' | 'recall' | 'remember'> {
  return {
    sentBefore: (hashes, except) => {
      const found = statements.sentBefore.all({ hashes: JSON.stringify(hashes), except });
      // Sends that were given up come first, so that a send of the same content replaces them.
      return new Map(found.map((row) => [row.hash, row]));
    },
    sentOfRows: (id, rows) => {
      const found = statements.sentOfRows.all({ id, rows: JSON.stringify(rows) });
      return new Map(found.map(({ asked, ...row }) => [asked, row]));
    },
    foreignKeys: (connections) => {
      const found = statements.foreignKeys.all({ connections: JSON.stringify(connections) });
      return new Map(found.map(({ key, id }) => [key, id]));
    },
    recall: (templateId, headerKey) =>
      statements.recall.first({ templateId, headerKey })?.matches ?? null,
    remember: (templateId, headerKey, matches, at) => {
      statements.remember({ templateId, headerKey, matches: JSON.stringify(matches), at });
    },
  };
}

const prepare = (database: Database) => ({
  list: database.query(sql.list, BatchSummary),
  get: database.query(sql.get, Row),
  file: database.query(sql.file, z.object({ data: blobColumn, sha256: z.string() })),
  rows: database.query(sql.rows, LineRow),
  line: database.query(sql.line, LineRow),
  arming: database.query(sql.arming, z.object({ id: BatchId })),
  sentBefore: database.query(sql.sentBefore, EarlierSendRow),
  sentOfRows: database.query(sql.sentOfRows, SameRowSend),
  foreignKeys: database.query(sql.foreignKeys, z.object({ key: z.string(), id: AgreementId })),
  recall: database.query(sql.recall, z.object({ matches: jsonColumn(z.array(ColumnMatch)) })),
  insert: database.command(sql.insert),
  insertRow: database.command(sql.insertRow),
  save: database.command(sql.save),
  setSheet: database.command(sql.setSheet),
  touch: database.command(sql.touch),
  remove: database.command(sql.remove),
  origin: database.query(sql.origin, OriginRow),
  replaced: database.query(sql.replaced, ReplacedRow),
  removeRows: database.command(sql.removeRows),
  editRow: database.command(sql.editRow),
  choose: database.command(sql.choose),
  setFailure: database.command(sql.setFailure),
  setStage: database.command(sql.setStage),
  setRef: database.command(sql.setRef),
  remember: database.command(sql.remember),
});

/**
 * Replaces a cell by the user's text, so that the marks from reading the spreadsheet no longer
 * apply.
 */
function editCell(statements: Statements, id: BatchId, { row, column, text }: CellEdit): CellEdit {
  const found = statements.line.first({ id, row });
  const before = found?.cells[column];
  if (found === undefined || before === undefined) {
    throw new AppError('not-found', `The batch has no cell in row ${row}, column ${column}`);
  }
  const cells = found.cells.map((cell, at) => (at === column ? text : cell));
  const kept: StoredRow['marks'] = found.marks.filter(
    ([at, mark]) => at !== column && mark !== 'ragged' && mark !== 'total',
  );
  const original = JSON.stringify(found.original ?? found.cells);
  const texts = { cells: JSON.stringify(cells), marks: JSON.stringify(kept) };
  statements.editRow({ id, row, original, ...texts });
  return { row, column, text: before };
}

function writtenBatch(batch: Batch) {
  return {
    ...savedBatch(batch),
    stage: batch.stage,
    fileName: batch.fileName,
    sheet: JSON.stringify(batch.sheet),
    choices: JSON.stringify(batch.choices),
    createdAt: batch.createdAt,
    updatedAt: batch.updatedAt,
  };
}

function savedBatch({
  id,
  name,
  connectionId,
  templateId,
  templateRevision,
  policy,
  ...rest
}: Batch) {
  return {
    id,
    name,
    connectionId,
    templateId,
    templateRevision,
    policy,
    mapping: rest.mapping === null ? null : JSON.stringify(rest.mapping),
    matches: JSON.stringify(rest.matches),
    schedule: JSON.stringify(rest.schedule),
  };
}

function throwMissingBatch(id: BatchId): never {
  throw new AppError('not-found', `There is no batch ${id}`);
}
