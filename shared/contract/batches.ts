import * as z from 'zod';
import { Failure, MissingLetter, TextFit } from '../errors.ts';
import { call } from './call.ts';
import { DraftCheck, ToldLater } from './drafts.ts';
import {
  ApiName,
  BatchId,
  BytesId,
  ConnectionId,
  Instant,
  Nothing,
  OutboxRef,
  TemplateId,
} from '../model/ids.ts';
import { JobStarted } from './jobs.ts';
import { OutboxPolicy, OutboxState } from './outbox.ts';
import { SheetChoices, SheetShape } from './sheets.ts';

/** What the cell of a column has to say; `true` and `false` are any word for yes and no. */
export const CellCondition = z.object({
  column: z.string(),
  is: z.string(),
  /** All that it may say, where that is no yes or no. */
  among: z.array(z.string()).optional(),
});
export type CellCondition = z.infer<typeof CellCondition>;

const CellConditions = z.record(z.string(), z.array(CellCondition));

/**
 * The create body of one API without attachments, in which any text may hold `{Column}`; a party
 * with `when` is left out where that text is empty or says no. `fields` are of the PDF form. In a
 * row that does not meet what `onlyIf` says of a field or a column, the field is blank, and the cell
 * counts for nothing.
 */
export const BatchMapping = z.object({
  api: ApiName,
  body: z.record(z.string(), z.json()),
  fields: z.record(z.string(), z.string()),
  onlyIf: z.object({ fields: CellConditions, columns: CellConditions }).optional(),
});
export type BatchMapping = z.infer<typeof BatchMapping>;

/** How a column writes its days; `iso` is the only form that needs no person to say so. */
export const DayOrder = z.enum(['iso', 'day-month-year', 'month-day-year']);
export type DayOrder = z.infer<typeof DayOrder>;

/** Which column stands for a placeholder of the mapping; null: none was found. */
export const ColumnMatch = z.object({
  placeholder: z.string(),
  column: z.string().nullable(),
  dayOrder: DayOrder,
  /** A person said that it stays empty in every row. */
  isLeftEmpty: z.boolean().optional(),
});
export type ColumnMatch = z.infer<typeof ColumnMatch>;

/** When and how fast a batch goes out. */
export const BatchSchedule = z.object({
  /** Not before this; null for at once. */
  startAt: Instant.nullable(),
  /** Only Monday to Friday between these hours of the clock in Sweden; null for any time. */
  hours: z
    .object({ from: z.number().int().min(0).max(23), until: z.number().int().min(1).max(24) })
    .nullable(),
  perHour: z.number().int().min(1).max(10_000).nullable(),
});
export type BatchSchedule = z.infer<typeof BatchSchedule>;

/** What can be about a row; `field` is a rule of the draft it would become. */
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
  'on-service',
  'refused',
  'field',
]);
export type BatchProblemCode = z.infer<typeof BatchProblemCode>;

/** Something about a row, at one of its cells or at none. */
export const RowProblem = z.object({
  /** Index of the column; null for the row as a whole. */
  column: z.number().int().nullable(),
  code: BatchProblemCode,
  /** For `field`: the code of the draft's own rule; for the rest more about the cause. */
  detail: z.string(),
  /** The path in the body it is about, as in a draft; empty for what is no rule of a draft. */
  field: z.string(),
  /** English, for the command line. */
  message: z.string(),
  isError: z.boolean(),
  /** What the cell may be replaced by with one key; several when a person has to choose. */
  repairs: z.array(z.string()),
  /** Where a letter of the cell is in no font. */
  letter: MissingLetter.optional(),
  /** Where the text of the cell does not fit its box. */
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
  /** The spreadsheet's own row number. */
  row: z.number().int(),
  cells: z.array(z.string()),
  /** Left out by a person, or since it was sent before. */
  isExcluded: z.boolean(),
  isEdited: z.boolean(),
  problems: z.array(RowProblem),
  outcome: RowOutcome.nullable(),
});
export type BatchRow = z.infer<typeof BatchRow>;

export const RowFilter = z.enum(['all', 'errors', 'warnings', 'duplicates', 'excluded', 'ready']);
export type RowFilter = z.infer<typeof RowFilter>;

/** A sheet may name somebody else in each row. */
export const MAX_NAMED_LATER = 5;

/** What a check found, in numbers; it stands for exactly this batch as it is. */
export const BatchCheck = z.object({
  rows: z.number().int(),
  ready: z.number().int(),
  errors: z.number().int(),
  warnings: z.number().int(),
  /** Fields of the rows that are ready which keep a value of the PDF's own: the row has none. */
  keptDefaults: z.number().int(),
  duplicates: z.number().int(),
  excluded: z.number().int(),
  /** Of the rows that are ready. */
  people: z.number().int(),
  emails: z.number().int(),
  sms: z.number().int(),
  parties: z.number().int(),
  /** Whom the agreements tell later and name beside their parties: the first of them, and how many. */
  later: z.array(ToldLater).max(MAX_NAMED_LATER),
  laterCount: z.number().int(),
  /** Columns where nearly every cell is wrong: another column was meant. Nothing is sent then. */
  wrongColumns: z.array(z.string()),
  /** Placeholders without a column that nobody left empty on purpose. Nothing is sent then. */
  missingColumns: z.array(z.string()),
  /** What is wrong with every row alike: the template or the columns, not the rows. */
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
  /** The template's revision the rows were checked with. */
  templateRevision: z.number().int().nullable(),
  fileName: z.string(),
  sheet: SheetShape,
  choices: SheetChoices,
  mapping: BatchMapping.nullable(),
  matches: z.array(ColumnMatch),
  schedule: BatchSchedule,
  policy: OutboxPolicy,
  /** Grows with each change. */
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

/** How far a batch that was armed has come. */
export const BatchProgress = z.object({
  rows: z.number().int(),
  sent: z.number().int(),
  refused: z.number().int(),
  unknown: z.number().int(),
  waiting: z.number().int(),
  stopped: z.number().int(),
  /** Refused and unknown ones that nobody has done anything about yet. */
  needsPerson: z.number().int(),
  gate: z.enum(['open', 'paused', 'stopped', 'asks']),
  reason: Failure.nullable(),
  armedAt: Instant,
  /** When the next row goes out, as far as known. */
  nextAt: Instant.nullable(),
});
export type BatchProgress = z.infer<typeof BatchProgress>;

/** A batch and, once it was armed, where it stands. */
export const ListedBatch = BatchSummary.extend({
  going: BatchProgress.pick({ gate: true, waiting: true, needsPerson: true }).nullable(),
});
export type ListedBatch = z.infer<typeof ListedBatch>;

/** What a job that arms a batch did. */
export const ArmResult = z.object({ armed: z.number().int() });
export type ArmResult = z.infer<typeof ArmResult>;

/** A cell: the spreadsheet's own number of its row, and its column from 0. */
export const CellPlace = z.object({ row: z.number().int(), column: z.number().int() });
export type CellPlace = z.infer<typeof CellPlace>;

export const CellEdit = CellPlace.extend({ text: z.string().max(32_767) });
export type CellEdit = z.infer<typeof CellEdit>;

const One = z.object({ id: BatchId });
const ChangedRows = { rows: z.array(BatchRow), check: BatchCheck };

export const batchCalls = {
  'batches.list': call(z.object({}), z.array(ListedBatch)),
  'batches.show': call(One, Batch),
  /** Reads a spreadsheet that was handed over and keeps it. Throws 'invalid' with `sheet-…`. */
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
  /** Rows that a person changed, left out or took in: what reading the file again loses. */
  'batches.byHand': call(One, z.object({ rows: z.number().int() })),
  /** Reads the kept file again with other choices; edits of cells are lost with it. */
  'batches.reread': call(z.object({ id: BatchId, choices: SheetChoices }), Batch),
  'batches.remove': call(One, Nothing),
  'batches.setConnection': call(z.object({ id: BatchId, connectionId: ConnectionId }), Batch),
  /** Takes the template's own mapping, and the columns used for the same header before. */
  'batches.setTemplate': call(z.object({ id: BatchId, templateId: TemplateId }), Batch),
  'batches.setMapping': call(z.object({ id: BatchId, mapping: BatchMapping }), Batch),
  'batches.setMatches': call(z.object({ id: BatchId, matches: z.array(ColumnMatch) }), Batch),
  'batches.setSchedule': call(
    z.object({ id: BatchId, schedule: BatchSchedule, policy: OutboxPolicy }),
    Batch,
  ),
  /** The mapping as a `.signmap` file, under `out`; with the sheet's own column names in it. */
  'batches.exportMapping': call(One, z.object({ out: BytesId, fileName: z.string() })),
  'batches.check': call(One, BatchCheck),
  /** A window of the rows in the order of the sheet. `total` counts what the filter lets through. */
  'batches.rows': call(
    z.object({
      id: BatchId,
      filter: RowFilter,
      offset: z.number().int().min(0),
      limit: z.number().int().min(1).max(1000),
    }),
    z.object({ rows: z.array(BatchRow), total: z.number().int() }),
  ),
  /** Changes cells, and gives all rows that are others through it. */
  'batches.edit': call(
    z.object({ id: BatchId, edits: z.array(CellEdit).min(1).max(20_000) }),
    z.object({ ...ChangedRows, before: z.array(CellEdit) }),
  ),
  /** Takes the one repair of every cell of the column that has the same problem. */
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
    z.object({ id: BatchId, rows: z.array(z.number().int()), isExcluded: z.boolean() }),
    z.object(ChangedRows),
  ),
  /**
   * The next cell with an error, row by row, after the cell `after`; after the last one, the first. What
   * is wrong with a row as a whole is found at its first column. Null when there is no error.
   */
  'batches.nextError': call(z.object({ id: BatchId, after: CellPlace }), CellPlace.nullable()),
  /** One row as it would be sent. The merged PDF waits under `out`; null where there is none. */
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
   * Freezes every row that is ready, all or none. `confirm` is their number as a person typed it,
   * `revision` the batch they looked at. The job's result is an `ArmResult`.
   */
  'batches.send': call(
    z.object({
      id: BatchId,
      confirm: z.number().int(),
      revision: z.number().int(),
      /** How long it can be undone before its first row leaves. */
      holdSeconds: z.number().int().min(0).max(30).default(0),
    }),
    JobStarted,
  ),
  'batches.progress': call(One, BatchProgress),
  'batches.pause': call(One, BatchProgress),
  'batches.resume': call(One, BatchProgress),
  /** What is held leaves at once. */
  'batches.sendNow': call(One, BatchProgress),
  /** Cancels what is not on the wire; what was sent stays sent. */
  'batches.stop': call(One, BatchProgress),
  /** The same; and what was cancelled is editable again in a batch of its own. */
  'batches.undo': call(One, Batch),
  /** Rows the service refused become editable in a new batch of their own. */
  'batches.refusedRows': call(One, Batch),
  /** The original columns with row, state, id, error and time; or only the rows with errors. */
  'batches.report': call(
    z.object({
      id: BatchId,
      as: z.enum(['csv', 'xlsx']),
      only: z.enum(['all', 'errors']),
    }),
    z.object({ out: BytesId, fileName: z.string() }),
  ),
  /** A sheet with the headers a template asks for, its cells formatted as text. */
  'batches.sample': call(
    z.object({ templateId: TemplateId }),
    z.object({ out: BytesId, fileName: z.string() }),
  ),
} as const;

export const batchEvents = { 'batches.changed': z.object({ id: BatchId }) } as const;
