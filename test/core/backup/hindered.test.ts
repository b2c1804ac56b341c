// tier: all
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readBackup } from '../../../electron/adapters/backup/unpack.ts';
import { connect } from '../../../electron/adapters/sqlite/database/cipher.ts';
import { copiesOf } from '../../../electron/adapters/sqlite/backup/copies.ts';
import { migrations } from '../../../electron/adapters/sqlite/migrations/index.ts';
import { type BackupPorts, BackupWork } from '../../../electron/core/backup/work.ts';
import { packed } from '../../adapters/backup/packed.ts';
import { layOldData, OLD_KEY } from '../../support/old-data.ts';
import {
  mountDyingDrive,
  mountSmallDisk,
  whyNoDrive,
  whyNoMount,
} from '../../support/small-disk.ts';
import { createOffice, never } from './office.ts';
import { createReader } from './reader.ts';

type Reader = Awaited<ReturnType<typeof createReader>>;

const refused = (code: string, reason?: string) =>
  expect.objectContaining({
    failure: expect.objectContaining(reason === undefined ? { code } : { code, reason }),
  });
/** Returns the content of each file in a folder, by name. */
const contentOf = (folder: string) =>
  new Map(
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => [name, readFileSync(path.join(folder, name)).toString('base64')]),
  );

/** Restores the backup into the program's own folder. */
const restore = (reader: Reader) =>
  reader.handlers['backup.restore']({ ...reader.opening(), folder: null });

/** Damages the data of a computer. */
async function damaged(reader: Reader) {
  await restore(reader);
  const file = path.join(reader.data, 'desk.db');
  const bytes = readFileSync(file);
  bytes.writeUInt8(bytes.readUInt8(200) ^ 1, 200);
  writeFileSync(file, bytes);
  const { reading } = reader.opening();
  return {
    file,
    bytes,
    recover: (folder: string | null) =>
      reader.handlers['backup.recover']({ reading, copy: null, folder }),
  };
}

describe('a backup of another version', () => {
  it.each([1, 9, 16, migrations.length - 1])(
    'from version %i is restored, upgraded and works',
    async (version) => {
      using office = await createOffice();
      const old = path.join(office.place.folder, 'old', 'desk.db');
      layOldData(version, old);
      const work = new BackupWork({
        ...office.ports,
        dataCopies: copiesOf({ file: old, key: OLD_KEY }),
      });
      const { result } = await work.run(never, () => undefined);
      expect(result.manifest.schema).toBe(version);
      using reader = await createReader();
      const { drafts, connections } = result.manifest.counts;
      const order = { ...reader.opening(), file: result.file, secret: office.phrase };
      const restored = await reader.handlers['backup.restore']({ ...order, folder: null });
      expect(restored.manifest.counts).toMatchObject({ drafts, connections });
      const again = reader.handlers['backup.look']({ ...order, ...reader.opening() });
      expect((await again).drafts).toHaveLength(1);
      expect(connections).toBeGreaterThan(0);
    },
  );

  it('that is newer is refused with advice, and leaves the folder without data', async () => {
    using office = await createOffice();
    const { dataCopies } = office.ports;
    const newer: BackupPorts['dataCopies'] = {
      ...dataCopies,
      async take(signal) {
        const facts = await dataCopies.take(signal);
        const raw = connect(dataCopies.copy, office.place.key, 'write');
        raw.pragma('user_version = 1000');
        raw.close();
        const sha256 = createHash('sha256').update(readFileSync(dataCopies.copy)).digest('hex');
        return { ...facts, sha256, schema: 1000 };
      },
    };
    const work = new BackupWork({ ...office.ports, dataCopies: newer });
    const { file } = (await work.run(never, () => undefined)).result;
    using reader = await createReader();
    const order = { ...reader.opening(), file, secret: office.phrase, folder: null };
    await expect(reader.handlers['backup.restore'](order)).rejects.toEqual(refused('newer-data'));
    expect(readdirSync(reader.data).filter((name) => /desk\.db|part/u.test(name))).toEqual([]);
  });
});

const noMount = whyNoMount();
if (noMount !== '') console.warn(`SKIPPED: full disks (${noMount})`);

describe.skipIf(noMount !== '')('a restore or recovery to a full disk', () => {
  it('fails, leaves no partial data, and succeeds once there is room', async () => {
    using reader = await createReader();
    const before = reader.office.there();
    mkdirSync(reader.data);
    {
      using _ = mountSmallDisk(reader.data, 'size=200k');
      await expect(restore(reader)).rejects.toEqual(refused('storage', 'disk-full'));
      expect(readdirSync(reader.data)).not.toContain('desk.db');
      expect(readdirSync(reader.data)).not.toContain('restore.part');
    }
    expect(reader.office.there()).toEqual(before);
    expect(await restore(reader)).toMatchObject({ manifest: { counts: { drafts: 1 } } });
  });

  it('saves no data read from a damaged file, and does not change that file', async () => {
    using reader = await createReader();
    const { file, bytes, recover } = await damaged(reader);
    const into = path.join(path.dirname(reader.data), 'elsewhere');
    mkdirSync(into);
    {
      using _ = mountSmallDisk(into, 'size=100k');
      await expect(recover(into)).rejects.toEqual(refused('storage', 'disk-full'));
      expect(readdirSync(into)).not.toContain('desk.db');
    }
    expect(readFileSync(file)).toEqual(bytes);
    expect(await recover(null)).toMatchObject({ report: { counts: { drafts: 1 } } });
  });

  it('over a damaged file fails, and leaves that file and all others unchanged', async () => {
    using reader = await createReader();
    mkdirSync(reader.data);
    using _ = mountSmallDisk(reader.data, 'size=8m');
    const { file, bytes, recover } = await damaged(reader);
    // The other files leave room for only a part of the recovered data.
    writeFileSync(path.join(reader.data, 'others'), Buffer.alloc(7_600_000));
    const before = contentOf(reader.data);
    await expect(recover(null)).rejects.toEqual(refused('storage', 'disk-full'));
    expect(readFileSync(file)).toEqual(bytes);
    for (const [name, content] of before) expect(contentOf(reader.data).get(name)).toBe(content);
    expect(readdirSync(reader.data).filter((name) => /part|aside/u.test(name))).toEqual([]);
    rmSync(path.join(reader.data, 'others'));
    expect((await recover(null)).setAside).not.toBeNull();
  });
});

const noDrive = whyNoDrive();
if (noDrive !== '') console.warn(`SKIPPED: drives that are pulled out (${noDrive})`);

describe.skipIf(noDrive !== '')('a drive that is unplugged', () => {
  it('while a backup on it is read is reported as unplugged, and not as a damaged backup', async () => {
    using backup = await packed(randomBytes(20_000_000));
    const folder = backup.at('drive');
    mkdirSync(folder);
    using drive = mountDyingDrive(folder, { backup: backup.content });
    const file = path.join(folder, 'backup');
    let read = 0;
    const pulled = readBackup(file, { secret: backup.phrase }, backup.at('out.db'), (bytes) => {
      read += bytes;
      if (read === bytes) drive.die(60 * 1024 * 1024);
    });
    const { failure } = await pulled.then(
      () => ({ failure: null }),
      (error: { failure: unknown }) => error,
    );
    expect(failure).toEqual({ code: 'storage', message: 'Reading the backup failed: EIO' });
    expect(read).toBeGreaterThan(0);
  });
});
