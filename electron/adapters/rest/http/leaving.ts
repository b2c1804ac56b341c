import { subscribe } from 'node:diagnostics_channel';

/*
 * Detects whether a request left this computer by undici's diagnostics channel, which reports it
 * right before the first byte is written. Error codes cannot tell: a connection reset before or
 * after the service acted looks the same.
 */

const watched = new WeakMap<object, () => void>();
let beginning: (() => void) | null = null;

subscribe('undici:request:create', (message) => {
  const request = requestOf(message);
  if (request === null || beginning === null) return;
  watched.set(request, beginning);
  // Requests of the connection itself, such as a proxy's CONNECT, do not count.
  beginning = null;
});

subscribe('undici:client:sendHeaders', (message) => {
  const request = requestOf(message);
  if (request !== null) watched.get(request)?.();
});

/** Starts one request synchronously, and calls `left` right before its first byte is sent. */
export function watchLeaving<Started>(start: () => Started, left: () => void): Started {
  beginning = left;
  try {
    return start();
  } finally {
    beginning = null;
  }
}

function requestOf(message: unknown): object | null {
  if (typeof message !== 'object' || message === null || !('request' in message)) return null;
  const { request } = message;
  return typeof request === 'object' ? request : null;
}
