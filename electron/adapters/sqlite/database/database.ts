import { tidiedName } from '../../../../shared/rules/text/tidied-name.ts';
import type Sqlite from 'better-sqlite3';
import type * as z from 'zod';
import { damagedRowError, withStorageErrors } from './storage-errors.ts';
import { noOpTurn, type WriteTurn } from './turn.ts';

export type SqlValue = string | number | Uint8Array | null;

/** Values of a statement by parameter name, without the `@`. */
export type Parameters = Readonly<Record<string, SqlValue>>;

/** Read statement, prepared on first use; every row is validated. */
export interface Query<Row> {
  all(parameters?: Parameters): readonly Row[];
  first(parameters?: Parameters): Row | undefined;
  /** Returns the only row of a statement that always returns one, such as a count. */
  only(parameters?: Parameters): Row;
}

/** Write statement, prepared on first use; returns the number of changed rows. */
type Command = (parameters?: Parameters) => number;

/** Event of a trigger, such as `UPDATE OF state ON outbox`. */
export interface RowEvent {
  readonly on: string;
  readonly when?: string;
  /** SQL expressions over `NEW` and `OLD`. */
  readonly values?: readonly string[];
}

/** Open data file. Every method throws `AppError` 'storage' with its reason. */
export interface Database {
  readonly file: string;
  /**
   * Creates a read statement. It throws 'data-damaged' for a row that `row` rejects, without naming
   * a value.
   */
  query<Row>(sql: string, row: z.ZodType<Row>): Query<Row>;
  command(sql: string): Command;
  /**
   * Runs `work` in a transaction. Takes the write lock first, commits to disk before it returns,
   * and rolls back if `work` throws.
   */
  transaction<Result>(work: () => Result): Result;
  /**
   * Runs `work` in a transaction that does not wait for the disk, for data that can be fetched
   * again. After a power failure, the last transactions of this kind may be missing, but none
   * before those.
   */
  quickTransaction<Result>(work: () => Result): Result;
  /** Runs `work` on a consistent snapshot, despite other writers; `work` must not write. */
  snapshot<Result>(work: () => Result): Result;
  /** Coordinates later writes of this connection through `turn`. */
  takeTurns(turn: WriteTurn): void;
  /**
   * Returns a number that changes when another connection, in this process or another one, has
   * committed.
   */
  dataVersion(): number;
  /**
   * Calls `listener` with `values` for every matching row that this connection writes, including
   * writes through a foreign key. Called before the commit, so the write may still be rolled back.
   */
  onWrite(event: RowEvent, listener: (...values: readonly unknown[]) => void): void;
  /** Calls `listener` after every commit; replaces the previous listener. */
  onCommit(listener: () => void): void;
  /** Sets how many pages the WAL may hold before a commit checkpoints it. */
  setLogPages(most: number): void;
  close(): void;
}

export function createDatabase(raw: Sqlite.Database, file: string): Database {
  let committed = () => {};
  let turn = noOpTurn;
  const onWrite = createWriteEvents(raw);
  raw.function('tidied_name', { deterministic: true }, (name: unknown) => tidiedName(String(name)));
  const inTurn = <Result>(work: () => Result): Result => {
    if (raw.inTransaction) return work();
    turn.take();
    try {
      return work();
    } finally {
      turn.give();
    }
  };
  const transaction = <Result>(work: () => Result): Result => {
    if (raw.inTransaction) return work();
    const result = inTurn(() => runTransaction(raw, work));
    committed();
    return result;
  };
  return {
    file,
    query: (sql, row) => prepareQuery(raw, sql, row, inTurn),
    command: (sql) => {
      const statement = preparedOnce(raw, sql);
      return (parameters = {}) => {
        const { changes } = withStorageErrors(() => inTurn(() => statement().run(parameters)));
        if (!raw.inTransaction) committed();
        return changes;
      };
    },
    takeTurns: (taken) => {
      turn = taken;
    },
    snapshot: (work) => (raw.inTransaction ? work() : runSnapshot(raw, work)),
    transaction,
    quickTransaction: (work) => runQuickTransaction(raw, () => transaction(work)),
    dataVersion: () =>
      withStorageErrors(() => Number(raw.pragma('data_version', { simple: true }))),
    onWrite,
    onCommit: (listener) => {
      committed = listener;
    },
    setLogPages: (most) => {
      withStorageErrors(() => raw.pragma(`wal_autocheckpoint = ${String(most)}`));
    },
    close: () => {
      withStorageErrors(() => raw.close());
    },
  };
}

function prepareQuery<Row>(
  raw: Sqlite.Database,
  sql: string,
  row: z.ZodType<Row>,
  inTurn: <Result>(work: () => Result) => Result,
): Query<Row> {
  const statement = preparedOnce(raw, sql);
  // A write with RETURNING is read like a query.
  const run = <Found>(work: () => Found): Found =>
    withStorageErrors(() => (statement().readonly ? work() : inTurn(work)));
  const first: Query<Row>['first'] = (parameters = {}) => {
    const found = run(() => statement().get(parameters));
    return found === undefined ? undefined : parseRow(row, found);
  };
  return {
    first,
    all: (parameters = {}) =>
      run(() => statement().all(parameters)).map((found) => parseRow(row, found)),
    only: (parameters) => {
      const found = first(parameters);
      if (found === undefined) throw damagedRowError('an incomplete table');
      return found;
    },
  };
}

/**
 * Returns a statement that is prepared on first use: preparing all statements would dominate the
 * start time.
 */
function preparedOnce(raw: Sqlite.Database, sql: string): () => Sqlite.Statement {
  let statement: Sqlite.Statement | null = null;
  return () => (statement ??= raw.prepare(sql));
}

/**
 * Validates a row. The error only names columns: a path below a column may contain words that a
 * user typed.
 */
function parseRow<Row>(schema: z.ZodType<Row>, found: unknown): Row {
  const parsed = schema.safeParse(found);
  if (parsed.success) return parsed.data;
  const columns = new Set(parsed.error.issues.map((issue) => String(issue.path[0])));
  throw damagedRowError(`a row (${[...columns].join(', ')})`);
}

/** Creates temporary triggers of this connection, which are not stored in the file. */
function createWriteEvents(raw: Sqlite.Database): Database['onWrite'] {
  let count = 0;
  return ({ on, when = 'TRUE', values = [] }, listener) => {
    count += 1;
    const name = `desk_wrote_${String(count)}`;
    withStorageErrors(() => {
      raw.function(name, { varargs: true }, (...written: unknown[]) => {
        listener(...written);
        return null;
      });
      raw.exec(`CREATE TEMP TRIGGER ${name} AFTER ${on} WHEN ${when}
        BEGIN SELECT ${name}(${values.join(', ')}); END`);
    });
  };
}

function runTransaction<Result>(raw: Sqlite.Database, work: () => Result): Result {
  return withStorageErrors(() => {
    raw.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      raw.exec('COMMIT');
      return result;
    } catch (error) {
      // A full disk has already ended the transaction.
      if (raw.inTransaction) raw.exec('ROLLBACK');
      throw error;
    }
  });
}

function runSnapshot<Result>(raw: Sqlite.Database, work: () => Result): Result {
  withStorageErrors(() => raw.exec('BEGIN'));
  try {
    return work();
  } finally {
    if (raw.inTransaction) withStorageErrors(() => raw.exec('COMMIT'));
  }
}

function runQuickTransaction<Result>(raw: Sqlite.Database, work: () => Result): Result {
  // Inside a transaction that waits for the disk, this write waits for it too.
  if (raw.inTransaction) return work();
  withStorageErrors(() => raw.pragma('synchronous = NORMAL'));
  try {
    return work();
  } finally {
    withStorageErrors(() => raw.pragma('synchronous = FULL'));
  }
}
