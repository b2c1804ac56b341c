import { AppError } from '../../../shared/errors.ts';
import type { Download } from '../../core/ports.ts';
import { isSafe } from './address.ts';
import type { Answer } from './answer.ts';
import { requestFor, type Ask, type Client } from './client.ts';
import type { FileEndpoint, LinkEndpoint } from './endpoint.ts';
import { mismatch } from './failures.ts';
import { parseReply, readRefusal } from './json-answer.ts';

/**
 * Opens a file the API itself sends.
 * @throws AppError; 'not-a-pdf' when it says that it is something else
 */
export function openFile(client: Client, entry: FileEndpoint, ask: Ask): Promise<Download> {
  const request = requestFor(client, entry, ask, null);
  return client.transport.read(request, 'download', ask.signal, async (answer) => {
    if (answer.status !== entry.success) {
      throw (await readRefusal(entry.name, answer, client)).failure;
    }
    if (answer.type.startsWith(entry.file)) return downloadOf(answer);
    answer.discard();
    throw new AppError('service', `${entry.name}: not ${entry.file}`, { reason: 'not-a-pdf' });
  });
}

/**
 * Opens a file behind a presigned link: a request of its own that carries no credential, since the
 * link is one. A link that has run out already is asked for once more.
 * @throws AppError
 */
export async function openLinkedFile(
  client: Client,
  entry: LinkEndpoint,
  ask: Ask,
): Promise<Download> {
  const first = await openLink(client, entry, await askForLink(client, entry, ask), ask.signal);
  if (first !== 'expired') return first;
  const second = await openLink(client, entry, await askForLink(client, entry, ask), ask.signal);
  if (second !== 'expired') return second;
  throw new AppError('service', `${entry.name}: the link had run out twice`);
}

/** The link must not be logged, shown or kept. */
async function askForLink(client: Client, entry: LinkEndpoint, ask: Ask): Promise<URL> {
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
    throw mismatch(entry.name, 'the link is not one that may be opened');
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
  return transport.read(request, 'download', signal, async (answer) => {
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
