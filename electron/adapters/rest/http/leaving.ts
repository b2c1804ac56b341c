import { subscribe } from 'node:diagnostics_channel';

/*
 * Uses undici's diagnostics channel, which reports a request right before its first byte is
 * written, to detect whether the request left this computer. Error codes cannot show this: a
 * connection that was reset before the service acted looks the same as one reset afterwards.
 */

const leavingByRequest = new WeakMap<object, () => void>();
let pendingLeaving: (() => void) | null = null;

subscribe('undici:request:create', (message) => {
  const request = requestOf(message);
  if (request === null || pendingLeaving === null) return;
  leavingByRequest.set(request, pendingLeaving);
  // Requests of the connection itself, such as a proxy's CONNECT, do not count.
  pendingLeaving = null;
});

subscribe('undici:client:sendHeaders', (message) => {
  const request = requestOf(message);
  if (request !== null) leavingByRequest.get(request)?.();
});

/** Starts one request synchronously, and calls `left` right before its first byte is sent. */
export function watchLeaving<Started>(start: () => Started, left: () => void): Started {
  pendingLeaving = left;
  try {
    return start();
  } finally {
    pendingLeaving = null;
  }
}

function requestOf(message: unknown): object | null {
  if (typeof message !== 'object' || message === null || !('request' in message)) return null;
  const { request } = message;
  return typeof request === 'object' ? request : null;
}
