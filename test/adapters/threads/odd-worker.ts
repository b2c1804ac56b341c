import { writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { serveThread } from '../../../electron/adapters/threads/serve.ts';

/* A test thread whose functions misbehave as no real thread should. */

serveThread(
  {
    double: (number: number): number => number * 2,
    later: async (milliseconds: number): Promise<string> => {
      await wait(milliseconds);
      return 'later';
    },
    unsendable: () => () => 'a function',
    throwNothing: (): void => {
      AbortSignal.abort(null).throwIfAborted();
    },
    write: async (file: string): Promise<string> => {
      await wait(100);
      writeFileSync(file, 'written');
      return 'written';
    },
  },
  () => undefined,
);
