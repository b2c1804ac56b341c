/*
 * Runs the whole program in its own process, with a given clock and kill point, as a computer of an
 * office. Its clerk sends drafts, lets rules remind, and decides about waiting rows. Each decision
 * is written outside the data folder before it takes effect.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { Draft, DraftSummary, SendCheck } from '../../../shared/contract/drafts.ts';
import {
  ConnectionGate,
  OutboxBatch,
  OutboxItem,
  type ManualDecision,
} from '../../../shared/contract/outbox.ts';
import { ReminderRuleView } from '../../../shared/contract/reminders.ts';
import { AppError } from '../../../shared/errors.ts';
import { AgreementId, BatchId, DraftId, JobId } from '../../../shared/model/ids.ts';
import { createRandom } from '../random.ts';
import { openKillable } from './killable.ts';
import { type Decision, WholeOrder, type WholeReport } from './whole-order.ts';

const order = WholeOrder.parse(JSON.parse(process.env['DESK_ORDER'] ?? '{}'));
/** Time between two rounds (real ms). */
const PAUSE = 15;
/** Number of rounds without a change after which only a person or another day changes anything. */
const QUIET = 4;
const MAX_ROUNDS = 400;
/** Share of sends that a clerk repeats although they were sent before or are unknown. */
const BOLD = 0.1;
const EDITS = 0.3;

const random = createRandom(order.seed);
const { data, clock } = await openKillable({
  ...order,
  folder: path.join(order.folder, 'data'),
  stateDir: path.join(order.folder, 'state'),
});
const { handlers } = data.desk;
const connectionId = data.stores.connections.list()[0]?.id;
if (connectionId === undefined) throw new Error('There is no connection');
let quiet = 0;
for (let round = 0; order.does === 'work' || quiet < QUIET; round += 1) {
  if (order.does === 'settle' && round > MAX_ROUNDS) throw new Error(`It always moves: ${state()}`);
  const before = state();
  await goRound(connectionId);
  quiet = before === state() ? quiet + 1 : 0;
  await wait(PAUSE);
}
writeFileSync(order.report, JSON.stringify(await report()));
await data.close();
writeSync(1, 'settled\n');
process.exit();

type Connection = NonNullable<typeof connectionId>;

async function goRound(connection: Connection): Promise<void> {
  noteId();
  const works = [
    () => handlers['office.exchange']({}),
    excuse,
    openGates,
    remind,
    () => sendAll(connection),
    sendBatches,
    () => handlers['outbox.run']({}),
    decideAll,
    adoptLeft,
  ];
  // A process lives shortly, so each starts with another kind of work.
  const first = Math.floor(random() * works.length);
  for (const work of [...works.slice(first), ...works.slice(0, first)]) await tried(work);
}

async function remind(): Promise<void> {
  await switchRules();
  await finish(handlers['agreements.sync']({ full: false }));
  await finish(handlers['reminders.run']({}));
}

async function sendAll(connection: Connection): Promise<void> {
  for (const draft of drafts(await handlers['drafts.list']({}))) {
    await tried(() => send(draft, connection));
  }
}

async function decideAll(): Promise<void> {
  for (const item of await rows()) await tried(() => decide(item));
}

/** Repeats refused work in the next round. */
async function tried(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}

function decided(what: Decision['what'], about: Partial<Decision>): void {
  const decision: Decision = { title: '', desks: [], ref: '', ...about, what, at: clock.now() };
  appendFileSync(order.decisions, `${JSON.stringify(decision)}\n`);
}

function noteId(): void {
  const desk = data.stores.office.membership()?.desk ?? '';
  const file = order.ids[order.at];
  if (file !== undefined) writeFileSync(file, desk);
}

function living(): readonly string[] {
  return order.ids.flatMap((file) => (existsSync(file) ? [readFileSync(file, 'utf8')] : []));
}

/** Lets the office stop waiting for former ids of computers, once each computer has run again. */
async function excuse(): Promise<void> {
  await handlers['office.report']({});
  const found = await handlers['office.putBack']({});
  const here = living();
  const seats = await handlers['office.seats']({});
  const since = seats.flatMap(({ desks: all }) =>
    all.flatMap(({ id, seenAt }) => (seenAt >= (found?.noticedAt ?? 0) ? [id] : [])),
  );
  if (!here.every((id) => since.includes(id))) return;
  const desks = (found?.awaited ?? []).map(({ desk }) => desk).filter((one) => !here.includes(one));
  if (found === null || desks.length === 0) return;
  decided('excuse', { desks });
  await handlers['office.excuse']({ id: found.id, desks });
}

async function openGates(): Promise<void> {
  for (const { connectionId: id, until } of z
    .array(ConnectionGate)
    .parse(await handlers['outbox.gates']({}))) {
    if (until === null) await handlers['outbox.resume']({ connectionId: id });
  }
}

async function switchRules(): Promise<void> {
  const rules = z.array(ReminderRuleView).parse(await handlers['reminders.rules']({}));
  for (const { rule, isPaused } of rules) {
    if (!isPaused) continue;
    decided('rule', {});
    await handlers['reminders.switchRule']({ id: rule.id, isOn: true });
  }
}

async function finish(starting: Promise<{ readonly jobId: string }>): Promise<void> {
  const jobId = JobId.parse((await starting).jobId);
  for (;;) {
    const { state: now } = await handlers['jobs.show']({ jobId });
    if (now !== 'running') return;
    await wait(3);
  }
}

/** A clerk always gives the same answer to the same question. */
function isBold(about: string): boolean {
  const seed = [...about].reduce(
    (sum, letter) => sum * 31 + (letter.codePointAt(0) ?? 0),
    order.at,
  );
  return createRandom(seed % 2 ** 31)() < BOLD;
}

/** Drafts to send today, according to their title, such as "Lease 3-1" on the third day. */
function drafts(listed: unknown): readonly DraftSummary[] {
  const isDue = ({ title, sending }: DraftSummary): boolean =>
    sending === null && dayOf(title) <= order.day;
  return z.array(DraftSummary).parse(listed).filter(isDue);
}

async function send({ id, title }: DraftSummary, connection: Connection): Promise<void> {
  const here = await rows();
  if (here.some((row) => row.title === title && row.state === 'rejected')) return;
  if (title.startsWith('Shared') && random() < EDITS) await edit(id);
  const { sentBefore } = SendCheck.parse(await handlers['drafts.check']({ id }));
  if (sentBefore.length > 0 && !isBold(title)) {
    // The draft was sent before, and must not be sent twice.
    await handlers['drafts.delete']({ id });
    return;
  }
  if (sentBefore.length > 0) decided('again', { title });
  const again = sentBefore.map(({ key }) => key);
  const how = { connectionId: connection, holdSeconds: 0, confirm: 1, again };
  await handlers['drafts.send']({ id, ...how });
}

/** Sends each batch of today, according to its name, without rows that were sent before. */
async function sendBatches(): Promise<void> {
  for (const { id: text, name, stage } of await handlers['batches.list']({})) {
    const id = BatchId.parse(text);
    if (stage !== 'open' || dayOf(name) > order.day) continue;
    await tried(async () => {
      const shown = { id, filter: 'duplicates', offset: 0, limit: 100 } as const;
      const { rows: before } = await handlers['batches.rows'](shown);
      const left = before.filter(({ isExcluded }) => !isExcluded).map(({ row }) => row);
      if (left.length > 0) {
        await handlers['batches.exclude']({ id, rows: left, isExcluded: true });
      }
      const { ready } = await handlers['batches.check']({ id });
      const { revision } = await handlers['batches.show']({ id });
      if (ready === 0) await handlers['batches.remove']({ id });
      else await finish(handlers['batches.send']({ id, confirm: ready, revision, holdSeconds: 0 }));
    });
  }
}

function dayOf(title: string): number {
  return Number(/ (\d+)-/u.exec(title)?.[1] ?? 0);
}

/** Saves another version of the same draft. */
async function edit(id: DraftSummary['id']): Promise<void> {
  const draft = Draft.parse(await handlers['drafts.show']({ id }));
  const { content, revision, connectionId: of } = draft;
  if (content.api !== 'v1') return;
  const tags = { version: String(Math.floor(random() * 1000)) };
  const body = { ...content.body, tags };
  await handlers['drafts.save']({ id, revision, content: { api: 'v1', body }, connectionId: of });
}

async function rows(): Promise<readonly OutboxItem[]> {
  const batches = await handlers['outbox.batches']({});
  const lists = [await handlers['outbox.list']({})];
  for (const { batchId, gate } of z.array(OutboxBatch).parse(batches)) {
    if (gate === 'asks') data.stores.outbox.setBatchGate(batchId, 'open', null);
    lists.push(await handlers['outbox.list']({ batchId }));
  }
  return z.array(OutboxItem).parse(lists.flat());
}

async function decide(item: OutboxItem): Promise<void> {
  if (item.state === 'human') await settle(item);
  else if (item.state === 'duplicate') await keep(item);
  else if (item.state === 'queued' && item.nextAt === null && !item.verify)
    await decideOnHeld(item);
}

async function keep({ ref }: OutboxItem): Promise<void> {
  const [first] = (await handlers['outbox.history']({ ref })).candidates;
  if (first === undefined) return;
  const decision = { as: 'keep', remoteId: AgreementId.parse(first.id) } as const;
  await handlers['outbox.settle']({ ref, decision });
}

/** Accepts a match; resends a row that is proven absent; otherwise waits, and finally gives up. */
async function settle({ ref, title, reason, draftId, batchId }: OutboxItem): Promise<void> {
  const { candidates } = await handlers['outbox.history']({ ref });
  const [first] = candidates.filter(({ isMarked }) => isMarked);
  const isAdopted = draftId === null && batchId === null;
  const isProven = reason?.reason === 'not-listed' && candidates.length === 0;
  const settled = (decision: ManualDecision) => handlers['outbox.settle']({ ref, decision });
  if (first !== undefined) {
    await settled({ as: 'sent', remoteId: AgreementId.parse(first.id) });
  } else if (isAdopted) {
    if (!isProven) decided('gave-up', { title, ref });
    await settled({ as: 'abandon' });
  } else if (isProven) {
    decided('proven', { title, ref });
    await settled({ as: 'resend' });
  } else if (isBold(ref)) {
    decided('again', { title, ref });
    await settled({ as: 'resend' });
  } else if (order.does === 'settle') {
    decided('gave-up', { title, ref });
    await settled({ as: 'abandon' });
  }
}

/**
 * Cancels a row that another computer has sent; sends one that a decision gave up on that computer.
 */
async function decideOnHeld({ ref, title, reason }: OutboxItem): Promise<void> {
  if (reason?.reason !== 'claimed-elsewhere') {
    await handlers['outbox.sendNow']({ ref });
    return;
  }
  const holders = await handlers['office.holders']({ ref });
  const seen = holders.flatMap(({ claims }) => claims);
  if (holders.some(({ state: now }) => now === 'done')) {
    const { draftId } = await handlers['outbox.undo']({ ref });
    if (draftId !== null) await handlers['drafts.delete']({ id: DraftId.parse(draftId) });
  } else if (holders.every(({ state: now }) => now === 'given-up')) {
    if (seen.length > 0) decided('again', { title, ref });
    if (seen.length > 0) await handlers['office.follow']({ ref, seen });
    else await handlers['outbox.sendNow']({ ref });
  }
}

/** Takes over sends of this computer's former id. */
async function adoptLeft(): Promise<void> {
  const here = living();
  const open = await handlers['office.open']({});
  for (const { id, desk } of open.filter((one) => !here.includes(one.desk))) {
    if (desk !== '') await tried(() => handlers['office.adopt']({ id }));
  }
}

/** Text that changes with every change of this computer's data. */
function state(): string {
  const { outbox, drafts: kept } = data.stores;
  const states = [
    'queued',
    'sending',
    'unknown',
    'absent',
    'human',
    'sent',
    'rejected',
    'abandoned',
  ];
  const items = outbox
    .list(0)
    .concat(outbox.batches(0).flatMap((one) => outbox.inBatch(one.batchId)));
  const counts = states.map((one) => items.filter((item) => item.state === one).length);
  return JSON.stringify([counts, kept.list().length, outbox.scans.length, looks()]);
}

/** The current time while an outcome is unknown, which only time settles; otherwise 0. */
function looks(): number {
  const { outbox } = data.stores;
  const isLooking = outbox.inState('unknown').length + outbox.inState('absent').length > 0;
  return isLooking ? clock.now() : 0;
}

async function report(): Promise<WholeReport> {
  const { outbox } = data.stores;
  const open = await handlers['office.open']({});
  const found = await rows();
  return {
    rows: found.map(({ ref, title, state: now, verify, nextAt, remoteId, reason }) => {
      const journal = outbox.journal(ref);
      const again = journal.filter(
        ({ from, to, actor }) => from === 'human' && to === 'queued' && actor === 'person',
      );
      return {
        ref,
        title,
        state: now,
        verify,
        remoteId,
        again: again.length,
        isHeld: now === 'queued' && nextAt === null,
        reason: reason?.reason ?? null,
        steps: journal.map(({ at, to, cause }) => `${String(at)} ${to} (${cause})`),
      };
    }),
    drafts: z
      .array(DraftSummary)
      .parse(await handlers['drafts.list']({}))
      .map(({ title }) => title),
    open: open.map(({ id, title, kind, desk, state: now, startedAt }) => ({
      id,
      title: title ?? '',
      kind,
      desk,
      state: now,
      startedAt,
    })),
    desk: data.stores.office.membership()?.desk ?? '',
    rules: (await handlers['reminders.rules']({})).map(({ rule }) => rule.name),
  };
}
