import { expect, it } from 'vitest';
import { reportedOf } from '../../../../electron/adapters/sqlite/rescue/losses.ts';
import { salvageInThread } from '../../../../electron/adapters/sqlite/rescue/thread.ts';
import { migrations } from '../../../../electron/adapters/sqlite/migrations/index.ts';
import { layOldData, OLD_KEY } from '../../../support/old-data.ts';
import { NOW, tempFolder } from '../temp-database.ts';

it('a damaged data file is rescued in a thread, which reports its progress', async () => {
  using place = tempFolder();
  layOldData(migrations.length, place.file);
  const heard: [done: number, all: number][] = [];
  const saved = await salvageInThread(
    { file: place.file, key: OLD_KEY.toString('hex'), into: `${place.file}.saved`, now: NOW },
    (done, all) => void heard.push([done, all]),
    new AbortController().signal,
  );
  expect(saved).toMatchObject({ lost: [], unplaced: 0 });
  expect(heard.at(-1)).toEqual([saved.pages.all, saved.pages.all]);
});

it('a lost row of which only the number is known is named by that number', () => {
  const table = { name: 'batch_row', hasRowid: true, columns: [], key: [], indexes: [] };
  const rows = new Map([[41n, new Map([['number', 7n]])]]);
  expect(reportedOf({ table, rows, misfits: 0, isCounted: true })).toEqual({
    kind: 'batches',
    table: 'batch_row',
    rows: 1,
    names: ['7'],
  });
});
