import { type MessagePort, parentPort } from 'node:worker_threads';
import { createBirpc } from 'birpc';
import { AppError } from '../../../shared/errors.ts';
import { handedOverIn, type Message } from './hand-over.ts';
import { END_MESSAGE, READY_MESSAGE, type ReportProgress, type ThrownError } from './messages.ts';

/** Functions by name. The method syntax allows narrower parameters. */
export type ServedFunctions = Readonly<Record<string, { of(...asked: unknown[]): unknown }['of']>>;

/**
 * Answers calls until the message END arrives; calls received before END are still answered.
 * @param onEnd closes the thread's resources
 * @returns a function that reports progress to the thread's owner
 */
export function serveThread(
  functions: ServedFunctions,
  onEnd: () => void = () => {},
): ReportProgress {
  const port = parentPort;
  if (port === null) throw new Error('This file is run as a thread');
  const underWay = new Set<Promise<unknown>>();
  createBirpc(trackCalls(functions, underWay), {
    post: (message: Message) => postMessageTo(port, message),
    on(listener) {
      port.on('message', (message: unknown) => {
        if (message === END_MESSAGE) void endThread(port, underWay, onEnd);
        else listener(message);
      });
    },
    serialize: ({ e, ...message }: { readonly e?: unknown }) =>
      e === undefined ? message : { ...message, thrown: toThrownError(e) },
    // Inherited properties of `Object` are not functions of the thread.
    resolver: (name, run) => (Object.hasOwn(functions, name) ? run : undefined),
    timeout: -1,
  });
  port.postMessage(READY_MESSAGE);
  return (...progress) => port.postMessage({ progress });
}

/** Sends a message; an answer that cannot be sent fails only its own call. */
function postMessageTo(port: MessagePort, message: Message): void {
  try {
    port.postMessage(message, handedOverIn(message));
  } catch (error) {
    port.postMessage({ ...message, r: undefined, thrown: toThrownError(error) });
  }
}

/** Wraps the functions, so that `underWay` contains the calls in flight. */
function trackCalls(functions: ServedFunctions, underWay: Set<Promise<unknown>>): ServedFunctions {
  const noted: Record<string, ServedFunctions[string]> = {};
  for (const [name, run] of Object.entries(functions)) {
    noted[name] = async (...asked) => {
      const answer = (async () => run(...asked))();
      underWay.add(answer);
      try {
        return await answer;
      } catch (error) {
        // A thrown value that is not an error, such as undefined, could look like no error at all.
        throw error instanceof Error ? error : new Error(String(error));
      } finally {
        underWay.delete(answer);
      }
    };
  }
  return noted;
}

async function endThread(
  port: MessagePort,
  underWay: ReadonlySet<Promise<unknown>>,
  onEnd: () => void,
): Promise<void> {
  await Promise.allSettled(underWay);
  // The last answer is posted before the callback of `setImmediate` runs.
  await new Promise((resolve) => setImmediate(resolve));
  onEnd();
  port.close();
}

function toThrownError(error: unknown): ThrownError {
  return {
    failure: error instanceof AppError ? error.failure : null,
    stack: error instanceof Error ? (error.stack ?? error.message) : String(error),
  };
}
