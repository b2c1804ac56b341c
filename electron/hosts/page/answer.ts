import { isCode } from '../../../shared/errors.ts';
import type { Assets } from './assets.ts';
import { isOurOrigin, PAGE_HEADERS } from './policy.ts';

const BYTES_PATH = '/bytes/';
/** Path to which the page sends bytes; the answer is `{ "id": … }`. */
const BYTES_UPLOAD_PATH = '/bytes/in';

/** Bytes that are transferred separately from the calls. */
export interface ByteTransfers {
  serveBytes(path: string): Promise<{ readonly type: string; readonly data: Uint8Array } | null>;
  acceptBytes(data: Uint8Array): string;
}

/** Content of a private origin: the page's files, and the desk's bytes. */
export interface Origin {
  /** Scheme and host, such as `desk://app`. */
  readonly address: string;
  readonly assets: Assets;
  readonly bytes: ByteTransfers;
}

/** A request of the page, however the host receives it. */
interface PageRequest {
  readonly method: string;
  /** Address as the page wrote it. */
  readonly url: string;
  body(): Promise<Uint8Array>;
}

interface PageAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/**
 * Answers one request: 403 outside the origin, 404 for a path that is neither a file of the page
 * nor transferred bytes, 405 for another method, 413 for an upload that is too large.
 */
export async function answerPage(request: PageRequest, origin: Origin): Promise<PageAnswer> {
  const { method, url } = request;
  if (!isOurOrigin(url, origin.address)) return createPageAnswer(403);
  const { pathname } = new URL(url);
  if (pathname === BYTES_UPLOAD_PATH && method === 'POST') {
    return acceptUpload(await request.body(), origin.bytes);
  }
  if (method !== 'GET') return createPageAnswer(405);
  const found = pathname.startsWith(BYTES_PATH)
    ? await origin.bytes.serveBytes(pathname)
    : await origin.assets.read(url);
  return found === null ? createPageAnswer(404) : createPageAnswer(200, found.type, found.data);
}

function acceptUpload(data: Uint8Array, bytes: ByteTransfers): PageAnswer {
  try {
    const id = bytes.acceptBytes(data);
    return createPageAnswer(200, 'application/json', Buffer.from(JSON.stringify({ id })));
  } catch (error) {
    if (isCode(error, 'invalid')) return createPageAnswer(413);
    throw error;
  }
}

function createPageAnswer(
  status: number,
  type = 'text/plain',
  body: Uint8Array = new Uint8Array(),
): PageAnswer {
  const headers = { ...PAGE_HEADERS, 'content-type': type, 'cache-control': 'no-store' };
  return { status, headers, body };
}
