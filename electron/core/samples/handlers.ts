import type { HandlersOf } from '../../../shared/contract/index.ts';
import { BatchId, type ConnectionId, TemplateId } from '../../../shared/model/ids.ts';
import { AppError } from '../../../shared/errors.ts';
import { Serial } from '../../../shared/serial.ts';
import type { ByteExchange } from '../host-ports.ts';
import type { DemoService, Stores } from '../ports.ts';

interface SamplePorts {
  readonly stores: Pick<Stores, 'connections' | 'templates' | 'batches'>;
  readonly bytes: ByteExchange;
  readonly demo: DemoService;
  /** Samples are added through the same calls as a user's items. */
  readonly templates: Pick<HandlersOf<'templates'>, 'templates.add' | 'templates.save'>;
  readonly batches: Pick<HandlersOf<'batches'>, 'batches.create'>;
}

type Samples = Awaited<ReturnType<DemoService['samples']>>;

/** Creates the call that adds the samples of the demo other than its agreements. */
export function createSampleHandlers(ports: SamplePorts): HandlersOf<'samples'> {
  // A second call waits and gets the same samples, not a second set.
  const turns = new Serial();
  return { 'samples.add': () => turns.run(() => addSamples(ports)) };
}

async function addSamples(ports: SamplePorts) {
  const samples = await ports.demo.samples();
  const connectionId = demoConnection(ports, samples);
  const template = await addTemplate(ports, samples);
  const batch = await addBatch(ports, samples, template, connectionId);
  return { template, batch };
}

function demoConnection({ stores }: SamplePorts, { template }: Samples): ConnectionId {
  const isIts = ({ environment, api }: { environment: string; api: string }) =>
    environment === 'demo' && api === template.api;
  const found = stores.connections.list().find(isIts);
  if (found === undefined) throw new AppError('not-found', 'There is no demo connection');
  return found.id;
}

async function addTemplate(
  { stores, bytes, templates }: SamplePorts,
  { template }: Samples,
): Promise<TemplateId> {
  const { name, api, fileName, pdf, content } = template;
  const there = stores.templates.list().find((one) => one.name === name);
  if (there !== undefined) return there.id;
  const given = { name, api, fileName, bytes: bytes.put(pdf) };
  const { id: added, revision } = await templates['templates.add'](given);
  const id = TemplateId.parse(added);
  await templates['templates.save']({ id, revision, name, content });
  return id;
}

async function addBatch(
  { stores, bytes, batches }: SamplePorts,
  { batch }: Samples,
  templateId: TemplateId,
  connectionId: ConnectionId,
): Promise<BatchId> {
  const { name, fileName, sheet } = batch;
  const there = stores.batches.list().find((one) => one.name === name);
  if (there !== undefined) return BatchId.parse(there.id);
  const given = { name, fileName, bytes: bytes.put(sheet), choices: {}, connectionId, templateId };
  const { id } = await batches['batches.create'](given);
  return BatchId.parse(id);
}
