import type { BrowserContext, Route } from 'playwright-core';
import type { Assets } from './assets.ts';
import { ORIGIN } from './chromium-launch.ts';
import { isOurOrigin, PAGE_HEADERS } from './page-policy.ts';

const BYTES = '/bytes/';
/** Where the page hands bytes over; the answer is `{ "id": … }`. */
const BYTES_IN = '/bytes/in';

/** Bytes that travel beside the calls. */
export interface Bytes {
  serveBytes(path: string): Promise<{ readonly type: string; readonly data: Uint8Array } | null>;
  acceptBytes(data: Uint8Array): string;
}

/** Answers every request of the browser from here; not one leaves this computer. */
export async function serveOrigin(
  context: BrowserContext,
  assets: Assets,
  bytes: Bytes,
): Promise<void> {
  await context.routeWebSocket('**', (socket) => socket.close());
  await context.route('**/*', async (route) => {
    const request = route.request();
    // `aborted` leaves the page where it is; other reasons put an error page in its place.
    if (!isOurOrigin(request.url(), ORIGIN)) return route.abort('aborted');
    const { pathname } = new URL(request.url());
    if (pathname === BYTES_IN && request.method() === 'POST') return takeBytes(route, bytes);
    if (request.method() !== 'GET') return fulfil(route, 405);
    const found = pathname.startsWith(BYTES)
      ? await bytes.serveBytes(pathname)
      : await assets.read(request.url());
    return found === null ? fulfil(route, 404) : fulfil(route, 200, found.type, found.data);
  });
}

async function takeBytes(route: Route, bytes: Bytes): Promise<void> {
  const id = bytes.acceptBytes(route.request().postDataBuffer() ?? new Uint8Array());
  await fulfil(route, 200, 'application/json', Buffer.from(JSON.stringify({ id })));
}

function fulfil(
  route: Route,
  status: number,
  type = 'text/plain',
  data: Uint8Array = new Uint8Array(),
): Promise<void> {
  const headers = { ...PAGE_HEADERS, 'content-type': type, 'cache-control': 'no-store' };
  return route.fulfill({ status, headers, body: Buffer.from(data) });
}
