import { beforeEach, describe, expect, it } from 'vitest';
import { ArchiveResult, ArchiveRuleId } from '../../../shared/contract/archive.ts';
import { AppError } from '../../../shared/errors.ts';
import { downloadOf, pageOf, PDF_TEXT, remoteOf } from '../../support/fakes/fake-service.ts';
import {
  addConnection,
  createWorld,
  type MemoryDesk,
  startMemoryDesk,
  type World,
} from '../../support/fakes/memory-desk.ts';
import { DAY, HOUR, MINUTE } from '../../../shared/rules/time/units.ts';

let world: World;
let desk: MemoryDesk;

beforeEach(async () => {
  world = createWorld();
  desk = startMemoryDesk(world);
  await addConnection(desk);
  desk.services.v1.pages = [
    pageOf(
      ['a', 'b'].map((id) =>
        remoteOf({ id, title: `Lease ${id}`, state: 'signed', closedAt: 1, tags: { unit: id } }),
      ),
      1,
    ),
  ];
  await desk.finish((await desk.api['agreements.sync']({})).jobId);
});

const rule = (change: object = {}) => ({
  name: 'Nightly',
  folder: '/archive',
  filter: {},
  beside: [],
  when: { kind: 'by-hand' } as const,
  ...change,
});

async function runRule(change: object = {}) {
  const { id } = await desk.api['archive.saveRule'](rule(change));
  const { jobId } = await desk.api['archive.runRule']({ id });
  const job = await desk.finish(jobId);
  return { id, job, result: job.result === null ? null : ArchiveResult.parse(job.result) };
}

const names = () => [...desk.files.saved.keys()].toSorted();

describe('an archive rule', () => {
  it('saves the selected agreements to its folder, and remembers the result', async () => {
    const subfolder = '{connection}/{tag:unit}';
    const { result } = await runRule({
      subfolder,
      pattern: '{counter} {title}',
      filter: { tag: 'unit=b' },
    });
    expect(result).toMatchObject({ listed: 1, saved: 1 });
    expect(names()).toEqual(['/archive/Office v1/b/00005 Lease b.pdf']);
    expect(await desk.api['archive.rules']({})).toMatchObject([
      { rule: { name: 'Nightly' }, last: { saved: 1, failed: 0, failure: null }, dueAt: null },
    ]);
  });

  it('names the agreements that its last run could not save, with the reasons, but stores no titles', async () => {
    desk.services.v1.fileOf = (id) => {
      if (id === 'a') return downloadOf(PDF_TEXT);
      throw new AppError('service', 'The service is busy', { reason: 'connection-refused' });
    };
    const { id } = await runRule();
    const failure = {
      code: 'service',
      message: 'The service is busy',
      reason: 'connection-refused',
    };
    const failures = [{ name: 'Lease b', failure }];
    expect(await desk.api['archive.rules']({})).toMatchObject([{ last: { failed: 1 }, failures }]);
    expect(JSON.stringify(desk.stores.archive.rules.get(id).last)).not.toContain('Lease');
    desk.services.v1.fileOf = () => downloadOf(PDF_TEXT);
    await desk.finish((await desk.api['archive.runRule']({ id })).jobId);
    expect(await desk.api['archive.rules']({})).toMatchObject([
      { last: { failed: 0 }, failures: [] },
    ]);
  });

  it('needs a name that no other rule has, and keeps its own when saved again', async () => {
    const { id } = await desk.api['archive.saveRule'](rule());
    await desk.api['archive.saveRule'](rule({ id, folder: '/other' }));
    await expect(desk.api['archive.saveRule'](rule())).rejects.toMatchObject({
      failure: { code: 'conflict', fields: { name: 'Another archive rule already has this name' } },
    });
    const rules = await desk.api['archive.rules']({});
    expect(rules.map((one) => one.rule)).toMatchObject([{ id, folder: '/other' }]);
  });

  it('that does not exist is not found, by any command', async () => {
    const id = ArchiveRuleId.parse('c0000000-0000-4000-8000-000000000001');
    const failure = { code: 'not-found', message: 'This archive rule does not exist' };
    await expect(desk.api['archive.runRule']({ id })).rejects.toMatchObject({ failure });
    await expect(desk.api['archive.removeRule']({ id })).rejects.toMatchObject({ failure });
  });

  it('saves to its own folder the files that another rule saved elsewhere, and each rule saves once', async () => {
    const first = await runRule();
    const second = await runRule({ name: 'Copy', folder: '/copy', pattern: '{id}' });
    expect([first.result?.saved, second.result?.saved]).toEqual([2, 2]);
    for (const { id } of [first, second]) {
      const { jobId } = await desk.api['archive.runRule']({ id });
      expect((await desk.finish(jobId)).result).toMatchObject({ saved: 0, present: 2 });
    }
  });

  it('saves the additional files of a PDF once', async () => {
    const { id } = await runRule({ beside: ['json', 'xml'] });
    const expected = [
      '/archive/Lease a_a - answer.json',
      '/archive/Lease a_a.pdf',
      '/archive/Lease b_b - answer.json',
      '/archive/Lease b_b.pdf',
    ];
    expect(names()).toEqual(expected);
    await desk.finish((await desk.api['archive.runRule']({ id })).jobId);
    expect(names()).toEqual(expected);
    expect(desk.files.texts.get('/archive/index.csv')).toContain('answer of the service (JSON)');
  });

  it('runs once for all times missed while the computer slept (TX-46)', async () => {
    await desk.api['archive.saveRule'](rule({ when: { kind: 'daily', at: '02:30' } }));
    desk.desk.start();
    desk.clock.advance(MINUTE);
    expect(names()).toEqual([]);
    desk.clock.sleep(5 * DAY);
    desk.clock.advance(MINUTE);
    await desk.until(async () => (await desk.api['archive.rules']({}))[0]?.last !== null);
    const archived = async () =>
      (await desk.api['jobs.list']({})).filter(({ kind }) => kind === 'archive-agreements').length;
    expect(await archived()).toBe(1);
    desk.clock.advance(HOUR);
    expect(await archived()).toBe(1);
    expect(names()).toHaveLength(2);
    await desk.desk.stop();
  });

  it('runs at its exact time, and not earlier', async () => {
    await desk.api['archive.saveRule'](rule({ when: { kind: 'daily', at: '02:30' } }));
    const begun = async () =>
      (await desk.api['jobs.list']({})).filter(({ kind }) => kind === 'archive-agreements').length;
    const dueAt = (await desk.api['archive.rules']({}))[0]?.dueAt ?? 0;
    desk.clock.sleep(dueAt - desk.clock.now() - MINUTE);
    desk.desk.start();
    desk.clock.advance(59_999);
    expect(await begun()).toBe(0);
    desk.clock.advance(1);
    expect([desk.clock.now(), await begun()]).toEqual([dueAt, 1]);
    await desk.until(async () => (await desk.api['archive.rules']({}))[0]?.last !== null);
    await desk.desk.stop();
  });

  it('that is still running is not started again before it has ended', async () => {
    await desk.api['archive.saveRule'](rule({ when: { kind: 'daily', at: '02:30' } }));
    const { promise, resolve } = Promise.withResolvers<void>();
    desk.services.v1.fileOf = () => {
      const { bytes, chunks } = downloadOf(PDF_TEXT);
      const late = async function* () {
        await promise;
        yield* chunks;
      };
      return { bytes, chunks: late() };
    };
    const begun = async () =>
      (await desk.api['jobs.list']({})).filter(({ kind }) => kind === 'archive-agreements').length;
    desk.desk.start();
    desk.clock.sleep(DAY);
    for (let minute = 0; minute < 5; minute += 1) desk.clock.advance(MINUTE);
    expect(await begun()).toBe(1);
    resolve();
    await desk.until(async () => (await desk.api['archive.rules']({}))[0]?.last !== null);
    desk.clock.sleep(DAY);
    desk.clock.advance(MINUTE);
    await desk.until(async () => (await begun()) === 2);
    await desk.desk.stop();
    expect(names()).toHaveLength(2);
  });

  it('does not run at the same time as a run of another process, and reports it (TX-46)', async () => {
    const other = world.archiveLocks.lock();
    expect(other.take()).toBe(true);
    const { job } = await runRule();
    expect(job).toMatchObject({ state: 'failed', failure: { reason: 'already-under-way' } });
    other.free();
    expect((await runRule({ name: 'Again' })).result).toMatchObject({ saved: 2 });
  });

  it('lists archived agreements by tag, and counts all of them', async () => {
    await runRule();
    const { items, counts } = await desk.api['archive.list']({ tag: 'unit=b' });
    expect(items.map(({ id }) => id)).toEqual(['b']);
    expect(counts.archived).toBe(2);
  });

  it('shows names, collisions and lengths before any file is written', async () => {
    const shown = await desk.api['archive.preview']({
      pattern: 'Same',
      folder: `/${'d'.repeat(250)}`,
      subfolder: '{closed:yyyy}',
      filter: {},
    });
    expect(shown).toMatchObject({ total: 2, collisions: ['1970/Same.pdf'] });
    expect(shown.names).toEqual(['1970/Same.pdf', '1970/Same [b].pdf']);
    expect(shown.tooLong).toHaveLength(2);
    expect(names()).toEqual([]);
  });
});
