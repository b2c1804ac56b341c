import * as z from 'zod';
import { type BatchId, OutboxRef } from '../../../../shared/model/ids.ts';
import { OutboxBatch, type OutboxCounts, OutboxState } from '../../../../shared/contract/outbox.ts';
import { AppError } from '../../../../shared/errors.ts';
import type { OutboxStore } from '../../../core/outbox/ports.ts';
import { failureColumn } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import type { OutboxJournal } from './journal.ts';
import { jsonOrNull } from './row.ts';

const columns = `batch_id AS batchId, connection_id AS connectionId, title, policy, gate, reason,
  stop_after AS stopAfter, armed_at AS armedAt`;

const sql = {
  list: `
    SELECT ${columns} FROM outbox_batch AS batch WHERE armed_at >= @since OR EXISTS (
      SELECT 1 FROM outbox WHERE outbox.batch_id = batch.batch_id AND is_open = 1)
    ORDER BY armed_at DESC, rowid DESC`,
  get: `SELECT ${columns} FROM outbox_batch WHERE batch_id = @batchId`,
  insert: `
    INSERT INTO outbox_batch (batch_id, connection_id, title, policy, stop_after, armed_at)
    VALUES (@batchId, @connectionId, @title, @policy, @stopAfter, @at)`,
  counts: `
    SELECT state, count(*) AS rows FROM outbox WHERE batch_id = @batchId AND state <> 'staged'
    GROUP BY state`,
  takenOn: `
    SELECT batch_row.number AS rowNo FROM outbox_batch AS old
    JOIN batch AS own ON own.id = old.batch_id
    JOIN batch AS later ON later.file_sha256 = own.file_sha256 AND later.id <> own.id
      AND later.created_at >= old.armed_at
    JOIN batch_row ON batch_row.batch_id = later.id
    WHERE old.batch_id = @batchId`,
  refused: `
    SELECT row_no AS rowNo FROM outbox
    WHERE batch_id = @batchId AND state = 'rejected' AND row_no IS NOT NULL`,
  held: `
    SELECT count(*) AS rows FROM outbox
    WHERE batch_id = @batchId AND state = 'queued' AND next_at IS NULL AND verify = 0`,
  setGate: 'UPDATE outbox_batch SET gate = @gate, reason = @reason WHERE batch_id = @batchId',
  unsent: `
    SELECT ref FROM outbox WHERE batch_id = @batchId AND state = 'queued' AND n_wire = 0
      AND NOT EXISTS (
        SELECT 1 FROM journal WHERE journal.ref = outbox.ref AND to_state = 'unknown')
    ORDER BY row_no, rowid`,
  cancel: `
    UPDATE outbox SET state = 'cancelled', version = version + 1, next_at = NULL, verify = 0,
      look_at = NULL, updated_at = @at
    WHERE ref = @ref`,
  dropFiles: 'UPDATE outbox_file SET data = NULL WHERE ref = @ref AND data IS NOT NULL',
  staged: `
    SELECT ref FROM outbox WHERE batch_id = @batchId AND state = 'staged' ORDER BY row_no, rowid`,
  arm: `
    UPDATE outbox SET state = 'queued', policy = @policy, version = version + 1, created_at = @at,
      updated_at = @at, next_at = MAX(next_at, @notBefore), chosen_at = MAX(chosen_at, @notBefore)
    WHERE ref = @ref`,
  discardFiles: `
    DELETE FROM outbox_file WHERE ref IN (
      SELECT ref FROM outbox WHERE batch_id = @batchId AND state = 'staged')`,
  discard: "DELETE FROM outbox WHERE batch_id = @batchId AND state = 'staged'",
};

const Row = OutboxBatch.omit({ rows: true, counts: true, needsPerson: true }).extend({
  reason: failureColumn.nullable(),
});
const Ref = z.object({ ref: OutboxRef });
const RowNo = z.object({ rowNo: z.number().int() });
const Rows = z.object({ rows: z.number().int() });
const Count = z.object({ state: OutboxState, rows: z.number().int() });

type BatchMethods = Pick<
  OutboxStore,
  | 'arm'
  | 'discardStaged'
  | 'batches'
  | 'batch'
  | 'takenOn'
  | 'batchGate'
  | 'setBatchGate'
  | 'cancelBatch'
>;

/** Stores batches in the outbox. `half` is called when half of a batch's rows are armed. */
export function createBatchStore(
  database: Database,
  journal: OutboxJournal,
  half: () => void,
): BatchMethods {
  const list = database.query(sql.list, Row);
  const get = database.query(sql.get, Row);
  const { takenOn, whole } = createCounting(database);
  const setGate = database.command(sql.setGate);
  const unsent = database.query(sql.unsent, Ref);
  const cancel = database.command(sql.cancel);
  const dropFiles = database.command(sql.dropFiles);

  return {
    batches: (since) => list.all({ since }).map(whole),
    batch: (batchId) => whole(get.first({ batchId }) ?? throwMissingOutboxBatch(batchId)),
    takenOn,
    batchGate: (batchId) => (get.first({ batchId }) ?? throwMissingOutboxBatch(batchId)).gate,
    setBatchGate: (batchId, gate, reason) => {
      if (setGate({ batchId, gate, reason: jsonOrNull(reason) }) === 0)
        throwMissingOutboxBatch(batchId);
    },
    ...createArming(database, journal, half),
    cancelBatch: (batchId, at, actor) =>
      database.transaction(() => {
        const rows = unsent.all({ batchId });
        for (const { ref } of rows) {
          cancel({ ref, at });
          dropFiles({ ref });
          const step = { from: 'queued', to: 'cancelled', cause: 'person', actor } as const;
          journal.write({ at, ref, ...step, shown: undefined });
        }
        return rows.map(({ ref }) => ref);
      }),
  };
}

/** Counts a batch's rows by state, and the rows that need the user. */
function createCounting(database: Database) {
  const counts = database.query(sql.counts, Count);
  const later = database.query(sql.takenOn, RowNo);
  const refused = database.query(sql.refused, RowNo);
  const held = database.query(sql.held, Rows);
  const countsOf = (batchId: BatchId) => ({
    ...noOutboxCounts,
    ...countsByState(counts.all({ batchId })),
  });
  const takenOn = (batchId: BatchId) => new Set(later.all({ batchId }).map(({ rowNo }) => rowNo));
  const refusedLeft = (batchId: BatchId, rejected: number) => {
    if (rejected === 0) return 0;
    const taken = takenOn(batchId);
    return rejected - refused.all({ batchId }).filter(({ rowNo }) => taken.has(rowNo)).length;
  };
  const whole = (row: z.infer<typeof Row>): OutboxBatch => {
    const { batchId } = row;
    const found = countsOf(batchId);
    const needsPerson =
      refusedLeft(batchId, found.rejected) +
      (found.queued === 0 ? 0 : held.only({ batchId }).rows) +
      (found.unknown + found.absent + found.human + found.duplicate);
    const rows = Object.values(found).reduce((sum, one) => sum + one, 0);
    return { ...row, rows, counts: found, needsPerson };
  };
  return { takenOn, whole };
}

function createArming(
  database: Database,
  journal: OutboxJournal,
  half: () => void,
): Pick<OutboxStore, 'arm' | 'discardStaged'> {
  const staged = database.query(sql.staged, Ref);
  const insert = database.command(sql.insert);
  const arm = database.command(sql.arm);
  const discardFiles = database.command(sql.discardFiles);
  const discard = database.command(sql.discard);
  return {
    arm: (batch, at, notBefore = at) =>
      database.transaction(() => {
        insert({ ...batch, at });
        const rows = staged.all({ batchId: batch.batchId });
        for (const [index, { ref }] of rows.entries()) {
          arm({ ref, at, policy: batch.policy, notBefore });
          const step = { from: null, to: 'queued', cause: 'person', actor: 'person' } as const;
          journal.write({ at, ref, ...step, shown: undefined });
          if (index === Math.floor(rows.length / 2)) half();
        }
        return rows.length;
      }),
    discardStaged: (batchId) =>
      database.transaction(() => {
        discardFiles({ batchId });
        return discard({ batchId });
      }),
  };
}

const noOutboxCounts: OutboxCounts = {
  queued: 0,
  sending: 0,
  sent: 0,
  rejected: 0,
  unknown: 0,
  absent: 0,
  human: 0,
  duplicate: 0,
  cancelled: 0,
  abandoned: 0,
};

function countsByState(found: readonly z.infer<typeof Count>[]): Partial<OutboxCounts> {
  return Object.fromEntries(found.map(({ state, rows }) => [state, rows]));
}

function throwMissingOutboxBatch(batchId: string): never {
  throw new AppError('not-found', `The outbox has no batch ${batchId}`);
}
