import { AppError } from '../../../../shared/errors.ts';
import { redact, redactTruncated } from '../../../../shared/rules/text/mask.ts';
import type { Download } from '../../../core/ports.ts';
import { isSafe } from './address.ts';
import type { Answer } from './answer.ts';
import { requestFor, type RequestOptions, type Client } from './client.ts';
import type { FileEndpoint, LinkEndpoint } from './endpoint.ts';
import { replyMismatchError } from './failures.ts';
import { parseReply, readRefusal } from './json-answer.ts';

/**
 * Opens a file sent by the API itself.
 * @throws AppError; 'not-a-pdf' if the answer has another type
 */
export function openFile(
  client: Client,
  entry: FileEndpoint,
  ask: RequestOptions,
): Promise<Download> {
  const request = requestFor(client, entry, ask, null);
  return client.transport.read(request, 'download', ask.signal, async (answer) => {
    if (answer.status !== entry.success) {
      throw (await readRefusal(entry.name, answer, client)).failure;
    }
    if (canBeOfType(entry.file, answer.type)) return downloadOf(answer);
    const sample = await beginningOf(answer);
    throw new AppError('service', `${entry.name}: not ${entry.file}`, {
      reason: 'not-a-pdf',
      sample,
    });
  });
}

/**
 * Opens a file behind a presigned link: a separate request without the credential, since the link
 * itself grants access. An expired link is requested again.
 * @throws AppError
 */
export async function openLinkedFile(
  client: Client,
  entry: LinkEndpoint,
  ask: RequestOptions,
): Promise<Download> {
  for (let tries = 1; tries <= MAX_LINKS; tries += 1) {
    const link = await askForLink(client, entry, ask);
    const opened = await openLink(client, entry, link, ask.signal);
    if (opened !== 'expired') return opened;
  }
  throw new AppError('service', `${entry.name}: all download links had expired`);
}

/**
 * Maximum number of links that are requested: a wrong clock on a server makes every new link
 * expired.
 */
const MAX_LINKS = 3;
/**
 * Length of the sample of a wrong answer (bytes): enough for support to distinguish a login page
 * from an error.
 */
const SAMPLE_BYTES = 1024;
/** Types that say nothing about the content; the bytes are checked when they are saved. */
const UNSPECIFIC_TYPE = /^(?:application\/octet-stream|binary\/octet-stream|)(?:;|$)/;

function canBeOfType(wanted: string, type: string): boolean {
  return type.startsWith(wanted) || UNSPECIFIC_TYPE.test(type);
}

/** Returns the first kilobyte as redacted text; the rest is not read. */
async function beginningOf(answer: Answer): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  let isCut = true;
  try {
    for await (const chunk of answer.chunks()) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > SAMPLE_BYTES) break;
    }
    isCut = bytes > SAMPLE_BYTES;
  } catch {
    // The answer is rejected anyway; the part received so far is enough.
  }
  answer.discard();
  const text = Buffer.concat(chunks).subarray(0, SAMPLE_BYTES).toString('utf8');
  return (isCut ? redactTruncated : redact)(text);
}

/** Requests a link, which must not be logged, shown or stored. */
async function askForLink(client: Client, entry: LinkEndpoint, ask: RequestOptions): Promise<URL> {
  const request = requestFor(client, entry, ask, null);
  const link = await client.transport.read(request, 'read', ask.signal, async (answer) => {
    if (answer.status !== entry.success) {
      throw (await readRefusal(entry.name, answer, client)).failure;
    }
    const location = answer.header('location');
    if (location === null) {
      return parseReply(entry.name, entry.link, answer.type, await answer.text());
    }
    answer.discard();
    return location;
  });
  const url = URL.parse(link, `${client.base.origin}${request.path}`);
  if (url === null || !isSafe(url) || url.username !== '' || url.password !== '') {
    throw replyMismatchError(entry.name, 'the link must not be opened');
  }
  return url;
}

function openLink(
  { transport }: Client,
  entry: LinkEndpoint,
  url: URL,
  signal: AbortSignal,
): Promise<Download | 'expired'> {
  const { origin, pathname, search } = url;
  const route = `${entry.name}.file`;
  const request = {
    route,
    method: entry.method,
    origin,
    path: `${pathname}${search}`,
    headers: {},
    body: null,
  };
  return transport.read(request, 'link', signal, async (answer) => {
    if (answer.status === 200) return downloadOf(answer);
    answer.discard();
    if (answer.status === 403) return 'expired';
    const said = `${route}: HTTP ${String(answer.status)}`;
    if (answer.status === 404) throw new AppError('not-found', said);
    const isRedirect = answer.status >= 300 && answer.status < 400;
    throw new AppError('service', said, isRedirect ? { reason: 'redirected' } : {});
  });
}

function downloadOf(answer: Answer): Download {
  return { chunks: answer.chunks(), bytes: answer.length };
}
