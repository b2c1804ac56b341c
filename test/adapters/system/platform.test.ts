import { expect, it } from 'vitest';
import {
  systemChance,
  systemClock,
  systemScheduler,
} from '../../../electron/adapters/system/platform.ts';

it('the clock runs due callbacks, but not cancelled ones', async () => {
  const run: string[] = [];
  const callOff = systemClock.after(1, () => run.push('called off'));
  callOff();
  await new Promise<void>((resolve) => {
    systemClock.after(2, resolve);
  });
  expect(run).toEqual([]);
});

it('a wait longer than timers allow does not end immediately', async () => {
  const run: string[] = [];
  const callOff = systemClock.after(Number.MAX_SAFE_INTEGER, () => run.push('too early'));
  await new Promise<void>((resolve) => {
    systemClock.after(5, resolve);
  });
  callOff();
  expect(run).toEqual([]);
});

it('the random source gives fractions below one and unique IDs', () => {
  const fractions = Array.from({ length: 1000 }, () => systemChance.fraction());
  expect(fractions.every((fraction) => fraction >= 0 && fraction < 1)).toBe(true);
  expect(new Set(Array.from({ length: 1000 }, () => systemChance.uuid())).size).toBe(1000);
});

it('yielding lets earlier ready work run first', async () => {
  const seen: string[] = [];
  const begun = Promise.withResolvers<void>();
  setImmediate(() => {
    seen.push('begun');
    begun.resolve();
  });
  await systemScheduler.yield();
  seen.push('went on');
  await begun.promise;
  expect(seen).toEqual(['begun', 'went on']);
});
