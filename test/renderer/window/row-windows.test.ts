import { describe, expect, it } from 'vitest';
import { RowWindows, type RowRange, WINDOW } from '../../../renderer/window/row-windows.svelte.ts';

interface Asked {
  readonly from: number;
  readonly answer: (reply: RowRange<number> | Error) => Promise<void>;
}

/** Creates a long list of numbers, whose answers are controlled by the test. */
function longList(total: number) {
  const asked: Asked[] = [];
  const failures: unknown[] = [];
  let stale = 0;
  const windows = new RowWindows<number>({
    onfailure: (error) => failures.push(error),
    onstale: () => (stale += 1),
  });
  const read = (from: number): Promise<RowRange<number>> =>
    new Promise((resolve, reject) => {
      const answer = async (reply: RowRange<number> | Error): Promise<void> => {
        if (reply instanceof Error) reject(reply);
        else resolve(reply);
        await new Promise((done) => setImmediate(done));
      };
      asked.push({ from, answer });
    });
  const rowsFrom = (from: number, all = total): RowRange<number> => ({
    items: Array.from({ length: Math.max(0, Math.min(WINDOW, all - from)) }, (_, at) => from + at),
    total: all,
    isCounted: true,
  });
  windows.replace({ windows: new Map(), total, isCounted: true }, read);
  const take = (): Asked => {
    const one = asked.shift();
    if (one === undefined) throw new Error('Nothing was asked');
    return one;
  };
  const answerAll = async (): Promise<void> => {
    while (asked.length > 0) {
      const one = take();
      await one.answer(rowsFrom(one.from));
    }
  };
  const state = { windows, asked, failures, read, rowsFrom, take, answerAll };
  return { ...state, stale: () => stale };
}

describe('the part of a long list in memory', () => {
  it('is loaded around the visible rows', async () => {
    const { windows, asked, answerAll } = longList(100_000);
    windows.see(WINDOW * 10 + 100, WINDOW * 10 + 120);
    expect(asked.map(({ from }) => from)).toEqual([WINDOW * 10]);
    await answerAll();
    expect(windows.at(WINDOW * 10 + 5)).toBe(WINDOW * 10 + 5);
    expect(windows.at(5)).toBeUndefined();
    windows.see(WINDOW * 11 - 20, WINDOW * 11 - 5);
    expect(asked.map(({ from }) => from)).toEqual([WINDOW * 11]);
  });

  it('is loaded with at most two requests at a time, however fast the list is dragged', async () => {
    const { windows, asked, take, rowsFrom } = longList(100_000);
    for (let at = 0; at < 100; at += 1) windows.see(at * WINDOW + 100, at * WINDOW + 120);
    expect(asked).toHaveLength(2);
    const first = take();
    await first.answer(rowsFrom(first.from));
    // Only the visible rows are loaded, and not those passed while dragging.
    expect(asked.at(-1)?.from).toBe(99 * WINDOW);
  });

  it('has a constant size, for any length and scroll position of the list', async () => {
    const { windows, answerAll } = longList(100_000);
    for (let at = 0; at < 60; at += 1) {
      windows.see(at * WINDOW + 100, at * WINDOW + 120);
      await answerAll();
    }
    const held = Array.from({ length: 60 }, (_, at) => windows.at(at * WINDOW + 1));
    expect(held.filter((row) => row !== undefined)).toHaveLength(10);
    expect(windows.at(59 * WINDOW + 1)).toBe(59 * WINDOW + 1);
  });

  it('ignores answers to requests for another list', async () => {
    const { windows, take, read, rowsFrom } = longList(1000);
    windows.see(0, 20);
    const late = take();
    windows.replace({ windows: new Map([[0, [7, 8, 9]]]), total: 3, isCounted: true }, read);
    await late.answer(rowsFrom(0));
    expect([windows.at(0), windows.at(3)]).toEqual([7, undefined]);
    expect(windows.total).toBe(3);
  });

  it('reports that the list has become longer', async () => {
    const { windows, take, rowsFrom, stale } = longList(1000);
    windows.see(0, 20);
    await take().answer(rowsFrom(0, 1001));
    expect(stale()).toBe(1);
  });

  it('stays the same list when its count arrives later, and gets its full length', async () => {
    const { windows, asked, take, read, rowsFrom, stale } = longList(1000);
    windows.replace({ windows: new Map(), total: 1001, isCounted: false }, read);
    windows.see(0, 20);
    await take().answer({ ...rowsFrom(0, 5000), isCounted: true });
    expect(stale()).toBe(0);
    windows.count(5000);
    expect([windows.total, windows.isCounted]).toEqual([5000, true]);
    windows.see(4900, 4920);
    expect(asked.map(({ from }) => from)).toEqual([4800]);
  });

  it('reports a failed load, and loads again when it is visible again', async () => {
    const { windows, asked, take, failures } = longList(1000);
    windows.see(0, 20);
    await take().answer(new Error('broken'));
    expect(failures).toHaveLength(1);
    expect(asked).toEqual([]);
    windows.see(0, 20);
    expect(asked).toHaveLength(1);
  });

  it('finds the position of a row among the rows in memory', async () => {
    const { windows, answerAll } = longList(1000);
    windows.see(WINDOW + 100, WINDOW + 110);
    await answerAll();
    expect(windows.placeOf((row) => row === WINDOW + 33)).toBe(WINDOW + 33);
    expect(windows.placeOf((row) => row === 1)).toBe(-1);
  });
});
