import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { decodeText } from '../../../../electron/adapters/rest/http/charset.ts';
import { all, collect, failureOf, neverStops, openV1, REF } from '../desk.ts';
import { draftV1, onePage } from '../drafts.ts';

let server: Server | null = null;
afterEach(() => server?.close());

/** Starts a service that answers each connection with exactly these bytes; returns its address. */
async function answering(...answer: readonly (string | Uint8Array)[]): Promise<string> {
  const bytes = Buffer.concat(answer.map((part) => Buffer.from(part)));
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(bytes));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

const OK = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const BODY = '{"data":[]}';
const CHUNKED = `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;

describe('an answer that breaks the rules of HTTP', () => {
  it.each([
    [
      'a length before chunks',
      `${OK}Content-Length: 11\r\nTransfer-Encoding: chunked\r\n\r\n${CHUNKED}`,
    ],
    [
      'a length after chunks',
      `${OK}Transfer-Encoding: chunked\r\nContent-Length: 11\r\n\r\n${CHUNKED}`,
    ],
    ['two lengths', `${OK}Content-Length: 11\r\nContent-Length: 12\r\n\r\n${BODY}`],
    ['a length that is not a number', `${OK}Content-Length: eleven\r\n\r\n${BODY}`],
    ['a header without a name', `${OK}: 11\r\n\r\n${BODY}`],
  ])(
    'by %s is reported as an invalid answer, not as a missing answer (IN-H-both)',
    async (_, answer) => {
      const service = openV1(await answering(answer));
      const broken = { code: 'service', reason: 'answer-broken' };
      expect(await failureOf(all(service))).toMatchObject(broken);
      const [address, , list] = await collect(service.test(neverStops));
      expect(address).toMatchObject({ note: 'reached', ok: true });
      expect(list).toMatchObject({ note: 'list-failed', ok: false, failure: broken });
      const request = service.encodeCreate(draftV1(), await onePage(), REF);
      expect(await service.create(request, neverStops)).toMatchObject({ kind: 'unknown' });
    },
  );

  it.each(['SSH-2.0-OpenSSH\r\n', '<html></html>'])(
    'with %j is not accepted as an answer of the service (IN-H-both)',
    async (answer) => {
      const service = openV1(await answering(answer));
      expect(await failureOf(all(service))).toMatchObject({ reason: 'not-json' });
    },
  );
});

describe('JSON in any charset', () => {
  const latin1 = Buffer.from('{"name":"Åsa Öberg"}', 'latin1');
  const utf8 = Buffer.from('{"name":"Åsa Öberg"}');
  it.each([
    ['in ISO-8859-1, as declared', latin1, 'application/json;charset=iso-8859-1'],
    ['in ISO-8859-1, as declared in quotes', latin1, 'application/json; charset="iso-8859-1"'],
    ['in UTF-8, though declared as ISO-8859-1', utf8, 'application/json;charset=iso-8859-1'],
    ['in UTF-8 without a declaration', utf8, 'application/json'],
    [
      'in UTF-8 after a BOM',
      Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), utf8]),
      'application/json',
    ],
    [
      'in UTF-16, as declared',
      Buffer.from('{"name":"Åsa Öberg"}', 'utf16le'),
      'application/json;charset=utf-16',
    ],
  ])('keeps its accented letters %s (IN-H-latin1)', (_, bytes, type) => {
    expect(decodeText('r', bytes, type, 'strict')).toBe('{"name":"Åsa Öberg"}');
  });

  it.each([
    ['is in ISO-8859-1 without a declaration', 'application/json'],
    ['is in ISO-8859-1 but declares UTF-8', 'application/json;charset=utf-8'],
    ['declares an unknown charset', 'application/json;charset=x-odd'],
  ])('is rejected when it %s (IN-H-latin1)', async (_, type) => {
    const head = `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: ${String(latin1.length)}\r\n\r\n`;
    const service = openV1(await answering(head, latin1));
    const failure = await failureOf(all(service));
    expect(failure).toMatchObject({ code: 'service', reason: 'answer-mismatch' });
    expect(failure.message).toMatch(/character set|characters/);
  });

  it('confirms a send by a title with accented letters (IN-H-latin1)', async () => {
    const reply = { data: { id: REF, title: 'Hyresavtal Östergatan' } };
    const body = Buffer.from(JSON.stringify(reply), 'latin1');
    const type = 'application/json;charset=ISO-8859-1';
    const head = `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: ${String(body.length)}\r\n\r\n`;
    const service = openV1(await answering(head, body));
    const request = service.encodeCreate(draftV1(), await onePage(), REF);
    expect(await service.create(request, neverStops)).toMatchObject({ kind: 'done' });
  });

  it('is still read as a rejection, with question marks for invalid characters (IN-H-latin1)', async () => {
    const body = Buffer.from('{"errors":[{"detail":"Åsa saknas"}]}', 'latin1');
    const head = `HTTP/1.1 422 No\r\nContent-Type: application/json\r\nContent-Length: ${String(body.length)}\r\n\r\n`;
    const service = openV1(await answering(head, body));
    const request = service.encodeCreate(draftV1(), await onePage(), REF);
    expect(await service.create(request, neverStops)).toMatchObject({
      kind: 'refused',
      failure: { said: '\uFFFDsa saknas' },
    });
  });
});
