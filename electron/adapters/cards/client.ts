import { Worker } from 'node:worker_threads';
import * as z from 'zod';
import { AppError } from '../../../shared/errors.ts';
import type { CardReader, ReadCard } from '../../core/people/ports.ts';
import { limitThread } from '../system/thread-time.ts';
import { isCards } from './read.ts';

/** Beside this one in the sources, beside the program when bundled. */
const WORKER = new URL(
  import.meta.url.endsWith('.ts') ? './worker.ts' : './card-worker.mjs',
  import.meta.url,
);
/** Milliseconds of the processor; a file of 64 MB takes some three seconds. */
const TIME_MAX = 30_000;
const HEAP_MAX_MB = 768;

const Cards = z.array(
  z.object({
    place: z.number(),
    facts: z
      .object({
        kind: z.enum(['person', 'company']),
        firstName: z.string(),
        lastName: z.string(),
        name: z.string(),
        emails: z.array(z.string()),
        phones: z.array(z.string()),
      })
      .nullable(),
    refusal: z.enum(['broken', 'letters']).nullable(),
  }),
);

/** Each file is read in a thread of its own: what it does to its memory or its time ends with it. */
export function createCardReader(): CardReader {
  return {
    isCards,
    async read(data) {
      const worker = new Worker(WORKER, {
        resourceLimits: { maxOldGenerationSizeMb: HEAP_MAX_MB },
        // Nothing of the program's arguments or variables is the file's business.
        env: {},
        argv: [],
        stdout: true,
        stderr: true,
      });
      try {
        return await answerOf(worker, data);
      } finally {
        await worker.terminate();
      }
    },
  };
}

function answerOf(worker: Worker, data: Uint8Array): Promise<readonly ReadCard[]> {
  return new Promise((resolve, reject) => {
    const endLimit = limitThread(worker, TIME_MAX, () => {
      reject(tooLarge());
    });
    const settle = (end: () => void): void => {
      endLimit();
      end();
    };
    worker.once('message', (message: unknown) => {
      settle(() => resolve(Cards.parse(message)));
    });
    worker.once('error', (cause: Error) => {
      settle(() => reject(tooLarge(cause)));
    });
    worker.once('exit', () => {
      settle(() => reject(tooLarge()));
    });
    worker.postMessage(data);
  });
}

const tooLarge = (cause?: Error): AppError =>
  new AppError(
    'invalid',
    'The file of cards is too large to read, or takes too long; export it in several parts',
    { reason: 'cards-limit', ...(cause !== undefined && { cause }) },
  );
