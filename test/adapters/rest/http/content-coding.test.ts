import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { Download } from '../../../../electron/core/ports.ts';
import { all, collect, failureOf, id, neverStops, openV1, openV2, REF } from '../desk.ts';
import { draftV1, onePage } from '../drafts.ts';

let server: Server | null = null;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

interface CodedAnswer {
  readonly coding: string;
  readonly body: Uint8Array;
  readonly type?: string;
  readonly status?: number;
}

/** Starts a service with one answer to every request; returns its address and received headers. */
async function answering({ coding, body, type = 'application/json', status = 200 }: CodedAnswer) {
  const asked: (string | undefined)[] = [];
  server = createServer((request, response) => {
    request.resume();
    asked.push(request.headers['accept-encoding'] as string | undefined);
    const length = String(body.byteLength);
    response.writeHead(status, {
      'Content-Type': type,
      'Content-Encoding': coding,
      'Content-Length': length,
    });
    response.end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, asked };
}

const EMPTY_LIST = Buffer.from(
  JSON.stringify({ data: [], meta: { pageNumber: 1, totalPages: 0, totalRecords: 0 } }),
);
const PDF = Buffer.from(`%PDF-1.4\n${'signed '.repeat(5000)}\n%%EOF`);
/** Compresses at a fast level; the best level is slow. */
const brotli = (data: Uint8Array) =>
  brotliCompressSync(data, { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } });
const bytesOf = async ({ chunks }: Download) => Buffer.concat(await collect(chunks));

const CODINGS = [
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', brotliCompressSync],
  ['gzip, br', (data: Uint8Array) => brotliCompressSync(gzipSync(data))],
  ['GZIP', gzipSync],
  ['identity', (data: Uint8Array) => Buffer.from(data)],
] as const;

describe('an answer that the service compresses without a request to do so', () => {
  it.each(CODINGS)('is read as JSON when its coding is %s (IN-F9)', async (coding, encode) => {
    const { url, asked } = await answering({ coding, body: encode(EMPTY_LIST) });
    expect(await all(openV1(url))).toEqual([]);
    expect(new Set(asked)).toEqual(new Set(['identity']));
  });

  it.each(CODINGS)(
    'is saved as the PDF that it contains when its coding is %s (IN-H-gzip)',
    async (coding, encode) => {
      const body = encode(PDF);
      const { url } = await answering({ coding, body, type: 'application/pdf' });
      for (const service of [openV1(url), openV2(`${url}/v2`)]) {
        const download = await service.download(id('1'), neverStops);
        expect(download.bytes).toBe(coding === 'identity' ? body.byteLength : null);
        expect((await bytesOf(download)).equals(PDF)).toBe(true);
      }
    },
  );

  it('is read as the rejection that it contains (IN-F9)', async () => {
    const body = gzipSync(JSON.stringify({ errors: [{ detail: 'No such right' }] }));
    const { url } = await answering({ coding: 'gzip', body, status: 403 });
    const service = openV1(url);
    const sent = await service.create(
      service.encodeCreate(draftV1(), await onePage(), REF),
      neverStops,
    );
    expect(sent).toMatchObject({ kind: 'refused', failure: { said: 'No such right' } });
  });

  it.each(['zstd', 'compress', 'aes128gcm', 'gzip, gzip, gzip'])(
    'is reported with its unsupported coding %s, and leaves a send of unknown outcome (IN-F9)',
    async (coding) => {
      const { url } = await answering({ coding, body: gzipSync(EMPTY_LIST) });
      const service = openV1(url);
      const unreadable = { code: 'service', reason: 'answer-encoded' };
      expect(await failureOf(all(service))).toMatchObject(unreadable);
      const request = service.encodeCreate(draftV1(), await onePage(), REF);
      const sent = await service.create(request, neverStops);
      expect(sent).toMatchObject({ kind: 'unknown', failure: unreadable });
      const [address, , list] = await collect(service.test(neverStops));
      expect(address).toMatchObject({ ok: true, note: 'reached' });
      expect(list).toMatchObject({ ok: false, note: 'list-failed', failure: unreadable });
    },
  );

  it.each([
    ['ends early', gzipSync(EMPTY_LIST).subarray(0, 30)],
    ['is damaged', Buffer.from(gzipSync(PDF).map((byte, at) => (at > 12 ? byte ^ 0x55 : byte)))],
    ['is not gzip', EMPTY_LIST],
  ])('is rejected as incomplete when its gzip data %s (IN-F9)', async (_, body) => {
    const { url } = await answering({ coding: 'gzip', body });
    expect(await failureOf(all(openV1(url)))).toMatchObject({ reason: 'cut-answer' });
  });

  it('may have no body at all (IN-F9)', async () => {
    const { url } = await answering({
      coding: 'gzip',
      body: Buffer.alloc(0),
      type: 'application/pdf',
    });
    expect((await bytesOf(await openV1(url).download(id('1'), neverStops))).byteLength).toBe(0);
  });

  it.each([
    ['gzip', gzipSync],
    ['br', brotli],
    ['br, br', (data: Uint8Array) => brotli(brotli(data))],
  ] as const)('is abandoned when it expands without limit: %s (IN-F9)', async (coding, encode) => {
    const body = encode(Buffer.alloc(80 * 1024 * 1024));
    expect(body.byteLength).toBeLessThan(1024 * 1024);
    const { url } = await answering({ coding, body, type: 'application/pdf' });
    const download = await openV1(url).download(id('1'), neverStops);
    let bytes = 0;
    const reading = (async () => {
      for await (const chunk of download.chunks) bytes += chunk.byteLength;
    })();
    expect(await failureOf(reading)).toMatchObject({ reason: 'too-large' });
    expect(bytes).toBeLessThan(51 * 1024 * 1024);
    const json = await answering({ coding, body });
    expect(await failureOf(all(openV1(json.url)))).toMatchObject({ reason: 'too-large' });
  });

  it('is read when its coding is a transfer coding (IN-F9)', async () => {
    const packed = gzipSync(EMPTY_LIST).toString('latin1');
    const chunked = `${packed.length.toString(16)}\r\n${packed}\r\n0\r\n\r\n`;
    const head =
      'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: gzip, chunked';
    const service = createServer();
    server = service;
    service.on('connection', (socket) => {
      socket.removeAllListeners('data');
      socket.on('data', () => socket.end(Buffer.from(`${head}\r\n\r\n${chunked}`, 'latin1')));
    });
    service.listen(0, '127.0.0.1');
    await once(service, 'listening');
    const { port } = service.address() as AddressInfo;
    expect(await all(openV1(`http://127.0.0.1:${String(port)}`))).toEqual([]);
  });
});
