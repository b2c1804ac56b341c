import type { Batch, ColumnMatch } from '../../../shared/contract/batches.ts';
import { BatchId, type TemplateId } from '../../../shared/model/ids.ts';
import { matchColumns } from '../../../shared/rules/batches/match.ts';
import { headerSetKey } from '../../../shared/rules/batches/synonyms.ts';
import { mappingOf } from '../../../shared/rules/batches/template.ts';
import type { Chance, Clock, Sha256, Stores } from '../ports.ts';
import type { ReadSheet } from '../sheet-ports.ts';
import type { NewBatch } from './ports.ts';

interface NewBatchPorts {
  readonly stores: Pick<Stores, 'batches' | 'templates'>;
  readonly sha256: Sha256;
  readonly clock: Clock;
  readonly chance: Chance;
}

interface NewBatchRequest extends Pick<
  Batch,
  'name' | 'fileName' | 'choices' | 'connectionId' | 'templateId'
> {
  readonly data: Uint8Array;
  readonly sheet: ReadSheet;
}

const UNSCHEDULED: Batch['schedule'] = { startAt: null, hours: null, perHour: null };

/** Creates a batch from a spreadsheet for the store; nothing is sent until the user confirms. */
export function newBatch(
  ports: NewBatchPorts,
  { data, sheet, ...order }: NewBatchRequest,
): NewBatch {
  const { shape, rows } = sheet;
  const now = ports.clock.now();
  const batch: Batch = {
    id: BatchId.parse(ports.chance.uuid()),
    name: order.name,
    stage: 'open',
    connectionId: order.connectionId,
    fileName: order.fileName,
    sheet: shape,
    choices: order.choices,
    ...mappingForTemplate(
      ports,
      order.templateId,
      shape.columns.map(({ name }) => name),
    ),
    schedule: UNSCHEDULED,
    policy: 'ask',
    revision: 1,
    createdAt: now,
    updatedAt: now,
  };
  return { batch, data, sha256: ports.sha256(data), rows };
}

/** Returns the mapping of a template, with the columns used before for the same headers. */
export function mappingForTemplate(
  { stores }: Pick<NewBatchPorts, 'stores'>,
  templateId: TemplateId | null,
  columns: readonly string[],
): Pick<Batch, 'templateId' | 'templateRevision' | 'mapping' | 'matches'> {
  if (templateId === null) {
    return { templateId: null, templateRevision: null, mapping: null, matches: [] };
  }
  const template = stores.templates.get(templateId);
  const mapping = mappingOf(template);
  const recalled = stores.batches.recall(templateId, headerSetKey(columns)) ?? [];
  const matches: ColumnMatch[] = matchColumns(mapping, columns, recalled);
  return { templateId, templateRevision: template.revision, mapping, matches };
}
