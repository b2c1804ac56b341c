import { type MessagePort, parentPort } from 'node:worker_threads';
import { createBirpc } from 'birpc';
import { AppError } from '../../../shared/errors.ts';
import { END, READY, type Thrown } from './messages.ts';

/**
 * Answers calls of whoever began this thread, until it is told to end; what it was asked before that
 * is still answered.
 * @param onEnd closes what the thread holds
 */
export function serveThread(functions: object, onEnd: () => void): void {
  const port = parentPort;
  if (port === null) throw new Error('This file is run as a thread');
  const underWay = new Set<Promise<unknown>>();
  createBirpc(noting(functions, underWay), {
    post: (message) => port.postMessage(message),
    on(listener) {
      port.on('message', (message: unknown) => {
        if (message === END) void end(port, underWay, onEnd);
        else listener(message);
      });
    },
    serialize: ({ e, ...message }: { readonly e?: unknown }) =>
      e === undefined ? message : { ...message, thrown: thrown(e) },
    timeout: -1,
  });
  port.postMessage(READY);
}

/** The same functions; what they are at work on stands in `underWay`. */
function noting(functions: object, underWay: Set<Promise<unknown>>): object {
  const noted = Object.entries(functions).map(([name, run]) => [
    name,
    async (...asked: unknown[]) => {
      const answer = (async () => run(...asked))();
      underWay.add(answer);
      try {
        return await answer;
      } finally {
        underWay.delete(answer);
      }
    },
  ]);
  return Object.fromEntries(noted);
}

async function end(
  port: MessagePort,
  underWay: ReadonlySet<Promise<unknown>>,
  onEnd: () => void,
): Promise<void> {
  await Promise.allSettled(underWay);
  // The last answer is posted in between.
  await new Promise((resolve) => setImmediate(resolve));
  onEnd();
  port.close();
}

function thrown(error: unknown): Thrown {
  return {
    failure: error instanceof AppError ? error.failure : null,
    stack: error instanceof Error ? (error.stack ?? error.message) : String(error),
  };
}
