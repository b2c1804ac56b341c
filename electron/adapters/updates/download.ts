import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../../../shared/errors.ts';
import { isSafe } from '../rest/http/address.ts';
import { createTransport } from '../rest/http/lazy-transport.ts';
import { DEFAULT_DEADLINES, type TransportPorts } from '../rest/http/transport.ts';
import { HOUR } from '../../../shared/rules/time/units.ts';

/**
 * Maximum duration of a download: enough for a hundred megabytes over a slow connection. A stalled
 * connection ends much sooner.
 */
const DOWNLOAD_MS = 4 * HOUR;

export interface WantedDownload {
  readonly url: URL;
  /** SHA-512 of the file, in Base64. */
  readonly sha512: string;
  /** `total` is null if the response does not state it. */
  readonly report: (bytes: number, total: number | null) => void;
  readonly signal: AbortSignal;
}

/**
 * Downloads `url` into `file` with the program's own transport: certificates are verified, and
 * redirects are not followed.
 * @throws AppError; 'update-sum' if the hash of the file is not the signed one
 */
export async function downloadRelease(
  ports: TransportPorts,
  file: string,
  wanted: WantedDownload,
): Promise<void> {
  const { url, sha512, report, signal } = wanted;
  const { origin, pathname, search, host, protocol } = url;
  if (!isSafe(url)) {
    throw new AppError(
      'invalid',
      'The address of the download is not secure (https), so nothing was downloaded',
      { reason: 'address-not-https' },
    );
  }
  const base = { origin, path: '', host, isSecure: protocol === 'https:' };
  const transport = createTransport(ports, base, { ...DEFAULT_DEADLINES, download: DOWNLOAD_MS });
  const route = 'updates.download';
  const path = `${pathname}${search}`;
  const request = { route, method: 'GET', origin, path, headers: {}, body: null } as const;
  await transport.read(request, 'download', signal, async (answer) => {
    if (answer.status !== 200) {
      answer.discard();
      throw new AppError(
        'not-found',
        `The update could not be downloaded (HTTP ${String(answer.status)})`,
        { reason: 'update-feed' },
      );
    }
    const sum = await saveChunks(answer.chunks(), file, (bytes) => report(bytes, answer.length));
    if (sum === sha512) return;
    throw new AppError(
      'service',
      'The downloaded file does not match the update feed, so it was removed',
      { reason: 'update-sum' },
    );
  });
}

/**
 * Writes the file from its beginning, even after an interrupted attempt. Returns the hash of the
 * file.
 */
async function saveChunks(
  chunks: AsyncIterable<Uint8Array>,
  file: string,
  report: (bytes: number) => void,
): Promise<string> {
  const hash = createHash('sha512');
  const stream = createWriteStream(file, { mode: 0o600 });
  let bytes = 0;
  async function* counted() {
    for await (const chunk of chunks) {
      hash.update(chunk);
      bytes += chunk.byteLength;
      report(bytes);
      yield chunk;
    }
  }
  await pipeline(counted(), stream);
  return hash.digest('base64');
}
