import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_DEADLINES } from '../../../../electron/adapters/rest/http/transport.ts';
import { startDemo, type Demo, type DemoOptions } from '../../../../electron/demo/start.ts';
import { rawAnswer, startRawServer } from '../../../support/raw-server.ts';
import { selfSigned } from '../../../support/self-signed.ts';
import {
  SHORT,
  collect,
  createTestPorts,
  failureOf,
  id,
  neverStops,
  openV1,
  pagesOf,
} from '../desk.ts';

const options: DemoOptions = { dataDir: null, seed: 'none' };
const LIST = /agreements\?/;
let demo: Demo;

beforeAll(async () => {
  demo = await startDemo(options);
});
afterAll(() => demo.close());

async function listRaw(reply: string, deadlines = SHORT) {
  const server = await startRawServer(() => reply);
  const failure = await failureOf(pagesOf(openV1(server.origin, { deadlines })));
  await server.close();
  return { failure, connections: server.received.length };
}

describe('a read request', () => {
  it.each([
    ['a reset', { kind: 'reset-before' }],
    ['503', { kind: 'status', status: 503 }],
    ['half of the JSON', { kind: 'cut-json' }],
    ['a broken body', { kind: 'cut-body', fraction: 0.5 }],
  ] as const)('is tried at most three times after %s', async (_name, action) => {
    const ports = createTestPorts();
    const two = demo.fault({ path: LIST, times: 2, do: action });
    await pagesOf(openV1(demo.v1Url, { ports }));
    expect(two.hits()).toBe(2);
    expect(ports.waits).toEqual([250, 500]);
    const more = demo.fault({ path: LIST, times: 9, do: action });
    const failure = await failureOf(pagesOf(openV1(demo.v1Url)));
    more.clear();
    expect(more.hits()).toBe(3);
    expect(['service', 'offline']).toContain(failure.code);
  });

  it('waits before a retry as long as the service requires, or at least half a step (T1-09)', async () => {
    const now = Math.floor(Date.now() / 1000) * 1000;
    const ports = createTestPorts(() => now);
    const limited = (headers: Readonly<Record<string, string>>) =>
      demo.fault({ path: LIST, do: { kind: 'status', status: 429, headers } });
    limited({ 'Retry-After': '3' });
    limited({ 'Retry-After': new Date(now + 2000).toUTCString() });
    await pagesOf(openV1(demo.v1Url, { ports }));
    limited({});
    limited({ 'Retry-After': 'soon' });
    await pagesOf(openV1(demo.v1Url, { ports }));
    expect(ports.waits).toEqual([3000, 2000, 375, 750]);
  });

  it('waits at most ten seconds before a retry; otherwise it reports when to try again (T1-09)', async () => {
    const now = Math.floor(Date.now() / 1000) * 1000;
    const ports = createTestPorts(() => now);
    const headers = { 'Retry-After': '10000000' };
    const fault = demo.fault({
      path: LIST,
      times: 9,
      do: { kind: 'status', status: 429, headers },
    });
    const failure = await failureOf(pagesOf(openV1(demo.v1Url, { ports })));
    fault.clear();
    expect(failure).toMatchObject({ code: 'limited', retryAt: now + 1e10 });
    expect(fault.hits()).toBe(1);
  });

  it.each([
    ['a login page', { kind: 'html' }, { code: 'service', reason: 'not-json' }],
    [
      'a plain text',
      { kind: 'status', status: 200, body: 'Hi', contentType: 'text/plain' },
      { code: 'service', reason: 'not-json' },
    ],
    [
      'plain words declared as JSON',
      { kind: 'status', status: 200, body: 'Hi' },
      { code: 'service', reason: 'not-json' },
    ],
    ['half of the JSON', { kind: 'cut-json' }, { code: 'service', reason: 'cut-answer' }],
    [
      'a broken body',
      { kind: 'cut-body', fraction: 0.9 },
      { code: 'service', reason: 'cut-answer' },
    ],
    [
      'JSON of another structure',
      { kind: 'mutate', change: () => ({ data: {} }) },
      { code: 'service', reason: 'answer-mismatch' },
    ],
    [
      'another success status',
      { kind: 'status', status: 202, body: '{}' },
      { code: 'service', reason: 'answer-mismatch' },
    ],
    [
      'a redirect',
      { kind: 'redirect', status: 302, location: '/api/v1/agreements' },
      { code: 'service', reason: 'redirected' },
    ],
    ['silence', { kind: 'hang' }, { code: 'offline', reason: 'timed-out' }],
    ['401', { kind: 'unauthorized' }, { code: 'signed-out', reason: 'credential-refused' }],
    [
      '500',
      { kind: 'status', status: 500, body: 'x', contentType: 'text/html' },
      { code: 'service' },
    ],
    ['400', { kind: 'status', status: 400, body: '{"message":"No"}' }, { code: 'invalid' }],
  ] as const)('that gets %s fails with a specific error', async (_name, action, expected) => {
    const fault = demo.fault({ path: LIST, times: 9, do: action });
    const failure = await failureOf(pagesOf(openV1(demo.v1Url, { deadlines: SHORT })));
    fault.clear();
    expect(failure).toMatchObject(expected);
    expect(failure.message).toMatch(/^v1\.agreements\.list: /);
    expect(failure.message).not.toContain('[object');
  });

  it('fails with a specific error if the server does not use HTTP', async () => {
    const { failure, connections } = await listRaw('SSH-2.0-OpenSSH_9.6\r\n\r\n');
    expect(failure).toMatchObject({ code: 'service', reason: 'not-json' });
    expect(connections).toBe(1);
  });

  it('is ended if its answer is endless', async () => {
    const head = rawAnswer('200 OK', 'application/json', '');
    const endless = head.replace(
      /Content-Length: 0/,
      `Content-Length: ${String(40 * 1024 * 1024)}`,
    );
    // The size of the answer must end the read, not a timeout on a busy computer.
    const { failure } = await listRaw(endless + ' '.repeat(33 * 1024 * 1024), DEFAULT_DEADLINES);
    expect(failure).toMatchObject({ code: 'service', reason: 'too-large' });
  });

  it('stops immediately when cancelled, also while it waits for a retry', async () => {
    const stop = new AbortController();
    const ports = createTestPorts();
    const clock = {
      ...ports.clock,
      after: () => {
        stop.abort();
        return () => undefined;
      },
    };
    demo.fault({ path: LIST, do: { kind: 'status', status: 503 } });
    const service = openV1(demo.v1Url, { ports: { ...ports, clock } });
    const failure = await failureOf(collect(service.changes(null, stop.signal)));
    expect(failure.code).toBe('cancelled');
  });
});

describe('an unreachable service', () => {
  const read = (url: string) =>
    failureOf(openV1(url, { deadlines: SHORT }).read(id('x'), neverStops));

  it('is reported by cause: no listener, unknown host, no trust', async () => {
    const closed = await startRawServer(() => 'reset');
    await closed.close();
    expect(await read(closed.origin)).toMatchObject({ reason: 'connection-refused' });
    const unknown = openV1('https://signing-desk-test.invalid').read(id('x'), neverStops);
    expect(await failureOf(unknown)).toMatchObject({ code: 'offline', reason: 'host-unknown' });
    const untrusted = await startRawServer(() => 'reset', selfSigned());
    expect(await read(untrusted.origin)).toMatchObject({ code: 'service', reason: 'tls' });
    await untrusted.close();
    expect(untrusted.received.join('')).toBe('');
  });

  it('stays untrusted even when Node is set not to check certificates (TX-54)', async () => {
    const untrusted = await startRawServer(() => 'reset', selfSigned());
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      expect(await read(untrusted.origin)).toMatchObject({ code: 'service', reason: 'tls' });
    } finally {
      if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
      await untrusted.close();
    }
    expect(untrusted.received.join('')).toBe('');
  });
});
