import { expect, test } from 'vitest';
import { Serial } from '../../shared/serial.ts';

test('the jobs of a serial queue run one after the other, in the order of their requests', async () => {
  const serial = new Serial();
  const first = Promise.withResolvers<void>();
  const seen: string[] = [];
  const slow = serial.run(async () => {
    seen.push('first begins');
    await first.promise;
    seen.push('first ends');
    return 1;
  });
  const quick = serial.run(() => seen.push('second'));
  await Promise.resolve();
  await Promise.resolve();
  expect(seen).toEqual(['first begins']);
  first.resolve();
  expect(await slow).toBe(1);
  await quick;
  expect(seen).toEqual(['first begins', 'first ends', 'second']);
});

test.each([
  [
    'throws',
    () => {
      throw new Error('mine');
    },
  ],
  ['rejects', () => Promise.reject(new Error('mine'))],
])(
  'a serial queue reports the error of a job that %s to its caller, and runs the next job',
  async (_, fail) => {
    const serial = new Serial();
    const failed = serial.run(fail);
    const next = serial.run(() => 'next');
    await expect(failed).rejects.toThrow('mine');
    expect(await next).toBe('next');
  },
);

test('a serial queue is idle before the first job and after the last, even if that one fails', async () => {
  const serial = new Serial();
  expect(serial.isIdle).toBe(true);
  const one = serial.run(() => {});
  const other = serial.run(() => Promise.reject(new Error('mine')));
  expect(serial.isIdle).toBe(false);
  await one;
  expect(serial.isIdle).toBe(false);
  await expect(other).rejects.toThrow('mine');
  expect(serial.isIdle).toBe(true);
});

test('waiting for a serial queue lasts until all requested jobs end, and reports no error of a job', async () => {
  const serial = new Serial();
  let isDone = false;
  const failed = serial.run(() => Promise.reject(new Error('mine')));
  failed.catch(() => {});
  void serial.run(async () => {
    await Promise.resolve();
    isDone = true;
  });
  await expect(serial.ended()).resolves.toBeUndefined();
  expect(isDone).toBe(true);
});
