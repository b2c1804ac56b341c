import * as z from 'zod';
import { AppError } from '../../../shared/errors.ts';
import type { CardReader } from '../../core/people/ports.ts';
import { threadFile } from '../threads/file.ts';
import { OneCallThreads } from '../threads/once.ts';
import { isCards } from './read.ts';
import type { CardTasks } from './worker.ts';

/** Maximum CPU time for a file (ms); a file of 64 MB takes about three seconds. */
const MAX_READ_MS = 30_000;
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

const contactsTooLargeError = (cause: Error): AppError =>
  new AppError(
    'invalid',
    'The contacts file is too large, or takes too long to read. Export the contacts in several files',
    { reason: 'cards-limit', cause },
  );

const threads = new OneCallThreads<CardTasks>({
  file: threadFile(import.meta.url, './worker.ts', 'card-worker'),
  work: 'Reading cards',
  milliseconds: MAX_READ_MS,
  heapMegabytes: HEAP_MAX_MB,
  refusals: {
    stopped: contactsTooLargeError,
    failed: contactsTooLargeError,
    time: contactsTooLargeError,
    memory: contactsTooLargeError,
  },
});

/** Reads each file in its own thread. */
export function createCardReader(): CardReader {
  return {
    isCards,
    read: async (data) => Cards.parse(await threads.call('read', [data])),
  };
}
