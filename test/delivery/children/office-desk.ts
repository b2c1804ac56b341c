/*
 * Runs a computer of an office in its own process, with a given clock and kill point. It uses a
 * real data file, the service over HTTP, and the office over a link. It arms the rows that every
 * computer has, runs its outbox until no row can change, and decides as a clerk would.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, writeSync } from 'node:fs';
import path from 'node:path';
import { createClaims } from '../../../electron/adapters/office/claims.ts';
import { createLeases } from '../../../electron/adapters/office/leases.ts';
import { claimKey } from '../../../electron/adapters/office/seal.ts';
import { openOffice } from '../../../electron/adapters/office/server.ts';
import {
  createOpenActions,
  createOpenService,
} from '../../../electron/adapters/rest/open-service.ts';
import { sha256 } from '../../../electron/adapters/sqlite/database/sha256.ts';
import { createWriterLock } from '../../../electron/adapters/sqlite/open/lock.ts';
import { openDatabase } from '../../../electron/adapters/sqlite/open/open.ts';
import { createStores } from '../../../electron/adapters/sqlite/stores.ts';
import { createEncoding } from '../../../electron/adapters/system/encoding.ts';
import { createLog } from '../../../electron/adapters/system/log.ts';
import { systemChance, systemScheduler } from '../../../electron/adapters/system/platform.ts';
import { dataKey } from '../../../electron/adapters/vault/data-key.ts';
import { createVault } from '../../../electron/adapters/vault/vault.ts';
import { createExternalState } from '../../../electron/adapters/vault/external-state.ts';
import { databaseFile } from '../../../electron/compose/data.ts';
import { createToFailure } from '../../../electron/core/app-error.ts';
import { adopt, DELAYS_FOR_ABANDONED_SEND } from '../../../electron/core/office/adopt.ts';
import { OfficeGuard } from '../../../electron/core/office/guard.ts';
import type { JoinedOffice } from '../../../electron/core/office/ports.ts';
import { fingerprintsOf, freeze } from '../../../electron/core/outbox/freeze.ts';
import { createOutboxWork } from '../../../electron/core/outbox/outbox.ts';
import type { StoredItem } from '../../../electron/core/outbox/ports.ts';
import { createServices } from '../../../electron/core/services/services.ts';
import { AppError } from '../../../shared/errors.ts';
import {
  AgreementId,
  BatchId,
  ConnectionId,
  FileId,
  OutboxRef,
} from '../../../shared/model/ids.ts';
import { createScaledClock } from '../scaled-time.ts';
import { contentOf } from './content.ts';
import { createAtKillPoint, deadlines } from './killable.ts';
import { OfficeOrder } from './office-order.ts';

const order = OfficeOrder.parse(JSON.parse(process.env['DESK_ORDER'] ?? '{}'));

const CONNECTION = ConnectionId.parse('c0000000-0000-4000-8000-000000000001');
const IN_BATCH = 20;
/** Time between two runs of the outbox (real ms). */
const PAUSE = 10;
/** Maximum number of rows of other computers that are checked in one round. */
const ASKED_AT_ONCE = 20;
const PERSON = { cause: 'person', actor: 'person' } as const;
const OPEN = ['queued', 'sending', 'unknown', 'absent', 'human'] as const;

const { folder } = order;
const scaled = createScaledClock(order);
const clock = { ...scaled, now: () => scaled.now() + order.ahead };
const log = createLog(folder, clock);
const toFailure = createToFailure(log);
const atKillPoint = createAtKillPoint(order);
const vault = createVault({ store: 'keyfile', path: order.keyfile, dataDir: folder });
const file = databaseFile(folder);
const key = await dataKey(vault, { databaseExists: existsSync(file) });
const database = openDatabase({ file, key, now: clock.now() });
const stores = createStores(database, atKillPoint);
const { outbox } = stores;
const server = openOffice(
  { ...order.office, host: '127.0.0.1', trust: null },
  async () => order.office.password,
);
const joined = createJoined();
const work = createWork();
writeSync(1, 'open\n');
await prepare();
await workOn();
await server.close();
database.close();
writeSync(1, 'settled\n');
process.exit();

function createJoined(): JoinedOffice {
  const { id: office, desk, seat } = order.office;
  const officeKey = { version: 1, numbers: null, key: Buffer.from(order.office.key, 'base64') };
  const context = {
    office,
    desk,
    seat,
    name: desk,
    newestKey: () => officeKey,
    mark: {
      read: () => 0,
      reached: () => undefined,
      former: () => [],
      compared: () => undefined,
    },
    keyOf: async () => officeKey,
  };
  return {
    desk,
    claims: createClaims(server, context),
    leases: createLeases(server, context),
    claimKey: (parts) => claimKey(officeKey.key, parts),
    goesOnWithout: false,
  };
}

function createWork() {
  const network = { clock, chance: systemChance, log, atKillPoint };
  const services = createServices({
    vault,
    connections: stores.connections,
    settings: stores.settings,
    openService: createOpenService(network, deadlines),
    openActions: createOpenActions(network),
    demo: { urls: () => Promise.reject(new Error('No demo')) },
    hearClock: (id, serverTime) => sending.gates.noteServerTime(id, serverTime),
  });
  const common = { stores, services, vault, clock, log, toFailure };
  const sending = createOutboxWork({
    ...common,
    guardSends: (parts) => new OfficeGuard({ ...common, ...parts, joined: async () => joined }),
    atKillPoint,
    sha256,
    encoding: createEncoding(),
    externalState: createExternalState({ stateDir: `${folder}.state`, dataDir: folder, file }),
    lock: createWriterLock(path.join(folder, 'outbox.lock')),
    scheduler: systemScheduler,
    emit: () => undefined,
    onSent: () => undefined,
    onDistrust: () => undefined,
  });
  return sending;
}

/** Prepares the batches; the next process completes steps that a killed one left undone. */
async function prepare(): Promise<void> {
  if (stores.connections.list().length === 0) {
    await vault.write(`connection/${CONNECTION}`, order.secret);
    stores.connections.save({
      id: CONNECTION,
      name: 'Service',
      api: 'v1',
      url: order.url,
      environment: 'test',
      accountId: null,
      orgNo: null,
      allowed: null,
      createdAt: clock.now(),
    });
  }
  const count = Math.ceil(order.rows / IN_BATCH);
  const first = Math.floor((order.at * count) / 3);
  const armed = new Set(outbox.batches(0).map(({ batchId }) => batchId));
  for (let index = 0; index < count; index += 1) {
    const number = (first + index) % count;
    const batchId = BatchId.parse(`b0000000-0000-4000-8000-${String(number).padStart(12, '0')}`);
    if (!armed.has(batchId)) arm(batchId, number * IN_BATCH);
  }
}

function arm(batchId: BatchId, from: number): void {
  atKillPoint('before-arm');
  const [connection] = stores.connections.list();
  if (connection === undefined) throw new Error('There is no connection');
  const service = createOpenService({ clock, chance: systemChance, log })(connection, order.secret);
  const hashing = { sha256, encoding: createEncoding() };
  const pdf = { name: 'lease.pdf', data: Buffer.from('%PDF-1.7\n%%EOF\n'), modifiedAt: null };
  // An earlier process may have been killed midway.
  outbox.discardStaged(batchId);
  for (let rowNo = from; rowNo < Math.min(from + IN_BATCH, order.rows); rowNo += 1) {
    const id = FileId.parse(randomUUID());
    const ref = OutboxRef.parse(randomUUID());
    // Rows come in pairs with the same content; doubling the number makes each row different.
    const content = contentOf('v1', 2 * rowNo, id);
    const row = { ref, rowNo, content, connectionId: CONNECTION, people: ['Åsa Öberg'] };
    const files = new Map([[id, pdf]]);
    const fingerprints = fingerprintsOf({ content, files }, hashing);
    const sending = { ...row, files, fingerprints, nextAt: clock.now(), markInName: true };
    outbox.stage(batchId, freeze(service, sending, hashing), clock.now());
  }
  const batch = { batchId, connectionId: CONNECTION, title: 'Leases', stopAfter: null };
  outbox.arm({ ...batch, policy: 'auto' }, clock.now());
  atKillPoint('after-arm');
}

async function workOn(): Promise<void> {
  work.worker.requireHold();
  for (;;) {
    await work.worker.drain();
    if ((await isTold()) && rowsLeft().length === 0 && (await isNothingLeft())) return;
    await decide();
    await new Promise((resolve) => {
      setTimeout(resolve, PAUSE);
    });
  }
}

function rowsLeft(): readonly StoredItem[] {
  return [
    ...OPEN.flatMap((state) => outbox.inState(state)),
    ...outbox.inState('rejected').filter(({ verify }) => verify),
  ];
}

/** Whether the office has received all reports of this computer. */
async function isTold(): Promise<boolean> {
  return unlessAway(async () => {
    await work.office.reported();
    await work.office.reconcile(joined);
  });
}

/** Whether all sends of a lost computer are settled or were taken over. */
async function isNothingLeft(): Promise<boolean> {
  if (order.gone === null) return true;
  let isLeft = true;
  await unlessAway(async () => {
    const open = await joined.claims.open();
    isLeft = open.some(({ desk }) => desk === order.gone);
  });
  return !isLeft;
}

/** Takes over sends of a lost computer, unless another computer was faster. */
async function adoptLeft(): Promise<void> {
  const left = (await joined.claims.open()).filter(({ desk }) => desk === order.gone);
  for (const one of left.slice(0, ASKED_AT_ONCE)) {
    try {
      await adopt({ ...work, stores, clock }, joined, one, DELAYS_FOR_ABANDONED_SEND);
    } catch (error) {
      if (!(error instanceof AppError) || error.failure.code !== 'conflict') throw error;
    }
  }
}

async function unlessAway(ask: () => Promise<void>): Promise<boolean> {
  try {
    await ask();
    return true;
  } catch (error) {
    if (error instanceof AppError && error.failure.code === 'offline') return false;
    throw error;
  }
}

/**
 * Resumes connections that are blocked, resumes batches, and decides about rows as a person would.
 */
async function decide(): Promise<void> {
  if (outbox.gates().some(({ until }) => until === null)) {
    work.services.forget(CONNECTION);
    work.gates.resume(CONNECTION);
  }
  for (const { batchId, gate } of outbox.batches(0)) {
    if (gate === 'asks') outbox.setBatchGate(batchId, 'open', null);
  }
  for (const { ref } of outbox.inState('human')) {
    const [first] = outbox.hits(ref);
    const event =
      first === undefined
        ? ({ kind: isAdopted(ref) ? 'abandon' : 'resend' } as const)
        : ({ kind: 'confirm', remoteId: AgreementId.parse(first.remoteId) } as const);
    work.transitions.apply(ref, event, PERSON);
  }
  await unlessAway(adoptLeft);
  await unlessAway(decideOnHeld);
}

/** Whether the row was taken over: it has search data but no content. */
function isAdopted(ref: OutboxRef): boolean {
  return outbox.request(ref).body.length === 0;
}

/**
 * Cancels rows that another computer has sent; sends rows that no computer holds or that were given
 * up.
 */
async function decideOnHeld(): Promise<void> {
  const held = outbox.inState('queued').filter(({ nextAt, verify }) => nextAt === null && !verify);
  for (const item of held.slice(0, ASKED_AT_ONCE)) {
    const by = await work.office.holders(item.ref);
    if (by.some(({ state }) => state === 'done')) work.transitions.takeBack(item, 'person');
    else if (by.every(({ state }) => state === 'given-up')) {
      work.office.follow(item.ref, by);
      work.transitions.postpone(item.ref, clock.now(), { ...PERSON, reason: null });
    }
  }
}
