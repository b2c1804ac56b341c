import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../../electron/adapters/sqlite/open/open.ts';
import { createStores } from '../../../../electron/adapters/sqlite/stores.ts';
import { claimAt, newConnection, outboxEntry } from '../samples.ts';
import { NOW, tempFolder } from '../temp-database.ts';

const run = (program: string, ...args: string[]) => execFileSync(program, args, { stdio: 'pipe' });

/** Returns why no file system can be mounted over a folder; empty if one can. */
function whyNoMount(): string {
  try {
    using place = tempFolder();
    run('mount', '-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', place.folder);
    run('umount', place.folder);
    return '';
  } catch (error) {
    return String(error).split('\n')[0] ?? 'unknown';
  }
}

const obstacle = whyNoMount();
if (obstacle !== '') console.warn(`SKIPPED: full and read-only disks (${obstacle})`);

function mounted(options: string) {
  const place = tempFolder();
  const folder = path.dirname(place.file);
  mkdirSync(folder);
  run('mount', '-t', 'tmpfs', '-o', options, 'tmpfs', folder);
  return {
    ...place,
    folder,
    [Symbol.dispose]: () => {
      run('umount', folder);
      place[Symbol.dispose]();
    },
  };
}

const failure = (reason: string) =>
  expect.objectContaining({ failure: expect.objectContaining({ code: 'storage', reason }) });

describe.skipIf(obstacle !== '')('a full disk for the data file', () => {
  it('is reported, existing data stays, and writing continues once there is room', () => {
    using place = mounted('size=4m');
    const database = openDatabase({ ...place, now: NOW });
    try {
      const { connections, outbox } = createStores(database);
      const connection = newConnection();
      connections.save(connection);
      const kept = outboxEntry(connection);
      outbox.insert(kept, NOW);
      const large = outboxEntry(connection, {}, Buffer.alloc(6_000_000));
      expect(() => outbox.insert(large, NOW)).toThrowError(failure('disk-full'));
      expect(outbox.list(0).map(({ ref }) => ref)).toEqual([kept.item.ref]);
      expect(outbox.claim(kept.item.ref, claimAt(NOW))).toBe(true);
    } finally {
      database.close();
    }
  });

  it.each(['16k', '512k', '1m'])('with a size of %s leaves no partial data file', (size) => {
    using place = mounted(`size=${size}`);
    writeFileSync(path.join(place.folder, 'fill'), Buffer.alloc(12_000));
    expect(() => openDatabase({ ...place, now: NOW })).toThrowError(failure('disk-full'));
    expect(readdirSync(place.folder)).toEqual(['fill']);
  });

  it('is reported if there is no space for the index file of the write-ahead log', () => {
    using place = mounted('size=4m');
    openDatabase({ ...place, now: NOW }).close();
    const full = path.join(place.folder, 'fill');
    expect(() => writeFileSync(full, Buffer.alloc(8_000_000))).toThrowError('ENOSPC');
    expect(() => openDatabase({ ...place, now: NOW })).toThrowError(failure('disk-full'));
    rmSync(full);
    openDatabase({ ...place, now: NOW }).close();
  });

  it('is distinguished from a folder that cannot be written to', () => {
    using place = mounted('size=4m');
    openDatabase({ ...place, now: NOW }).close();
    run('mount', '-o', 'remount,ro', place.folder);
    expect(() => openDatabase({ ...place, now: NOW })).toThrowError(failure('folder-read-only'));
    expect(() => openDatabase({ ...place, file: `${place.file}2`, now: NOW })).toThrowError(
      failure('folder-read-only'),
    );
  });
});
