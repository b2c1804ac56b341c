import { beforeEach, describe, expect, it, vi } from 'vitest';
import { MAX_COUNTED_MATCHES } from '../../../../shared/contract/agreement-query.ts';
import type { FakeList } from '../../../support/fakes/fake-list.ts';

const core = await vi.hoisted(async () => {
  const { FakeList: Fake } = await import('../../../support/fakes/fake-list.ts');
  return new Fake();
});
vi.mock('../../../../renderer/window/desk.ts', () => ({
  api: core.api,
  on: core.on,
  failureOf: (error: Error) => ({ code: 'unexpected', message: error.message }),
}));
// The router is replaced, because there is no address without a window.
vi.mock('../../../../renderer/window/router.svelte.ts', () => ({
  router: { screen: 'agreements', parts: [] },
}));

const { agreements, keyOf } =
  await import('../../../../renderer/features/agreements/state.svelte.ts');
const { marks } = await import('../../../../renderer/features/agreements/marks.svelte.ts');
const { bulk } = await import('../../../../renderer/features/agreements/marked/bulk.svelte.ts');
const { listRow } = await import('../../../support/fakes/fake-list.ts');

const ROWS = 1200;
const OFFLINE = { code: 'offline', message: 'Nobody answers' } as const;

const nameAt = (at: number): string => keyOf(rowAt(core, at));

function rowAt({ rows }: FakeList, at: number) {
  const row = rows[at];
  if (row === undefined) throw new Error(`There is no row ${String(at)}`);
  return row;
}

const failedAt = (at: number) => ({ ...rowAt(core, at), failure: OFFLINE });
const markedPlaces = (): number[] =>
  core.rows.flatMap((row, at) => (marks.isMarked(keyOf(row)) ? [at] : []));

beforeEach(async () => {
  core.rows = Array.from({ length: ROWS }, (_, at) => listRow(String(at)));
  core.endings.clear();
  core.asked.length = 0;
  core.counting = Promise.resolve();
  bulk.outcome = null;
  agreements.cursor = { place: -1, row: null };
  await agreements.startOver();
  marks.clear();
});

describe('the selection of rows', () => {
  it('covers the range from the anchor to the Shift target, and shrinks with it', async () => {
    marks.anchorAt(10);
    await marks.extendTo(14);
    expect(markedPlaces()).toEqual([10, 11, 12, 13, 14]);
    await marks.extendTo(8);
    expect(markedPlaces()).toEqual([8, 9, 10]);
  });

  it('keeps individually selected rows when a range shrinks over them', async () => {
    marks.toggle(nameAt(12));
    marks.anchorAt(10);
    await marks.extendTo(14);
    await marks.extendTo(11);
    expect(markedPlaces()).toEqual([10, 11, 12]);
  });

  it('follows the last Shift target, even if an earlier range is answered later', async () => {
    marks.anchorAt(0);
    await Promise.all([marks.extendTo(999), marks.extendTo(3)]);
    expect(markedPlaces()).toEqual([0, 1, 2, 3]);
    marks.anchorAt(0);
    const ended = marks.extendTo(999);
    marks.clear();
    await ended;
    expect(markedPlaces()).toEqual([]);
  });

  it('starts at the range’s first agreement, although rows arrived above it (SC-01)', async () => {
    agreements.see(0, 20);
    marks.anchorAt(10);
    core.rows = [...[1, 2, 3].map((one) => listRow(`new ${String(one)}`)), ...core.rows];
    await agreements.refresh();
    await marks.extendTo(15);
    expect(markedPlaces()).toEqual([13, 14, 15]);
    expect(marks.rows.map(({ title }) => title)).toEqual(['Avtal 10', 'Avtal 11', 'Avtal 12']);
  });

  it('covers the intended agreements, although the list moved before it was read again (SC-01)', async () => {
    marks.anchorAt(2);
    core.rows = [listRow('new'), ...core.rows];
    await marks.extendTo(900);
    expect(marks.isMarked(nameAt(2))).toBe(false);
    expect(marks.isMarked(keyOf(listRow('2')))).toBe(true);
  });

  it('includes rows that were never loaded into the list', async () => {
    marks.anchorAt(0);
    await marks.extendTo(999);
    expect(marks.count).toBe(1000);
    expect(await marks.keys()).toHaveLength(1000);
  });

  it('covers all matches without loading them, minus the deselected ones', async () => {
    await marks.markAll();
    marks.toggle(nameAt(3));
    expect([marks.isWhole, marks.count]).toEqual([true, ROWS - 1]);
    const keys = await marks.keys();
    expect(keys).toHaveLength(ROWS - 1);
    expect(keys.map(keyOf)).not.toContain(nameAt(3));
    expect(marks.forReport()).toMatchObject({ kind: 'view', except: [{ id: 'id-3' }] });
  });

  it('is emptied when another list is opened', async () => {
    marks.toggle(nameAt(1));
    await agreements.find('something else');
    expect(marks.isEmpty).toBe(true);
    await agreements.find('');
  });
});

describe('an action on the selected rows', () => {
  const undone = { saved: 1198, present: 0, waiting: 0, unsealed: 0, bytes: 1, seconds: 1 };

  it('keeps only the failed agreements selected after an action on all matches', async () => {
    await marks.markAll();
    const failed = [failedAt(7), failedAt(900)];
    const result = { ...undone, listed: ROWS, failed, doubtful: [], folder: '/archive' };
    core.endings.set('archive.run', { result, failure: null });
    await bulk.archive('/archive');
    expect([marks.isWhole, marks.count]).toEqual([false, 2]);
    expect(markedPlaces()).toEqual([7, 900]);
    expect(bulk.outcome?.failed.map(({ title }) => title)).toEqual(['Avtal 7', 'Avtal 900']);
  });

  it('keeps the whole selection if it ended before all agreements were tried', async () => {
    await marks.markAll();
    const result = { ...undone, listed: ROWS, failed: [failedAt(7)], folder: '/archive' };
    core.endings.set('archive.run', { result, failure: OFFLINE });
    await bulk.archive('/archive');
    expect(marks.count).toBe(ROWS);
  });

  it('archives nothing if PDFs are downloaded to another folder', async () => {
    for (const at of [1, 2, 3]) marks.toggle(nameAt(at));
    const key = ({ connectionId, id }: ReturnType<typeof listRow>) => ({ connectionId, id });
    const result = {
      folder: '/desktop',
      saved: 1,
      bytes: 1,
      withoutPdf: 0,
      failed: [failedAt(2)],
      left: [key(rowAt(core, 3))],
    };
    core.endings.set('agreements.saveCopies', { result, failure: null });
    await bulk.download('/desktop');
    expect(core.asked.map(({ call }) => call)).toEqual(['agreements.saveCopies']);
    expect(markedPlaces()).toEqual([2, 3]);
  });

  it('lists every refused agreement, and keeps the refused ones selected', () => {
    for (const at of [1, 2, 3, 4]) marks.toggle(nameAt(at));
    const done = { ...rowAt(core, 1), wasAlready: false, told: null, reminded: 0 };
    const failed = [
      failedAt(2),
      { ...failedAt(3), failure: { code: 'invalid', message: '', fields: { state: 'Not open.' } } },
    ] as const;
    bulk.acted({ done: [done], failed: [...failed], unknown: [failedAt(4)] });
    expect(markedPlaces()).toEqual([2, 3, 4]);
    const shortened = bulk.outcome?.failed ?? [];
    expect(shortened.map(({ title }) => title)).toEqual(['Avtal 4', 'Avtal 2', 'Avtal 3']);
    expect(shortened.at(-1)?.why).toContain('Not open.');
  });

  it('shows no message for each row if everything succeeded', () => {
    marks.toggle(nameAt(1));
    const done = { ...rowAt(core, 1), wasAlready: false, told: null, reminded: 0 };
    bulk.acted({ done: [done], failed: [], unknown: [] });
    expect([bulk.outcome, marks.count]).toEqual([null, 0]);
  });
});

describe('new agreements in the list', () => {
  it('are counted, and the visible rows stay in place (TX-60)', async () => {
    agreements.see(100, 120);
    agreements.moveTo(110);
    core.rows = [...[1, 2, 3].map((one) => listRow(`new ${String(one)}`)), ...core.rows];
    await agreements.refresh();
    expect(agreements.fresh).toBe(3);
    expect(agreements.motion).toEqual({ kind: 'shift', lines: 3 });
    expect(agreements.cursor.place).toBe(113);
    agreements.see(0, 20);
    expect(agreements.fresh).toBe(0);
  });

  it('appear immediately if the top of the list is visible', async () => {
    agreements.see(0, 20);
    core.rows = [listRow('new'), ...core.rows];
    await agreements.refresh();
    expect(agreements.fresh).toBe(0);
    expect(agreements.rowAt(0)?.title).toBe('Avtal new');
  });
});

describe('a search with more matches than are counted at first', () => {
  let endCounting: (error?: Error) => void;

  /** The search finds matches whose count ends when the test decides. */
  beforeEach(async () => {
    core.counting = new Promise((resolve, reject) => {
      endCounting = (error) => (error === undefined ? resolve() : reject(error));
    });
    core.counting.catch(() => {});
    await agreements.find('avtal');
  });

  it('shows its first rows before all matches are counted, and the list grows afterwards', async () => {
    expect(agreements.rowAt(0)?.title).toBe('Avtal 0');
    expect([agreements.total, agreements.windows.isCounted]).toEqual([
      MAX_COUNTED_MATCHES + 1,
      false,
    ]);
    endCounting();
    expect(await agreements.counted()).toBe(true);
    expect(agreements.total).toBe(ROWS);
  });

  it('selects all matches after counting, and none of another search', async () => {
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

  it('reports a failed count, and selects nothing', async () => {
    const marked = marks.markAll();
    endCounting(new Error('The thread was lost'));
    await marked;
    expect(marks.isEmpty).toBe(true);
    expect(agreements.failure).toMatchObject({ message: 'The thread was lost' });
  });
});
