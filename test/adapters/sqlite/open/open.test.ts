import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { connect } from '../../../../electron/adapters/sqlite/database/cipher.ts';
import { applySettings, openDatabase } from '../../../../electron/adapters/sqlite/open/open.ts';
import { createStores } from '../../../../electron/adapters/sqlite/stores.ts';
import { AppError } from '../../../../shared/errors.ts';
import { newConnection, query, remote } from '../samples.ts';
import { NOW, type TempFolder, tempDatabase, tempFolder } from '../temp-database.ts';

/** Returns a closed data file with a connection, and agreements on some hundred pages. */
function filled(): TempFolder {
  const place = tempFolder();
  const database = openDatabase({ ...place, now: NOW });
  const stores = createStores(database);
  const connection = newConnection();
  stores.connections.save(connection);
  const agreements = Array.from({ length: 200 }, () => remote({ native: 'x'.repeat(2000) }));
  stores.agreements.put(connection.id, 'v1', agreements, NOW);
  database.close();
  return place;
}

const open = (place: TempFolder) => openDatabase({ ...place, now: NOW });

/** Returns the code and the reason of the rejection; 'none' if the work succeeds. */
function refusal(work: () => unknown): readonly [string, string | undefined] | 'none' {
  try {
    work();
    return 'none';
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [error.failure.code, error.failure.reason];
  }
}

/** Opens the data file, reads every agreement, and closes the file. */
function readAll(place: TempFolder): void {
  const database = open(place);
  try {
    const { agreements } = createStores(database);
    for (const key of agreements.list(query({ limit: 1000 }), NOW).items) agreements.details(key);
  } finally {
    database.close();
  }
}

describe('the data file', () => {
  it('keeps its content after closing', () => {
    using place = filled();
    const database = open(place);
    expect(createStores(database).agreements.counts(undefined, NOW).all).toBe(200);
    database.close();
  });

  it.each([
    ['journal_mode', 'wal'],
    ['synchronous', 2],
    ['fullfsync', 1],
    ['temp_store', 2],
    ['foreign_keys', 1],
    ['secure_delete', 1],
    ['trusted_schema', 0],
    ['cipher', 'chacha20'],
  ])('is opened with the setting %s applied', (name, expected) => {
    using place = tempDatabase();
    const found = place.database.query(`PRAGMA ${name}`, z.record(z.string(), z.unknown()));
    expect(Object.values(found.first() ?? {})).toEqual([expected]);
  });

  it('waits for the disk again after a write that does not wait for it, successful or not (TE-Q06)', () => {
    using place = tempDatabase();
    const { database } = place;
    // Prepared at each use: a prepared PRAGMA returns its earlier value.
    const synchronous = () =>
      database.query('PRAGMA synchronous', z.object({ synchronous: z.number() })).first()
        ?.synchronous;
    expect(database.quickTransaction(synchronous)).toBe(1);
    expect(synchronous()).toBe(2);
    const failing = () =>
      database.quickTransaction(() => {
        throw new Error('in the middle');
      });
    expect(failing).toThrowError('in the middle');
    expect(synchronous()).toBe(2);
    expect(database.transaction(() => database.quickTransaction(synchronous))).toBe(2);
  });

  it('waits five seconds for another writer', () => {
    using place = tempDatabase();
    const found = place.database.query('PRAGMA busy_timeout', z.object({ timeout: z.number() }));
    expect(found.first()?.timeout).toBe(5000);
  });

  it('is not opened if a setting cannot be applied', () => {
    const inMemory = new Sqlite(':memory:');
    expect(refusal(() => applySettings(inMemory))).toEqual(['storage', undefined]);
    inMemory.close();
  });

  it('is in a folder and a file that only its owner can read', () => {
    using place = tempDatabase();
    const modeOf = (name: string) => statSync(name).mode & 0o777;
    expect(modeOf(path.dirname(place.file))).toBe(0o700);
    expect(modeOf(place.file)).toBe(0o600);
    expect(modeOf(`${place.file}-wal`)).toBe(0o600);
  });

  it('is created as a file that only its owner can read', () => {
    using place = tempFolder();
    open(place).close();
    expect(statSync(place.file).mode & 0o777).toBe(0o600);
  });

  it('is not created if its folder is a link to a disconnected drive', () => {
    using place = tempFolder();
    mkdirSync(path.dirname(place.file));
    symlinkSync('/there/is/no/such/drive.db', place.file);
    expect(refusal(() => open(place))).toEqual(['storage', 'folder-read-only']);
    expect(readdirSync(path.dirname(place.file))).toEqual(['desk.db']);
  });

  it('appears complete: a new data file leaves no temporary file next to it', () => {
    using place = tempFolder();
    open(place).close();
    expect(readdirSync(path.dirname(place.file))).toEqual(['desk.db']);
  });
});

describe('a data file that cannot be opened', () => {
  const plainDatabase = (file: string) => {
    const other = new Sqlite(file);
    other.exec('CREATE TABLE other (a); INSERT INTO other VALUES (1)');
    other.close();
  };
  const change = (file: string, at: number) => {
    const bytes = readFileSync(file);
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
    writeFileSync(file, bytes);
  };
  const withinOurs = (place: TempFolder, statement: string) => {
    const raw = connect(place.file, place.key, 'write');
    raw.exec(statement);
    raw.close();
  };
  const cases: [string, (place: TempFolder) => void, [string, string | undefined]][] = [
    [
      'a changed byte in the first page',
      (at) => change(at.file, 2000),
      ['storage', 'data-damaged'],
    ],
    ['a changed byte in its layout', (at) => change(at.file, 21), ['storage', 'data-damaged']],
    [
      'a file truncated in the first page',
      (at) => truncateSync(at.file, 700),
      ['storage', 'data-damaged'],
    ],
    [
      'a file truncated at a later page',
      (at) => truncateSync(at.file, 8192),
      ['storage', 'data-damaged'],
    ],
    ['an empty file', (at) => truncateSync(at.file, 0), ['storage', 'data-damaged']],
    [
      'a file truncated to ten bytes',
      (at) => truncateSync(at.file, 10),
      ['storage', 'data-damaged'],
    ],
    [
      'a file with another key',
      (at) => {
        const copy = readFileSync(at.file);
        const database = openDatabase({ file: `${at.file}.other`, key: randomBytes(32), now: NOW });
        database.close();
        copyFileSync(`${at.file}.other`, at.file);
        expect(readFileSync(at.file).equals(copy)).toBe(false);
      },
      ['storage', 'data-wrong-key'],
    ],
    [
      'an unencrypted database',
      (at) => {
        plainDatabase(`${at.file}.plain`);
        copyFileSync(`${at.file}.plain`, at.file);
      },
      ['storage', 'data-foreign'],
    ],
    [
      'a picture',
      (at) => {
        writeFileSync(at.file, Buffer.concat([Buffer.from('\x89PNG\r\n'), randomBytes(9000)]));
      },
      ['storage', 'data-foreign'],
    ],
    [
      "another program's database under our key",
      (at) => withinOurs(at, 'PRAGMA application_id = 77'),
      ['storage', 'data-foreign'],
    ],
    [
      'a file of a newer version',
      (at) => withinOurs(at, 'PRAGMA user_version = 1000'),
      ['newer-data', undefined],
    ],
  ];

  it.each(cases)('is unchanged, byte for byte: %s', (_, spoil, expected) => {
    using place = filled();
    spoil(place);
    const before = readFileSync(place.file);
    expect(refusal(() => open(place).close())).toEqual(expected);
    expect(readFileSync(place.file).equals(before)).toBe(true);
  });

  it('keeps its log, which was not written back, unchanged if the key is wrong', () => {
    using place = tempDatabase();
    place.stores.connections.save(newConnection());
    using copy = tempFolder();
    mkdirSync(path.dirname(copy.file));
    for (const suffix of ['', '-wal']) {
      copyFileSync(`${place.file}${suffix}`, `${copy.file}${suffix}`);
    }
    const before = ['', '-wal'].map((suffix) => readFileSync(`${copy.file}${suffix}`, 'hex'));
    expect(refusal(() => open(copy))).toEqual(['storage', 'data-wrong-key']);
    const after = ['', '-wal'].map((suffix) => readFileSync(`${copy.file}${suffix}`, 'hex'));
    expect(after).toEqual(before);
    const recovered = openDatabase({ file: copy.file, key: place.key, now: NOW });
    expect(createStores(recovered).connections.list()).toHaveLength(1);
    recovered.close();
  });

  it('is damaged if only its log exists, and is not created again', () => {
    using place = tempFolder();
    mkdirSync(path.dirname(place.file));
    appendFileSync(`${place.file}-wal`, 'log');
    expect(refusal(() => open(place))).toEqual(['storage', 'data-damaged']);
    expect(existsSync(place.file)).toBe(false);
  });

  it('never has a changed byte read as data', () => {
    using place = filled();
    const whole = readFileSync(place.file);
    const step = Math.floor(whole.length / 60);
    for (let at = 20; at < whole.length; at += step) {
      const bytes = Buffer.from(whole);
      bytes.writeUInt8(bytes.readUInt8(at) ^ 0x10, at);
      writeFileSync(place.file, bytes);
      const seen = refusal(() => readAll(place));
      // `readAll` reads no page without agreements, such as a page of another index.
      if (seen !== 'none') expect(seen).toEqual(['storage', 'data-damaged']);
      else expect(refusal(() => checkAll(place))).toEqual(['storage', 'data-damaged']);
    }
  });
});

/** Checks every page. Throws 'storage' with 'data-damaged' if one is damaged. */
function checkAll(place: TempFolder): void {
  const raw = connect(place.file, place.key, 'read');
  try {
    const found = raw.pragma('integrity_check', { simple: true });
    if (found !== 'ok') throw new AppError('storage', 'damaged', { reason: 'data-damaged' });
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('storage', 'damaged', { reason: 'data-damaged' });
  } finally {
    raw.close();
  }
}
