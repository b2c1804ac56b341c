import { expect, it, vi } from 'vitest';
import { AppError } from '../../../shared/errors.ts';
import { Loaded } from '../../../renderer/window/loaded.svelte.ts';

// The connection to the core is replaced, because there is no core without a window; the test
// provides the loaded value.
vi.mock('../../../renderer/window/desk.ts', () => ({ failureOf: (error: unknown) => error }));

it('several changes during a load cause one further load, not one each', async () => {
  let reads = 0;
  const answers: (() => void)[] = [];
  const loaded = new Loaded(async () => {
    reads += 1;
    const read = reads;
    await new Promise<void>((resolve) => answers.push(resolve));
    return read;
  });
  const asked = Array.from({ length: 21 }, () => loaded.renew());
  expect(reads).toBe(1);
  answers.shift()?.();
  await expect.poll(() => answers.length).toBe(1);
  answers.shift()?.();
  await Promise.all(asked);
  expect(reads).toBe(2);
  expect(loaded.value).toBe(2);
  // Changes after both loads cause another load.
  const later = loaded.renew();
  answers.shift()?.();
  await later;
  expect(loaded.value).toBe(3);
});

it('after a reset, the result of an earlier read and its failure are forgotten', async () => {
  const answers: ((value: string) => void)[] = [];
  const loaded = new Loaded(() => new Promise<string>((resolve) => answers.push(resolve)));
  const earlier = loaded.refresh();
  loaded.reset();
  answers.shift()?.('of the earlier rule');
  await earlier;
  expect(loaded.value).toBeNull();
  expect(loaded.loading).toBe(false);
  const failing = new Loaded(() => Promise.reject(new AppError('offline', 'No network')));
  await failing.refresh();
  expect(failing.failure).not.toBeNull();
  failing.reset();
  expect(failing.failure).toBeNull();
});
