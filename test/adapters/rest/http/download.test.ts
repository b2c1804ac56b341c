import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Download } from '../../../../electron/core/ports.ts';
import { startDemo, type Demo } from '../../../../electron/demo/start.ts';
import { rawAnswer, startRawServer } from '../../../support/raw-server.ts';
import {
  all,
  collect,
  createTestPorts,
  failureOf,
  id,
  neverStops,
  openV1,
  openV2,
} from '../desk.ts';

const ATTACHMENT = /attachments\/[^/]+\/download$/;
let demo: Demo;

beforeAll(async () => {
  demo = await startDemo({ dataDir: null, seed: 'full', counterpartDelayMs: null });
});
afterAll(() => demo.close());

const bytesOf = async ({ chunks }: Download) => Buffer.concat(await collect(chunks));
const inState = (state: string) =>
  id(demo.agreements.v1().find((one) => one.state === state)?.id ?? '');

/** Returns an attachment of a demo agreement. */
async function anAttachment() {
  const one = (await all(openV1(demo.v1Url))).find(({ documents }) => documents?.length !== 0);
  return { agreement: id(one?.id ?? ''), attachment: one?.documents?.[0]?.id ?? '' };
}

describe('downloading a concluded agreement', () => {
  it('returns the bytes of the requested PDF (T1-88)', async () => {
    const download = await openV1(demo.v1Url).download(inState('SIGNED_BY_ALL'), neverStops);
    const bytes = await bytesOf(download);
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect(bytes.byteLength).toBe(download.bytes);
    expect(demo.requests.at(-1)?.headers['accept']).toBe('application/pdf');
  });

  it('returns the bytes of the PDF on v2', async () => {
    const closed = demo.agreements.v2().find(({ status }) => status === 'SIGNED_BY_ALL');
    const download = await openV2(demo.v2Url).download(
      id(closed?.referenceNumber ?? ''),
      neverStops,
    );
    expect((await bytesOf(download)).subarray(0, 5).toString()).toBe('%PDF-');
  });

  it('returns the current state of an open agreement of v2 (T2-69)', async () => {
    const open = demo.agreements.v2().find(({ status }) => status === 'POSTED');
    const download = await openV2(demo.v2Url).download(id(open?.referenceNumber ?? ''), neverStops);
    expect((await bytesOf(download)).subarray(0, 5).toString()).toBe('%PDF-');
  });

  it('fails before everyone has signed (T1-85)', async () => {
    const failure = await failureOf(openV1(demo.v1Url).download(inState('SIGNED'), neverStops));
    expect(failure).toMatchObject({ code: 'conflict', reason: 'not-concluded' });
  });

  it('does not accept an answer with another type as a PDF (T1-86)', async () => {
    for (const contentType of ['application/json', 'text/html']) {
      demo.fault({
        path: /download$/,
        do: { kind: 'status', status: 200, contentType, body: '{"errors":[]}' },
      });
      const call = openV1(demo.v1Url).download(inState('SIGNED_BY_ALL'), neverStops);
      expect(await failureOf(call)).toMatchObject({ code: 'service', reason: 'not-a-pdf' });
    }
  });

  it('fails if bytes are missing at the end of the PDF (T1-86)', async () => {
    demo.fault({ path: /download$/, do: { kind: 'cut-body', fraction: 0.5 } });
    const download = await openV1(demo.v1Url).download(inState('SIGNED_BY_ALL'), neverStops);
    expect(await failureOf(bytesOf(download))).toMatchObject({
      code: 'service',
      reason: 'cut-answer',
    });
  });

  it('stops immediately when cancelled', async () => {
    const stop = new AbortController();
    const server = await startRawServer(
      () =>
        'HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\nContent-Length: 100000\r\n\r\n%PDF-',
    );
    const download = await openV1(server.origin).download(id('x'), stop.signal);
    const reading = failureOf(bytesOf(download));
    stop.abort();
    expect((await reading).code).toBe('cancelled');
    await server.close();
  });
});

describe('downloading an attachment of v1', () => {
  it('requests the content from the link without an API key (T1-87)', async () => {
    const { agreement, attachment } = await anAttachment();
    const ports = createTestPorts();
    const service = openV1(demo.v1Url, { ports });
    const download = await service.downloadDocument(agreement, attachment, neverStops);
    expect((await bytesOf(download)).byteLength).toBe(download.bytes);
    const { headers, url } = demo.requests.at(-1) ?? { headers: {}, url: '' };
    expect(url).toMatch(/^\/storage\//);
    expect(Object.keys(headers).sort()).toEqual(['accept-encoding', 'connection', 'host']);
    expect(JSON.stringify(ports.logged)).not.toContain(url);
  });

  it('accepts a file of any type, and requests no type (T1-88)', async () => {
    const { agreement, attachment } = await anAttachment();
    const file = await startRawServer(() => rawAnswer('200 OK', 'image/png', 'picture'));
    const headers = { Location: `${file.origin}/a.png` };
    demo.fault({ path: ATTACHMENT, do: { kind: 'status', status: 303, headers } });
    const download = await openV1(demo.v1Url).downloadDocument(agreement, attachment, neverStops);
    expect((await bytesOf(download)).toString()).toBe('picture');
    await file.close();
    expect(file.received[0]).not.toMatch(/^accept:/im);
  });

  it('reads the link from the body when there is no Location (T1-87)', async () => {
    const { agreement, attachment } = await anAttachment();
    const file = await startRawServer(() => rawAnswer('200 OK', 'text/plain', 'file'));
    for (const body of [
      { downloadLink: `${file.origin}/a` },
      { data: { downloadLink: `${file.origin}/b` } },
    ]) {
      const say = { kind: 'status', status: 303, body: JSON.stringify(body) } as const;
      demo.fault({ path: ATTACHMENT, do: say });
      const service = openV1(demo.v1Url);
      const download = await service.downloadDocument(agreement, attachment, neverStops);
      expect((await bytesOf(download)).toString()).toBe('file');
    }
    await file.close();
  });

  it('fails when there is no link (T1-87)', async () => {
    const { agreement, attachment } = await anAttachment();
    demo.fault({ path: ATTACHMENT, do: { kind: 'status', status: 303, body: '{}' } });
    const call = openV1(demo.v1Url).downloadDocument(agreement, attachment, neverStops);
    expect(await failureOf(call)).toMatchObject({ code: 'service', reason: 'answer-mismatch' });
  });

  it('requests a new link if the link has expired, a limited number of times (T1-87)', async () => {
    const { agreement, attachment } = await anAttachment();
    const expired = { kind: 'status', status: 403, body: '<Error/>' } as const;
    const once = demo.fault({ path: /^\/storage\//, do: expired });
    const service = openV1(demo.v1Url);
    const download = await service.downloadDocument(agreement, attachment, neverStops);
    expect((await bytesOf(download)).byteLength).toBeGreaterThan(0);
    expect(once.hits()).toBe(1);
    const always = demo.fault({ path: /^\/storage\//, times: 9, do: expired });
    const before = demo.requests.length;
    await failureOf(service.downloadDocument(agreement, attachment, neverStops));
    always.clear();
    expect(always.hits()).toBe(3);
    expect(demo.requests.slice(before).filter(({ url }) => ATTACHMENT.test(url))).toHaveLength(3);
  });

  it.each(['http://files.example.com/x', 'https://u:p@files.example.com/', 'file:///etc/passwd'])(
    'does not open the link %s (T1-87)',
    async (location) => {
      const { agreement, attachment } = await anAttachment();
      demo.fault({ path: ATTACHMENT, do: { kind: 'redirect', status: 303, location } });
      const failure = await failureOf(
        openV1(demo.v1Url).downloadDocument(agreement, attachment, neverStops),
      );
      expect(failure).toMatchObject({ code: 'service', reason: 'answer-mismatch' });
      expect(failure.message).not.toContain('example.com');
    },
  );

  it('does not follow redirects of the storage (T1-87)', async () => {
    const { agreement, attachment } = await anAttachment();
    const other = await startRawServer(() => rawAnswer('200 OK', 'text/plain', 'file'));
    demo.fault({
      path: /^\/storage\//,
      do: { kind: 'redirect', status: 302, location: other.origin },
    });
    const call = openV1(demo.v1Url).downloadDocument(agreement, attachment, neverStops);
    expect(await failureOf(call)).toMatchObject({ code: 'service', reason: 'redirected' });
    await other.close();
    expect(other.received).toHaveLength(0);
  });

  it('is not offered on v2', async () => {
    const failure = await failureOf(openV2(demo.v2Url).downloadDocument(id('1'), '2', neverStops));
    expect(failure.code).toBe('invalid');
  });
});
