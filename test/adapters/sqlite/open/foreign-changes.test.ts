import { describe, expect, it, vi } from 'vitest';
import {
  CHECK_EVERY_MS,
  watchForeignChanges,
} from '../../../../electron/adapters/sqlite/open/foreign-changes.ts';
import { ended, startChild } from '../child.ts';
import { type TempDatabase, tempDatabase } from '../temp-database.ts';

/** Returns a clock whose waiting checks run only when the test calls `passCheck`. */
function standingClock() {
  const waiting = new Set<() => void>();
  return {
    waiting,
    after: (_: number, run: () => void) => {
      waiting.add(run);
      return () => waiting.delete(run);
    },
    passCheck: () => {
      const due = [...waiting];
      waiting.clear();
      for (const run of due) run();
    },
  };
}

const otherProcessWrites = (place: TempDatabase) =>
  ended(startChild('write-setting.ts', place.file, Buffer.from(place.key).toString('hex')));

it('a change by another process is noticed once, and a change by this process is not', async () => {
  using place = tempDatabase();
  const clock = standingClock();
  const onChange = vi.fn();
  const stop = watchForeignChanges(place.database, () => 0, clock, onChange);

  place.stores.settings.write({ theme: 'light' });
  clock.passCheck();
  expect(onChange).toHaveBeenCalledTimes(0);

  expect(await otherProcessWrites(place)).toBe(0);
  clock.passCheck();
  clock.passCheck();
  expect(onChange).toHaveBeenCalledTimes(1);
  expect(place.stores.settings.read().theme).toBe('dark');
  stop();
});

describe('while our own thread commits', () => {
  let version = 0;
  let own = 0;

  function watch() {
    const clock = standingClock();
    const onChange = vi.fn();
    watchForeignChanges({ dataVersion: () => version }, () => own, clock, onChange);
    const pass = (isOwn: boolean) => {
      version += 1;
      if (isOwn) own += 1;
      clock.passCheck();
    };
    return { clock, onChange, pass };
  }

  it('no change counts as one by another process, but changes still pending afterwards do', () => {
    const { clock, onChange, pass } = watch();
    for (let beat = 0; beat < 5; beat += 1) pass(true);
    expect(onChange).toHaveBeenCalledTimes(0);
    clock.passCheck();
    clock.passCheck();
    expect(onChange).toHaveBeenCalledTimes(1);
    pass(false);
    expect(onChange).toHaveBeenCalledTimes(2);
  });

  it('a change by another process is noticed after at most ten checks', () => {
    const { onChange, pass } = watch();
    for (let beat = 1; beat < 10; beat += 1) pass(true);
    expect(onChange).toHaveBeenCalledTimes(0);
    pass(true);
    expect(onChange).toHaveBeenCalledTimes(1);
  });
});

it('the watch for changes stops on request', () => {
  using place = tempDatabase();
  const clock = standingClock();
  const stop = watchForeignChanges(
    place.database,
    () => 0,
    clock,
    () => undefined,
  );
  clock.passCheck();
  expect(clock.waiting.size).toBe(1);
  stop();
  expect(clock.waiting.size).toBe(0);
});

it('the watch for changes checks often enough for a waiting user', () => {
  expect(CHECK_EVERY_MS).toBeLessThanOrEqual(2000);
});
