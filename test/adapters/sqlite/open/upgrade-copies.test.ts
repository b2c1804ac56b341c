import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { connect } from '../../../../electron/adapters/sqlite/database/cipher.ts';
import { migrations } from '../../../../electron/adapters/sqlite/migrations/index.ts';
import { openDatabase } from '../../../../electron/adapters/sqlite/open/open.ts';
import { upgradeCopies } from '../../../../electron/adapters/sqlite/open/upgrade-copies.ts';
import { layOldData, OLD_KEY } from '../../../support/old-data.ts';
import { NOW, tempFolder } from '../temp-database.ts';

const BEFORE = migrations.length - 1;

function upgradeAt(file: string, now: number): void {
  layOldData(BEFORE, file);
  openDatabase({ file, key: OLD_KEY, now }).close();
}

function versionOf(file: string): unknown {
  const raw = connect(file, OLD_KEY, 'read');
  const version = raw.pragma('user_version', { simple: true });
  raw.close();
  return version;
}

it('the last two copies made before upgrades are kept, encrypted, each with its time', () => {
  using place = tempFolder();
  for (const hour of [1, 2, 3]) upgradeAt(place.file, NOW + hour);
  const copies = upgradeCopies(place.file);
  expect(copies.map(({ takenAt }) => takenAt)).toEqual([NOW + 3, NOW + 2]);
  for (const { file } of copies) {
    expect(versionOf(file)).toBe(BEFORE);
    expect(readFileSync(file).includes('SQLite format 3')).toBe(false);
  }
  expect(versionOf(place.file)).toBe(migrations.length);
});

it('a failed upgrade leaves the data unchanged, and at most two copies after any number of tries', () => {
  using place = tempFolder();
  for (const hour of [1, 2]) upgradeAt(place.file, NOW + hour);
  layOldData(BEFORE, place.file);
  const raw = connect(place.file, OLD_KEY, 'write');
  // The object that the last migration creates already exists.
  raw.exec(migrations.at(-1)?.sql ?? '');
  raw.close();
  for (const hour of [3, 4]) {
    expect(() => openDatabase({ file: place.file, key: OLD_KEY, now: NOW + hour })).toThrow();
  }
  const copies = upgradeCopies(place.file);
  expect(copies.map(({ takenAt }) => takenAt)).toEqual([NOW + 4, NOW + 3]);
  for (const { file } of copies) expect(versionOf(file)).toBe(BEFORE);
  expect(versionOf(place.file)).toBe(BEFORE);
});

it('no other file in the folder counts as a copy made before an upgrade', () => {
  using place = tempFolder();
  upgradeAt(place.file, NOW);
  const folder = path.dirname(place.file);
  const [copy] = upgradeCopies(place.file);
  expect(readdirSync(folder).toSorted()).toEqual(['desk.db', path.basename(copy?.file ?? '')]);
  expect(upgradeCopies(path.join(folder, 'other.db'))).toEqual([]);
});
