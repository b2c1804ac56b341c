import type { Assets } from './assets.ts';
import { isOurOrigin, PAGE_HEADERS } from './page-policy.ts';

/** Where the page lives in Electron. */
export const WINDOW_ORIGIN = 'desk://app';

const BYTES = '/bytes/';
/** Where the page hands bytes over; the answer is `{ "id": … }`. */
const BYTES_IN = '/bytes/in';

/** The bytes of the desk that travel beside the calls. */
export interface WindowBytes {
  serveBytes(path: string): Promise<{ readonly type: string; readonly data: Uint8Array } | null>;
  acceptBytes(data: Uint8Array): string;
}

/** Answers one request of the page; nothing outside the page's folder and the desk's bytes is given. */
export async function answerPage(
  request: Request,
  assets: Assets,
  bytes: WindowBytes,
): Promise<Response> {
  if (!isOurOrigin(request.url, WINDOW_ORIGIN)) return respond(403);
  const { pathname } = new URL(request.url);
  if (pathname === BYTES_IN && request.method === 'POST') {
    const id = bytes.acceptBytes(new Uint8Array(await request.arrayBuffer()));
    return respond(200, 'application/json', JSON.stringify({ id }));
  }
  if (request.method !== 'GET') return respond(405);
  if (pathname.startsWith(BYTES)) {
    const found = await bytes.serveBytes(pathname);
    return found === null ? respond(404) : respond(200, found.type, found.data);
  }
  const asset = await assets.read(request.url);
  return asset === null ? respond(404) : respond(200, asset.contentType, asset.body);
}

function respond(
  status: number,
  contentType = 'text/plain',
  body: Uint8Array | string | null = null,
): Response {
  const headers = { ...PAGE_HEADERS, 'content-type': contentType, 'cache-control': 'no-store' };
  // A copy in memory of its own: what the desk holds is not handed to another thread.
  return new Response(typeof body === 'string' || body === null ? body : new Uint8Array(body), {
    status,
    headers,
  });
}
