import type { ArmResult } from '../../../shared/contract/batches.ts';
import { type BatchId, OutboxRef } from '../../../shared/model/ids.ts';
import type { Emit } from '../../../shared/contract/index.ts';
import { AppError, isCode } from '../../../shared/errors.ts';
import { createRowReader, type RowContent } from '../../../shared/rules/batches/check.ts';
import { contactsOf, notifiedPeople } from '../../../shared/rules/drafts/parts/contacts.ts';
import { isSentImmediately, sendingTimesFor } from '../../../shared/rules/batches/times.ts';
import { numberText, usesNumber } from '../../../shared/rules/templates/values.ts';
import { type BatchValidator, isReady, type ValidatedBatch, type ValidatedRow } from './judge.ts';
import { findEarlierSends, keyOfSend } from './doubles.ts';
import { type DocumentPorts, openDocuments, type RowDocuments } from './documents.ts';
import type { ArmedRow, RowChecker } from './ports.ts';
import { checkSpecOf, templateOf } from './spec.ts';
import type { JobOutcome, Progress } from '../job-queue.ts';
import { fingerprintsOf, freeze } from '../outbox/freeze.ts';
import { type Hashing, KEY_TAG, SOURCE_TAG, withOwnTags } from '../outbox/marks.ts';
import type { OutboxEpoch } from '../outbox/epoch.ts';
import type { AtKillPoint } from '../outbox/ports.ts';
import type { OutboxWorker } from '../outbox/worker.ts';
import type { AgreementService, Chance, Clock, Scheduler, Stores } from '../ports.ts';
import { requireActive } from '../deactivation.ts';
import type { Services } from '../services/services.ts';
import { readAfterRestore, type ReadAfterRestorePorts } from '../sync/after-restore.ts';

export interface ArmPorts extends DocumentPorts, Hashing, ReadAfterRestorePorts {
  readonly stores: Stores;
  readonly services: Services;
  readonly judge: BatchValidator;
  readonly sheets: { readonly checks: RowChecker };
  readonly epoch: OutboxEpoch;
  readonly worker: OutboxWorker;
  readonly atKillPoint: AtKillPoint;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly chance: Chance;
  readonly emit: Emit;
}

/** Values that the user saw and confirmed before sending. */
export interface BatchSendRequest {
  readonly id: BatchId;
  readonly confirm: number;
  readonly revision: number;
  /** Undo time before the first row is sent. */
  readonly holdSeconds: number;
}

/**
 * Number of refusals after which a batch stops automatically: the remaining rows probably have the
 * same fault.
 */
const MAX_REFUSED_ROWS = 10;
/** Number of rows frozen per step, which takes some tens of milliseconds. */
const ROWS_PER_YIELD = 10;

/**
 * Checks everything required before a batch is armed: all rows are validated, nothing has changed
 * since the user saw the batch, and the number of rows is the confirmed one. Throws 'invalid' or
 * 'conflict' before anything is written.
 */
export async function validateForArming(
  ports: ArmPorts,
  order: BatchSendRequest,
): Promise<ValidatedBatch> {
  requireActive(ports.stores);
  const { connectionId } = ports.stores.batches.get(order.id);
  if (connectionId !== null) await readAfterRestore(ports, connectionId);
  const judged = await ports.judge.validateAgain(order.id);
  const { batch, check } = judged;
  if (batch.stage !== 'open')
    throw batchChangedError('batch-armed', 'The batch is already in the outbox');
  if (batch.revision !== order.revision) {
    throw batchChangedError(
      'batch-changed',
      'The batch was changed since it was checked. Check it again',
    );
  }
  if (batch.templateRevision !== templateOf(ports, batch).revision) {
    throw batchChangedError(
      'batch-changed',
      'The template was changed since the rows were checked. Check the batch again',
    );
  }
  if (batch.connectionId === null) throw new AppError('invalid', 'Choose a connection first');
  const { api } = ports.stores.connections.get(batch.connectionId);
  if (api !== batch.mapping?.api) {
    const fields = { connectionId: 'uses the other API' };
    throw new AppError(
      'invalid',
      'The batch and its connection use different APIs. Choose another connection',
      { fields },
    );
  }
  if (check.missingColumns.length > 0) {
    const names = check.missingColumns.map((one) => `"${one}"`).join(', ');
    const message = `The sheet has no column for ${names}. Add the column, or choose another column`;
    throw new AppError('invalid', message, { reason: 'column-missing' });
  }
  if (check.wrongColumns.length > 0) {
    const message = `Nearly every cell is wrong in: ${check.wrongColumns.join(', ')}. Check the columns`;
    throw new AppError('invalid', message, { reason: 'column-wrong' });
  }
  if (check.ready === 0 || check.ready !== order.confirm) {
    const message = `${check.ready} agreements are ready, but ${order.confirm} were confirmed. Nothing was sent`;
    throw new AppError('invalid', message, { reason: 'count-differs' });
  }
  return judged;
}

/** Freezes every ready row, then queues all of them in one transaction: all or none. */
export async function armBatch(
  ports: ArmPorts,
  judged: ValidatedBatch,
  holdSeconds: number,
  signal: AbortSignal,
  report: (progress: Progress) => void,
): Promise<JobOutcome<ArmResult>> {
  const { id } = judged.batch;
  const { stores, clock } = ports;
  if (!stores.batches.setStage(id, 'open', 'arming', clock.now())) {
    throw batchChangedError('batch-armed', 'The batch is already in the outbox');
  }
  try {
    const rows = judged.rows.filter(isReady);
    const refs = await stageRows(ports, judged, rows, signal, report);
    assertBatchUnchanged(ports, judged, rows);
    stores.batches.setRefs(id, refs);
    const armed = await armBatchRows(ports, judged, rows, holdSeconds);
    return { result: { armed }, failure: null };
  } catch (error) {
    stores.outbox.discardStaged(id);
    stores.batches.setStage(id, 'arming', 'open', clock.now());
    throw error;
  } finally {
    ports.emit('batches.changed', { id });
  }
}

async function armBatchRows(
  ports: ArmPorts,
  judged: ValidatedBatch,
  rows: readonly ValidatedRow[],
  holdSeconds: number,
): Promise<number> {
  const { stores, clock, worker } = ports;
  const { batch } = judged;
  const { id, connectionId, name, policy, templateId } = batch;
  if (connectionId === null || templateId === null) throw new TypeError('The batch is not whole');
  await ports.epoch.raise();
  requireActive(stores);
  worker.hold();
  ports.atKillPoint('before-arm');
  const outboxBatch = {
    batchId: id,
    connectionId,
    title: name,
    policy,
    stopAfter: MAX_REFUSED_ROWS,
  };
  const now = clock.now();
  const armed = stores.transaction(() => {
    assertBatchUnchanged(ports, judged, rows);
    return stores.outbox.arm(outboxBatch, now, now + holdSeconds * 1000);
  });
  stores.batches.setStage(id, 'arming', 'armed', clock.now());
  ports.atKillPoint('after-arm');
  stores.templates.countUse(templateId);
  worker.wake();
  return armed;
}

async function stageRows(
  ports: ArmPorts,
  judged: ValidatedBatch,
  rows: readonly ValidatedRow[],
  signal: AbortSignal,
  report: (progress: Progress) => void,
): Promise<readonly ArmedRow[]> {
  const { batch } = judged;
  const { stores, clock, services } = ports;
  if (batch.connectionId === null) throw new TypeError('The batch has no connection');
  const template = templateOf(ports, batch);
  const spec = checkSpecOf(ports, batch);
  const read = createRowReader(spec);
  const documents = openDocuments(ports, template, spec.document, textsOfRows(rows));
  const service = await services.open(batch.connectionId);
  const times = sendingTimesFor(batch.schedule, rows.length, clock.now());
  const isScheduled = !isSentImmediately(batch.schedule);
  const source = stores.batches.file(batch.id).sha256;
  const refs: ArmedRow[] = [];
  try {
    for (const [index, row] of rows.entries()) {
      if (signal.aborted) {
        throw new AppError('cancelled', 'Stopped. No agreement was put in the outbox');
      }
      const number = usesNumber(template)
        ? numberText(template.content.counter, stores.templates.takeNumber(template.id))
        : spec.number;
      const content = withRowTags(read(row.stored, number), source, row.hash);
      const ref = OutboxRef.parse(ports.chance.uuid());
      const place = { ref, nextAt: times[index] ?? clock.now(), isScheduled };
      stores.outbox.stage(
        batch.id,
        await freezeRow(ports, service, documents, { row, content, batch, ...place }),
        clock.now(),
      );
      refs.push({ row: row.stored.row, ref, hash: row.hash });
      report({ done: index + 1, total: rows.length });
      // Lets other work run between rows.
      if (index % ROWS_PER_YIELD === ROWS_PER_YIELD - 1) await ports.scheduler.yield();
    }
    return refs;
  } finally {
    documents.close();
  }
}

async function freezeRow(
  ports: ArmPorts,
  service: AgreementService,
  documents: RowDocuments,
  one: {
    readonly row: ValidatedRow;
    readonly content: RowContent;
    readonly batch: ValidatedBatch['batch'];
    readonly ref: OutboxRef;
    readonly nextAt: number;
    readonly isScheduled: boolean;
  },
) {
  const { row, content, batch, ref, nextAt, isScheduled } = one;
  const { stores } = ports;
  if (batch.connectionId === null) throw new TypeError('The batch has no connection');
  try {
    const { written, ...sent } = await documents.of(content);
    const send = { ref, connectionId: batch.connectionId, nextAt, isScheduled, draftId: null };
    const who = {
      rowNo: row.stored.row,
      people: [...notifiedPeople(contactsOf(content.content))],
      supersedes: row.stored.replaces,
    };
    const markInName = stores.settings.read().markNames;
    // A batch that was handed over, or is in a copied data folder, has the same rows even if their
    // content changed.
    const once = [['row', stores.batches.origin(batch.id), String(row.stored.row)]];
    // Earlier versions used the filled PDF as fingerprint and claimed rows by it.
    const formerFingerprints = written === undefined ? [] : fingerprintsOf(sent, ports).slice(-1);
    const fingerprints = fingerprintsOf(written ?? sent, ports);
    const claims = { once, fingerprints, formerFingerprints };
    return freeze(service, { ...send, ...who, ...sent, ...claims, markInName }, ports);
  } catch (error) {
    if (!isCode(error, 'invalid')) throw error;
    stores.batches.setFailure(batch.id, row.stored.row, error.failure.message);
    const message = `Row ${row.stored.row}: ${error.failure.message}`;
    throw new AppError('invalid', message, { reason: 'problems-left', cause: error });
  }
}

/** Tags an API v1 agreement as this row of this file, so that another computer recognizes it. */
function withRowTags(row: RowContent, source: string, key: string): RowContent {
  const own = [
    [KEY_TAG, key],
    [SOURCE_TAG, source.slice(0, key.length)],
  ] as const;
  return { ...row, content: withOwnTags(row.content, own) };
}

/**
 * Throws if the batch changed while it was frozen, which takes time: the frozen content must match
 * what the user saw.
 */
function assertBatchUnchanged(
  ports: ArmPorts,
  { batch }: ValidatedBatch,
  rows: readonly ValidatedRow[],
): void {
  const now = ports.stores.batches.get(batch.id);
  const { revision } = templateOf(ports, now);
  if (now.revision !== batch.revision || revision !== batch.templateRevision) {
    throw batchChangedError(
      'batch-changed',
      'The batch was changed in the meantime. Check it again',
    );
  }
  // The staged rows are not yet protected against a later finding about an earlier send of the same
  // row, and the user has not seen that finding.
  const sent = findEarlierSends(ports.stores, batch.id, rows);
  const isNews = ({ doubts }: ValidatedRow, index: number): boolean => {
    const earlier = sent[index] ?? null;
    return earlier !== null && !doubts.includes(keyOfSend(earlier));
  };
  if (rows.some(isNews)) {
    throw batchChangedError(
      'batch-changed',
      'An earlier send of a row became known in the meantime. Check the batch again',
    );
  }
}

function* textsOfRows(rows: readonly ValidatedRow[]): Iterable<string> {
  for (const { stored } of rows) yield* stored.cells;
}

function batchChangedError(reason: 'batch-armed' | 'batch-changed', message: string): AppError {
  return new AppError('conflict', message, { reason });
}
