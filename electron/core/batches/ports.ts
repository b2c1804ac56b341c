import type {
  Batch,
  BatchSummary,
  CellEdit,
  ColumnMatch,
  RowChoice,
} from '../../../shared/contract/batches.ts';
import type {
  AgreementId,
  BatchId,
  ConnectionId,
  OutboxRef,
  TemplateId,
} from '../../../shared/model/ids.ts';
import type { SheetRow, SheetShape } from '../../../shared/contract/sheets.ts';
import type { CheckedRow, CheckSpec } from '../../../shared/rules/batches/check.ts';

export interface StoredRow extends SheetRow {
  /** Original cells of the file; null if unchanged. */
  readonly original: readonly string[] | null;
  /** The user's choice to exclude the row; null to follow the check. */
  readonly choice: boolean | null;
  /**
   * Keys of the duplicates that the user was shown when including the row; null if unknown. The
   * choice counts only for these.
   */
  readonly answered: readonly string[] | null;
  readonly ref: OutboxRef | null;
  /** Problem, in words, that only merging the row's PDF showed. */
  readonly failure: string | null;
  /** Outbox row, refused or given up, that this row replaces. */
  readonly replaces: OutboxRef | null;
}

export interface NewBatch {
  readonly batch: Batch;
  readonly data: Uint8Array;
  readonly sha256: string;
  readonly rows: readonly SheetRow[];
  /** Outbox rows, refused or given up, that rows of this batch replace, by row number. */
  readonly replaces?: ReadonlyMap<number, OutboxRef>;
  /** The user's edits of cells. */
  readonly edits?: readonly CellEdit[];
  /** The user's choices to exclude rows, by row number. */
  readonly choices?: ReadonlyMap<number, boolean>;
  /** See `BatchStore.origin`. */
  readonly origin?: BatchId | null;
}

/** An earlier send of a row: of the same content, or of the same row of the file. */
export interface EarlierRow {
  readonly ref: OutboxRef;
  /** Hash of the sent content; null if unknown. */
  readonly hash: string | null;
  readonly batchName: string;
  readonly row: number;
  readonly at: number;
  /** Whether the user gave up the send, so that it is not known whether the service has it. */
  readonly isGivenUp: boolean;
}

/** Changed values of a batch; the others stay. */
type BatchChange = Partial<
  Pick<
    Batch,
    | 'name'
    | 'connectionId'
    | 'templateId'
    | 'templateRevision'
    | 'mapping'
    | 'matches'
    | 'schedule'
    | 'policy'
  >
>;

/** A frozen row: its row number, its outbox reference and its hash. */
export interface ArmedRow {
  readonly row: number;
  readonly ref: OutboxRef;
  readonly hash: string;
}

/** A point in the history of a batch's rows; opaque to all but the store. */
export interface RowMark {
  readonly file: number;
  readonly set: symbol;
  readonly at: number;
}

interface RowsSince {
  readonly rows: readonly StoredRow[];
  /** Whether `rows` contains all rows, not only the changed ones. */
  readonly isAll: boolean;
  readonly mark: RowMark;
}

export interface BatchStore {
  /** Lists the batches, newest first. */
  list(): readonly BatchSummary[];
  /** Throws 'not-found'. */
  get(id: BatchId): Batch;
  file(id: BatchId): { readonly data: Uint8Array; readonly sha256: string };
  /**
   * Stores all of the batch or nothing: without the user's edits, other agreements would be sent.
   */
  insert(batch: NewBatch): void;
  /**
   * Changes values of a batch. Throws 'conflict' with 'batch-armed' once its rows are in the
   * outbox.
   */
  change(id: BatchId, change: BatchChange, at: number): Batch;
  /** Replaces all rows; each row number keeps the refused row that it replaces. */
  setRows(
    id: BatchId,
    sheet: SheetShape,
    choices: Batch['choices'],
    rows: readonly SheetRow[],
    at: number,
  ): Batch;
  remove(id: BatchId): void;
  /**
   * Returns the batch that identifies the rows of this batch in an office: the first batch that
   * contained them, on any computer; this batch if there was no other.
   */
  origin(id: BatchId): BatchId;
  /** Returns the rows in the order of the spreadsheet. */
  rows(id: BatchId): readonly StoredRow[];
  /** Returns the rows written after `mark`, by any process; all rows without a mark. */
  rowsSince(id: BatchId, mark: RowMark | null): RowsSince;
  /**
   * Returns a text that changes whenever `sentBefore`, `sentOfRows`, or an outbox row and the name
   * of its batch, may have changed, except by a change of the batch itself.
   */
  sentVersion(): string;
  /** Returns a text that changes whenever `foreignKeys` may have changed. */
  foreignVersion(): string;
  /** Edits cells and removes their marks. Returns the previous cells, in the order of `edits`. */
  edit(id: BatchId, edits: readonly CellEdit[], at: number): readonly CellEdit[];
  /**
   * Stores the user's choices, and the keys of the known duplicates of each included row. Returns
   * the previous choices, in the same order.
   */
  choose(
    id: BatchId,
    rows: readonly number[],
    choice: boolean | null,
    at: number,
    answered?: ReadonlyMap<number, readonly string[]>,
  ): readonly RowChoice[];
  setFailure(id: BatchId, row: number, failure: string | null): void;
  /**
   * Changes the stage: open → arming, arming → open or armed. Returns false if the batch is not in
   * `from`.
   */
  setStage(id: BatchId, from: Batch['stage'], to: Batch['stage'], at: number): boolean;
  /** Stores the rows' outbox references before they are armed. */
  setRefs(id: BatchId, rows: readonly ArmedRow[]): void;
  /** Returns the batches that were being armed when an earlier process ended. */
  arming(): readonly BatchId[];
  /** Returns the last row of another batch for each hash that was sent, or may have been. */
  sentBefore(hashes: readonly string[], except: BatchId): ReadonlyMap<string, EarlierRow>;
  /**
   * Returns the last send of these rows from another batch, with any content: from a batch with
   * the same origin, or from the same sheet of the same file for the same template.
   */
  sentOfRows(id: BatchId, rows: readonly number[]): ReadonlyMap<number, EarlierRow>;
  /** Returns agreements of these connections by row key, created by another copy of the program. */
  foreignKeys(connections: readonly ConnectionId[]): ReadonlyMap<string, AgreementId>;
  recall(templateId: TemplateId, headerKey: string): readonly ColumnMatch[] | null;
  remember(
    templateId: TemplateId,
    headerKey: string,
    matches: readonly ColumnMatch[],
    at: number,
  ): void;
}

/** Validates many rows on another thread, so that the window stays responsive. */
export interface RowChecker {
  check(spec: CheckSpec, rows: readonly SheetRow[]): Promise<readonly CheckedRow[]>;
  close(): Promise<void>;
}
