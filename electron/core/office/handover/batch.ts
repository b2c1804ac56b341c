import type { Batch } from '../../../../shared/contract/batches.ts';
import { AppError } from '../../../../shared/errors.ts';
import { BatchId, TemplateId } from '../../../../shared/model/ids.ts';
import { HandoverBatch, SharedTemplate } from '../../../../shared/rules/office/items.ts';
import { isSame } from '../../../../shared/rules/office/merge.ts';
import { containsPersonNumber } from '../../../../shared/rules/people/personal-numbers.ts';
import { usesNumber } from '../../../../shared/rules/templates/values.ts';
import { editsOf, toFileRow } from '../../batches/edits.ts';
import type { RunPorts } from '../../batches/run.ts';
import { copyWaitingRows } from '../../batches/rows-again.ts';
import type { Chance, Encoding, Sha256, Stores } from '../../ports.ts';
import type { SheetReader } from '../../sheet-ports.ts';
import { findSenderTo, serviceOf } from '../../services/same-service.ts';
import { searchedFile } from './files.ts';
import type { HandoverAdapter } from './mover.ts';

const IGNORED_PATHS = [['rest', 'service']] as const;

export interface BatchHandoverPorts extends RunPorts {
  readonly stores: Stores;
  readonly encoding: Encoding;
  readonly sha256: Sha256;
  readonly chance: Chance;
  readonly sheets: { readonly reader: Pick<SheetReader, 'readLines' | 'holdsNumber'> };
}

/**
 * Creates the adapter that hands over an open batch, or the waiting rows of a batch that is being
 * sent. Waiting rows are first stopped on this computer, so that no computer sends them during the
 * handover.
 */
export function createBatchHandoverAdapter(ports: BatchHandoverPorts): HandoverAdapter {
  const { stores, encoding, emit } = ports;
  const remove = (id: BatchId): void => {
    stores.batches.remove(id);
    emit('batches.changed', { id });
  };
  return {
    async hasPersonNumbers(name) {
      const id = BatchId.parse(name);
      const { data: _file, template, ...rest } = toHandedBatch(ports, id);
      const { pdf: _pdf, ...about } = template ?? { pdf: null };
      return (
        containsPersonNumber({ rest, about }, IGNORED_PATHS) || (await fileHoldsNumber(ports, id))
      );
    },
    async pack(name) {
      const asked = stores.batches.get(BatchId.parse(name));
      assertMovableBatch(ports, asked);
      const { id, name: title, revision } = toOpenBatch(ports, asked);
      const data = encoding.utf8(JSON.stringify(toHandedBatch(ports, id)));
      return { id, title, revision, data };
    },
    given({ id: name, revision }) {
      const id = BatchId.parse(name);
      if (!stores.batches.list().some((one) => one.id === id)) return;
      // Changes made since the batch was packed exist only on this computer, so a changed batch
      // stays.
      if (stores.batches.get(id).revision === revision) remove(id);
    },
    async unpack(bytes) {
      const handed = HandoverBatch.parse(JSON.parse(encoding.text(bytes)));
      const id = insertBatch(ports, handed);
      emit('batches.changed', { id });
      return {
        what: { kind: 'batch', id },
        undo: () => {
          remove(id);
        },
      };
    },
    taken: () => undefined,
  };
}

/**
 * Whether the batch's file contains a personal number. The whole file is searched, because all of
 * it is handed over: also hidden content, and sheets, rows and columns that the batch does not use.
 * A number may be split between two visible cells, so the lines of each sheet are searched too.
 */
async function fileHoldsNumber(
  { stores, sheets }: BatchHandoverPorts,
  id: BatchId,
): Promise<boolean> {
  const { data } = stores.batches.file(id);
  // An empty file was erased together with a person who was named in it.
  if (data.length === 0) return false;
  const { fileName } = stores.batches.get(id);
  if (await searchedFile(sheets.reader, fileName, data)) return true;
  const read = (sheet?: string) =>
    sheets.reader.readLines(data, { hidden: 'read', ...(sheet !== undefined && { sheet }) });
  const first = await read();
  if (containsPersonNumber(first.text)) return true;
  for (const { name } of first.sheets) {
    if (name !== first.sheet && containsPersonNumber((await read(name)).text)) return true;
  }
  return false;
}

/**
 * Returns the batch if it is open. If it is already being sent, stops its waiting rows and returns
 * a new open batch with them. Throws 'conflict' if no row is waiting.
 */
function toOpenBatch(ports: BatchHandoverPorts, batch: Batch): Batch {
  if (batch.stage === 'open') return batch;
  if (batch.stage === 'arming' || ports.stores.outbox.batch(batch.id).counts.queued === 0) {
    throw new AppError('conflict', 'No row of the batch is waiting any more');
  }
  return copyWaitingRows(ports, batch.id, BatchId.parse(ports.chance.uuid()));
}

/** Throws 'conflict' for a batch that only this computer can continue. */
function assertMovableBatch({ stores }: BatchHandoverPorts, { id, templateId }: Batch): void {
  if (stores.batches.rows(id).some(({ replaces }) => replaces !== null)) {
    const message =
      'Some rows replace rows that were sent from this computer, so the batch was not handed over. Resolve those rows on this computer';
    throw new AppError('conflict', message);
  }
  if (templateId !== null && usesNumber(stores.templates.get(templateId))) {
    const message =
      'The template of the batch numbers its agreements. Only this computer keeps the count, so the batch was not handed over';
    throw new AppError('conflict', message);
  }
}

function toHandedBatch({ stores, encoding }: BatchHandoverPorts, id: BatchId): HandoverBatch {
  const { connectionId, templateId, ...batch } = stores.batches.get(id);
  const template = templateId === null ? null : stores.templates.get(templateId);
  const isOfPdf = template?.source.kind === 'pdf';
  return {
    service: connectionId === null ? null : serviceOf(stores, connectionId),
    origin: stores.batches.origin(id),
    batch: HandoverBatch.shape.batch.parse(batch),
    data: encoding.base64(stores.batches.file(id).data),
    rows: stores.batches.rows(id).map(({ row, cells, marks, original, choice }) => ({
      row,
      cells: [...cells],
      marks: [...marks],
      original: original === null ? null : [...original],
      choice,
    })),
    template: template && {
      ...SharedTemplate.parse(template),
      id: template.id,
      pdf: isOfPdf ? encoding.base64(stores.templates.pdf(template.id)) : null,
    },
  };
}

/**
 * Inserts the received batch with its state on the other computer. Manually changed cells stay
 * marked as changed.
 */
function insertBatch(ports: BatchHandoverPorts, handed: HandoverBatch): BatchId {
  const { stores, encoding, sha256, clock, chance } = ports;
  const { service, origin, batch, rows, template } = handed;
  const id = BatchId.parse(chance.uuid());
  const [data, now] = [encoding.bytes(handed.data), clock.now()];
  const templateId = template === null ? null : templateHere(ports, template);
  const about = {
    templateId,
    templateRevision: templateId === null ? null : stores.templates.get(templateId).revision,
    connectionId: service === null ? null : findSenderTo(stores, service),
  };
  const state = { id, stage: 'open' as const, revision: 1, createdAt: now, updatedAt: now };
  const choices = rows.flatMap(({ row, choice }) =>
    choice === null ? [] : [[row, choice] as const],
  );
  stores.batches.insert({
    batch: { ...batch, ...about, ...state },
    origin,
    data,
    sha256: sha256(data),
    rows: rows.map(toFileRow),
    edits: rows.flatMap(editsOf),
    choices: new Map(choices),
  });
  return id;
}

/**
 * Returns the ID of a template on this computer that is identical to the received one. If there is
 * none, inserts the received template, with a new ID if another template has its ID.
 */
function templateHere(
  { stores, encoding, sha256, clock, chance }: BatchHandoverPorts,
  { id, pdf, ...content }: NonNullable<HandoverBatch['template']>,
): TemplateId {
  const same = stores.templates
    .list()
    .find((one) => one.trashedAt === null && isSame(SharedTemplate.parse(one), content));
  if (same !== undefined) return same.id;
  const isFree = !stores.templates.list().some((one) => one.id === id);
  const newId = isFree ? id : TemplateId.parse(chance.uuid());
  const now = clock.now();
  const counts = { nextNumber: 1, used: 0, revision: 1 };
  const times = { createdAt: now, updatedAt: now, trashedAt: null };
  const bytes = pdf === null ? null : encoding.bytes(pdf);
  const { source } = content;
  if (source.kind === 'pdf' && (bytes === null || sha256(bytes) !== source.sha256)) {
    const message = `${source.fileName} in the handover is not the file of the template. Nothing was accepted`;
    throw new AppError('storage', message, { reason: 'data-damaged', file: source.fileName });
  }
  stores.templates.insert({ ...content, id: newId, ...counts, ...times }, bytes);
  return newId;
}
