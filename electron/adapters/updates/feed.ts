import { verify } from 'node:crypto';
import * as z from 'zod';
import { AppError, type ErrorReason } from '../../../shared/errors.ts';
import type { SignedRelease, UpdateSource } from '../../core/updates/ports.ts';
import { type BaseAddress, isSafe } from '../rest/http/address.ts';
import type { Answer } from '../rest/http/answer.ts';
import { answerTooLargeError } from '../rest/http/failures.ts';
import { createTransport } from '../rest/http/lazy-transport.ts';
import type { Transport, TransportPorts } from '../rest/http/transport.ts';
import { bareKey, fingerprintOf, readKey } from './key.ts';

/** Operating system and processor, with the names that `process` uses. */
export interface UpdateTarget {
  readonly platform: string;
  readonly arch: string;
}

/** Maximum size of a feed (bytes), which has a few lines for each file. */
const MAX_BYTES = 64 * 1024;

/** Format of a feed of electron-builder, reduced to the fields that are used. */
const Feed = z.object({
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  files: z
    .array(
      z.object({
        url: z.string().min(1),
        sha512: z.base64().length(88),
        size: z.number().int().positive().optional(),
        isAdminRightsRequired: z.boolean().optional(),
      }),
    )
    .min(1),
  releaseNotes: z.string().nullish(),
});

/** Reads feeds over https with the program's own transport, which does not follow redirects. */
export function createUpdateSource(
  ports: TransportPorts,
  target: UpdateTarget = process,
): UpdateSource {
  return {
    check({ url, key, daily }) {
      const { origin, path } = folderOf(url);
      readKey(key);
      return { url: `${origin}${path}`, key: bareKey(key), daily };
    },
    async read({ url, key }, signal) {
      const base = folderOf(url);
      const transport = createTransport(ports, base);
      const name = feedName(target);
      const file = await fetchBytes(transport, base, name, signal);
      const signature = (await fetchBytes(transport, base, `${name}.sig`, signal)).toString();
      if (!verify(null, file, readKey(key), Buffer.from(signature.trim(), 'base64'))) {
        throw new AppError(
          'service',
          'The update feed is not signed with the key that is set here, so nothing was downloaded',
          { reason: 'update-signature' },
        );
      }
      const release = await releaseOf(file.toString(), `${base.origin}${base.path}/`, target);
      return { ...release, fingerprint: fingerprintOf(key) };
    },
  };
}

/** Returns the name that electron-builder uses for the feed of a system. */
function feedName({ platform, arch }: UpdateTarget): string {
  if (platform === 'win32') return 'latest.yml';
  if (platform === 'darwin') return 'latest-mac.yml';
  return arch === 'x64' ? 'latest-linux.yml' : `latest-linux-${arch}.yml`;
}

/**
 * Parses the address of the folder of a feed.
 * @throws AppError 'invalid' for `url`.
 */
function folderOf(text: string): BaseAddress {
  const url = URL.parse(text.trim());
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw wrongFeedError('address-invalid', 'is not a web address');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw wrongFeedError('address-invalid', 'must not contain a user name, a query or a fragment');
  }
  if (!isSafe(url)) throw wrongFeedError('address-not-https', 'must begin with https://');
  const { origin, pathname, host, protocol } = url;
  const segments = pathname.split('/').filter((segment) => segment !== '');
  const path = segments.map((segment) => `/${segment}`).join('');
  return { origin, path, host, isSecure: protocol === 'https:' };
}

function wrongFeedError(reason: ErrorReason, sentence: string): AppError {
  const message = `The address ${sentence}`;
  return new AppError('invalid', message, { reason, fields: { url: message } });
}

function fetchBytes(
  transport: Transport,
  { origin, path }: BaseAddress,
  name: string,
  signal: AbortSignal,
): Promise<Buffer> {
  const route = 'updates.feed';
  const request = {
    route,
    method: 'GET',
    origin,
    path: `${path}/${name}`,
    headers: { 'cache-control': 'no-cache' },
    body: null,
  } as const;
  return transport.read(request, 'read', signal, async (answer) => {
    if (answer.status === 200) return readBytes(route, answer);
    answer.discard();
    const said = `The file ${name} of the update feed could not be read (HTTP ${String(answer.status)})`;
    if (answer.status >= 500) throw new AppError('service', said);
    if (answer.status >= 300 && answer.status < 400) {
      throw new AppError('service', said, { reason: 'redirected' });
    }
    throw feedNotFoundError(said);
  });
}

/** Returns the bytes of the body as they were signed, without decoding them. */
async function readBytes(route: string, answer: Answer): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.chunks()) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw answerTooLargeError(route);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function feedNotFoundError(message: string): AppError {
  return new AppError('not-found', message, { reason: 'update-feed' });
}

async function releaseOf(
  text: string,
  address: string,
  target: UpdateTarget,
): Promise<Omit<SignedRelease, 'fingerprint'>> {
  const { version, files, releaseNotes } = await parseFeed(text, address);
  return {
    version,
    size: sizeFor(files, target),
    notes: noteAddress(releaseNotes ?? ''),
    address,
    files,
  };
}

async function parseFeed(text: string, address: string): Promise<z.infer<typeof Feed>> {
  // Loaded on first use: only a check for updates needs it.
  const { parseUpdateInfo } = await import('electron-updater/out/providers/Provider.js');
  try {
    return Feed.parse(parseUpdateInfo(text, 'the feed', new URL(address)));
  } catch {
    throw feedNotFoundError('The file at the address is not an update feed');
  }
}

/** Extension of the file to install on each system. */
const EXTENSION_BY_PLATFORM: Readonly<Record<string, string>> = { win32: '.exe', darwin: '.zip' };

function sizeFor(files: SignedRelease['files'], { platform, arch }: UpdateTarget): number | null {
  const ending = EXTENSION_BY_PLATFORM[platform] ?? '.AppImage';
  const fitting = files.filter(({ url }) => url.endsWith(ending));
  const own = fitting.find(({ url }) => url.includes('arm64') === (arch === 'arm64'));
  return (own ?? fitting[0])?.size ?? null;
}

/**
 * Returns an address in the notes, or null. Other texts of a feed are not shown: others write them,
 * in one language.
 */
function noteAddress(text: string): string | null {
  const url = URL.parse(text.trim());
  return url?.protocol === 'https:' ? url.href : null;
}
