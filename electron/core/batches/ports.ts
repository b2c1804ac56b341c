import type {
  Batch,
  BatchSummary,
  CellEdit,
  ColumnMatch,
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

/** A row as it is kept. */
export interface StoredRow extends SheetRow {
  /** The cells as they were in the file; null while nothing was changed. */
  readonly original: readonly string[] | null;
  /** What a person said about leaving it out; null as the check finds. */
  readonly choice: boolean | null;
  readonly ref: OutboxRef | null;
  /** What only merging its PDF showed, in words. */
  readonly failure: string | null;
  /** The refused row of the outbox that this one is put right in place of. */
  readonly replaces: OutboxRef | null;
}

/** The batch and the file it came from. */
export interface NewBatch {
  readonly batch: Batch;
  readonly data: Uint8Array;
  readonly sha256: string;
  readonly rows: readonly SheetRow[];
  /** Refused rows of the outbox that these are put right in place of, by the row's number. */
  readonly replaces?: ReadonlyMap<number, OutboxRef>;
  /** What a person wrote into cells of the file. */
  readonly edits?: readonly CellEdit[];
  /** What a person said about leaving rows out, by the row's number. */
  readonly choices?: ReadonlyMap<number, boolean>;
  /** See `BatchStore.origin`. */
  readonly origin?: BatchId | null;
}

/** A row of the same content that went to the outbox before. */
export interface EarlierRow {
  readonly batchName: string;
  readonly row: number;
  readonly at: number;
}

/** What a change of a batch writes; the rest stays as it is. */
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

/** A row that was frozen: where it is in the outbox, and what it says. */
export interface ArmedRow {
  readonly row: number;
  readonly ref: OutboxRef;
  readonly hash: string;
}

/** A moment in the life of a batch's rows; only the store reads it. */
export interface RowMark {
  readonly file: number;
  readonly set: symbol;
  readonly at: number;
}

interface RowsSince {
  readonly rows: readonly StoredRow[];
  /** `rows` are all there are, and not only those that were written. */
  readonly isAll: boolean;
  readonly mark: RowMark;
}

export interface BatchStore {
  /** Newest first. */
  list(): readonly BatchSummary[];
  /** Throws 'not-found'. */
  get(id: BatchId): Batch;
  file(id: BatchId): { readonly data: Uint8Array; readonly sha256: string };
  /** All of it or nothing: without what a person changed, other agreements would be sent. */
  insert(batch: NewBatch): void;
  /** Throws 'conflict' with 'batch-armed' once its rows are in the outbox. */
  change(id: BatchId, change: BatchChange, at: number): Batch;
  /** Puts other rows in the place of all; each number still replaces what it replaced. */
  setRows(
    id: BatchId,
    sheet: SheetShape,
    choices: Batch['choices'],
    rows: readonly SheetRow[],
    at: number,
  ): Batch;
  remove(id: BatchId): void;
  /**
   * The batch by which an office knows its rows: the one that they were in first, at whichever desk. Itself where
   * they were in no other.
   */
  origin(id: BatchId): BatchId;
  /** In the order of the sheet. */
  rows(id: BatchId): readonly StoredRow[];
  /** The rows that were written after `mark` was given, whoever wrote them; without one, all. */
  rowsSince(id: BatchId, mark: RowMark | null): RowsSince;
  /** Changes whenever `sentBefore`, or an outbox row and the name of its batch, may have changed. */
  sentVersion(): string;
  /** Changes whenever `foreignKeys` may have changed. */
  foreignVersion(): string;
  /** Gives the cells as they were before, in the same order; marks of changed cells go. */
  edit(id: BatchId, edits: readonly CellEdit[], at: number): readonly CellEdit[];
  choose(id: BatchId, rows: readonly number[], choice: boolean | null, at: number): void;
  setFailure(id: BatchId, row: number, failure: string | null): void;
  /** open → arming, arming → open or armed; false when it is not in `from`. */
  setStage(id: BatchId, from: Batch['stage'], to: Batch['stage'], at: number): boolean;
  /** Names the rows' places in the outbox, before they are armed. */
  setRefs(id: BatchId, rows: readonly ArmedRow[]): void;
  /** Batches that were being armed when an earlier process ended. */
  arming(): readonly BatchId[];
  /** Rows of other batches with these hashes that went out, or may have; the last of each. */
  sentBefore(hashes: readonly string[], except: BatchId): ReadonlyMap<string, EarlierRow>;
  /** Agreements of these connections by the key of their row, made by another copy of the program. */
  foreignKeys(connections: readonly ConnectionId[]): ReadonlyMap<string, AgreementId>;
  recall(templateId: TemplateId, headerKey: string): readonly ColumnMatch[] | null;
  remember(
    templateId: TemplateId,
    headerKey: string,
    matches: readonly ColumnMatch[],
    at: number,
  ): void;
}

/** Judges many rows apart from the program, so that a window stays quick meanwhile. */
export interface RowChecks {
  check(spec: CheckSpec, rows: readonly SheetRow[]): Promise<readonly CheckedRow[]>;
  close(): Promise<void>;
}
