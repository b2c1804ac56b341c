import { statSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { connect } from '../../../../electron/adapters/sqlite/database/cipher.ts';
import { openDatabase } from '../../../../electron/adapters/sqlite/open/open.ts';
import { spaceOf } from '../../../../electron/adapters/sqlite/space/space.ts';
import { newDraft } from '../samples.ts';
import { NOW, tempDatabase, type TempDatabase } from '../temp-database.ts';

const Check = z.object({ integrity_check: z.string() });

let temp: TempDatabase;

beforeEach(() => {
  temp = tempDatabase();
});
afterEach(() => temp[Symbol.dispose]());

/** Adds some megabytes to the data file, and frees them. */
function free(): void {
  const keep = newDraft();
  temp.stores.drafts.insert(keep);
  temp.database.command(`CREATE TABLE ballast (data BLOB)`)();
  temp.database.command(`INSERT INTO ballast WITH RECURSIVE n (i) AS (
    SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) SELECT randomblob(2000) FROM n`)();
  temp.database.command('DROP TABLE ballast')();
}

const { signal } = new AbortController();

describe('the space of a data file', () => {
  it('is measured by kind: pages, rows, and free space', async () => {
    const space = spaceOf(temp);
    const before = await space.measure();
    expect(before).toMatchObject({ freeBytes: 0, inSteps: true });
    free();
    const after = await space.measure();
    expect(after.freeBytes).toBeGreaterThan(4_000_000);
    const used = after.kinds.reduce((sum, { bytes }) => sum + bytes, 0);
    // The page map belongs to no table.
    expect(after.fileBytes - after.freeBytes - used).toBeLessThan(20_000);
    expect(after.kinds.find(({ kind }) => kind === 'drafts')).toMatchObject({ number: 1 });
    // Each kind has tables of its own, and each table has at least one page.
    for (const { kind, bytes } of after.kinds) expect(bytes, kind).toBeGreaterThan(0);
  });

  it('is compacted in steps next to the main loop, with progress and unchanged content', async () => {
    free();
    const space = spaceOf(temp);
    const { freeBytes, fileBytes } = await space.measure();
    const told: number[] = [];
    await space.compactInSteps((pages) => told.push(pages), signal);
    expect(told.length).toBeGreaterThan(10);
    expect(told.at(-1)).toBe(freeBytes / 4096);
    const after = await space.measure();
    expect(after.freeBytes).toBe(0);
    // The map of the removed pages is removed as well.
    expect(after.fileBytes).toBeLessThanOrEqual(fileBytes - freeBytes);
    expect(temp.stores.drafts.list()).toHaveLength(1);
  });

  it('is compacted further the next time if compacting stops halfway, without damage', async () => {
    free();
    const space = spaceOf(temp);
    const stop = new AbortController();
    const stopped = space.compactInSteps(() => stop.abort(), stop.signal);
    await expect(stopped).rejects.toThrow();
    expect(temp.stores.drafts.list()).toHaveLength(1);
    await space.compactInSteps(() => {}, signal);
    expect((await space.measure()).freeBytes).toBe(0);
  });

  it('is compacted by a full rewrite in data of an earlier version, and later in steps', async () => {
    temp.database.close();
    const raw = connect(temp.file, temp.key, 'write');
    raw.pragma('journal_mode = DELETE');
    raw.pragma('auto_vacuum = NONE');
    raw.exec('VACUUM');
    raw.close();
    const database = openDatabase({ ...temp, now: NOW });
    temp = { ...temp, database };
    const space = spaceOf(temp);
    database.command(`CREATE TABLE ballast (data BLOB)`)();
    database.command(`INSERT INTO ballast VALUES (randomblob(2000000))`)();
    database.command('DROP TABLE ballast')();
    expect(await space.measure()).toMatchObject({ inSteps: false });
    const before = statSync(temp.file).size;
    await space.compactWhole();
    expect(await space.measure()).toMatchObject({ inSteps: true, freeBytes: 0 });
    expect(statSync(temp.file).size).toBeLessThan(Math.max(before, 2_000_000));
    expect(database.query('PRAGMA integrity_check', Check).all()).toEqual([
      { integrity_check: 'ok' },
    ]);
  });

  it('is not compacted while another process writes, and reports that', async () => {
    const other = connect(temp.file, temp.key, 'write');
    other.exec('BEGIN IMMEDIATE');
    const refused = spaceOf(temp).compactWhole();
    await expect(refused).rejects.toMatchObject({ failure: { code: 'storage' } });
    other.exec('ROLLBACK');
    other.close();
  });
});
