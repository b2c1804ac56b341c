import { handOver } from '../../../electron/adapters/threads/hand-over.ts';
import { serveThread } from '../../../electron/adapters/threads/serve.ts';
import { AppError } from '../../../shared/errors.ts';

/* A test thread: it answers, rejects, fails, ends, and waits. */

export const sample = {
  double: (number: number): number => number * 2,
  later: async (milliseconds: number): Promise<string> => {
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    return `after ${milliseconds}`;
  },
  refuse: (): never => {
    throw new AppError('invalid', 'Not this way', { reason: 'too-large' });
  },
  fail: (): never => {
    throw new TypeError('Nobody meant this');
  },
  end: (): never => process.exit(3),
  /** Works endlessly. */
  spin: (): never => {
    for (;;) process.hrtime();
  },
  grow: (): number => {
    const held: number[][] = [];
    for (;;) held.push(Array.from({ length: 100_000 }, (_, at) => at));
  },
  /** Uses memory outside the heap, and waits. */
  hold: async (megabytes: number): Promise<number> => {
    const held = Array.from({ length: megabytes }, () => Buffer.alloc(1024 * 1024, 1));
    await new Promise((resolve) => setTimeout(resolve, 60_000));
    return held.length;
  },
  report: (): string => {
    report(1, 2);
    report(2, 2);
    return 'done';
  },
  fill: (bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> =>
    handOver(bytes.fill(7), bytes.buffer),
  environment: () => ({ variables: Object.keys(process.env), words: process.argv.slice(2) }),
};
export type Sample = typeof sample;

const report = serveThread(sample);
