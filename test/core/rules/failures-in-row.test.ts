import { expect, it } from 'vitest';
import { failuresAfter, isPausedAfter } from '../../../electron/core/rules/failures-in-row.ts';
import type { Failure } from '../../../shared/errors.ts';

const failed: Failure = { code: 'storage', message: 'The disk is full' };
const offline: Failure = { code: 'offline', message: 'No line' };

it('an automatic rule is paused for the user after three failures in a row', () => {
  const inRow = [failed, failed, failed].reduce((before, one) => failuresAfter(before, one), 0);
  expect([isPausedAfter(inRow - 1), isPausedAfter(inRow)]).toEqual([false, true]);
  expect(isPausedAfter(undefined)).toBe(false);
});

it('a successful run resets the failure count of its rule', () => {
  expect(failuresAfter(2, null)).toBe(0);
});

it('a lost connection and a stopped run do not change the failure count of a rule', () => {
  expect(failuresAfter(2, offline)).toBe(2);
  expect(failuresAfter(undefined, { code: 'cancelled', message: 'Stopped' })).toBe(0);
  expect(failuresAfter(2, failed, ({ code }) => code === 'storage')).toBe(2);
});
