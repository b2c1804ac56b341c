// tier: quick, 20 s, because it upgrades data files of every earlier version
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { connect } from '../../../../electron/adapters/sqlite/database/cipher.ts';
import { type Migration, migrate } from '../../../../electron/adapters/sqlite/database/migrate.ts';
import { migrations } from '../../../../electron/adapters/sqlite/migrations/index.ts';
import { openDatabase } from '../../../../electron/adapters/sqlite/open/open.ts';
import { ended, nextMessage, startChild } from '../child.ts';
import { place as inRepository } from '../../../../build/places.ts';
import { NOW, tempDatabase, tempFolder } from '../temp-database.ts';

const first: Migration = {
  version: 1,
  name: 'first',
  sql: `CREATE TABLE step (number INTEGER PRIMARY KEY, text TEXT) STRICT;
        INSERT INTO step (text) VALUES ('first');`,
};
const second: Migration = {
  version: 2,
  name: 'second',
  sql: `INSERT INTO step (text) VALUES ('second');`,
};
const broken: Migration = {
  version: 3,
  name: 'broken',
  sql: `INSERT INTO step (text) VALUES ('third'); INSERT INTO nowhere VALUES (1);`,
};

function atFirst(folder: string, key: Uint8Array) {
  const file = path.join(folder, 'desk.db');
  const raw = connect(file, key, 'write');
  raw.pragma('journal_mode = WAL');
  migrate(raw, [first], `${file}.before`);
  return { file, raw };
}

it('shipped migrations are numbered without gaps', () => {
  expect(migrations.map(({ version }) => version)).toEqual(migrations.map((_, index) => index + 1));
});

/** File with the SHA-256 and the name of each migration. Add lines, but never change one. */
const HASHES = 'electron/adapters/sqlite/migrations/hashes.txt';

it('no shipped migration was edited, and none was added without its hash (TE-D4)', () => {
  const found = migrations.map(({ version, name, sql }) => {
    const hash = createHash('sha256').update(sql).digest('hex');
    return `${hash}  ${String(version).padStart(4, '0')}-${name}`;
  });
  const kept = readFileSync(inRepository(HASHES), 'utf8').trimEnd().split('\n');
  expect(found).toEqual(kept);
});

it('an upgrade keeps a copy of the earlier data, encrypted with the same key (TX-56)', () => {
  using place = tempFolder();
  const { file, raw } = atFirst(place.folder, place.key);
  migrate(raw, [first, second], `${file}.before`);
  expect(raw.prepare('SELECT text FROM step').pluck().all()).toEqual(['first', 'second']);
  raw.close();

  expect(statSync(`${file}.before`).mode & 0o777).toBe(0o600);
  const copy = connect(`${file}.before`, place.key, 'read');
  expect(copy.prepare('SELECT text FROM step').pluck().all()).toEqual(['first']);
  expect(copy.pragma('user_version', { simple: true })).toBe(1);
  copy.close();
  const stranger = connect(`${file}.before`, new Uint8Array(32), 'read');
  expect(() => stranger.pragma('user_version')).toThrow('not a database');
  stranger.close();
});

it('no copy is made of a new data file, or of one with the current version', () => {
  using place = tempDatabase();
  openDatabase({ ...place, now: NOW }).close();
  const names = readdirSync(path.dirname(place.file));
  expect(names.filter((name) => name.includes('before'))).toEqual([]);
});

it('a failing migration changes nothing and keeps the copy', () => {
  using place = tempFolder();
  const { file, raw } = atFirst(place.folder, place.key);
  expect(() => migrate(raw, [first, second, broken], `${file}.before`)).toThrow('nowhere');
  expect(raw.pragma('user_version', { simple: true })).toBe(1);
  expect(raw.prepare('SELECT text FROM step').pluck().all()).toEqual(['first']);
  expect(existsSync(`${file}.before`)).toBe(true);
  raw.close();
});

it('an upgrade killed halfway leaves the data unchanged, and leaves the copy', async () => {
  using place = tempFolder();
  const { file, raw } = atFirst(place.folder, place.key);
  raw.close();
  const sql = `INSERT INTO step (text) SELECT hex(randomblob(20000)) FROM
    (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) SELECT i FROM n);
    DELETE FROM step WHERE text = 'first';`;
  const child = startChild('killed-upgrade.ts', file, Buffer.from(place.key).toString('hex'), sql);
  expect(await ended(child)).toBe('SIGKILL');
  for (const name of [file, `${file}.before`]) {
    const left = connect(name, place.key, 'write');
    expect(left.pragma('user_version', { simple: true })).toBe(1);
    expect(left.prepare('SELECT text FROM step').pluck().all()).toEqual(['first']);
    expect(left.pragma('integrity_check', { simple: true })).toBe('ok');
    left.close();
  }
});

it('two processes started together upgrade the data only once', async () => {
  using place = tempFolder();
  const { file, raw } = atFirst(place.folder, place.key);
  raw.close();
  const args = [file, Buffer.from(place.key).toString('hex'), JSON.stringify([first, second])];
  const children = [1, 2].map(() => startChild('upgrade.ts', ...args));
  await Promise.all(children.map(nextMessage));
  const answers = children.map(nextMessage);
  for (const child of children) child.send('go');
  const rows = [{ text: 'first' }, { text: 'second' }];
  expect(await Promise.all(answers)).toEqual([rows, rows]);
  expect(await Promise.all(children.map(ended))).toEqual([0, 0]);
});

it('two processes started on an empty folder create one data file', async () => {
  using place = tempFolder();
  const args = [place.file, Buffer.from(place.key).toString('hex')];
  const children = [1, 2, 3].map(() => startChild('write-setting.ts', ...args));
  expect(await Promise.all(children.map(ended))).toEqual([0, 0, 0]);
  expect(readdirSync(path.dirname(place.file))).toEqual(['desk.db']);
});

it.each(migrations.slice(0, -1))(
  'data stored by version $version is complete after the upgrade to the newest (TX-56)',
  ({ version }) => {
    using place = tempFolder();
    const file = path.join(place.folder, 'desk.db');
    const raw = connect(file, place.key, 'write');
    raw.pragma('journal_mode = WAL');
    migrate(raw, migrations.slice(0, version), `${file}.before`);
    raw.prepare(`INSERT INTO setting (name, value) VALUES ('holdSeconds', '30')`).run();
    migrate(raw, migrations, `${file}.before`);
    expect(raw.pragma('user_version', { simple: true })).toBe(migrations.length);
    expect(raw.prepare('SELECT name, value FROM setting').all()).toEqual([
      { name: 'holdSeconds', value: '30' },
    ]);
    raw.close();
    expect(existsSync(`${file}.before`)).toBe(true);
  },
);
