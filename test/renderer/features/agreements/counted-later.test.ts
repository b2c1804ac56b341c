import { beforeEach, expect, it, vi } from 'vitest';
import { MOST_COUNTED } from '../../../../shared/contract/agreement-query.ts';

const core = await vi.hoisted(async () => {
  const { FakeList: Fake } = await import('../../../support/fakes/fake-list.ts');
  return new Fake();
});
vi.mock('../../../../renderer/window/desk.ts', () => ({
  api: core.api,
  on: core.on,
  failureOf: (error: Error) => ({ code: 'unexpected', message: error.message }),
}));

const { agreements } = await import('../../../../renderer/features/agreements/state.svelte.ts');
const { marks } = await import('../../../../renderer/features/agreements/marks.svelte.ts');
const { listRow } = await import('../../../support/fakes/fake-list.ts');

const ROWS = MOST_COUNTED + 500;

let endCounting: (error?: Error) => void;

/** A search whose matches are counted when the test says so. */
beforeEach(async () => {
  core.rows = Array.from({ length: ROWS }, (_, at) => listRow(String(at)));
  core.counting = new Promise((resolve, reject) => {
    endCounting = (error) => (error === undefined ? resolve() : reject(error));
  });
  core.counting.catch(() => {});
  await agreements.find('avtal');
});

it('the first rows are here before all that match are counted, and the list grows then', async () => {
  expect(agreements.rowAt(0)?.title).toBe('Avtal 0');
  expect([agreements.total, agreements.windows.isCounted]).toEqual([MOST_COUNTED + 1, false]);
  endCounting();
  expect(await agreements.counted()).toBe(true);
  expect(agreements.total).toBe(ROWS);
});

it('all that match are marked once they are counted, and none of another search', async () => {
  const marked = marks.markAll();
  expect(marks.isEmpty).toBe(true);
  endCounting();
  await marked;
  expect(marks.count).toBe(ROWS);
  core.counting = new Promise((resolve) => (endCounting = () => resolve()));
  await agreements.find('avtal 1');
  const late = marks.markAll();
  core.rows = core.rows.slice(0, 3);
  await agreements.find('avtal 2');
  endCounting();
  await late;
  expect(marks.isEmpty).toBe(true);
});

it('what cannot be counted is said, and nothing is marked', async () => {
  const marked = marks.markAll();
  endCounting(new Error('The thread was lost'));
  await marked;
  expect(marks.isEmpty).toBe(true);
  expect(agreements.failure).toMatchObject({ message: 'The thread was lost' });
});
