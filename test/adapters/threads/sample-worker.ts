import { serveThread } from '../../../electron/adapters/threads/serve.ts';
import { AppError } from '../../../shared/errors.ts';

/* A thread for tests: it answers, refuses, fails, ends, and waits. */

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
  environment: () => ({ variables: Object.keys(process.env), words: process.argv.slice(2) }),
};
export type Sample = typeof sample;

serveThread(sample, () => undefined);
