import { subscribe } from 'node:diagnostics_channel';

/*
 * Whether a request left this computer can be told in one way only: undici says so on a channel,
 * right before it writes the first byte. Error codes cannot tell: a connection reset before and
 * after the service acted looks the same.
 */

const watched = new WeakMap<object, () => void>();
let beginning: (() => void) | null = null;

subscribe('undici:request:create', (message) => {
  const request = requestOf(message);
  if (request === null || beginning === null) return;
  watched.set(request, beginning);
  // What the connection itself asks for on the way, such as a proxy's CONNECT, is not the request.
  beginning = null;
});

subscribe('undici:client:sendHeaders', (message) => {
  const request = requestOf(message);
  if (request !== null) watched.get(request)?.();
});

/** Starts one request, synchronously, and runs `left` when its first byte is about to go out. */
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
