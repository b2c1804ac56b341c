import { expect, test } from 'vitest';
import { CoalescedTask } from '../../shared/coalesced.ts';

/** Work whose runs end by hand, in turn. */
function byHand() {
  const runs: PromiseWithResolvers<void>[] = [];
  const coalesced = new CoalescedTask(() => {
    const run = Promise.withResolvers<void>();
    runs.push(run);
    return run.promise;
  });
  return { coalesced, runs };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('a coalesced task starts immediately, and runs once if no further run is requested', async () => {
  const { coalesced, runs } = byHand();
  const asked = coalesced.run();
  expect(runs).toHaveLength(1);
  runs[0]?.resolve();
  await asked;
  await turn();
  expect(runs).toHaveLength(1);
});

test('several requests during a run of a coalesced task cause one more run after it', async () => {
  const { coalesced, runs } = byHand();
  const first = coalesced.run();
  await turn();
  const later = [coalesced.run(), coalesced.run(), coalesced.run()];
  let isLaterDone = false;
  void Promise.all(later).then(() => (isLaterDone = true));
  await turn();
  expect(runs).toHaveLength(1);
  runs[0]?.resolve();
  await first;
  await turn();
  expect(runs).toHaveLength(2);
  expect(isLaterDone).toBe(false);
  runs[1]?.resolve();
  await Promise.all(later);
  await turn();
  expect(runs).toHaveLength(2);
});

test('a run of a coalesced task that is requested as the last run ends is not lost', async () => {
  const { coalesced, runs } = byHand();
  const first = coalesced.run();
  await turn();
  let again: Promise<void> | null = null;
  void runs[0]?.promise.then(() => (again = coalesced.run()));
  runs[0]?.resolve();
  await first;
  await turn();
  expect(again).not.toBeNull();
  expect(runs).toHaveLength(2);
});

test('a failed run of a coalesced task is reported to its callers only, and the next run follows', async () => {
  const { coalesced, runs } = byHand();
  const first = coalesced.run();
  await turn();
  const later = coalesced.run();
  runs[0]?.reject(new Error('mine'));
  await expect(first).rejects.toThrow('mine');
  await turn();
  runs[1]?.resolve();
  await expect(later).resolves.toBeUndefined();
});

test('a coalesced task shows whether a run is wanted or in progress, and when all runs have ended', async () => {
  const { coalesced, runs } = byHand();
  expect([coalesced.isWanted, coalesced.isIdle]).toEqual([false, true]);
  void coalesced.run();
  expect([coalesced.isWanted, coalesced.isIdle]).toEqual([false, false]);
  void coalesced.run();
  expect([coalesced.isWanted, coalesced.isIdle]).toEqual([true, false]);
  let isEnded = false;
  const ended = coalesced.ended().then(() => (isEnded = true));
  await turn();
  runs[0]?.resolve();
  await turn();
  expect([coalesced.isWanted, coalesced.isIdle]).toEqual([false, false]);
  expect(isEnded).toBe(false);
  runs[1]?.resolve();
  await ended;
  expect([coalesced.isWanted, coalesced.isIdle]).toEqual([false, true]);
});

test('a coalesced task whose work throws synchronously fails only that run', async () => {
  let isBroken = true;
  const coalesced = new CoalescedTask(() => {
    if (isBroken) throw new Error('mine');
    return Promise.resolve();
  });
  await expect(coalesced.run()).rejects.toThrow('mine');
  isBroken = false;
  await expect(coalesced.run()).resolves.toBeUndefined();
});
