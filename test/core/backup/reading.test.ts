// tier: all
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { LookId } from '../../../shared/contract/backup.ts';
import { createReader } from './reader.ts';

const cancelled = expect.objectContaining({
  failure: expect.objectContaining({ code: 'cancelled' }),
});

describe('a reading of a backup', () => {
  it('reports its progress by the bytes of the file, to the window that requested it', async () => {
    using reader = await createReader();
    const order = reader.opening();
    await reader.handlers['backup.check'](order);
    expect(reader.told[0]).toEqual({
      reading: order.reading,
      step: 'opening',
      done: 0,
      total: reader.bytes,
    });
    expect(reader.told.map(({ step }) => step)).toEqual(['opening', 'proving']);
  });

  it.each(['opening', 'proving', 'preparing'] as const)(
    'that is stopped during the step %s leaves no data in the folder, and the next restore succeeds',
    async (step) => {
      using reader = await createReader();
      const { handlers, data } = reader;
      const stopped = { ...reader.opening(), folder: null };
      reader.heard.listener = (now) => {
        if (now.step === step) void handlers['backup.stopReading']({ reading: stopped.reading });
      };
      await expect(handlers['backup.restore'](stopped)).rejects.toEqual(cancelled);
      expect(existsSync(path.join(data, 'desk.db'))).toBe(false);
      expect(existsSync(path.join(data, 'restore.part'))).toBe(false);
      reader.heard.listener = () => undefined;
      await handlers['backup.restore']({ ...reader.opening(), folder: null });
      expect(existsSync(path.join(data, 'desk.db'))).toBe(true);
    },
  );

  it('ends when the program closes, and its temporary copy is removed', async () => {
    using reader = await createReader();
    const { handlers, data } = reader;
    let closing: Promise<void> = Promise.resolve();
    reader.heard.listener = ({ step }) => {
      if (step === 'proving') closing = reader.close();
    };
    await expect(handlers['backup.restore']({ ...reader.opening(), folder: null })).rejects.toEqual(
      cancelled,
    );
    await closing;
    expect(readdirSync(data)).not.toContain('restore.part');
  });

  it('allows a restore after a preview without entering the phrase again', async () => {
    using reader = await createReader();
    const { handlers, data } = reader;
    const looked = await handlers['backup.look'](reader.opening());
    const id = LookId.parse(looked.id);
    const { reading } = reader.opening();
    const restored = await handlers['backup.restoreLook']({ reading, id, folder: null });
    expect(restored).toMatchObject({ folder: data, manifest: { counts: { drafts: 1 } } });
    await handlers['backup.endLook']({ id });
    await expect(
      handlers['backup.restoreLook']({ ...reader.opening(), id, folder: null }),
    ).rejects.toMatchObject({ failure: { code: 'not-found' } });
  });
});

const refused = (reason: string) =>
  expect.objectContaining({ failure: expect.objectContaining({ reason }) });

describe('a restore of a backup', () => {
  it('is refused, and the backup is not read, when the folder already has data', async () => {
    using reader = await createReader();
    const { handlers, data, told } = reader;
    await handlers['backup.restore']({ ...reader.opening(), folder: null });
    const before = readFileSync(path.join(data, 'desk.db'));
    told.length = 0;
    await expect(handlers['backup.restore']({ ...reader.opening(), folder: null })).rejects.toEqual(
      refused('folder-has-data'),
    );
    expect(told).toEqual([]);
    expect(readFileSync(path.join(data, 'desk.db')).equals(before)).toBe(true);
  });

  it('is refused when the folder received data while the backup was read', async () => {
    using reader = await createReader();
    const { handlers, data } = reader;
    const log = path.join(data, 'desk.db-wal');
    reader.heard.listener = ({ step }) => {
      if (step === 'preparing') writeFileSync(log, 'of data that somebody moves here');
    };
    await expect(handlers['backup.restore']({ ...reader.opening(), folder: null })).rejects.toEqual(
      refused('folder-has-data'),
    );
    expect(readdirSync(data)).not.toContain('desk.db');
    expect(readFileSync(log, 'utf8')).toBe('of data that somebody moves here');
  });

  it('is refused during another restore into the same folder', async () => {
    using reader = await createReader();
    const { handlers, data } = reader;
    const begun: Promise<unknown>[] = [];
    reader.heard.listener = ({ step }) => {
      if (step !== 'proving' || begun.length > 0) return;
      const second = { ...reader.opening(), folder: null };
      begun.push(handlers['backup.restore'](second).catch((error: unknown) => error));
    };
    const restored = await handlers['backup.restore']({ ...reader.opening(), folder: null });
    expect(restored).toMatchObject({ folder: data, manifest: { counts: { drafts: 1 } } });
    expect(await Promise.all(begun)).toEqual([refused('data-in-use')]);
  });
});

describe('a reading of a damaged data file', () => {
  it.each(['salvaging', 'proving', 'preparing'] as const)(
    'that is stopped during the step %s leaves the file unchanged, and the next recovery succeeds',
    async (step) => {
      using reader = await createReader();
      const { handlers, data } = reader;
      await handlers['backup.restore']({ ...reader.opening(), folder: null });
      const file = path.join(data, 'desk.db');
      const damaged = readFileSync(file);
      damaged.writeUInt8(damaged.readUInt8(200) ^ 1, 200);
      writeFileSync(file, damaged);
      const { reading } = reader.opening();
      const order = { reading, copy: null, folder: null };
      reader.heard.listener = (now) => {
        if (now.step === step) void handlers['backup.stopReading']({ reading });
      };
      const asked = () => handlers['backup.recover'](order);
      await expect(asked()).rejects.toEqual(cancelled);
      expect(readFileSync(file)).toEqual(damaged);
      expect(readdirSync(data).filter((name) => /part|aside/u.test(name))).toEqual([]);
      reader.heard.listener = () => undefined;
      const { setAside, report } = await asked();
      expect(report).toMatchObject({ isIntact: false, counts: { drafts: 1 }, lost: [] });
      expect(readFileSync(path.join(setAside ?? '', 'desk.db'))).toEqual(damaged);
    },
  );
});

it('files that a killed process was setting aside are set aside before the next reading', async () => {
  using reader = await createReader();
  const { handlers, data } = reader;
  await handlers['backup.restore']({ ...reader.opening(), folder: null });
  const [file, ready] = [path.join(data, 'desk.db'), path.join(data, 'restore.part')];
  mkdirSync(ready);
  renameSync(file, path.join(ready, 'desk.db'));
  writeFileSync(file, 'damaged');
  const intent = { to: 'set-aside-1', names: ['desk.db'], next: 'restore.part/desk.db' };
  writeFileSync(path.join(data, 'set-aside.json'), JSON.stringify(intent));
  const { reading } = reader.opening();
  await expect(
    handlers['backup.recover']({ reading, copy: null, folder: null }),
  ).rejects.toMatchObject({ failure: { reason: 'data-intact' } });
  expect(readFileSync(path.join(data, 'set-aside-1', 'desk.db'), 'utf8')).toBe('damaged');
  expect(existsSync(file)).toBe(true);
});

describe('a list of the backups in a folder', () => {
  it('has all files with the backup extension, of any computer, the newest first', async () => {
    using reader = await createReader();
    const { folder } = reader.office;
    const old = 'signing-desk-00000000-2020-01-01T00-00-00Z.signingdesk';
    for (const name of [old, 'Renamed.SIGNINGDESK', 'notes.txt', `${old}.part`]) {
      writeFileSync(path.join(folder, name), name);
    }
    mkdirSync(path.join(folder, 'folder.signingdesk'));
    const found = await reader.handlers['backup.find']({ folder });
    expect(found.map(({ name }) => name).toSorted()).toEqual(
      [path.basename(reader.file), old, 'Renamed.SIGNINGDESK'].toSorted(),
    );
    const times = found.map(({ at }) => at);
    expect(times).toEqual(times.toSorted((one, other) => other - one));
    expect(found.at(-1)).toMatchObject({ at: Date.UTC(2020, 0, 1), bytes: old.length });
  });
});
