import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createEncoding } from '../../../electron/adapters/system/encoding.ts';
import { dueAt } from '../../../electron/core/archive/due.ts';
import { ArchivePace } from '../../../electron/core/archive/pace.ts';
import { createByteExchange } from '../../../electron/core/bytes/exchange.ts';
import { EvidenceLog } from '../../../electron/core/evidence/log.ts';
import { JobQueue } from '../../../electron/core/job-queue.ts';
import { OutboxGates } from '../../../electron/core/outbox/gates.ts';
import { transition } from '../../../electron/core/outbox/machine.ts';
import { OLD } from '../../../electron/core/outbox/times.ts';
import type { WriteResult } from '../../../electron/core/ports.ts';
import type { ConnectionId, OutboxRef } from '../../../shared/model/ids.ts';
import type { Failure } from '../../../shared/errors.ts';
import { tempDatabase } from '../../adapters/sqlite/temp-database.ts';
import { reviewed } from '../../support/evidence-facts.ts';
import {
  addConnection,
  addDraftV1,
  createWorld,
  type MemoryDesk,
  startMemoryDesk,
  type World,
} from '../../support/fakes/memory-desk.ts';
import {
  bytesOf,
  createCountingChance,
  createHandClock,
} from '../../support/fakes/memory-ports.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../shared/rules/time/units.ts';

const JUMPS = [
  ['an hour', HOUR],
  ['a day', DAY],
] as const;
const offline: Failure = { code: 'offline', message: 'Lost', reason: 'connection-lost' };

let world: World;
let desk: MemoryDesk;
let connectionId: ConnectionId;
/** Milliseconds by which the service's clock, which is right, is ahead of the local one. */
let ahead: number;

beforeEach(async () => {
  world = createWorld();
  desk = startMemoryDesk(world);
  connectionId = (await addConnection(desk)).id;
  ahead = 0;
  hear();
  return () => desk.desk.stop();
});

const hear = () => void (world.services.v1.serverTime = world.clock.now() + ahead);
const row = (ref: OutboxRef) => desk.api['outbox.show']({ ref });
const putBack = (by: number) => {
  world.clock.sleep(-by);
  ahead += by;
  hear();
};

/** Runs started work until it only waits for the clock. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 200; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Moves the clock in small steps, and runs all work that falls due. */
async function pass(milliseconds: number, step = 15 * SECOND): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += step) {
    world.clock.advance(Math.min(step, milliseconds - passed));
    hear();
    await settle();
  }
}

async function send(title: string, holdSeconds = 0): Promise<OutboxRef> {
  const { id } = await addDraftV1(desk, title);
  const { ref } = await desk.api['drafts.send']({ id, connectionId, holdSeconds, confirm: 1 });
  await settle();
  return ref;
}

describe.each(JUMPS)('the outbox, when a clock that was ahead is set back by %s', (_, by) => {
  beforeEach(async () => {
    ahead = -by;
    hear();
    desk.desk.start();
    await settle();
    // A person resumes sending with this clock.
    await desk.api['outbox.resume']({ connectionId });
  });

  it('sends a held row exactly after its hold in seconds (TE-C1)', async () => {
    const ref = await send('Held', 30);
    await pass(10 * SECOND);
    putBack(by);
    await pass(15 * SECOND);
    expect(await row(ref)).toMatchObject({ state: 'queued' });
    await pass(90 * SECOND);
    expect(await row(ref)).toMatchObject({ state: 'sent', attempts: 1 });
    expect(world.services.v1.created).toHaveLength(1);
  });

  it('keeps the hold of a send that was requested after the change (TE-C2)', async () => {
    await send('Before', 30);
    putBack(by);
    const ref = await send('After', 30);
    await pass(25 * SECOND);
    expect(await row(ref)).toMatchObject({ state: 'queued' });
    await pass(15 * SECOND);
    expect(await row(ref)).toMatchObject({ state: 'sent' });
  });

  it('retries an unsent request after the usual wait, when its gate opens (TE-C3)', async () => {
    const failed: WriteResult = { kind: 'not-sent', failure: offline };
    world.services.v1.answers.push(failed, failed, failed, failed);
    const ref = await send('Not sent');
    await pass(5 * MINUTE);
    expect(await row(ref)).toMatchObject({ state: 'queued', reason: offline });
    putBack(by);
    await pass(20 * MINUTE);
    expect(await row(ref)).toMatchObject({ state: 'sent' });
  });

  it('keeps looking for a send whose answer was lost, and does not send it twice (TE-C4)', async () => {
    await send('Seen by every pass');
    world.services.v1.answers.push({ kind: 'unknown', failure: offline });
    const ref = await send('Lost');
    await pass(MINUTE);
    expect(await row(ref)).toMatchObject({ state: 'unknown' });
    putBack(by);
    await pass(20 * MINUTE);
    expect(await row(ref)).toMatchObject({ state: 'human', reason: { reason: 'not-listed' } });
    expect(world.services.v1.created).toHaveLength(2);
  });

  it('leaves a row to a person within an hour if no scan can be conclusive (TE-C5)', async () => {
    world.services.v1.answers.push({ kind: 'unknown', failure: offline });
    const ref = await send('Lost');
    await pass(20 * MINUTE);
    expect(await row(ref)).toMatchObject({ state: 'unknown' });
    putBack(by);
    await pass(40 * MINUTE);
    expect(await row(ref)).toMatchObject({ state: 'human' });
  });
});

describe('the outbox after a clock was set back', () => {
  it.each(JUMPS)(
    'starts a scan before the request if the clock is corrected again after %s (TE-C6)',
    (_, by) => {
      const clock = createHandClock();
      const gates = new OutboxGates({ stores: world.stores, clock, emit: () => undefined });
      gates.noteServerTime(connectionId, clock.now());
      clock.sleep(-by);
      expect(gates.floor(connectionId)).toBeLessThanOrEqual(clock.now() + by);
      gates.noteServerTime(connectionId, clock.now() + by);
      clock.sleep(by);
      expect(gates.floor(connectionId)).toBeLessThanOrEqual(clock.now());
      expect(gates.floor(connectionId)).toBeGreaterThan(clock.now() - HOUR);
    },
  );

  it.each([
    [2 * OLD, 'human'],
    [MINUTE, 'queued'],
  ])('turns a row created %i ms later than now and proven absent into %s (TE-C7)', (later, to) => {
    const now = Date.UTC(2026, 10, 21, 12);
    const track = { endedAt: now, cleanPasses: 2, cleanAt: now, inconclusiveScans: 0, looks: 3 };
    const absent = {
      state: 'absent',
      policy: 'auto',
      attempts: 1,
      verify: false,
      remoteId: null,
      createdAt: now + later,
      mark: { by: 'tag' },
      track: { ...track, inconclusiveSince: null, lookAt: null },
      wasInDoubt: true,
    } as const;
    const proven = { kind: 'absent', mayResend: true, isNeverMade: true } as const;
    expect(transition(absent, proven, now)).toMatchObject({ to });
  });
});

describe.each(JUMPS)('evidence, when the clock is set back by %s', (_, by) => {
  it('keeps its entries in order in one chain that agrees with its external notes (TE-C8)', async () => {
    using place = tempDatabase();
    const { evidence } = place.stores;
    const { clock, vault, externalState } = world;
    const log = new EvidenceLog({
      evidence,
      vault,
      externalState,
      clock,
      encoding: createEncoding(),
      emit: () => undefined,
      origin: { user: 'maria', computer: 'desk', program: 'Signing Desk 1.0.0' },
      sha256: (data) => createHash('sha256').update(data).digest('hex'),
    });
    const review = async () => {
      log.append(reviewed('7'));
      await log.note();
      clock.advance(MINUTE);
    };
    await review();
    clock.sleep(-by);
    await review();
    await review();
    const entries = evidence.list({ limit: 10 });
    expect(entries.map(({ number }) => number)).toEqual([3, 2, 1]);
    expect(entries[2]?.at).toBeGreaterThan(entries[0]?.at ?? 0);
    expect(await log.verify([])).toMatchObject({ entries: 3, chain: 'ok' });
  });
});

describe('the archive, when the clock is set back', () => {
  const daily = { kind: 'daily', at: '02:30' } as const;
  const at = (day: number, hours: number, minutes = 0) =>
    new Date(2026, 10, day, hours, minutes).getTime();

  it('by an hour, does not repeat this night’s run, and runs in the next night (TE-C9)', () => {
    const ran = at(20, 2, 30);
    expect(dueAt(daily, ran, at(20, 1, 31))).toBeGreaterThan(at(20, 1, 31));
    expect(dueAt(daily, ran, at(20, 3))).toBe(at(21, 2, 30));
  });

  it.each([1, 3, 400])('by %i days, runs in the first night after it (TE-C10)', (days) => {
    const ran = at(20 + days, 2, 30);
    const now = at(20, 9);
    expect(dueAt(daily, ran, now)).toBeLessThanOrEqual(now);
    expect(dueAt(daily, now, now)).toBe(at(21, 2, 30));
  });

  it.each(JUMPS)('by %s, pauses no longer than the service required (TE-C11)', async (_, by) => {
    const clock = createHandClock();
    const pace = new ArchivePace(clock, 4);
    pace.slow(undefined);
    const { signal } = new AbortController();
    let hasRun = false;
    const running = pace.inTurn(signal, async () => void (hasRun = true));
    clock.advance(SECOND);
    clock.sleep(-by);
    clock.advance(3 * SECOND);
    await settle();
    expect(hasRun).toBe(false);
    clock.advance(2 * SECOND);
    await running;
  });
});

describe.each(JUMPS)('work in memory while the clock is set back by %s', (_, by) => {
  it('includes a job that continues to report its progress (TE-C12)', async () => {
    const clock = createHandClock();
    const emitted: string[] = [];
    const emit = (name: string) => void emitted.push(name);
    const toFailure = () => offline;
    const jobs = new JobQueue({ clock, chance: createCountingChance(), emit, toFailure });
    const stopped = Promise.withResolvers<void>();
    jobs.start('sync-agreements', async (_signal, report) => {
      clock.sleep(-by);
      report({ done: 1 });
      await stopped.promise;
      throw new Error('Stopped');
    });
    await settle();
    const before = emitted.length;
    clock.advance(SECOND);
    expect(before).toBeGreaterThan(1);
    stopped.resolve();
    await settle();
  });

  it('includes handed-over bytes that can still be fetched (TE-C13)', () => {
    const clock = createHandClock();
    const bytes = createByteExchange(clock, createCountingChance());
    const id = bytes.put(bytesOf('a merged file'));
    clock.sleep(-by);
    bytes.put(bytesOf('another'));
    clock.advance(MINUTE);
    expect(bytes.take(id)).toEqual(bytesOf('a merged file'));
  });
});
