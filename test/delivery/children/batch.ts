/*
 * Runs the program in its own process: arms one batch with the program's own code, and ends at a
 * named kill point. After a restart it only reports the rows.
 */
import { writeSync } from 'node:fs';
import * as z from 'zod';
import { createLogFiles } from '../../../electron/adapters/system/log-files.ts';
import { createLog } from '../../../electron/adapters/system/log.ts';
import { originOf, systemChance, systemClock } from '../../../electron/adapters/system/platform.ts';
import { createVault } from '../../../electron/adapters/vault/vault.ts';
import { openData, type OpenData } from '../../../electron/compose/data.ts';
import { createToFailure } from '../../../electron/core/app-error.ts';
import { createByteExchange } from '../../../electron/core/bytes/exchange.ts';
import type { KillPoint } from '../../../electron/core/outbox/ports.ts';
import { BatchId, ConnectionId, JobId, TemplateId } from '../../../shared/model/ids.ts';
import { formPdf } from '../../../electron/demo/pdf/form.ts';
import { leaseV1, HEADER, people } from '../../support/desks/batch-desk.ts';

const Order = z.object({
  folder: z.string(),
  keyfile: z.string(),
  rows: z.number(),
  killAt: z.string().nullable(),
});
const order = Order.parse(JSON.parse(process.env['DESK_ORDER'] ?? '{}'));

function atKillPoint(point: KillPoint): void {
  if (point === order.killAt) process.kill(process.pid, 'SIGKILL');
}

const log = createLog(order.folder, systemClock);
const bytes = createByteExchange(systemClock, systemChance);
const data = await openData({
  folder: order.folder,
  systemWays: async () => [],
  stateDir: `${order.folder}.state`,
  clock: systemClock,
  chance: systemChance,
  log,
  logFiles: createLogFiles(order.folder),
  atKillPoint,
  bytes,
  vault: createVault({ store: 'keyfile', path: order.keyfile, dataDir: order.folder }),
  toFailure: createToFailure(log),
  profile: 'own',
  demo: undefined,
  locale: 'en',
  language: null,
  interactive: false,
  emit: () => undefined,
  origin: originOf('0'),
  updater: { way: 'checkout' },
  version: '1.0.0',
});
data.desk.recover();
if (order.killAt !== null) await arm(data);
const { stores } = data;
const [batch] = stores.batches.list();
const armed = stores.outbox.batches(0).map(({ rows }) => rows);
writeSync(1, JSON.stringify({ stage: batch?.stage, armed, staged: countStaged(data) }));
await data.close();
process.exit();

async function arm({ desk: { handlers } }: OpenData): Promise<void> {
  const connection = await handlers['connections.add']({
    name: 'Office',
    api: 'v1',
    url: 'http://127.0.0.1:9',
    environment: 'test',
    secret: 'token',
    accountId: null,
    orgNo: null,
    allowed: null,
  });
  const form = bytes.put(await formPdf('Hyresavtal', ['tenant', 'rent']));
  const about = { name: 'Lease', api: 'v1', fileName: 'Hyresavtal.pdf', bytes: form } as const;
  const { id, revision } = await handlers['templates.add'](about);
  const templateId = TemplateId.parse(id);
  await handlers['templates.save']({ id: templateId, revision, name: 'Lease', content: leaseV1 });
  const sheet = bytes.put(Buffer.from([HEADER, ...people(order.rows)].join('\n')));
  const made = await handlers['batches.create']({
    name: 'Autumn',
    fileName: 'leases.csv',
    bytes: sheet,
    choices: {},
    connectionId: ConnectionId.parse(connection.id),
    templateId,
  });
  const batchId = BatchId.parse(made.id);
  const { rows: confirm } = order;
  const send = { id: batchId, confirm, revision: made.revision, holdSeconds: 0 };
  const started = await handlers['batches.send'](send);
  const jobId = JobId.parse(started.jobId);
  for (;;) {
    const { state, failure } = await handlers['jobs.show']({ jobId });
    if (state === 'failed') throw new Error(failure?.message);
    if (state === 'done') return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Number of frozen rows without a batch, which must be none after a restart. */
function countStaged({ database }: OpenData): number {
  const Count = z.object({ rows: z.number() });
  const found = database.query("SELECT count(*) AS rows FROM outbox WHERE state = 'staged'", Count);
  return found.first()?.rows ?? 0;
}
