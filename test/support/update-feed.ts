import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Issued } from './self-signed.ts';

/** Kind of fault in an answer. */
type Spoil = 'cut' | 'stall' | 'redirect' | 'missing';

interface Published {
  readonly version: string;
  /** Downloaded file. */
  readonly file?: Uint8Array;
  readonly fileName?: string;
  readonly notes?: string | undefined;
}

export interface FeedServer {
  readonly address: string;
  readonly port: number;
  /** Base64 of the public key in DER, as a PEM file has it. */
  readonly key: string;
  /** Requested paths, in order. */
  readonly asked: readonly string[];
  /** Publishes a release, signed. */
  publish(release: Published): void;
  /** Sets the fault of a feed file or the download; null clears it. */
  spoil(path: string, how: Spoil | null): void;
  /** Published files, which tests may change. */
  readonly files: Map<string, Uint8Array>;
  /** Ends a stalled answer. */
  finish(path: string): void;
  /** Resolves at the next request of this path. */
  next(path: string): Promise<void>;
}

/** Public key of another office. */
export const someKey = (): string => keys().publicKey;

function keys() {
  const pair = generateKeyPairSync('ed25519');
  const publicKey = pair.publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  return { publicKey, privateKey: pair.privateKey };
}

/** Names of the feed files on all platforms. */
const NAMES = ['latest.yml', 'latest-mac.yml', 'latest-linux.yml', 'latest-linux-arm64.yml'];

export const FILE_NAME = 'signing-desk-9.9.9-linux-x86_64.AppImage';

/**
 * An office's web server folder: feeds, signatures and files. With a `host`, it uses TLS with that
 * certificate, and a proxy connects the name to `port`.
 */
export async function startFeed(host?: Issued & { readonly name: string }): Promise<FeedServer> {
  const { publicKey, privateKey } = keys();
  const files = new Map<string, Uint8Array>();
  const spoilt = new Map<string, Spoil>();
  const asked: string[] = [];
  const waiting = new Map<string, () => void>();
  const stalled = new Map<string, () => void>();
  const listener: RequestListener = (request, response) => {
    const path = (request.url ?? '').replace(/^\/updates\//, '');
    asked.push(path);
    waiting.get(path)?.();
    waiting.delete(path);
    const rest = answer(response, files.get(path), spoilt.get(path));
    if (rest !== undefined) stalled.set(path, () => response.end(rest));
  };
  const server = host === undefined ? createServer(listener) : createTlsServer(host, listener);
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    address:
      host === undefined ? `http://127.0.0.1:${port}/updates` : `https://${host.name}/updates`,
    port,
    key: publicKey,
    asked,
    files,
    publish({ version, file = Buffer.from('new'), fileName = FILE_NAME, notes }) {
      const feed = Buffer.from(feedText({ version, file, fileName, notes }));
      const signature = sign(null, feed, privateKey).toString('base64');
      for (const name of NAMES) {
        files.set(name, feed);
        files.set(`${name}.sig`, Buffer.from(`${signature}\n`));
      }
      files.set(fileName, file);
    },
    spoil(path, how) {
      if (how === null) spoilt.delete(path);
      else spoilt.set(path, how);
    },
    finish: (path) => stalled.get(path)?.(),
    next: (path) => new Promise((resolve) => void waiting.set(path, resolve)),
  };
}

/** Sends the rest of a stalled answer. */
function answer(
  response: ServerResponse,
  file: Uint8Array | undefined,
  spoil?: Spoil,
): Uint8Array | undefined {
  if (file === undefined || spoil === 'missing') {
    response.writeHead(404).end();
    return undefined;
  }
  if (spoil === 'redirect') {
    response.writeHead(302, { location: 'https://elsewhere.example/' }).end();
    return undefined;
  }
  response.writeHead(200, { 'content-length': file.byteLength });
  if (spoil === undefined) {
    response.end(file);
    return undefined;
  }
  const half = Math.ceil(file.byteLength / 2);
  response.write(file.subarray(0, half), () => {
    if (spoil === 'cut') response.destroy();
  });
  return spoil === 'stall' ? file.subarray(half) : undefined;
}

/** Text of a feed file in the form in which electron-builder writes it. */
function feedText({ version, file = Buffer.of(), fileName, notes }: Published): string {
  const sha512 = createHash('sha512').update(file).digest('base64');
  return `version: ${version}
files:
  - url: ${fileName ?? ''}
    sha512: ${sha512}
    size: ${file.byteLength}
    blockMapSize: 1234
path: ${fileName ?? ''}
sha512: ${sha512}
${notes === undefined ? '' : `releaseNotes: ${notes}\n`}releaseDate: '2026-11-20T10:00:00.000Z'
`;
}
