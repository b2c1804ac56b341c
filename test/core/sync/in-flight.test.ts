import { expect, it } from 'vitest';
import { InFlight } from '../../../electron/core/sync/in-flight.ts';

/** A task that ends when the test resolves it. */
function work() {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  return { promise, resolve, reject, run: () => promise };
}

const settled = async (promise: Promise<unknown>) => {
  let isSettled = false;
  void promise.then(
    () => (isSettled = true),
    () => (isSettled = true),
  );
  await new Promise(setImmediate);
  return isSettled;
};

it('a limited queue runs as many tasks at a time as its limit, and then waits for the oldest', async () => {
  const underway = new InFlight(2);
  const [first, second, third] = [work(), work(), work()];
  await underway.begin(first.run);
  await underway.begin(second.run);
  const begun = underway.begin(third.run);
  expect(await settled(begun)).toBe(false);
  second.resolve();
  expect(await settled(begun)).toBe(false);
  first.resolve();
  expect(await settled(begun)).toBe(true);
  const all = underway.settle();
  expect(await settled(all)).toBe(false);
  third.resolve();
  await all;
});

it('a limited queue starts no other task once a task has failed', async () => {
  const underway = new InFlight(2);
  const [first, second] = [work(), work()];
  await underway.begin(first.run);
  await underway.begin(second.run);
  second.reject(new Error('the disk is full'));
  await new Promise(setImmediate);
  let begun = 0;
  const more = async () => void (begun += 1);
  await expect(underway.begin(more)).rejects.toThrow('the disk is full');
  expect(begun).toBe(0);
  first.resolve();
  await underway.ended();
  await expect(underway.settle()).rejects.toThrow('the disk is full');
});
