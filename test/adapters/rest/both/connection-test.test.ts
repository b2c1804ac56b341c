import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgreementService } from '../../../../electron/core/ports.ts';
import { startDemo, type Demo } from '../../../../electron/demo/start.ts';
import { rawAnswer, startRawServer } from '../../../support/raw-server.ts';
import { selfSigned } from '../../../support/self-signed.ts';
import { all, collect, createTestPorts, failureOf, neverStops, openV1, openV2 } from '../desk.ts';

let demo: Demo;

beforeAll(async () => {
  demo = await startDemo({ dataDir: null, seed: 'full', counterpartDelayMs: null });
});
afterAll(() => demo.close());

async function notes(service: AgreementService): Promise<string[]> {
  const steps = await collect(service.test(neverStops));
  return steps.map(({ step, ok, note }) => `${step} ${note} ${ok ? 'ok' : 'bad'}`);
}

const reached = ['address reached ok', 'tls tls-loopback ok'];

describe('the connection test', () => {
  it('runs every step of v1 with a single read request', async () => {
    const before = demo.requests.length;
    const steps = await collect(openV1(demo.v1Url).test(neverStops));
    expect(demo.requests.slice(before).map(({ method }) => method)).toEqual(['GET']);
    expect(steps.map(({ note }) => note)).toEqual([
      'reached',
      'tls-loopback',
      'accepted',
      'listed',
      'clock-ok',
    ]);
    // One demo agreement belongs to a colleague and is not shared with us.
    expect(steps.find(({ step }) => step === 'list')?.value).toBe(
      String((await all(openV1(demo.v1Url))).length),
    );
  });

  it('reports for v2 that a read request cannot check the user', async () => {
    const before = demo.requests.length;
    expect(await notes(openV2(demo.v2Url))).toEqual([
      ...reached,
      'credential accepted-user-unchecked ok',
      'list listed ok',
      'clock clock-ok ok',
    ]);
    expect(demo.requests.slice(before).map(({ method }) => method)).toEqual(['GET']);
  });

  it('passes for an empty account, for which v2 answers 404 (T2-01)', async () => {
    const empty = await startDemo({ dataDir: null, seed: 'none' });
    const both = [await notes(openV1(empty.v1Url)), await notes(openV2(empty.v2Url))];
    await empty.close();
    for (const steps of both) expect(steps).toContain('list listed-empty ok');
  });

  it('stops if the service does not know the API key', async () => {
    const refused = [...reached, 'credential refused bad'];
    expect(await notes(openV1(demo.v1Url, { token: 'wrong' }))).toEqual(refused);
    expect(await notes(openV2(demo.v2Url, { key: 'wrong' }))).toEqual(refused);
  });

  it('trims text pasted around an API key (T2-07)', async () => {
    const { token, accessKey } = demo.credentials;
    const v1 = openV1(demo.v1Url, { token: ` Token ${token}\r\n` });
    const v2 = openV2(demo.v2Url, { key: `\u00a0${accessKey}\n`, accountId: ' 1001\t' });
    expect(await notes(v1)).toContain('credential accepted ok');
    expect(await notes(v2)).toContain('credential accepted-user-unchecked ok');
  });

  it.each([
    ['a login page', rawAnswer('200 OK', 'text/html', '<title>Log in</title>')],
    ['a missing page', rawAnswer('404 Not Found', 'text/html', '<h1>404</h1>')],
    ['another API', rawAnswer('200 OK', 'application/json', '{"hello":"world"}')],
    ['another API without this path', rawAnswer('404 No', 'application/json', '{"error":"x"}')],
  ])('reports that an address with %s is not this service', async (_name, reply) => {
    const server = await startRawServer(() => reply);
    const steps = await notes(openV1(server.origin));
    await server.close();
    expect(steps).toEqual([...reached, 'list not-this-service bad']);
  });

  it('recognises a v2 address entered for v1, and a v1 address entered for v2', async () => {
    const swapped = demo.v2Url.replace(/\/v2$/, '');
    expect(await notes(openV1(swapped))).toContain('list not-this-service bad');
    expect(await notes(openV2(demo.v1Url.replace(/\/api$/, '/v2')))).toContain(
      'list not-this-service bad',
    );
  });

  it('does not report a wrong address if the service fails', async () => {
    const fault = demo.fault({ path: /./, times: 9, do: { kind: 'status', status: 503 } });
    const steps = await notes(openV1(demo.v1Url));
    fault.clear();
    expect(steps).toEqual([...reached, 'list list-failed bad']);
  });

  it('stops when the server does not answer or is not trusted', async () => {
    const server = await startRawServer(() => 'reset', selfSigned());
    expect(await notes(openV1(server.origin))).toEqual([
      'address reached ok',
      'tls tls-failed bad',
    ]);
    await server.close();
    expect(await notes(openV1(server.origin))).toEqual(['address not-reached bad']);
  });

  it('reports a clock that is more than five minutes wrong', async () => {
    const at = (offset: number) => ({ ports: createTestPorts(() => Date.now() + offset) });
    expect(await notes(openV1(demo.v1Url, at(6 * 60_000)))).toContain('clock clock-differs bad');
    expect(await notes(openV1(demo.v1Url, at(-6 * 60_000)))).toContain('clock clock-differs bad');
    expect(await notes(openV1(demo.v1Url, at(4 * 60_000)))).toContain('clock clock-ok ok');
  });

  it('can be cancelled without reporting a failed step', async () => {
    const test = openV1(demo.v1Url).test(AbortSignal.abort());
    expect((await failureOf(collect(test))).code).toBe('cancelled');
  });
});
