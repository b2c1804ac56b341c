import { createServer, type Server } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actionsV1, id, neverStops } from '../adapters/rest/desk.ts';
import { TIMEOUT_MS, settings } from './runs.ts';

const AGREEMENT = id('7d6a0c52-3f0e-4b8c-9f0a-1d2e3f4a5b6c');
const REFUSED = { errors: [{ status: '412', code: 'PRECONDITION_FAILED', title: 'Changed' }] };

/**
 * Text between the quotes of an ETag (RFC 9110, 8.8.3), weak or strong, with commas and
 * backslashes.
 */
const opaque = fc.string({
  unit: fc
    .integer({ min: 0x21, max: 0x7e })
    .filter((code) => code !== 0x22)
    .map((code) => String.fromCharCode(code)),
  maxLength: 80,
});
const etag = fc
  .tuple(fc.boolean(), opaque)
  .map(([isWeak, text]) => `${isWeak ? 'W/' : ''}"${text}"`);

describe('the ETag of the version that a person saw', () => {
  let server: Server;
  let url = '';
  let asked: { readonly method: string; readonly match: string | undefined }[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push({ method: request.method ?? '', match: request.headers['if-match'] });
      request.resume();
      response.writeHead(412, { 'content-type': 'application/json' });
      response.end(JSON.stringify(REFUSED));
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    url = `http://127.0.0.1:${String(port)}`;
  });
  afterAll(() => new Promise<void>((resolve) => void server.close(() => resolve())));

  it(
    'is sent unchanged with the change, once, and a refused change has no effect (TE-P17)',
    async () => {
      const actions = actionsV1(url);
      await fc.assert(
        fc.asyncProperty(etag, async (seen) => {
          asked = [];
          const change = { expiresAt: Date.UTC(2027, 0, 1) };
          const result = await actions.change(AGREEMENT, change, seen, neverStops);
          expect(result.kind).toBe('changed');
          const writes = asked.filter(({ method }) => method !== 'GET');
          expect(writes.map(({ match }) => match)).toEqual([seen]);
          // The current version is read without a condition on the version seen.
          const reads = asked.filter(({ method }) => method === 'GET');
          expect(reads.every(({ match }) => match === undefined)).toBe(true);
        }),
        settings,
      );
    },
    TIMEOUT_MS,
  );
});
