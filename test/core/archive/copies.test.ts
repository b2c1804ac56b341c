import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFiles } from '../../../electron/adapters/files/files.ts';
import {
  ArchiveResult,
  type ArchiveRun,
  ArchiveVerification,
} from '../../../shared/contract/archive.ts';
import { AgreementId, type AgreementKey } from '../../../shared/model/ids.ts';
import { AppError } from '../../../shared/errors.ts';
import { downloadOf } from '../../support/fakes/fake-service.ts';
import { addConnection, createWorld, startMemoryDesk } from '../../support/fakes/memory-desk.ts';
import { createMemoryFiles } from '../../support/fakes/memory-ports.ts';
import { plant, signed } from '../../support/known-agreements.ts';
import { pdfOf } from '../../support/small-pdf.ts';

let parent = '';
/** Former archive folder, with all files. */
let old = '';
/** Present archive folder. */
let folder = '';
let desk: ReturnType<typeof startMemoryDesk>;

beforeEach(async () => {
  parent = mkdtempSync(path.join(tmpdir(), 'desk-archive-copies-'));
  old = path.join(parent, 'old');
  folder = path.join(parent, 'new');
  const files = Object.assign(createMemoryFiles(), createFiles());
  desk = startMemoryDesk({ ...createWorld(), files });
  await addConnection(desk);
  desk.services.v1.fileOf = (id) => downloadOf(pdfOf(id));
  await plant(desk, signed('a'), signed('b'), signed('c'));
  await run({ folder: old });
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(parent, { recursive: true, force: true });
});

async function run(change: Partial<ArchiveRun> = {}) {
  const { jobId } = await desk.api['archive.run']({ folder, pattern: '{title}', ...change });
  return ArchiveResult.parse((await desk.finish(jobId)).result);
}

async function verify(of: string) {
  const { jobId } = await desk.api['archive.verify']({ folder: of });
  return ArchiveVerification.parse((await desk.finish(jobId)).result);
}

const list = () => desk.api['archive.list']({ folder });
const keysElsewhere = async () =>
  (await list()).items
    .filter(({ isElsewhere }) => isElsewhere)
    .map(({ connectionId, id }) => ({ connectionId, id }));
const pdfsIn = (of: string) => readdirSync(of).filter((name) => name.endsWith('.pdf'));

/** Disconnects the service. */
function goOffline(): void {
  desk.services.v1.fileOf = () => {
    throw new AppError('offline', 'No network', { reason: 'connection-refused' });
  };
}

describe('an archive folder that replaces an earlier one', () => {
  it('counts signed PDFs that only other folders contain, until a run saves them here', async () => {
    expect((await list()).counts).toMatchObject({ archived: 3, elsewhere: 3 });
    expect((await run({ limit: 1 })).saved).toBe(1);
    expect((await list()).counts).toMatchObject({ archived: 3, elsewhere: 2 });
    await run({ only: await keysElsewhere() });
    expect((await list()).counts).toMatchObject({ archived: 3, elsewhere: 0 });
    expect((await desk.api['archive.list']({ folder: old })).counts.elsewhere).toBe(0);
  });

  it('receives intact copies without a download, also while the service cannot be reached', async () => {
    goOffline();
    const result = await run({ only: await keysElsewhere() });
    expect(result).toMatchObject({ saved: 3, copied: 3, failed: [] });
    expect(desk.services.v1.downloads).toHaveLength(3);
    expect(pdfsIn(folder)).toEqual(pdfsIn(old));
    for (const name of pdfsIn(old)) {
      expect(readFileSync(path.join(folder, name))).toEqual(readFileSync(path.join(old, name)));
    }
    expect(await verify(folder)).toMatchObject({ files: 3, ok: 3, unknown: [] });
  });

  it('receives a download instead of a changed copy, whether or not its size changed', async () => {
    const [first = '', second = ''] = pdfsIn(old).map((name) => path.join(old, name));
    writeFileSync(first, `${readFileSync(first, 'latin1')}\n`);
    const text = readFileSync(second, 'latin1');
    writeFileSync(second, `${text.slice(0, 12)}x${text.slice(13)}`);
    expect(await run({ only: await keysElsewhere() })).toMatchObject({ saved: 3, copied: 1 });
    expect(desk.services.v1.downloads).toHaveLength(5);
    expect((await verify(folder)).ok).toBe(3);
  });

  it('receives copies of agreements that the service deleted, and whose local copies are gone', async () => {
    const [first, second] = await keysElsewhere();
    if (first === undefined || second === undefined) throw new Error('Nothing is archived');
    desk.stores.agreements.markGone(first, 'deleted');
    desk.stores.agreements.forget([second], desk.clock.now());
    expect(await run()).toMatchObject({ listed: 1, saved: 1 });
    expect(await run({ alsoDeleted: true })).toMatchObject({ listed: 3, saved: 2, copied: 2 });
    expect(await run({ only: [first, second] })).toMatchObject({ listed: 2, present: 2 });
    expect((await list()).counts).toMatchObject({ archived: 3, elsewhere: 0 });
    expect((await verify(folder)).ok).toBe(3);
  });

  it('receives copies although more agreements than end a run cannot be downloaded', async () => {
    const others = Array.from({ length: 12 }, (_, at) => signed(`other-${at}`, { closedAt: 0 }));
    await plant(desk, ...others);
    goOffline();
    const all = (await list()).items.map(({ connectionId, id }) => ({ connectionId, id }));
    expect(await run({ only: all, parallel: 1 })).toMatchObject({ saved: 3, copied: 3 });
  });
});

/** Makes the service delete these agreements. */
function deleteOnService(keys: readonly AgreementKey[]): void {
  for (const key of keys) desk.stores.agreements.markGone(key, 'deleted');
  desk.services.v1.fileOf = () => {
    throw new AppError('not-found', 'There is no such agreement');
  };
}

/** Changes a file without changing its size. */
function flip(file: string): void {
  const text = readFileSync(file, 'latin1');
  writeFileSync(file, `${text.slice(0, 12)}x${text.slice(13)}`);
}

describe('the only copy of an agreement that the service deleted', () => {
  it('is counted and named as missing or changed by the run that finds it so', async () => {
    const keys = await keysElsewhere();
    deleteOnService(keys);
    const [missing = '', changed = ''] = pdfsIn(old).map((name) => path.join(old, name));
    rmSync(missing);
    flip(changed);
    const { copied, failed } = await run({ only: keys });
    expect(copied).toBe(1);
    expect(failed.map(({ failure: { reason, file } }) => ({ reason, file }))).toEqual(
      expect.arrayContaining([
        { reason: 'copy-missing', file: missing },
        { reason: 'copy-changed', file: changed },
      ]),
    );
    const { counts } = await desk.api['archive.list']({ folder: old });
    expect(counts).toMatchObject({ missing: 1, changed: 1, here: 1 });
  });

  it('is named as changed by a run in its own folder, and without its connection, too', async () => {
    const keys = await keysElsewhere();
    deleteOnService(keys);
    const [changed = ''] = pdfsIn(old).map((name) => path.join(old, name));
    flip(changed);
    const own = await run({ folder: old, alsoDeleted: true });
    expect(own.failed).toMatchObject([{ failure: { reason: 'copy-changed', file: changed } }]);
    for (const { id } of await desk.api['connections.list']({})) {
      await desk.api['connections.remove']({ id, agreements: 'delete', drafts: 'delete' });
    }
    const { failed } = await run({ alsoDeleted: true });
    expect(failed).toMatchObject([{ failure: { reason: 'copy-changed', file: changed } }]);
  });

  it('goes to the subfolder of its environment, also after its connection was removed', async () => {
    const [connection] = await desk.api['connections.list']({});
    if (connection === undefined) throw new Error('There is no connection');
    desk.stores.connections.save({ ...connection, environment: 'test' });
    deleteOnService(await keysElsewhere());
    const { id } = connection;
    await desk.api['connections.remove']({ id, agreements: 'delete', drafts: 'delete' });
    expect(await run({ alsoDeleted: true })).toMatchObject({ copied: 3, failed: [] });
    expect(pdfsIn(folder)).toEqual([]);
    expect(pdfsIn(path.join(folder, 'TEST'))).toHaveLength(3);
    const index = readFileSync(path.join(folder, 'index.csv'), 'utf8');
    expect(index.match(/Office v1.+test/g)).toHaveLength(3);
  });

  it('is counted as changed after a check before a deletion', async () => {
    const [key] = await keysElsewhere();
    if (key === undefined) throw new Error('Nothing is archived');
    const { items } = await desk.api['archive.list']({ folder: old });
    flip(items.find(({ id }) => id === key.id)?.file ?? '');
    expect(await desk.api['archive.copy'](key)).toMatchObject({ isIntact: false });
    const { counts } = await desk.api['archive.list']({ folder: old });
    expect(counts).toMatchObject({ changed: 1, here: 2 });
  });

  it.each(['disk-full', 'folder-read-only'] as const)(
    'is not blamed for a %s of the new folder, which ends the run',
    async (reason) => {
      const keys = await keysElsewhere();
      deleteOnService(keys);
      vi.spyOn(desk.files, 'receivePart').mockRejectedValue(
        new AppError('storage', 'The disk refuses', { reason }),
      );
      const { jobId } = await desk.api['archive.run']({ folder, only: keys, parallel: 1 });
      const { failure, result } = await desk.finish(jobId);
      expect(failure).toMatchObject({ reason });
      expect(ArchiveResult.parse(result).failed).toMatchObject([{ failure: { reason } }]);
      const { counts } = await desk.api['archive.list']({ folder: old });
      expect(counts).toMatchObject({ missing: 0, changed: 0, here: 3 });
    },
  );

  it('is not blamed if it cannot be read now', async () => {
    const keys = await keysElsewhere();
    vi.spyOn(desk.files, 'chunks').mockImplementation(async function* () {
      yield* [];
      throw new AppError('storage', 'Input/output error');
    });
    expect(await run({ only: keys })).toMatchObject({ saved: 3, failed: [] });
    expect(desk.services.v1.downloads).toHaveLength(6);
  });
});

describe('the archived PDF of an agreement', () => {
  it('is found in any archive folder by its content, and reported as lost if no copy is intact', async () => {
    const [key] = await keysElsewhere();
    if (key === undefined) throw new Error('Nothing is archived');
    const copy = () => desk.api['archive.copy'](key);
    const file = (await list()).items.find(({ id }) => id === key.id)?.file ?? '';
    expect(await copy()).toEqual({ file, isIntact: true });
    await run();
    rmSync(path.join(folder, path.basename(file)));
    expect(await copy()).toEqual({ file, isIntact: true });
    writeFileSync(file, readFileSync(file, 'latin1').replace('PDF', 'PDX'));
    const lost = path.join(folder, path.basename(file));
    expect(await copy()).toEqual({ file: lost, isIntact: false });
    await plant(desk, signed('never'));
    const never = { connectionId: key.connectionId, id: AgreementId.parse('never') };
    expect(await desk.api['archive.copy'](never)).toBeNull();
  });
});

describe('a missing file with a second copy in another folder', () => {
  it('is listed with the folder of the intact copy, and is repaired from it offline', async () => {
    await run();
    const [name = ''] = pdfsIn(folder);
    rmSync(path.join(folder, name));
    await verify(folder);
    const { items, counts } = await list();
    expect(counts).toMatchObject({ missing: 1, copied: 1, elsewhere: 0 });
    const lost = items.filter(({ finding }) => finding === 'missing');
    expect(lost).toMatchObject([{ copyFolder: old, isElsewhere: false }]);
    goOffline();
    expect(await run({ only: lost })).toMatchObject({ saved: 1, copied: 1, failed: [] });
    expect((await list()).counts).toMatchObject({ missing: 0, copied: 0 });
    expect(existsSync(path.join(folder, name))).toBe(true);
  });

  it('is listed without that folder once the copy is changed', async () => {
    await run();
    const [name = ''] = pdfsIn(folder);
    rmSync(path.join(folder, name));
    await verify(folder);
    const copy = path.join(old, name);
    const text = readFileSync(copy, 'latin1');
    writeFileSync(copy, `${text.slice(0, 12)}x${text.slice(13)}`);
    expect((await list()).counts).toMatchObject({ missing: 1, copied: 0 });
  });

  it('counts as only in the other folder if that folder was filled last', async () => {
    await run();
    const [name = ''] = pdfsIn(folder);
    rmSync(path.join(old, name));
    await run({ folder: old });
    rmSync(path.join(folder, name));
    await verify(folder);
    expect((await list()).counts).toMatchObject({ missing: 0, elsewhere: 1 });
    goOffline();
    expect(await run({ only: await keysElsewhere() })).toMatchObject({ saved: 1, copied: 1 });
    expect((await list()).counts.elsewhere).toBe(0);
  });
});

describe('an earlier archive folder that is chosen again', () => {
  const listOld = () => desk.api['archive.list']({ folder: old });

  it('does not count a file with the same size that a verification found changed, until it is repaired', async () => {
    await run();
    const [name = ''] = pdfsIn(old);
    const whole = readFileSync(path.join(old, name));
    flip(path.join(old, name));
    expect((await verify(old)).changed).toEqual([name]);
    const { items, counts } = await listOld();
    expect(counts).toMatchObject({ here: 2, elsewhere: 1, changed: 0, missing: 0 });
    const only = items.filter(({ isElsewhere }) => isElsewhere);
    expect(await run({ folder: old, only })).toMatchObject({ saved: 1, copied: 1, failed: [] });
    expect(readFileSync(path.join(old, name))).toEqual(whole);
    expect((await listOld()).counts).toMatchObject({ here: 3, elsewhere: 0 });
  });

  it('does not count files as in other folders that are in no folder, and can fetch them itself', async () => {
    await run();
    for (const of of [old, folder]) for (const name of pdfsIn(of)) rmSync(path.join(of, name));
    await verify(old);
    const lost = await listOld();
    expect(lost.counts).toMatchObject({ here: 0, elsewhere: 0, missing: 3, copied: 0 });
    expect(lost.items.map((item) => item.folder)).toEqual([folder, folder, folder]);
    rmSync(folder, { recursive: true });
    const { items, counts } = await listOld();
    expect(counts).toMatchObject({ here: 0, elsewhere: 0, missing: 3 });
    expect(items.map((item) => item.folder)).toEqual([null, null, null]);
    expect(await run({ folder: old, only: items })).toMatchObject({ saved: 3, failed: [] });
    expect((await listOld()).counts).toMatchObject({ here: 3, missing: 0 });
  });

  it('describes a file that is left only in a third folder by that file', async () => {
    const third = path.join(parent, 'third');
    await run({ folder: third });
    await run();
    const [name = ''] = pdfsIn(old);
    for (const of of [old, folder]) rmSync(path.join(of, name));
    await verify(old);
    const { items, counts } = await listOld();
    expect(counts).toMatchObject({ here: 2, elsewhere: 1, missing: 0 });
    const file = path.join(third, name);
    expect(items.filter((one) => one.isElsewhere)).toMatchObject([{ file, folder: third }]);
  });

  it.each(['a verification', 'a run'] as const)(
    'counts its intact files as safe after the newer folder was removed, and %s records them',
    async (how) => {
      await run();
      rmSync(folder, { recursive: true });
      await expect(verify(folder)).rejects.toThrow();
      const safe = { archived: 3, here: 3, elsewhere: 0, missing: 0, changed: 0 };
      expect((await listOld()).counts).toMatchObject(safe);
      if (how === 'a run') await run({ folder: old });
      else await verify(old);
      const { items, counts } = await desk.api['archive.list']({});
      expect(counts).toMatchObject({ archived: 3, missing: 0, unchecked: how === 'a run' ? 3 : 0 });
      expect(items.map((item) => item.folder)).toEqual([old, old, old]);
      expect((await listOld()).counts).toMatchObject(safe);
    },
  );

  it('does not count its changed file as safe after the newer folder was removed', async () => {
    await run();
    const [name = ''] = pdfsIn(old);
    flip(path.join(old, name));
    rmSync(folder, { recursive: true });
    await expect(verify(folder)).rejects.toThrow();
    expect((await listOld()).counts).toMatchObject({ here: 2, elsewhere: 0, missing: 1 });
    await verify(old);
    expect((await listOld()).counts).toMatchObject({ here: 2, elsewhere: 0, missing: 1 });
  });
});
