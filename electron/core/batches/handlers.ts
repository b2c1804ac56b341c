import type { Batch, ListedBatch } from '../../../shared/contract/batches.ts';
import { BatchId } from '../../../shared/model/ids.ts';
import type { Emit, HandlersOf } from '../../../shared/contract/index.ts';
import { AppError, isCode } from '../../../shared/errors.ts';
import { createRowReader } from '../../../shared/rules/batches/check.ts';
import { partyNames, titleOf } from '../../../shared/rules/drafts/check.ts';
import { armBatch, type ArmPorts, validateForArming } from './arm.ts';
import { BatchValidator, type CheckPorts } from './judge.ts';
import { createBatchColumnHandlers } from './columns.ts';
import { openDocuments } from './documents.ts';
import { createBatchEditHandlers } from './edit.ts';
import type { StoredRow } from './ports.ts';
import { createBatchReportHandlers } from './report.ts';
import { pauseBatch, progressOf, resumeBatch, type RunPorts, sendNow, stopBatch } from './run.ts';
import { checkSpecOf, templateOf } from './spec.ts';
import type { ByteExchange } from '../host-ports.ts';
import type { JobQueue } from '../job-queue.ts';
import { copyRefusedRows, copyWaitingRows } from './rows-again.ts';
import type { ReportWriter } from '../reports/ports.ts';
import type { SheetReader } from '../sheet-ports.ts';

export type BatchPorts = Omit<ArmPorts, 'judge'> &
  CheckPorts & {
    readonly sheets: { readonly reader: SheetReader };
    readonly jobs: JobQueue;
    readonly bytes: ByteExchange;
    readonly reports: ReportWriter;
    readonly emit: Emit;
  };

/** Turns spreadsheets into agreements: reads, maps, validates, edits and arms them. */
export function createBatchHandlers(deps: BatchPorts): HandlersOf<'batches'> {
  const judge = new BatchValidator(deps);
  const ports = { ...deps, judge };
  const { stores, chance, emit } = ports;
  const run: RunPorts = ports;
  const emitChanged = (batch: Batch): Batch => {
    emit('batches.changed', { id: batch.id });
    return batch;
  };

  return {
    ...createBatchEditHandlers(ports),
    ...createBatchReportHandlers(ports),
    ...createBatchColumnHandlers({ ...ports, emitChanged }),
    'batches.list': async () => listed(stores),
    'batches.show': async ({ id }) => stores.batches.get(id),
    'batches.byHand': async ({ id }) => {
      const isByHand = ({ original, choice }: StoredRow) => original !== null || choice !== null;
      return { rows: stores.batches.rows(id).filter(isByHand).length };
    },
    'batches.remove': async ({ id }) => {
      stores.batches.remove(id);
      emit('batches.changed', { id });
      return {};
    },
    'batches.preview': async ({ id, row }) => preview(ports, stores.batches.get(id), row),
    'batches.send': async (order) => {
      const judged = await validateForArming(ports, order);
      const jobId = ports.jobs.start('arm-batch', (signal, report) =>
        armBatch(ports, judged, order.holdSeconds, signal, report),
      );
      return { jobId };
    },
    'batches.progress': async ({ id }) => progressOf(run, id),
    'batches.pause': async ({ id }) => pauseBatch(run, id),
    'batches.resume': async ({ id }) => resumeBatch(run, id),
    'batches.stop': async ({ id }) => stopBatch(run, id),
    'batches.sendNow': async ({ id }) => sendNow(run, id),
    'batches.undo': async ({ id }) => {
      return emitChanged(copyWaitingRows(run, id, BatchId.parse(chance.uuid())));
    },
    'batches.refusedRows': async ({ id, name }) => {
      const newId = BatchId.parse(chance.uuid());
      return emitChanged(copyRefusedRows(ports, id, newId, name));
    },
  };
}

function listed({ batches, outbox }: BatchPorts['stores']): ListedBatch[] {
  const armed = new Map(outbox.batches(0).map((one) => [one.batchId, one]));
  return batches.list().map((batch) => {
    const found = armed.get(batch.id);
    if (found === undefined) return { ...batch, going: null };
    const { gate, counts, needsPerson } = found;
    const { queued, sending, abandoned: givenUp } = counts;
    return { ...batch, going: { gate, waiting: queued + sending, needsPerson, givenUp } };
  });
}

async function preview(
  ports: BatchPorts,
  batch: Batch,
  number: number,
): ReturnType<HandlersOf<'batches'>['batches.preview']> {
  const row = ports.stores.batches.rows(batch.id).find((one) => one.row === number);
  if (row === undefined) throw new AppError('not-found', `The batch has no row ${number}`);
  const spec = checkSpecOf(ports, batch);
  const read = createRowReader(spec)(row);
  const { content, check } = read;
  const documents = openDocuments(ports, templateOf(ports, batch), spec.document, row.cells);
  const said = { title: titleOf(content), parties: [...partyNames(content)], check };
  try {
    const data = await documents.preview(read);
    return { ...said, out: data === null ? null : ports.bytes.put(data) };
  } catch (error) {
    // While the row has errors, its values may not fit; its problems show this.
    if (isCode(error, 'invalid')) return { ...said, out: null };
    throw error;
  } finally {
    documents.close();
  }
}
