import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ended, nextMessage, startChild } from '../child.ts';
import { tempDatabase } from '../temp-database.ts';

it('two processes write evidence together: both succeed, and each entry follows the one before (TE-Q05)', async () => {
  using place = tempDatabase();
  const inside = path.join(place.folder, 'inside');
  const written = path.join(place.folder, 'written');
  const key = Buffer.from(place.key).toString('hex');
  const child = startChild('append-evidence.ts', place.file, key, inside, written);
  const answer = nextMessage(child);
  await expect.poll(() => existsSync(inside), { timeout: 30_000 }).toBe(true);
  const { evidence } = place.stores;
  // The other process has read the last entry, but not yet written one.
  const mine = evidence.append((last) => ({
    number: (last?.number ?? 0) + 1,
    text: '{"by":"test"}',
    hash: `after ${last?.hash ?? 'nothing'}`,
  }));
  writeFileSync(written, '');
  expect(await answer).toBe('of the child');
  expect(await ended(child)).toBe(0);
  expect(mine).toMatchObject({ number: 2, hash: 'after of the child' });
  expect([...evidence.walk()].map(({ hash }) => hash)).toEqual([
    'of the child',
    'after of the child',
  ]);
});
