import type { Batch, BatchMapping, ColumnMatch } from '../../../shared/contract/batches.ts';
import { BatchId, type TemplateId } from '../../../shared/model/ids.ts';
import type { HandlersOf } from '../../../shared/contract/index.ts';
import { AppError } from '../../../shared/errors.ts';
import { compileMapping } from '../../../shared/rules/batches/compile.ts';
import { matchColumns } from '../../../shared/rules/batches/match.ts';
import { headerSetKey } from '../../../shared/rules/batches/synonyms.ts';
import { mappingOf } from '../../../shared/rules/batches/template.ts';
import type { ByteExchange } from '../host-ports.ts';
import type { Chance, Clock, Sha256, Stores } from '../ports.ts';
import type { SheetReader } from '../sheet-ports.ts';

interface ColumnPorts {
  readonly stores: Pick<Stores, 'batches' | 'templates'>;
  readonly sheets: { readonly reader: SheetReader };
  readonly bytes: ByteExchange;
  readonly sha256: Sha256;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly emitChanged: (batch: Batch) => Batch;
}

type ColumnHandlers = Pick<
  HandlersOf<'batches'>,
  | 'batches.create'
  | 'batches.setConnection'
  | 'batches.setTemplate'
  | 'batches.setMapping'
  | 'batches.setMatches'
  | 'batches.setSchedule'
>;

const AT_ONCE: Batch['schedule'] = { startAt: null, hours: null, perHour: null };

/** What a batch is made of: its file, its template, and which column stands for what. */
export function createBatchColumns(ports: ColumnPorts): ColumnHandlers {
  const { stores, clock, emitChanged } = ports;
  const { batches } = stores;
  return {
    'batches.create': async (order) => emitChanged(await createFrom(ports, order)),
    'batches.setConnection': async ({ id, connectionId }) =>
      emitChanged(batches.change(id, { connectionId }, clock.now())),
    'batches.setTemplate': async ({ id, templateId }) => {
      const change = forTemplate(ports, templateId, columnNames(batches.get(id)));
      return emitChanged(batches.change(id, change, clock.now()));
    },
    'batches.setMapping': async ({ id, mapping }) => {
      const batch = batches.get(id);
      refuseOtherApi(batch, mapping, ports);
      const matches = matchColumns(mapping, columnNames(batch), batch.matches);
      return emitChanged(batches.change(id, { mapping, matches }, clock.now()));
    },
    'batches.setMatches': async ({ id, matches }) => {
      const batch = batches.get(id);
      const known = new Set(batch.mapping === null ? [] : compileMapping(batch.mapping).columns);
      const kept = matches.filter(({ placeholder }) => known.has(placeholder));
      const changed = batches.change(id, { matches: kept }, clock.now());
      if (batch.templateId !== null) {
        const key = headerSetKey(columnNames(batch));
        batches.remember(batch.templateId, key, kept, clock.now());
      }
      return emitChanged(changed);
    },
    'batches.setSchedule': async ({ id, schedule, policy }) => {
      if (schedule.hours !== null && schedule.hours.from >= schedule.hours.until) {
        throw new AppError('invalid', 'The hours end before they begin');
      }
      return emitChanged(batches.change(id, { schedule, policy }, clock.now()));
    },
  };
}

/** Reads the file, and keeps it with its rows. */
async function createFrom(
  ports: ColumnPorts,
  order: Parameters<ColumnHandlers['batches.create']>[0],
): Promise<Batch> {
  const { clock, chance } = ports;
  const { batches } = ports.stores;
  const data = ports.bytes.take(order.bytes);
  const { shape, rows } = await ports.sheets.reader.read(data, order.choices);
  const now = clock.now();
  const batch: Batch = {
    id: BatchId.parse(chance.uuid()),
    name: order.name,
    stage: 'open',
    connectionId: order.connectionId,
    fileName: order.fileName,
    sheet: shape,
    choices: order.choices,
    ...forTemplate(
      ports,
      order.templateId,
      shape.columns.map(({ name }) => name),
    ),
    schedule: AT_ONCE,
    policy: 'ask',
    revision: 1,
    createdAt: now,
    updatedAt: now,
  };
  batches.insert({ batch, data, sha256: ports.sha256(data), rows });
  return batches.get(batch.id);
}

/** The mapping of a template, with the columns that were used for the same headers before. */
function forTemplate(
  { stores }: Pick<ColumnPorts, 'stores'>,
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

function refuseOtherApi(
  { templateId }: Batch,
  mapping: BatchMapping,
  { stores }: Pick<ColumnPorts, 'stores'>,
): void {
  if (templateId === null) return;
  if (stores.templates.get(templateId).content.body.api === mapping.api) return;
  throw new AppError('invalid', 'The mapping is for the other API', { reason: 'mapping-form' });
}

const columnNames = ({ sheet }: Batch): string[] => sheet.columns.map(({ name }) => name);
