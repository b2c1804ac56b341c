import type { BatchId } from '../../../../shared/model/ids.ts';
import type { BatchStore, StoredRow } from '../../../core/batches/ports.ts';
import type { Database, RowEvent } from '../database/database.ts';

/** Writes that can change whether a row counts as sent before. */
const sentEvents: readonly RowEvent[] = [
  { on: 'INSERT ON outbox' },
  { on: 'UPDATE OF state, updated_at, batch_id, row_no ON outbox' },
  { on: 'DELETE ON outbox' },
  { on: 'UPDATE OF hash, ref ON batch_row' },
  {
    on: 'UPDATE OF name, stage ON batch',
    when: 'OLD.name IS NOT NEW.name OR OLD.stage IS NOT NEW.stage',
  },
];

const isMarked = (row: 'NEW' | 'OLD') => `${row}.remote LIKE '%"desk.key"%'`;

/** Writes that can change whether another computer has sent a row. */
const foreignEvents: readonly RowEvent[] = [
  { on: 'INSERT ON agreement_content', when: isMarked('NEW') },
  {
    on: 'UPDATE OF remote ON agreement_content',
    when: `${isMarked('NEW')} OR ${isMarked('OLD')}`,
  },
  { on: 'DELETE ON agreement_content', when: isMarked('OLD') },
  { on: 'INSERT ON outbox' },
  { on: 'DELETE ON outbox' },
];

/** Maximum number of written rows that are remembered; after more, all rows are read again. */
const MAX_TRACKED_WRITES = 2000;

/** Rows of one batch that were written while a caller caches them. */
interface WrittenRows {
  /** Symbol that is replaced when rows are added or removed. */
  set: symbol;
  numbers: number[];
}

/**
 * Reports changes of a batch after it was read. Writes of this connection are tracked by row; after
 * a write of another connection, all rows count as changed.
 */
export function createBatchWatch(
  database: Database,
  rows: {
    readonly all: (id: BatchId) => readonly StoredRow[];
    readonly one: (id: BatchId, row: number) => StoredRow | undefined;
  },
): Pick<BatchStore, 'rowsSince' | 'sentVersion' | 'foreignVersion'> {
  const written = new Map<string, WrittenRows>();
  const forget = (id: unknown): void => {
    const found = written.get(String(id));
    if (found === undefined) return;
    found.set = Symbol('rows');
    found.numbers = [];
  };
  const note = (id: unknown, number: unknown): void => {
    const found = written.get(String(id));
    if (found === undefined) return;
    if (found.numbers.length >= MAX_TRACKED_WRITES) forget(id);
    else found.numbers.push(Number(number));
  };
  database.onWrite({ on: 'INSERT ON batch_row', values: ['NEW.batch_id'] }, forget);
  database.onWrite({ on: 'DELETE ON batch_row', values: ['OLD.batch_id'] }, forget);
  database.onWrite({ on: 'UPDATE ON batch_row', values: ['NEW.batch_id', 'NEW.number'] }, note);
  return {
    rowsSince(id, mark) {
      const found = written.get(id) ?? { set: Symbol('rows'), numbers: [] };
      written.set(id, found);
      const { set, numbers } = found;
      const now = { file: database.dataVersion(), set, at: numbers.length };
      const isKnown = mark !== null && mark.file === now.file && mark.set === set;
      if (!isKnown) return { rows: rows.all(id), isAll: true, mark: now };
      const changed = new Set(numbers.slice(mark.at));
      const read = [...changed].flatMap((row) => rows.one(id, row) ?? []);
      return { rows: read, isAll: false, mark: now };
    },
    sentVersion: createVersion(database, sentEvents),
    foreignVersion: createVersion(database, foreignEvents),
  };
}

function createVersion(database: Database, events: readonly RowEvent[]): () => string {
  let writes = 0;
  for (const event of events) database.onWrite(event, () => void (writes += 1));
  return () => `${String(database.dataVersion())}.${String(writes)}`;
}
