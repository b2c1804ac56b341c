// tier: all
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { MovedDeskBackup } from '../../../shared/contract/backup.ts';
import type { JobStarted } from '../../../shared/contract/jobs.ts';
import { BatchId } from '../../../shared/model/ids.ts';
import type * as z from 'zod';
import { AppError } from '../../../shared/errors.ts';
import { lost } from '../../support/fakes/fake-actions.ts';
import { done, remoteOf } from '../../support/fakes/fake-service.ts';
import { addConnection, addDraftV1, type MemoryDesk } from '../../support/fakes/memory-desk.ts';
import { Remindables, ruleOf } from '../../support/desks/reminding.ts';
import { mountSmallDisk, whyNoMount } from '../../support/small-disk.ts';
import { createMovingDesk } from './moving.ts';
import { DAY, MINUTE } from '../../../shared/rules/time/units.ts';

type Moving = Awaited<ReturnType<typeof createMovingDesk>>;

const failure = (code: string, reason?: string) =>
  expect.objectContaining({
    failure: expect.objectContaining(reason === undefined ? { code } : { code, reason }),
  });
const atRest = failure('conflict', 'desk-at-rest');

async function move(desk: MemoryDesk, order: Moving['order']) {
  const { jobId } = await desk.api['backup.move'](order);
  return desk.finish(jobId);
}

async function moved(desk: MemoryDesk, order: Moving['order']) {
  return MovedDeskBackup.parse((await move(desk, order)).result);
}

/** A computer with a send that waits for its time. */
async function waiting(of: Moving) {
  const desk = of.start();
  const connectionId = (await addConnection(desk)).id;
  const arm = async (title: string, holdSeconds = 30) => {
    const { id } = await addDraftV1(desk, title);
    const send = { id, connectionId, holdSeconds, confirm: 1 };
    return (await desk.api['drafts.send'](send)).ref;
  };
  return { desk, connectionId, arm, ref: await arm('Waits') };
}

function spoil(file: string, damage: 'cut off' | 'another by a bit'): void {
  const bytes = readFileSync(file);
  const at = Math.floor(bytes.length / 2);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(file, damage === 'cut off' ? bytes.subarray(0, at) : bytes);
}

/** Temporary folders that reading a copy could have left behind. */
const workplaces = () => readdirSync(tmpdir()).filter((name) => name.startsWith('signing-desk-'));

describe('a computer that moves its data', () => {
  it('writes a backup that opens with the phrase, includes waiting sends, and is then deactivated', async () => {
    using of = await createMovingDesk();
    const { desk, ref } = await waiting(of);
    const before = workplaces();
    const { file, bytes, manifest } = await moved(desk, of.order);
    expect(of.files()).toEqual([path.basename(file)]);
    expect(manifest).toMatchObject({ counts: { sends: 1, evidence: 1 }, withCredentials: false });
    expect(await of.open(file)).toMatchObject({ manifest, bytes });
    expect(of.facts()).toEqual([
      { kind: 'moving', folder: of.folder },
      { kind: 'moved', file, bytes, backupAt: manifest.madeAt },
    ]);
    const { rest } = await desk.api['backup.read']({});
    expect(rest).toEqual({ at: of.world.clock.now(), to: file, isProven: true, waiting: 1 });
    expect((await desk.api['outbox.show']({ ref })).state).toBe('queued');
    expect(workplaces()).toEqual(before);
  });

  it('includes its API keys when that was requested, and reports it', async () => {
    using of = await createMovingDesk();
    const { desk, connectionId } = await waiting(of);
    const { file } = await moved(desk, { ...of.order, withCredentials: true });
    const { secrets, manifest } = await of.open(file);
    expect(Object.keys(secrets.credentials)).toEqual([expect.stringContaining(connectionId)]);
    expect(manifest.withCredentials).toBe(true);
  });

  it('sends nothing after the move, whatever is requested and however long it waits', async () => {
    using of = await createMovingDesk();
    const { desk, connectionId, ref, arm } = await waiting(of);
    const { v1 } = of.world.services;
    const office = new Remindables(of.world, connectionId);
    office.plant('a', { sentAt: of.world.clock.now() - 8 * DAY });
    await desk.api['reminders.saveRule'](ruleOf());
    const folder = path.join(of.place.folder, 'scans');
    mkdirSync(folder);
    const taking = { api: 'v1', connectionId: null, templateId: null, needsData: false } as const;
    const watched = { ...taking, name: 'Scans', isOn: true, folder };
    const { id: intake } = await desk.api['intake.saveRule'](watched);
    const archive = { folder: path.join(of.place.folder, 'archive'), filter: {}, beside: [] };
    const when = { kind: 'completion' } as const;
    const nightly = await desk.api['archive.saveRule']({ name: 'Nightly', when, ...archive });
    const { id: draft } = await addDraftV1(desk, 'Later');
    v1.answers = [{ kind: 'unknown', failure: lost }];
    await arm('Lost', 0);
    await desk.api['outbox.run']({});
    await moved(desk, of.order);

    const key = office.key('a');
    const requests = v1.requestCount() + of.world.actions.v1.sent.length;
    const { scans } = v1;
    const send = { id: draft, connectionId, holdSeconds: 0, confirm: 1 };
    // There is no such batch: the call is refused before the batch is looked up.
    const batch = BatchId.parse('00000000-0000-4000-8000-000000000009');
    for (const ask of [
      () => desk.api['drafts.send'](send),
      () => desk.api['outbox.run']({}),
      () => desk.api['outbox.sendNow']({ ref }),
      () => desk.api['outbox.settle']({ ref, decision: { as: 'resend' } }),
      () => desk.api['batches.send']({ id: batch, revision: 1, confirm: 1 }),
      () => desk.api['batches.resume']({ id: batch }),
      () => desk.api['batches.sendNow']({ id: batch }),
    ]) {
      await expect(ask()).rejects.toEqual(atRest);
    }
    const jobs: (() => Promise<z.infer<typeof JobStarted>>)[] = [
      () => desk.api['actions.revoke']({ keys: [key], confirm: 1 }),
      () => desk.api['actions.remind']({ targets: [key], confirm: 1 }),
      () => desk.api['reminders.run']({}),
      () => desk.api['archive.run'](archive),
      () => desk.api['archive.runRule']({ id: nightly.id }),
      () => desk.api['intake.runRule']({ id: intake }),
      () => desk.api['intake.watch']({ ...taking, folder, stays: true }),
      () => desk.api['backup.run']({}),
    ];
    for (const start of jobs) {
      const { jobId } = await start();
      expect((await desk.finish(jobId)).failure).toMatchObject({ reason: 'desk-at-rest' });
    }
    // Typed text is not lost: the draft is unchanged and can be edited.
    expect((await desk.api['drafts.show']({ id: draft })).sending).toBeNull();

    // No automatic work runs either: the window stays open for days while files arrive.
    writeFileSync(path.join(folder, 'Lease.pdf'), '%PDF-1.7 scan %%EOF');
    desk.desk.start();
    for (let hours = 0; hours < 72; hours += 1) {
      of.world.clock.advance(60 * MINUTE);
      await new Promise(setImmediate);
    }
    expect(await desk.api['digest.take']({})).toBeNull();
    expect((await desk.api['reminders.rules']({}))[0]?.dueNow).toBe(0);
    expect(v1.requestCount() + of.world.actions.v1.sent.length).toBe(requests);
    expect(v1.scans).toBe(scans);
    expect(readdirSync(folder)).toEqual(['Lease.pdf']);
    expect(of.files()).toHaveLength(1);
    const { dueAt, isOverdue } = await desk.api['backup.read']({});
    expect([dueAt, isOverdue]).toEqual([null, false]);
    // A person may still read agreements.
    const { jobId } = await desk.api['agreements.sync']({});
    expect((await desk.finish(jobId)).state).toBe('done');
    await desk.desk.stop();
  });

  it('is deactivated in every process that uses its data, also in a process that is already open', async () => {
    using of = await createMovingDesk();
    const { desk, connectionId } = await waiting(of);
    const { id } = await addDraftV1(desk, 'Tomorrow');
    const sendAt = of.world.clock.now() + 5 * MINUTE;
    const send = { id, connectionId, holdSeconds: 0, confirm: 1, sendAt };
    const { ref } = await desk.api['drafts.send'](send);
    const window = of.start();
    window.desk.start();
    await moved(desk, of.order);
    // The window tries repeatedly to take over the waiting rows.
    for (let minutes = 0; minutes < 10; minutes += 1) {
      of.world.clock.advance(MINUTE);
      await new Promise(setImmediate);
    }
    await window.desk.stop();
    expect(of.world.services.v1.created).toEqual([]);
    expect((await desk.api['outbox.show']({ ref })).state).toBe('queued');
  });

  it('waits for requests in flight, whose outcomes are in the backup', async () => {
    using of = await createMovingDesk();
    const { desk, arm } = await waiting(of);
    const { v1 } = of.world.services;
    const answer = Promise.withResolvers<ReturnType<typeof done>>();
    v1.answers = [answer.promise];
    const ref = await arm('On the wire', 0);
    const running = desk.api['outbox.run']({});
    await desk.until(() => v1.created.length === 1);
    const { jobId } = await desk.api['backup.move'](of.order);
    await desk.until(async () => (await desk.api['backup.read']({})).rest !== null);
    expect(of.files()).toEqual([]);
    answer.resolve(done('remote-1'));
    const { file, manifest } = MovedDeskBackup.parse((await desk.finish(jobId)).result);
    await running;
    expect((await desk.api['outbox.show']({ ref })).state).toBe('sent');
    expect(manifest.counts.sends).toBe(2);
    expect(await of.open(file)).toHaveProperty('manifest');
  });

  it('starts no send after the requests in flight, however many are due', async () => {
    using of = await createMovingDesk();
    const { desk, arm } = await waiting(of);
    const { v1 } = of.world.services;
    const answer = Promise.withResolvers<ReturnType<typeof done>>();
    v1.answers = Array.from({ length: 3 }, (_, at) =>
      answer.promise.then(() => done(`remote-${String(at)}`)),
    );
    for (let at = 0; at < 8; at += 1) await arm(`Due ${String(at)}`, 0);
    const running = desk.api['outbox.run']({});
    await desk.until(() => v1.created.length === 3);
    const { jobId } = await desk.api['backup.move'](of.order);
    await desk.until(async () => (await desk.api['backup.read']({})).rest !== null);
    answer.resolve(done('any'));
    await desk.finish(jobId);
    await running;
    expect(v1.created).toHaveLength(3);
    expect((await desk.api['backup.read']({})).rest?.waiting).toBe(6);
  });

  it.each<[string, (of: Moving) => Partial<Moving['order']>, [string, string]]>([
    ['other words', () => ({ secret: 'abandon '.repeat(12) }), ['invalid', 'phrase-wrong']],
    ['no folder', (of) => ({ folder: path.join(of.folder, 'no') }), ['storage', 'folder-missing']],
  ])('does not start the move with %s', async (_, change, [code, reason]) => {
    using of = await createMovingDesk();
    const { desk } = await waiting(of);
    const order = { ...of.order, ...change(of) };
    await expect(desk.api['backup.move'](order)).rejects.toEqual(failure(code, reason));
    expect(of.facts()).toEqual([]);
    expect((await desk.api['backup.read']({})).rest).toBeNull();
  });

  it('does not start the move while other work is running, or another process sends', async () => {
    using of = await createMovingDesk();
    const { desk } = await waiting(of);
    const scans = path.join(of.place.folder, 'scans');
    mkdirSync(scans);
    const taking = { api: 'v1', connectionId: null, templateId: null, needsData: false } as const;
    const { jobId } = await desk.api['intake.watch']({ ...taking, folder: scans, stays: true });
    await expect(desk.api['backup.move'](of.order)).rejects.toEqual(
      failure('conflict', 'already-under-way'),
    );
    await desk.api['jobs.cancel']({ jobId });
    await desk.finish(jobId);
    const other = of.start();
    expect((await move(other, of.order)).failure).toMatchObject({ reason: 'desk-busy' });
    expect(of.facts()).toEqual([]);
  });

  it.each<[string, (of: Moving) => Parameters<Moving['start']>[0]]>([
    [
      'cannot be written',
      ({ world }) => ({
        backupFiles: {
          ...world.backupFiles,
          pack: () => Promise.reject(new AppError('storage', 'No room', { reason: 'disk-full' })),
        },
      }),
    ],
    ...(['cut off', 'another by a bit'] as const).map(
      (damage): [string, (of: Moving) => Parameters<Moving['start']>[0]] => [
        `is ${damage} on the stick`,
        ({ world: { backupFiles } }) => ({
          backupFiles: {
            ...backupFiles,
            unpack: (order, ...how) => {
              spoil(order.file, damage);
              return backupFiles.unpack(order, ...how);
            },
          },
        }),
      ],
    ),
  ])('whose backup %s continues as before, and records that it did not move', async (_, change) => {
    using of = await createMovingDesk();
    await waiting(of).then(({ desk }) => desk.desk.stop());
    const desk = of.start(change(of));
    expect((await move(desk, of.order)).state).toBe('failed');
    expect(of.files()).toEqual([]);
    expect(of.facts().map(({ kind }) => kind)).toEqual(['moving', 'woken']);
    expect(of.facts()[1]).toMatchObject({ because: 'not-moved' });
    await desk.api['outbox.run']({});
    expect((await desk.api['backup.read']({})).rest).toBeNull();
  });

  it('leaves no file and continues when the move is stopped', async () => {
    using of = await createMovingDesk();
    const { desk, ref } = await waiting(of);
    const { jobId } = await desk.api['backup.move'](of.order);
    await desk.api['jobs.cancel']({ jobId });
    expect((await desk.finish(jobId)).state).toBe('cancelled');
    expect(of.files()).toEqual([]);
    await desk.api['outbox.sendNow']({ ref });
    await desk.api['outbox.run']({});
    expect(of.world.services.v1.created).toHaveLength(1);
  });

  it('is deactivated after its program ended during the move, reports it, and can move again', async () => {
    using of = await createMovingDesk();
    const { desk } = await waiting(of);
    const pack = Promise.withResolvers<never>();
    const begun = Promise.withResolvers<void>();
    const dying = of.start({
      locks: { lock: () => ({ take: () => true, free: () => undefined }) },
      backupFiles: {
        ...of.world.backupFiles,
        pack: () => {
          begun.resolve();
          return pack.promise;
        },
      },
    });
    await dying.api['backup.move'](of.order);
    await begun.promise;
    // The first process counts as ended; the next process finds the unfinished move.
    const { rest } = await desk.api['backup.read']({});
    expect(rest).toMatchObject({ to: of.folder, isProven: false, waiting: 1 });
    await expect(desk.api['outbox.run']({})).rejects.toEqual(atRest);
    const { file } = await moved(desk, of.order);
    expect((await desk.api['backup.read']({})).rest).toMatchObject({ to: file, isProven: true });
    expect(of.facts().map(({ kind }) => kind)).toEqual(['moving', 'moved']);
  });

  it('can move again while deactivated, for example after a lost USB stick', async () => {
    using of = await createMovingDesk();
    const { desk } = await waiting(of);
    const first = await moved(desk, of.order);
    rmSync(first.file);
    of.world.clock.advance(MINUTE);
    const second = await moved(desk, of.order);
    expect(of.files()).toEqual([path.basename(second.file)]);
    expect((await desk.api['backup.read']({})).rest).toMatchObject({ to: second.file });
    // A failure after this point does not change the deactivation.
    of.world.clock.advance(MINUTE);
    const { jobId } = await desk.api['backup.move'](of.order);
    await desk.api['jobs.cancel']({ jobId });
    await desk.finish(jobId);
    expect((await desk.api['backup.read']({})).rest).toMatchObject({ to: second.file });
  });
});

describe('a computer that is reactivated', () => {
  it('requires a person who has seen the number of waiting rows', async () => {
    using of = await createMovingDesk();
    const { desk } = await waiting(of);
    await expect(desk.api['backup.wake']({ confirm: 0 })).rejects.toEqual(failure('conflict'));
    await moved(desk, of.order);
    await expect(desk.api['backup.wake']({ confirm: 0 })).rejects.toEqual(
      failure('invalid', 'count-differs'),
    );
    await expect(desk.api['outbox.run']({})).rejects.toEqual(atRest);
    const { rest } = await desk.api['backup.wake']({ confirm: 1 });
    expect(rest).toBeNull();
    expect(of.facts().at(-1)).toEqual({ kind: 'woken', because: 'person' });
  });

  it('treats its data as restored: waiting rows are unknown, and every rule asks before it runs', async () => {
    using of = await createMovingDesk();
    const { desk, connectionId, ref } = await waiting(of);
    await desk.api['reminders.saveRule'](ruleOf());
    const when = { kind: 'completion' } as const;
    const archive = { folder: '/archive', filter: {}, beside: [] };
    await desk.api['archive.saveRule']({ name: 'Nightly', when, ...archive });
    const taking = { api: 'v1', connectionId: null, templateId: null, needsData: false } as const;
    const watched = { ...taking, name: 'Scans', isOn: true, folder: of.folder };
    await desk.api['intake.saveRule'](watched);
    const { manifest } = await moved(desk, of.order);
    await desk.api['backup.wake']({ confirm: 1 });
    expect(await desk.api['outbox.show']({ ref })).toMatchObject({
      state: 'unknown',
      reason: { reason: 'outcome-unknown' },
    });
    expect((await desk.api['archive.rules']({}))[0]?.isPaused).toBe(true);
    expect((await desk.api['intake.rules']({}))[0]?.isPaused).toBe(true);
    expect((await desk.api['reminders.rules']({}))[0]?.isPaused).toBe(true);
    expect((await desk.api['backup.read']({})).isPaused).toBe(true);
    // The computer keeps its id, so its backups keep their names.
    expect(of.world.stores.backup.read()?.desk).toBe(manifest.desk);

    // The other computer had sent the row: a scan settles it, and it is not sent again.
    const remote = remoteOf({ id: 'a', title: 'Waits', tags: { 'desk.ref': ref } });
    const office = new Remindables(of.world, connectionId);
    office.tell(remote);
    await desk.api['outbox.run']({});
    const { jobId } = await desk.api['agreements.sync']({});
    await desk.finish(jobId);
    await desk.api['outbox.run']({});
    expect((await desk.api['outbox.show']({ ref })).state).toBe('sent');
    expect(of.world.services.v1.created).toEqual([]);
  });

  it('keeps its evidence whole, including the deactivation and its end', async () => {
    using of = await createMovingDesk();
    const { desk } = await waiting(of);
    await moved(desk, of.order);
    await desk.api['backup.wake']({ confirm: 1 });
    const verdict = await desk.api['evidence.verify']({ anchors: [] });
    expect(verdict).toMatchObject({ chain: 'ok', entries: 3, gaps: [] });
    expect(of.facts().map(({ kind }) => kind)).toEqual(['moving', 'moved', 'woken']);
  });
});

const obstacle = whyNoMount();
if (obstacle !== '') console.warn(`SKIPPED: full disks (${obstacle})`);

describe.skipIf(obstacle !== '')('a USB stick', () => {
  it('that is full stays empty, and the computer continues', async () => {
    using of = await createMovingDesk();
    using _ = mountSmallDisk(of.folder, 'size=64k');
    const { desk } = await waiting(of);
    expect((await move(desk, of.order)).failure).toMatchObject({ reason: 'disk-full' });
    expect(of.files()).toEqual([]);
    expect(of.facts().at(-1)).toEqual({ kind: 'woken', because: 'not-moved' });
    await desk.api['outbox.run']({});
  });

  it('that is unplugged before its backup is checked leaves a computer that continues', async () => {
    using of = await createMovingDesk();
    using disk = mountSmallDisk(of.folder, 'size=8m');
    const { backupFiles } = of.world;
    await waiting(of).then(({ desk }) => desk.desk.stop());
    const desk = of.start({
      backupFiles: {
        ...backupFiles,
        unpack: (...how) => {
          disk.pull();
          return backupFiles.unpack(...how);
        },
      },
    });
    expect((await move(desk, of.order)).failure).toMatchObject({ code: 'not-found' });
    expect(of.facts().at(-1)).toEqual({ kind: 'woken', because: 'not-moved' });
    await desk.api['outbox.run']({});
  });
});
