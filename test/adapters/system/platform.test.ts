import { expect, it } from 'vitest';
import {
  systemChance,
  systemClock,
  systemScheduler,
} from '../../../electron/adapters/system/platform.ts';

it('the clock runs what is due, and not what was called off', async () => {
  const run: string[] = [];
  const callOff = systemClock.after(1, () => run.push('called off'));
  callOff();
  await new Promise<void>((resolve) => {
    systemClock.after(2, resolve);
  });
  expect(run).toEqual([]);
});

it('a wait longer than timers can count does not end at once', async () => {
  const run: string[] = [];
  const callOff = systemClock.after(Number.MAX_SAFE_INTEGER, () => run.push('too early'));
  await new Promise<void>((resolve) => {
    systemClock.after(5, resolve);
  });
  callOff();
  expect(run).toEqual([]);
});

it('chance gives fractions below one and no id twice', () => {
  const fractions = Array.from({ length: 1000 }, () => systemChance.fraction());
  expect(fractions.every((fraction) => fraction >= 0 && fraction < 1)).toBe(true);
  expect(new Set(Array.from({ length: 1000 }, () => systemChance.uuid())).size).toBe(1000);
});

it('yielding lets what was ready before go first', async () => {
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
