import { tidiedName } from '../../../../shared/rules/text/tidied-name.ts';
import type Sqlite from 'better-sqlite3';
import type * as z from 'zod';
import { damagedRow, withStorageErrors } from './storage-errors.ts';
import { noTurn, type WriteTurn } from './turn.ts';

export type SqlValue = string | number | Uint8Array | null;

/** Values by the name they have in the SQL behind `@`. */
export type Parameters = Readonly<Record<string, SqlValue>>;

/** A read that is prepared with its first use; every row is parsed before it leaves. */
export interface Query<Row> {
  all(parameters?: Parameters): readonly Row[];
  first(parameters?: Parameters): Row | undefined;
  /** Of a statement that always gives one row, as a count does. */
  only(parameters?: Parameters): Row;
}

/** A write that is prepared with its first use; gives how many rows it changed. */
type Command = (parameters?: Parameters) => number;

/** As in a trigger, `UPDATE OF state ON outbox`. */
export interface RowEvent {
  readonly on: string;
  readonly when?: string;
  /** Expressions over `NEW` and `OLD`. */
  readonly values?: readonly string[];
}

/** The open data file. Every method throws `AppError` 'storage' with the reason. */
export interface Database {
  readonly file: string;
  /** A row that `row` does not accept is thrown as 'data-damaged', naming no value of it. */
  query<Row>(sql: string, row: z.ZodType<Row>): Query<Row>;
  command(sql: string): Command;
  /** Takes the write lock first, commits to disk before it returns, undoes all when `work` throws. */
  transaction<Result>(work: () => Result): Result;
  /**
   * The same without waiting for the disk, for what can be had again from where it came. After a
   * power cut the last of these may be missing, as though they had never been; never one in between.
   */
  quickTransaction<Result>(work: () => Result): Result;
  /** All that `work` reads is of one moment, whoever writes meanwhile; it writes nothing. */
  snapshot<Result>(work: () => Result): Result;
  /** From now on the writes of this connection take their turn. */
  takeTurns(turn: WriteTurn): void;
  /** Changes when another connection, in this process or another, has committed. */
  dataVersion(): number;
  /**
   * Calls `listener` with these values of every row that this connection writes as `event` says,
   * also through a foreign key; before the commit, and also when the write is undone later.
   */
  onWrite(event: RowEvent, listener: (...values: readonly unknown[]) => void): void;
  /** Calls `listener`, and no other any more, after every commit. */
  onCommit(listener: () => void): void;
  /** How many pages the log may hold before a commit moves them into the file. */
  setLogPages(most: number): void;
  close(): void;
}

export function createDatabase(raw: Sqlite.Database, file: string): Database {
  let committed = () => {};
  let turn = noTurn;
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
    quickTransaction: (work) => runQuickly(raw, () => transaction(work)),
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
  // A write that gives rows back is read like any other.
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
      if (found === undefined) throw damagedRow('no row where there is always one,');
      return found;
    },
  };
}

/** With its first use: a start that prepared all statements would spend most of its time on that. */
function preparedOnce(raw: Sqlite.Database, sql: string): () => Sqlite.Statement {
  let statement: Sqlite.Statement | null = null;
  return () => (statement ??= raw.prepare(sql));
}

/** Only names of columns are reported: a path below them may hold words a person typed. */
function parseRow<Row>(schema: z.ZodType<Row>, found: unknown): Row {
  const parsed = schema.safeParse(found);
  if (parsed.success) return parsed.data;
  const columns = new Set(parsed.error.issues.map((issue) => String(issue.path[0])));
  throw damagedRow(`a row (${[...columns].join(', ')})`);
}

/** Triggers of this connection alone, which the file does not hold. */
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
      // A full disk has ended the transaction already.
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

function runQuickly<Result>(raw: Sqlite.Database, work: () => Result): Result {
  // Within a transaction that waits for the disk, so does this.
  if (raw.inTransaction) return work();
  withStorageErrors(() => raw.pragma('synchronous = NORMAL'));
  try {
    return work();
  } finally {
    withStorageErrors(() => raw.pragma('synchronous = FULL'));
  }
}
