/*
 * Runs a signer of a company in its own process. It reads, reviews and signs waiting agreements,
 * rejects others, and settles lost answers. It ends at a named kill point, or when no work is
 * left.
 */
import { writeSync } from 'node:fs';
import * as z from 'zod';
import type { OpenData } from '../../../electron/compose/data.ts';
import { AgreementKey, ConnectionId, IdentityId, JobId } from '../../../shared/model/ids.ts';
import type { Job } from '../../../shared/contract/jobs.ts';
import { ConnectionGate, OutboxItem } from '../../../shared/contract/outbox.ts';
import { OpenedReview, SigningItem } from '../../../shared/contract/signing.ts';
import { AppError } from '../../../shared/errors.ts';
import { openKillable } from './killable.ts';

const Order = z.object({
  folder: z.string(),
  keyfile: z.string(),
  connections: z.array(
    z.object({
      id: ConnectionId,
      api: z.enum(['v1', 'v2']),
      url: z.string(),
      secret: z.string(),
      accountId: z.string().nullable(),
      orgNo: z.string().nullable(),
    }),
  ),
  begin: z.number(),
  factor: z.number(),
  killAt: z.string().nullable(),
  killNth: z.number().int(),
});

const order = Order.parse(JSON.parse(process.env['DESK_ORDER'] ?? '{}'));
const KARIN = IdentityId.parse('1d000000-0000-4000-8000-000000000001');
const PERSON = '189001019802';
const AT_ONCE = 20;
/** Time between two rounds (real ms). */
const PAUSE = 20;
/** Maximum number of rounds, more than needed; after them, the remaining work is printed. */
const MANY = 200;

const Listed = z.object({ items: z.array(AgreementKey) });
const { data, vault, clock } = await openKillable(order);
await prepare(data);
for (let round = 1; !(await work(data)); round += 1) {
  if (round % MANY === 0) await tell(data, round);
  await new Promise((resolve) => setTimeout(resolve, PAUSE));
}
await data.close();
writeSync(1, 'settled\n');

async function prepare({ stores, desk }: OpenData): Promise<void> {
  const known = new Set(stores.connections.list().map(({ id }) => id));
  for (const { secret, ...rest } of order.connections.filter(({ id }) => !known.has(id))) {
    await vault.write(`connection/${rest.id}`, secret);
    const createdAt = clock.now();
    stores.connections.save({
      ...rest,
      name: rest.api,
      environment: 'test',
      allowed: null,
      createdAt,
    });
  }
  if (stores.identities.list().length === 0) {
    const person = { firstName: 'Karin', lastName: 'Lind', personNumber: PERSON };
    stores.identities.insert(KARIN, { name: 'Karin', ...person, country: 'SE' });
  }
  await desk.handlers['identities.list']({});
}

/** Prints the remaining work, to explain why the process did not end. */
async function tell({ desk: { handlers } }: OpenData, round: number): Promise<void> {
  const signing = z.array(SigningItem).parse(await handlers['signing.list']({}));
  const rows = z.array(OutboxItem).parse(await handlers['outbox.list']({}));
  const left = {
    round,
    signing: signing.map(({ state, readable, review }) => [state, readable, review !== null]),
    outbox: rows.filter(({ state }) => state !== 'sent' && state !== 'abandoned'),
    gates: await handlers['outbox.gates']({}),
    jobs: await handlers['jobs.list']({}),
  };
  writeSync(1, `${JSON.stringify(left)}\n`);
}

/** Does a round of work. Returns true if no agreement can be signed and no outcome is unknown. */
async function work(open: OpenData): Promise<boolean> {
  const { handlers } = open.desk;
  await ended(open, await handlers['agreements.sync']({ full: false }));
  await settleDoubts(open);
  const items = z.array(SigningItem).parse(await handlers['signing.list']({}));
  const ready = items.filter(({ state }) => state === 'ready').slice(0, AT_ONCE);
  for (const item of ready) if (item.review === null) await review(open, item);
  if (ready.length > 0) {
    const targets = ready.map(({ connectionId, id, partyId }) => ({ connectionId, id, partyId }));
    const order = { items: targets, identityId: KARIN, confirm: ready.length };
    await ended(open, await handlers['signing.sign']({ ...order, stopOnFailure: false }));
  }
  return !(await rejectSome(open)) && items.length === 0;
}

/** Rejects some of the agreements to be rejected; returns false if none is left. */
async function rejectSome({ desk }: OpenData): Promise<boolean> {
  const list = {
    search: 'Refused',
    states: ['waiting' as const],
    sort: 'updated' as const,
    limit: AT_ONCE,
  };
  const { items } = Listed.parse(await desk.handlers['agreements.list'](list));
  for (const key of items) {
    const rejection = { partyType: 'PRIVATE', personNo: PERSON } as const;
    try {
      await desk.handlers['actions.reject']({ key, rejection, confirm: 1 });
    } catch (error) {
      // A rejection that was refused or not sent is tried again after the next reading.
      if (!(error instanceof AppError)) throw error;
    }
  }
  return items.length > 0;
}

async function review({ desk }: OpenData, item: SigningItem): Promise<void> {
  const { connectionId, id, readable } = item;
  const key = { connectionId, id, identityId: KARIN };
  if (!readable) return void (await desk.handlers['signing.markReviewed'](key));
  const job = await ended({ desk }, await desk.handlers['signing.review']({ connectionId, id }));
  const opened = OpenedReview.safeParse(job.result);
  if (!opened.success) return;
  await desk.handlers['signing.markReviewed']({ ...key, reviewId: opened.data.reviewId });
}

/** Decides as a clerk would: gives up an attempt after two scans without a signature. */
async function settleDoubts({ desk }: OpenData): Promise<void> {
  const rows = z.array(OutboxItem).parse(await desk.handlers['outbox.list']({}));
  // At this speed of time, an answer that takes 200 ms makes the clock seem wrong by five minutes.
  for (const { connectionId, kind } of z
    .array(ConnectionGate)
    .parse(await desk.handlers['outbox.gates']({}))) {
    if (kind === 'clock') await desk.handlers['outbox.resume']({ connectionId });
  }
  for (const { ref, kind, state } of rows) {
    if (kind !== 'sign') continue;
    if (state === 'unknown' || state === 'absent') await desk.handlers['outbox.look']({ ref });
    if (state === 'human') {
      await desk.handlers['outbox.settle']({ ref, decision: { as: 'abandon' } });
    }
  }
}

async function ended(
  { desk }: Pick<OpenData, 'desk'>,
  { jobId: started }: { readonly jobId: string },
): Promise<z.input<typeof Job>> {
  const jobId = JobId.parse(started);
  for (;;) {
    const job = await desk.handlers['jobs.show']({ jobId });
    if (job.state !== 'running') return job;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
