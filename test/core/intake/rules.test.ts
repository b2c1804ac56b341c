import { renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { IntakeRuleId } from '../../../shared/contract/intake.ts';
import { addConnection } from '../../support/fakes/memory-desk.ts';
import { pdf, type Watched, watchedFolder } from './watched-folder.ts';
import { HOUR, MINUTE } from '../../../shared/rules/time/units.ts';

async function addRule(place: Watched, change: object = {}) {
  return place.api['intake.saveRule']({ ...place.terms, name: 'Leases', isOn: true, ...change });
}

const shown = async ({ api }: Watched) => (await api['intake.rules']({}))[0];

async function runRule({ api, desk }: Watched, id: IntakeRuleId) {
  return desk.finish((await api['intake.runRule']({ id })).jobId);
}

describe('a folder import rule', () => {
  it('imports the existing files, and stores the result without any file name', async () => {
    using place = watchedFolder();
    const { id } = await addRule(place);
    place.put('Åsa Öberg.pdf', pdf('a'));
    place.put('Bad Åsa.pdf', 'no PDF', 24 * HOUR);
    const job = await runRule(place, id);
    expect(job).toMatchObject({ kind: 'take-in-files', state: 'done', done: 2, total: 2 });
    expect(await shown(place)).toMatchObject({
      rule: { name: 'Leases', folder: place.folder },
      last: { drafts: 1, refused: 1, failure: null, inRow: 0 },
      failures: [{ name: 'Bad Åsa.pdf', failure: { code: 'invalid' } }],
      isPaused: false,
    });
    expect(JSON.stringify((await shown(place))?.last)).not.toContain('Åsa');
  });

  it('appears in the window as soon as it is saved', async () => {
    using place = watchedFolder();
    const before = place.desk.emitted.length;
    await addRule(place);
    expect(place.desk.emitted.slice(before)).toContain('intake.changed');
  });

  it('previews at most 200 files, and shows how many there are', async () => {
    using place = watchedFolder();
    const { id } = await addRule(place);
    for (let at = 0; at < 199; at += 1) place.put(`${String(at)}.pdf`, pdf(String(at)));
    for (const name of ['x.json', 'y.json', 'z.json']) place.put(name, '{"title":"Lease"}');
    const { files, total } = await place.api['intake.preview']({ id });
    expect([files.length, total]).toEqual([200, 202]);
  });

  it('previews the files of a rule that is not saved yet', async () => {
    using place = watchedFolder();
    place.put('a.pdf', pdf('a'));
    const { folder } = place;
    const terms = { folder, api: 'v1', connectionId: null, templateId: null } as const;
    const unsaved = await place.api['intake.preview']({ ...terms, needsData: false });
    expect(unsaved.files).toMatchObject([{ file: 'a.pdf', what: 'draft' }]);
    const waiting = await place.api['intake.preview']({ ...terms, needsData: true });
    expect(waiting.files).toMatchObject([{ file: 'a.pdf', what: 'waits', why: 'no-data' }]);
    expect(await place.api['intake.rules']({})).toEqual([]);
  });

  it('keeps its last result when the next run had nothing to do', async () => {
    using place = watchedFolder();
    const { id } = await addRule(place);
    place.put('a.pdf', pdf('a'));
    await runRule(place, id);
    const before = (await shown(place))?.last;
    place.clock.leap(HOUR);
    await runRule(place, id);
    expect((await shown(place))?.last).toEqual(before);
  });

  it('needs a unique name and folder, and settings that its API supports', async () => {
    using place = watchedFolder();
    const { id } = await addRule(place);
    await addRule(place, { id, needsData: true });
    await expect(addRule(place, { folder: '/elsewhere' })).rejects.toMatchObject({
      failure: { code: 'conflict', fields: { name: expect.any(String) } },
    });
    const again = { name: 'Other', folder: `${place.folder}/` };
    await expect(addRule(place, again)).rejects.toMatchObject({
      failure: { code: 'conflict', fields: { folder: expect.any(String) } },
    });
    const connection = await addConnection(place.desk, 'v2');
    const mixed = { name: 'Mixed', folder: '/mixed', connectionId: connection.id };
    await expect(addRule(place, mixed)).rejects.toMatchObject({
      failure: {
        code: 'invalid',
        fields: { connectionId: 'The connection uses the other API' },
      },
    });
    expect(await place.api['intake.rules']({})).toHaveLength(1);
    await place.api['intake.removeRule']({ id });
    expect(await place.api['intake.rules']({})).toEqual([]);
  });

  it('that does not exist is reported as not found', async () => {
    using place = watchedFolder();
    const id = IntakeRuleId.parse('c0000000-0000-4000-8000-000000000001');
    const failure = { code: 'not-found', message: 'This watched-folder rule does not exist' };
    await expect(place.api['intake.runRule']({ id })).rejects.toMatchObject({ failure });
    await expect(place.api['intake.preview']({ id })).rejects.toMatchObject({ failure });
    await expect(place.api['intake.removeRule']({ id })).rejects.toMatchObject({ failure });
  });

  it('skips a file that was removed or is being rewritten after it was listed', async () => {
    using place = watchedFolder((world) => ({
      watched: {
        ...world.watched,
        read(folder, seen) {
          if (seen.name === 'gone.pdf') rmSync(path.join(folder, seen.name));
          else if (seen.name === 'new.pdf')
            writeFileSync(path.join(folder, seen.name), pdf('longer'));
          return world.watched.read(folder, seen);
        },
      },
    }));
    const { id } = await addRule(place);
    for (const name of ['gone.pdf', 'new.pdf']) place.put(name, pdf('a'));
    expect((await place.api['intake.preview']({ id })).files).toEqual([
      { file: 'gone.pdf', what: 'waits', why: 'being-written' },
      { file: 'new.pdf', what: 'waits', why: 'being-written' },
    ]);
  });

  it('can be tested without importing: shows what would happen and why not', async () => {
    using place = watchedFolder();
    const { id } = await addRule(place, { needsData: true });
    place.put('a.pdf', pdf('a'));
    place.put('a.json', '{"title":"Lease A"}');
    await runRule(place, id);
    place.put('a.pdf', pdf('a'));
    place.put('a.json', '{"title":"Lease A"}');
    place.put('b.pdf', pdf('b'));
    place.put('b.json', '{"title":"Lease B"}');
    place.put('b copy.pdf', pdf('b'));
    place.put('b copy.json', '{"title":"Lease B"}');
    place.put('c.pdf', pdf('c'));
    place.put('d.pdf', pdf('d'), 0);
    place.put('e.json', '{"title":"Lease E"}');
    place.put('f.docx', 'word');
    place.put('g.csv', 'Name\nÅsa\n');
    const before = place.names();
    const found = await place.api['intake.preview']({ id });
    expect(found).toMatchObject({
      total: 8,
      files: [
        { file: 'a.pdf', what: 'again' },
        { file: 'b copy.pdf', what: 'draft', title: 'Lease B' },
        { file: 'b.pdf', what: 'same', first: 'b copy.pdf' },
        { file: 'c.pdf', what: 'waits', why: 'no-data' },
        { file: 'd.pdf', what: 'waits', why: 'being-written' },
        { file: 'f.docx', what: 'refused', failure: { reason: 'intake-kind' } },
        { file: 'g.csv', what: 'sheet', title: 'g' },
        { file: 'e.json', what: 'waits', why: 'no-pdf' },
      ],
    });
    expect(place.names()).toEqual(before);
    expect(await place.drafts()).toHaveLength(1);
    expect(await place.api['batches.list']({})).toEqual([]);
  });
});

describe('folder import in an open window', () => {
  it('imports new files within a minute, and starts nothing for waiting files', async () => {
    using place = watchedFolder();
    await addRule(place);
    place.put('orphan.json', '{"title":"A"}');
    place.desk.desk.start();
    const jobs = async () =>
      (await place.api['jobs.list']({})).filter(({ kind }) => kind === 'take-in-files');
    const isIdle = async () => (await jobs()).every(({ state }) => state !== 'running');
    await place.desk.until(async () => (await jobs()).length === 1 && (await isIdle()));
    for (let minute = 0; minute < 5; minute += 1) {
      place.clock.advance(MINUTE);
      await looked(place);
    }
    expect(await jobs()).toHaveLength(1);
    place.put('a.pdf', pdf('a'));
    place.clock.advance(MINUTE);
    await place.desk.until(async () => (await place.drafts()).length === 1 && (await isIdle()));
    expect(await jobs()).toHaveLength(2);
    await place.desk.desk.stop();
  });

  it('starts nothing for an empty folder', async () => {
    using place = watchedFolder();
    await addRule(place);
    place.desk.desk.start();
    for (let minute = 0; minute < 3; minute += 1) {
      await looked(place);
      place.clock.advance(MINUTE);
    }
    await looked(place);
    expect(await place.api['jobs.list']({})).toEqual([]);
    await place.desk.desk.stop();
  });

  it('imports a new CSV within two minutes, though it did not change after the first check (DL-Q5)', async () => {
    using place = watchedFolder();
    await addRule(place);
    place.put('rows.csv', 'First name;Last name;E-mail\nAnna;Ek;anna@example.com\n', 0);
    place.desk.desk.start();
    const batches = () => place.api['batches.list']({});
    const jobs = async () => (await place.api['jobs.list']({})).map(({ state }) => state);
    await place.desk.until(async () => (await jobs()).join() === 'done');
    expect(await batches()).toEqual([]);
    place.clock.advance(MINUTE);
    await looked(place);
    place.clock.advance(MINUTE);
    await place.desk.until(async () => (await batches()).length === 1);
    await place.desk.desk.stop();
  });

  it('runs no rule that is off, and keeps checking for a disconnected drive', async () => {
    using place = watchedFolder();
    const { id } = await addRule(place, { isOn: false });
    place.put('a.pdf', pdf('a'));
    place.desk.desk.start();
    await looked(place);
    expect(await place.drafts()).toEqual([]);
    const away = path.join(place.base, 'Away');
    renameSync(place.folder, away);
    await place.api['intake.switchRule']({ id, isOn: true });
    place.clock.advance(MINUTE);
    await place.desk.until(async () => (await shown(place))?.last !== null);
    expect(await shown(place)).toMatchObject({
      last: { failure: { reason: 'folder-missing' }, inRow: 0 },
      isPaused: false,
    });
    for (let minute = 0; minute < 5; minute += 1) {
      place.clock.advance(MINUTE);
      await looked(place);
    }
    expect(await shown(place)).toMatchObject({ last: { inRow: 0 }, isPaused: false });
    renameSync(away, place.folder);
    place.clock.advance(MINUTE);
    await place.desk.until(async () => (await place.drafts()).length === 1);
    await place.desk.desk.stop();
  });

  it('pauses after a failure, and needs the user after three failures', async () => {
    using place = watchedFolder();
    const { id } = await addRule(place);
    writeFileSync(place.at('done'), 'no folder');
    place.put('a.pdf', pdf('a'));
    place.desk.desk.start();
    for (const inRow of [1, 2, 3]) {
      await place.desk.until(async () => (await shown(place))?.last?.inRow === inRow);
      place.clock.advance(MINUTE);
      await looked(place);
      expect((await shown(place))?.last?.inRow).toBe(inRow);
      place.clock.advance(HOUR);
      await looked(place);
      place.clock.advance(MINUTE);
    }
    await looked(place);
    expect(await shown(place)).toMatchObject({ isPaused: true, last: { inRow: 3 } });
    rmSync(place.at('done'), { force: true });
    await place.api['intake.switchRule']({ id, isOn: true });
    place.clock.advance(MINUTE);
    await place.desk.until(async () => place.names().length === 0);
    expect(await place.drafts()).toHaveLength(1);
    await place.desk.desk.stop();
  });
});

describe('a folder watched for this session', () => {
  it('has its new files imported until watching stops', async () => {
    using place = watchedFolder();
    const { jobId } = await place.api['intake.watch']({ ...place.terms, stays: true });
    const tick = setInterval(() => place.clock.advance(1000), 1);
    place.put('a.pdf', pdf('a'));
    await place.desk.until(async () => (await place.drafts()).length === 1);
    place.put('b.pdf', pdf('b'));
    await place.desk.until(async () => (await place.drafts()).length === 2);
    await place.api['jobs.cancel']({ jobId });
    clearInterval(tick);
    const job = await place.desk.finish(jobId);
    expect(job).toMatchObject({ state: 'cancelled', result: { drafts: 2 } });
  });

  it('is not watched when it does not exist', async () => {
    using place = watchedFolder();
    const folder = path.join(place.base, 'Nowhere');
    const { jobId } = await place.api['intake.watch']({ ...place.terms, folder, stays: true });
    expect((await place.desk.finish(jobId)).failure).toMatchObject({ reason: 'folder-missing' });
  });

  it('uses the existing rule for the folder, and updates that rule', async () => {
    using place = watchedFolder();
    await addRule(place, { api: 'v2' });
    place.put('a.pdf', pdf('a'));
    await place.take();
    expect((await place.drafts())[0]?.content.api).toBe('v2');
    expect((await shown(place))?.last).toMatchObject({ drafts: 1 });
  });
});

/** Waits until the check that the clock started has ended; the check reads the disk. */
async function looked(place: Watched): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await place.world.watched.list(place.base);
}
