// tier: all
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createWriterLock } from '../../../electron/adapters/sqlite/open/lock.ts';
import { BackupWork, type BackupPorts } from '../../../electron/core/backup/work.ts';
import { secretName } from '../../../electron/core/services/services.ts';
import { AppError } from '../../../shared/errors.ts';
import { newConnection, newDraft } from '../../adapters/sqlite/samples.ts';
import { mountSmallDisk, whyNoMount } from '../../support/small-disk.ts';
import { createOffice, never } from './office.ts';
import { DAY, MINUTE } from '../../../shared/rules/time/units.ts';

const QUARTER = 15 * MINUTE;

const failure = (code: string, reason: string) =>
  expect.objectContaining({ failure: expect.objectContaining({ code, reason }) });
/** Temporary files of SQLite and of packing, which must not remain. */
const leftIn = (folder: string) =>
  readdirSync(folder).filter((name) => /copy|part|journal/u.test(name));

describe('a backup', () => {
  it('is one file that opens with the phrase, and contains the data', async () => {
    using office = await createOffice();
    const { file, bytes, manifest } = await office.run();
    const [name = ''] = office.there().keys();
    expect(file).toBe(path.join(office.folder, name));
    expect(name).toBe('signing-desk-1f2e3d4c-2026-11-21T12-00-00Z.signingdesk');
    expect(manifest).toMatchObject({ counts: { drafts: 1, connections: 1 }, computer: 'office' });
    const unpacked = await office.open(name, 'out.db');
    expect(unpacked).toMatchObject({ manifest, bytes, secrets: { credentials: {} } });
    expect(leftIn(path.dirname(office.place.file))).toEqual([]);
    expect(office.place.stores.backup.read()).toMatchObject({
      last: { file, failure: null, inRow: 0 },
      good: { file, bytes, at: manifest.madeAt },
    });
  });

  it('contains API keys if a person requested it, and only those of real services', async () => {
    using office = await createOffice({ withCredentials: true });
    const { vault } = office.ports;
    const demo = newConnection({ name: 'Demo', environment: 'demo' });
    office.place.stores.connections.save(demo);
    await vault.write(secretName(office.connection.id), 'a token');
    await vault.write(secretName(demo.id), 'made up');
    await vault.write('data-key', 'other');
    await office.run();
    const [name = ''] = office.there().keys();
    expect((await office.open(name, 'out.db')).secrets.credentials).toEqual({
      [secretName(office.connection.id)]: 'a token',
    });
  });

  it('keeps the chosen number of older backups, and touches no other files', async () => {
    using office = await createOffice({ keep: 2 });
    const others = ['notes.txt', 'signing-desk-00000000-2026-01-01T00-00-00Z.signingdesk'];
    for (const other of others) writeFileSync(path.join(office.folder, other), other);
    const made: string[] = [];
    for (let day = 0; day < 4; day += 1) {
      made.push(path.basename((await office.run()).file));
      office.clock.advance(DAY);
    }
    expect([...office.there().keys()].toSorted()).toEqual([...others, ...made.slice(2)].toSorted());
    const listed = (await office.work.list()).map(({ file }) => path.basename(file));
    expect(listed).toEqual(made.slice(2).toReversed());
  });

  it.each<[string, (ports: BackupPorts) => Partial<BackupPorts>]>([
    [
      'the copy fails',
      ({ dataCopies }) => ({
        dataCopies: { ...dataCopies, take: () => Promise.reject(new AppError('storage', 'No')) },
      }),
    ],
    [
      'packing fails halfway',
      ({ backupFiles }) => ({
        backupFiles: {
          ...backupFiles,
          pack: async (order) => {
            writeFileSync(order.part, 'half');
            throw new AppError('storage', 'No room', { reason: 'disk-full' });
          },
        },
      }),
    ],
    [
      'it cannot get its name',
      ({ files }) => ({
        files: {
          ...files,
          nameParts: async () => [{ failure: { code: 'conflict', message: 'Taken' } }],
        },
      }),
    ],
  ])(
    'that fails because %s leaves no file, and every older backup unchanged',
    async (_, change) => {
      using office = await createOffice({ keep: 1 });
      await office.run();
      const before = office.there();
      office.clock.advance(DAY);
      const work = new BackupWork({ ...office.ports, ...change(office.ports) });
      await expect(work.run(never, () => undefined)).rejects.toBeInstanceOf(AppError);
      expect(office.there()).toEqual(before);
      expect(leftIn(path.dirname(office.place.file))).toEqual([]);
      expect(office.place.stores.backup.read()?.last).toMatchObject({ file: null, inRow: 1 });
      // The next backup succeeds.
      office.clock.advance(DAY);
      await office.run();
      expect(office.there().size).toBe(1);
    },
  );

  it('that is stopped is still due, and leaves no file', async () => {
    using office = await createOffice();
    office.clock.advance(DAY);
    expect(office.work.isDue()).toBe(true);
    const stop = new AbortController();
    const running = office.work.run(stop.signal, ({ total }) => {
      if (total !== undefined) stop.abort();
    });
    await expect(running).rejects.toThrow();
    expect([...office.there().keys()]).toEqual([]);
    expect(office.place.stores.backup.read()?.last).toBeNull();
    expect(office.work.isDue()).toBe(true);
  });

  it('does not start during a backup by another process', async () => {
    using office = await createOffice();
    const other = createWriterLock(path.join(office.place.folder, 'backup.lock'));
    expect(other.take()).toBe(true);
    await expect(office.run()).rejects.toEqual(failure('conflict', 'already-under-way'));
    expect(office.place.stores.backup.read()?.last).toBeNull();
    other.free();
    await office.run();
  });

  it('removes partial files of a killed backup, on this computer and in the backup folder', async () => {
    using office = await createOffice();
    const part = 'signing-desk-1f2e3d4c-2026-11-20T12-00-00Z.signingdesk.part';
    const foreign = 'signing-desk-00000000-2026-11-20T12-00-00Z.signingdesk.part';
    for (const name of [part, foreign]) writeFileSync(path.join(office.folder, name), 'half');
    writeFileSync(office.ports.dataCopies.copy, 'half a copy');
    await office.run();
    expect(office.there().has(part)).toBe(false);
    expect(office.there().has(foreign)).toBe(true);
    expect(leftIn(path.dirname(office.place.file))).toEqual([]);
  });

  it('continues while drafts are written', async () => {
    using office = await createOffice();
    const running = office.run();
    for (let index = 0; index < 50; index += 1) {
      office.place.stores.drafts.insert(newDraft());
      await new Promise((next) => setImmediate(next));
    }
    const { manifest } = await running;
    expect(manifest.counts.drafts).toBeGreaterThan(0);
    expect(office.place.stores.drafts.list()).toHaveLength(51);
  });
});

describe('a rule for backups', () => {
  it('makes exactly one backup at its time', async () => {
    using office = await createOffice();
    expect(office.work.isDue()).toBe(false);
    office.clock.advance(DAY);
    expect(office.work.isDue()).toBe(true);
    await office.run();
    expect(office.work.isDue()).toBe(false);
    office.clock.advance(DAY);
    expect(office.work.isDue()).toBe(true);
  });

  it('waits for a missing drive without counting a failure, and creates no folder', async () => {
    using office = await createOffice();
    renameSync(office.folder, `${office.folder}.away`);
    office.clock.advance(DAY);
    for (let times = 0; times < 5; times += 1) {
      await expect(office.run()).rejects.toEqual(failure('storage', 'folder-missing'));
      expect(office.work.isDue()).toBe(false);
      office.clock.advance(QUARTER);
      expect(office.work.isDue()).toBe(true);
    }
    expect(office.place.stores.backup.read()?.last).toMatchObject({ inRow: 0 });
    renameSync(`${office.folder}.away`, office.folder);
    await office.run();
    expect(office.there().size).toBe(1);
  });

  it('waits for a person after it failed three times', async () => {
    using office = await createOffice();
    const broken = new BackupWork({
      ...office.ports,
      backupFiles: {
        ...office.ports.backupFiles,
        pack: () => Promise.reject(new AppError('storage', 'No room', { reason: 'disk-full' })),
      },
    });
    office.clock.advance(DAY);
    for (let times = 0; times < 3; times += 1) {
      expect(office.work.isDue()).toBe(true);
      await expect(broken.run(never, () => undefined)).rejects.toThrow('No room');
      office.clock.advance(QUARTER);
    }
    expect(office.work.isDue()).toBe(false);
    expect(office.work.dueAt()).toBeNull();
    // A manual backup still runs, and its success ends the wait.
    await office.run();
    office.clock.advance(DAY);
    expect(office.work.isDue()).toBe(true);
  });

  it('makes no backup before a phrase is set up, or while the rule is turned off', async () => {
    using office = await createOffice({ isOn: false });
    office.clock.advance(DAY);
    expect(office.work.dueAt()).toBeNull();
    using place = await createOffice();
    const none = new BackupWork({
      ...place.ports,
      stores: {
        ...place.ports.stores,
        backup: { read: () => null, save: () => undefined, remove: () => undefined },
      },
    });
    expect(none.dueAt()).toBeNull();
    await expect(none.run(never, () => undefined)).rejects.toEqual(
      failure('not-found', 'not-set-up'),
    );
  });
});

const obstacle = whyNoMount();
if (obstacle !== '') console.warn(`SKIPPED: full disks (${obstacle})`);

describe.skipIf(obstacle !== '')('a full or missing backup disk', () => {
  it('keeps the older backup whole, and is reported', async () => {
    using office = await createOffice({ keep: 1 });
    rmSync(office.folder, { recursive: true });
    mkdirSync(office.folder);
    using _ = mountSmallDisk(office.folder, 'size=1m');
    await office.run();
    const before = office.there();
    office.clock.advance(DAY);
    await expect(office.run()).rejects.toEqual(failure('storage', 'disk-full'));
    expect(office.there()).toEqual(before);
    const [name = ''] = before.keys();
    expect(await office.open(name, 'out.db')).toMatchObject({ manifest: { desk: '1f2e3d4c' } });
  });

  it('that was unplugged before the backup was named is reported, and receives the next backup', async () => {
    using office = await createOffice();
    using disk = mountSmallDisk(office.folder, 'size=8m');
    const pulled = new BackupWork({
      ...office.ports,
      backupFiles: {
        ...office.ports.backupFiles,
        pack: async (...order) => {
          const written = await office.ports.backupFiles.pack(...order);
          disk.pull();
          return written;
        },
      },
    });
    await expect(pulled.run(never, () => undefined)).rejects.toEqual(
      failure('storage', 'folder-missing'),
    );
    expect(leftIn(path.dirname(office.place.file))).toEqual([]);
    expect([...office.there().keys()]).toEqual([]);
    expect(office.place.stores.backup.read()?.good).toBeNull();
    office.clock.advance(QUARTER);
    await office.run();
    expect(office.there().size).toBe(1);
  });
});
