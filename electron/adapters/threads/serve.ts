import { parentPort } from 'node:worker_threads';
import { createBirpc } from 'birpc';
import { AppError } from '../../../shared/errors.ts';
import { END, READY, type Thrown } from './messages.ts';

/**
 * Answers calls of whoever began this thread, until it is told to end.
 * @param onEnd closes what the thread holds
 */
export function serveThread(functions: object, onEnd: () => void): void {
  const port = parentPort;
  if (port === null) throw new Error('This file is run as a thread');
  createBirpc(functions, {
    post: (message) => port.postMessage(message),
    on: (listener) =>
      port.on('message', (message: unknown) => {
        if (message !== END) {
          listener(message);
          return;
        }
        onEnd();
        port.close();
      }),
    serialize: ({ e, ...message }: { readonly e?: unknown }) =>
      e === undefined ? message : { ...message, thrown: thrown(e) },
    bind: 'functions',
    timeout: -1,
  });
  port.postMessage(READY);
}

function thrown(error: unknown): Thrown {
  return {
    failure: error instanceof AppError ? error.failure : null,
    stack: error instanceof Error ? (error.stack ?? error.message) : String(error),
  };
}
