import * as z from 'zod';
import { Failure, MissingCharacter, TextFit } from '../errors.ts';
import { call } from './call.ts';
import { DraftCheck, LaterRecipient } from './drafts.ts';
import {
  ApiName,
  BatchId,
  BytesId,
  ConnectionId,
  Instant,
  EmptyObject,
  OutboxRef,
  TemplateId,
} from '../model/ids.ts';
import { JobStarted } from './jobs.ts';
import { OutboxPolicy, OutboxState } from './outbox.ts';
import { SheetChoices, SheetShape } from './sheets.ts';

/** Required value of a cell in a column; `true` and `false` match any word for yes and no. */
export const CellCondition = z.object({
  column: z.string(),
  is: z.string(),
  /** All possible values of the cell, unless they are yes and no. */
  among: z.array(z.string()).optional(),
});
export type CellCondition = z.infer<typeof CellCondition>;

const CellConditions = z.record(z.string(), z.array(CellCondition));

/**
 * Create body of one API without attachments; every text may contain `{Column}`. A party with
 * `when` is skipped if that text is empty or means no. `fields` are those of the PDF form. If a row
 * does not meet the `onlyIf` conditions of a field or a column, the field is left blank and the
 * cell is ignored.
 */
export const BatchMapping = z.object({
  api: ApiName,
  body: z.record(z.string(), z.json()),
  fields: z.record(z.string(), z.string()),
  onlyIf: z.object({ fields: CellConditions, columns: CellConditions }).optional(),
});
export type BatchMapping = z.infer<typeof BatchMapping>;

/**
 * Order of day, month and year in a column of dates; only `iso` needs no confirmation by the user.
 */
export const DateFieldOrder = z.enum(['iso', 'day-month-year', 'month-day-year']);
export type DateFieldOrder = z.infer<typeof DateFieldOrder>;

/** Column for a placeholder of the mapping; null if none was found. */
export const ColumnMatch = z.object({
  placeholder: z.string(),
  column: z.string().nullable(),
  dayOrder: DateFieldOrder,
  /** Whether the user confirmed that the placeholder stays empty in every row. */
  isLeftEmpty: z.boolean().optional(),
});
export type ColumnMatch = z.infer<typeof ColumnMatch>;

export const BatchSchedule = z.object({
  /** Earliest time of the first send; null for immediately. */
  startAt: Instant.nullable(),
  /** Hours of Swedish time, Monday to Friday, between which rows are sent; null for any time. */
  hours: z
    .object({ from: z.number().int().min(0).max(23), until: z.number().int().min(1).max(24) })
    .nullable(),
  perHour: z.number().int().min(1).max(10_000).nullable(),
});
export type BatchSchedule = z.infer<typeof BatchSchedule>;

/**
 * Kinds of problems of a row; `field` is a problem found by the rules of the draft that is made
 * from the row.
 */
export const BatchProblemCode = z.enum([
  'spreadsheet',
  'cell-error',
  'formula',
  'formula-empty',
  'rounded',
  'formatted',
  'shown-rounded',
  'decimal',
  'date-form',
  'truth',
  'wrong-date',
  'merged',
  'ragged',
  'total',
  'date-unclear',
  'not-a-number',
  'not-yes-or-no',
  'not-an-answer',
  'not-asked',
  'placeholder',
  'name',
  'identifier',
  'same-row',
  'same-person',
  'sent-before',
  'sent-changed',
  'given-up',
  'on-service',
  'refused',
  'field',
]);
export type BatchProblemCode = z.infer<typeof BatchProblemCode>;

/** Problem of a row or of one of its cells. */
export const RowProblem = z.object({
  /** Column index; null for the row as a whole. */
  column: z.number().int().nullable(),
  code: BatchProblemCode,
  /** For `field`: the code of the draft's rule; otherwise details of the cause. */
  detail: z.string(),
  /** Path in the draft's body; empty if the problem was not found by the draft's rules. */
  field: z.string(),
  /** Message in English, for the command line. */
  message: z.string(),
  isError: z.boolean(),
  /** Suggested values for the cell; if there are several, the user chooses. */
  repairs: z.array(z.string()),
  /** Character of the cell that the font lacks, if there is one. */
  letter: MissingCharacter.optional(),
  /** How much of the cell's text fits its box, if the text does not fit. */
  fit: TextFit.optional(),
});
export type RowProblem = z.infer<typeof RowProblem>;

export const RowOutcome = z.object({
  ref: OutboxRef,
  state: OutboxState,
  remoteId: z.string().nullable(),
  error: z.string().nullable(),
  errorCode: z.string().nullable(),
  at: Instant,
});
export type RowOutcome = z.infer<typeof RowOutcome>;

export const BatchRow = z.object({
  /** Row number in the spreadsheet. */
  row: z.number().int(),
  cells: z.array(z.string()),
  /** Whether the row is excluded, by the user or because it was sent before. */
  isExcluded: z.boolean(),
  isEdited: z.boolean(),
  problems: z.array(RowProblem),
  outcome: RowOutcome.nullable(),
});
export type BatchRow = z.infer<typeof BatchRow>;

export const RowFilter = z.enum(['all', 'errors', 'warnings', 'duplicates', 'excluded', 'ready']);
export type RowFilter = z.infer<typeof RowFilter>;

/**
 * Maximum number of later recipients shown: a spreadsheet may name different recipients in each
 * row.
 */
export const MAX_LATER_RECIPIENTS_SHOWN = 5;

/** Result of a check; valid only for this revision of the batch. */
export const BatchCheck = z.object({
  rows: z.number().int(),
  ready: z.number().int(),
  errors: z.number().int(),
  warnings: z.number().int(),
  /**
   * Number of fields in ready rows that keep a default value of the PDF, because the row has no
   * value for them.
   */
  keptDefaults: z.number().int(),
  duplicates: z.number().int(),
  excluded: z.number().int(),
  /** Number of people to notify, in ready rows only; a person in several rows counts once. */
  people: z.number().int(),
  emails: z.number().int(),
  sms: z.number().int(),
  parties: z.number().int(),
  /** Recipients notified later that are not parties: the first few, and their number. */
  later: z.array(LaterRecipient).max(MAX_LATER_RECIPIENTS_SHOWN),
  laterCount: z.number().int(),
  /**
   * Columns in which nearly every cell is wrong, probably because another column was meant. Blocks
   * sending.
   */
  wrongColumns: z.array(z.string()),
  /** Placeholders without a column that the user has not confirmed as empty. Blocks sending. */
  missingColumns: z.array(z.string()),
  /** Problems that every row has: the template or the columns are wrong, not the rows. */
  everywhere: z.array(z.string()),
});
export type BatchCheck = z.infer<typeof BatchCheck>;

export const BatchStage = z.enum(['open', 'arming', 'armed']);
export type BatchStage = z.infer<typeof BatchStage>;

export const Batch = z.object({
  id: BatchId,
  name: z.string(),
  stage: BatchStage,
  connectionId: ConnectionId.nullable(),
  templateId: TemplateId.nullable(),
  /** Revision of the template with which the rows were checked. */
  templateRevision: z.number().int().nullable(),
  fileName: z.string(),
  sheet: SheetShape,
  choices: SheetChoices,
  mapping: BatchMapping.nullable(),
  matches: z.array(ColumnMatch),
  schedule: BatchSchedule,
  policy: OutboxPolicy,
  revision: z.number().int(),
  createdAt: Instant,
  updatedAt: Instant,
});
export type Batch = z.infer<typeof Batch>;

export const BatchSummary = Batch.pick({
  id: true,
  name: true,
  stage: true,
  connectionId: true,
  fileName: true,
  updatedAt: true,
}).extend({
  rows: z.number().int(),
});
export type BatchSummary = z.infer<typeof BatchSummary>;

export const BatchProgress = z.object({
  rows: z.number().int(),
  sent: z.number().int(),
  refused: z.number().int(),
  unknown: z.number().int(),
  /** Number of rows that the user gave up, whose agreements may exist on the service all the same. */
  givenUp: z.number().int(),
  waiting: z.number().int(),
  stopped: z.number().int(),
  /** Number of refused and unknown rows that still need the user's decision. */
  needsPerson: z.number().int(),
  gate: z.enum(['open', 'paused', 'stopped', 'asks']),
  reason: Failure.nullable(),
  armedAt: Instant,
  /** Time of the next send, if known. */
  nextAt: Instant.nullable(),
});
export type BatchProgress = z.infer<typeof BatchProgress>;

export const ListedBatch = BatchSummary.extend({
  going: BatchProgress.pick({
    gate: true,
    waiting: true,
    needsPerson: true,
    givenUp: true,
  }).nullable(),
});
export type ListedBatch = z.infer<typeof ListedBatch>;

export const ArmResult = z.object({ armed: z.number().int() });
export type ArmResult = z.infer<typeof ArmResult>;

/** A cell: its row number in the spreadsheet, and its column from 0. */
export const CellPosition = z.object({ row: z.number().int(), column: z.number().int() });
export type CellPosition = z.infer<typeof CellPosition>;

export const CellEdit = CellPosition.extend({ text: z.string().max(32_767) });
export type CellEdit = z.infer<typeof CellEdit>;

/**
 * The user's choice to exclude or include a row; null for the default, which excludes duplicates.
 */
const RowChoice = z.object({ row: z.number().int(), isExcluded: z.boolean().nullable() });
export type RowChoice = z.infer<typeof RowChoice>;

const BatchReference = z.object({ id: BatchId });
const changedRowsFields = { rows: z.array(BatchRow), check: BatchCheck };

export const batchCalls = {
  'batches.list': call(z.object({}), z.array(ListedBatch)),
  'batches.show': call(BatchReference, Batch),
  /** Creates a batch from an uploaded spreadsheet. Throws 'invalid' with a reason `sheet-…`. */
  'batches.create': call(
    z.object({
      name: z.string().trim().min(1).max(200),
      fileName: z.string().min(1).max(255),
      bytes: BytesId,
      choices: SheetChoices,
      connectionId: ConnectionId.nullable(),
      templateId: TemplateId.nullable(),
    }),
    Batch,
  ),
  /**
   * Returns the number of rows that the user changed, excluded or included; reading the file again
   * loses these changes.
   */
  'batches.byHand': call(BatchReference, z.object({ rows: z.number().int() })),
  /** Reads the stored spreadsheet again with other choices; edits of cells are lost. */
  'batches.reread': call(z.object({ id: BatchId, choices: SheetChoices }), Batch),
  'batches.remove': call(BatchReference, EmptyObject),
  'batches.setConnection': call(z.object({ id: BatchId, connectionId: ConnectionId }), Batch),
  /**
   * Sets the template of a batch, with the template's own mapping and the columns that were chosen
   * for the same header before.
   */
  'batches.setTemplate': call(z.object({ id: BatchId, templateId: TemplateId }), Batch),
  'batches.setMapping': call(z.object({ id: BatchId, mapping: BatchMapping }), Batch),
  'batches.setMatches': call(z.object({ id: BatchId, matches: z.array(ColumnMatch) }), Batch),
  'batches.setSchedule': call(
    z.object({ id: BatchId, schedule: BatchSchedule, policy: OutboxPolicy }),
    Batch,
  ),
  /** Exports the mapping as a `.signmap` file under `out`, with the spreadsheet's column names. */
  'batches.exportMapping': call(BatchReference, z.object({ out: BytesId, fileName: z.string() })),
  'batches.check': call(BatchReference, BatchCheck),
  /**
   * Returns a part of the rows in spreadsheet order. `total` is the number of rows that match the
   * filter.
   */
  'batches.rows': call(
    z.object({
      id: BatchId,
      filter: RowFilter,
      offset: z.number().int().min(0),
      limit: z.number().int().min(1).max(1000),
    }),
    z.object({ rows: z.array(BatchRow), total: z.number().int() }),
  ),
  /** Changes cells and returns all rows that changed as a result. */
  'batches.edit': call(
    z.object({ id: BatchId, edits: z.array(CellEdit).min(1).max(20_000) }),
    z.object({ ...changedRowsFields, before: z.array(CellEdit) }),
  ),
  /**
   * Applies the suggested value to every cell of the column with the same problem, if there is only
   * one suggestion.
   */
  'batches.repairAlike': call(
    z.object({
      id: BatchId,
      column: z.number().int(),
      code: BatchProblemCode,
      detail: z.string(),
    }),
    z.object({ before: z.array(CellEdit), changed: z.number().int() }),
  ),
  'batches.replace': call(
    z.object({
      id: BatchId,
      column: z.number().int().nullable(),
      find: z.string().min(1),
      replace: z.string(),
    }),
    z.object({ before: z.array(CellEdit), changed: z.number().int() }),
  ),
  'batches.exclude': call(
    z.object({
      id: BatchId,
      rows: z.array(z.number().int()),
      isExcluded: RowChoice.shape.isExcluded,
    }),
    z.object({ ...changedRowsFields, before: z.array(RowChoice) }),
  ),
  /**
   * Finds the next cell with an error after the cell `after`, row by row, and continues from the
   * first row after the last. Problems of a whole row are in its first column. Null if there is no
   * error.
   */
  'batches.nextError': call(
    z.object({ id: BatchId, after: CellPosition }),
    CellPosition.nullable(),
  ),
  /** Returns one row as it would be sent. The merged PDF is under `out`; null if there is none. */
  'batches.preview': call(
    z.object({ id: BatchId, row: z.number().int() }),
    z.object({
      out: BytesId.nullable(),
      title: z.string(),
      parties: z.array(z.string()),
      check: DraftCheck,
    }),
  ),
  /**
   * Puts every ready row into the outbox, all or none; the rows cannot be changed afterwards.
   * `confirm` is their number as the user typed it, `revision` the reviewed revision of the batch.
   * The job's result is an `ArmResult`.
   */
  'batches.send': call(
    z.object({
      id: BatchId,
      confirm: z.number().int(),
      revision: z.number().int(),
      /**
       * Number of seconds during which the user can undo the send, before the first row is sent.
       */
      holdSeconds: z.number().int().min(0).max(30).default(0),
    }),
    JobStarted,
  ),
  'batches.progress': call(BatchReference, BatchProgress),
  'batches.pause': call(BatchReference, BatchProgress),
  'batches.resume': call(BatchReference, BatchProgress),
  /** Sends held rows immediately. */
  'batches.sendNow': call(BatchReference, BatchProgress),
  /** Cancels rows that are not in flight; sent rows stay sent. */
  'batches.stop': call(BatchReference, BatchProgress),
  /**
   * Cancels rows that are not in flight, as `batches.stop` does, and makes them editable in a new
   * batch.
   */
  'batches.undo': call(BatchReference, Batch),
  /**
   * Makes the refused rows and the rows that the user gave up editable, in a new batch. Without a
   * name, it has the old name.
   */
  'batches.refusedRows': call(
    BatchReference.extend({ name: z.string().trim().min(1).max(300).optional() }),
    Batch,
  ),
  /**
   * Exports the original columns with row, state, ID, error and time, for all rows or only those
   * with errors.
   */
  'batches.report': call(
    z.object({
      id: BatchId,
      as: z.enum(['csv', 'xlsx']),
      only: z.enum(['all', 'errors']),
    }),
    z.object({ out: BytesId, fileName: z.string() }),
  ),
  /**
   * Exports a spreadsheet with the headers that the template requires, and cells formatted as text.
   */
  'batches.sample': call(
    z.object({ templateId: TemplateId }),
    z.object({ out: BytesId, fileName: z.string() }),
  ),
} as const;

export const batchEvents = { 'batches.changed': z.object({ id: BatchId }) } as const;
