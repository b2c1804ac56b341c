/*
 * Runs the program in its own process, with a given clock and kill point: starts the sending of one
 * batch, runs the outbox until no row can change, and decides as a clerk would.
 */
import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { systemChance } from '../../../electron/adapters/system/platform.ts';
import type { OpenData } from '../../../electron/compose/data.ts';
import { fingerprintsOf, freeze } from '../../../electron/core/outbox/freeze.ts';
import { createOpenService } from '../../../electron/adapters/rest/open-service.ts';
import { createEncoding } from '../../../electron/adapters/system/encoding.ts';
import { sha256 } from '../../../electron/adapters/sqlite/database/sha256.ts';
import {
  AgreementId,
  BatchId,
  ConnectionId,
  FileId,
  OutboxRef,
} from '../../../shared/model/ids.ts';
import { AppError } from '../../../shared/errors.ts';
import type { DraftContent } from '../../../shared/contract/drafts.ts';
import type { ManualDecision } from '../../../shared/contract/outbox.ts';
import { contentOf } from './content.ts';
import { openKillable } from './killable.ts';
import { Order } from './order.ts';

const order = Order.parse(JSON.parse(process.env['DESK_ORDER'] ?? '{}'));
const killAt = process.env['DESK_KILL_AT'] ?? order.killAt;

const BATCH = BatchId.parse('b0000000-0000-4000-8000-000000000001');
const CONNECTION = ConnectionId.parse('c0000000-0000-4000-8000-000000000001');
/** Time between two runs of the outbox (real ms). */
const PAUSE = 10;

const { data, vault, clock, log, atKillPoint } = await openKillable({ ...order, killAt });
await prepare(data);
await work(data);
await data.close();
writeSync(1, 'settled\n');

/** Prepares the batch; the next process completes steps that a killed one left undone. */
async function prepare({ stores, desk }: OpenData): Promise<void> {
  if (stores.connections.list().length === 0) {
    await vault.write(`connection/${CONNECTION}`, order.secret);
    stores.connections.save({
      id: CONNECTION,
      name: 'Service',
      api: order.api,
      url: order.url,
      environment: 'test',
      accountId: order.accountId,
      orgNo: null,
      allowed: null,
      createdAt: clock.now(),
    });
  }
  if (stores.outbox.batches(0).length > 0) return;
  atKillPoint('before-arm');
  const open = createOpenService({ clock, chance: systemChance, log });
  const [connection] = stores.connections.list();
  if (connection === undefined) throw new Error('There is no connection');
  const service = open(connection, order.secret);
  const file = { name: 'lease.pdf', data: pdfOf(order.bytes), modifiedAt: null };
  const hashing = { sha256, encoding: createEncoding() };
  const frozen = function* () {
    for (let rowNo = 2; rowNo < order.rows + 2; rowNo += 1) {
      const id = FileId.parse(randomUUID());
      const files = order.bytes === 0 ? new Map() : new Map([[id, file]]);
      const content: DraftContent = contentOf(order.api, rowNo, order.bytes === 0 ? null : id);
      const ref = OutboxRef.parse(randomUUID());
      const row = { ref, rowNo, content, files, connectionId: CONNECTION, people: ['Åsa Öberg'] };
      const fingerprints = fingerprintsOf({ content, files }, hashing);
      const sending = { ...row, fingerprints, nextAt: clock.now(), markInName: true };
      yield freeze(service, sending, hashing);
    }
  };
  const batch = { batchId: BATCH, connectionId: CONNECTION, title: 'Leases', stopAfter: null };
  // An earlier process may have been killed midway.
  stores.outbox.discardStaged(BATCH);
  for (const entry of frozen()) stores.outbox.stage(BATCH, entry, clock.now());
  stores.outbox.arm({ ...batch, policy: order.policy }, clock.now());
  atKillPoint('after-arm');
  await desk.handlers['outbox.list']({});
}

/** A PDF of about this many bytes, detailed enough for a service. */
function pdfOf(bytes: number): Uint8Array {
  return Buffer.from(`%PDF-1.7\n%${'A'.repeat(bytes)}\n%%EOF\n`);
}

async function work({ stores, desk }: OpenData): Promise<void> {
  const { outbox } = stores;
  for (;;) {
    await desk.handlers['outbox.run']({});
    const { counts } = outbox.batch(BATCH);
    const left = (['queued', 'sending', 'unknown', 'absent', 'human'] as const).filter(
      (state) => (counts[state] ?? 0) > 0,
    );
    if (left.length === 0) return;
    await decide(stores, desk);
    await new Promise((resolve) => {
      setTimeout(resolve, PAUSE);
    });
  }
}

/**
 * Resumes connections that are blocked, resumes the batch, and decides about rows as a person
 * would.
 */
async function decide({ outbox }: OpenData['stores'], desk: OpenData['desk']): Promise<void> {
  // At this speed of time, answers on a busy computer are minutes late, so the clock seems wrong.
  const isForPerson = outbox.gates().some(({ until }) => until === null);
  if (isForPerson) await desk.handlers['outbox.resume']({ connectionId: CONNECTION });
  if (outbox.batch(BATCH).gate === 'asks') outbox.setBatchGate(BATCH, 'open', null);
  for (const item of outbox.inState('human')) {
    await settle(desk, item.ref);
  }
}

/** Accepts a possible match; resends a row without a match or with a deleted agreement. */
async function settle({ handlers }: OpenData['desk'], ref: OutboxRef): Promise<void> {
  const { candidates } = await handlers['outbox.history']({ ref });
  const [first] = candidates;
  try {
    const decision: ManualDecision =
      first === undefined
        ? { as: 'resend' }
        : { as: 'sent', remoteId: AgreementId.parse(first.id) };
    await handlers['outbox.settle']({ ref, decision });
  } catch (error) {
    const isDeleted = error instanceof AppError && error.failure.code === 'not-found';
    if (!isDeleted) throw error;
    await handlers['outbox.settle']({ ref, decision: { as: 'resend' } });
  }
}
