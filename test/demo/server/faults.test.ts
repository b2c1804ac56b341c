import { afterEach, describe, expect, it, vi } from 'vitest';
import type { FaultAction } from '../../../electron/demo/server/faults.ts';
import { agreement, create } from '../bodies.ts';
import { at, openDemo, type Client } from '../support.ts';

const post = (client: Client) => client.v1('POST', '/v1/agreements', { body: agreement });
const plant = (client: Client, action: FaultAction) =>
  client.demo.fault({ method: 'POST', path: /\/v1\/agreements$/, do: action });
const count = (client: Client) => client.demo.agreements.v1().length;

afterEach(() => vi.useRealTimers());

describe('configured faults', () => {
  it.each([
    ['before the request is carried out', 'reset-before', 0],
    ['after the request is carried out', 'reset-after', 1],
  ] as const)('break the connection %s', async (_, kind, agreements) => {
    const client = await openDemo();
    const fault = plant(client, { kind });
    await expect(post(client)).rejects.toThrow('fetch failed');
    expect(count(client)).toBe(agreements);
    expect(fault.hits()).toBe(1);
    expect(client.demo.requests.at(-1)).toMatchObject({ method: 'POST', status: 0 });
  });

  it('occur as often as configured, and stop once cleared', async () => {
    const client = await openDemo();
    const twice = client.demo.fault({ path: /agreements/, times: 2, do: { kind: 'unauthorized' } });
    expect((await post(client)).status).toBe(401);
    expect((await post(client)).status).toBe(401);
    expect((await post(client)).status).toBe(200);
    expect(twice.hits()).toBe(2);
    const always = client.demo.fault({ path: /./, times: Infinity, do: { kind: 'html' } });
    expect((await post(client)).text).toContain('<h1>');
    always.clear();
    expect((await post(client)).status).toBe(200);
  });

  it('do not affect other methods and paths', async () => {
    const client = await openDemo();
    const fault = plant(client, { kind: 'reset-before' });
    expect((await client.v1('GET', '/v1/agreements')).status).toBe(200);
    expect(fault.hits()).toBe(0);
  });

  it('commit late: the answer is lost and the agreement appears afterwards', async () => {
    const client = await openDemo();
    plant(client, { kind: 'late-commit', ms: 30 });
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    await expect(post(client)).rejects.toThrow('fetch failed');
    expect(count(client)).toBe(0);
    vi.advanceTimersByTime(30);
    vi.useRealTimers();
    await expect.poll(() => count(client)).toBe(1);
  });

  it('can leave a request unanswered, carried out or not', async () => {
    const client = await openDemo();
    const waitingFor = async (commits: boolean) => {
      plant(client, { kind: 'hang', commits });
      const patience = new AbortController();
      const url = `${client.demo.v1Url}/v1/agreements`;
      const headers = {
        authorization: `Token ${client.demo.credentials.token}`,
        'content-type': 'application/json',
      };
      const body = JSON.stringify(agreement);
      const asked = fetch(url, { method: 'POST', headers, body, signal: patience.signal });
      const seen = client.demo.requests.length;
      await expect.poll(() => client.demo.requests.length).toBe(seen + 1);
      patience.abort();
      await expect(asked).rejects.toThrow('abort');
    };
    await waitingFor(false);
    expect(count(client)).toBe(0);
    await waitingFor(true);
    expect(count(client)).toBe(1);
  });

  it('can delay a correct answer', async () => {
    const client = await openDemo();
    plant(client, { kind: 'delay', ms: 40 });
    const from = performance.now();
    expect((await post(client)).status).toBe(200);
    expect(performance.now() - from).toBeGreaterThan(35);
  });

  it('can answer with any status, body, type and headers', async () => {
    const client = await openDemo();
    plant(client, {
      kind: 'status',
      status: 429,
      headers: { 'Retry-After': '31' },
      body: '<p>Slow down',
      contentType: 'text/html',
    });
    const reply = await post(client);
    expect(reply.status).toBe(429);
    expect(reply.headers.get('retry-after')).toBe('31');
    expect(reply.headers.get('content-type')).toBe('text/html');
    plant(client, { kind: 'status', status: 502, body: '{}', commits: true });
    expect((await post(client)).status).toBe(502);
    expect(count(client)).toBe(1);
  });

  it('can cut JSON in half without announcing its length', async () => {
    const client = await openDemo();
    plant(client, { kind: 'cut-json' });
    await expect(post(client)).rejects.toThrow(SyntaxError);
    expect(count(client)).toBe(1);
  });

  it('can cut a download short of its announced length', async () => {
    const client = await openDemo();
    const id = await create(client);
    client.demo.act('v1', id, 'sign-all');
    client.demo.fault({ path: /download$/, do: { kind: 'cut-body', fraction: 0.5 } });
    const headers = { accept: 'application/pdf' };
    const path = `/v1/agreements/${id}/download`;
    await expect(client.v1('GET', path, { headers })).rejects.toThrow('terminated');
    expect((await client.v1('GET', path, { headers })).status).toBe(200);
  });

  it('can redirect', async () => {
    const client = await openDemo();
    plant(client, { kind: 'redirect', status: 307, location: 'http://127.0.0.1:9/' });
    const reply = await post(client);
    expect([reply.status, reply.headers.get('location')]).toEqual([307, 'http://127.0.0.1:9/']);
  });

  it('can change an answer without changing the service’s data', async () => {
    const client = await openDemo();
    const id = await create(client);
    client.demo.fault({
      path: /agreements/,
      do: {
        kind: 'mutate',
        change: (json) => {
          Reflect.set(Object(at(json, 'data')), 'state', 'HALF_SIGNED');
          return json;
        },
      },
    });
    const state = async () =>
      at((await client.v1('GET', `/v1/agreements/${id}`)).json, 'data', 'state');
    expect(await state()).toBe('HALF_SIGNED');
    expect(await state()).toBe('READY_TO_SIGN');
  });
});

describe('the request log', () => {
  it('keeps method, path, headers, a digest of the body and the status', async () => {
    const client = await openDemo();
    await post(client);
    expect(client.demo.requests).toEqual([
      expect.objectContaining({
        method: 'POST',
        url: '/api/v1/agreements',
        status: 200,
        at: client.clock.at,
        bodySha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        bodyBytes: Buffer.byteLength(JSON.stringify(agreement)),
        headers: expect.objectContaining({ 'content-type': 'application/json' }),
      }),
    ]);
  });
});

describe('faults of the answer alone', () => {
  it('break the connection while the request is carried out', async () => {
    const client = await openDemo();
    plant(client, { kind: 'reset-during' });
    await expect(post(client)).rejects.toThrow('fetch failed');
    await expect.poll(() => count(client)).toBe(1);
  });

  it('hold an answer back after the request is carried out', async () => {
    const client = await openDemo();
    plant(client, { kind: 'delay', ms: 60_000, when: 'after' });
    const patience = new AbortController();
    const url = `${client.demo.v1Url}/v1/agreements`;
    const { token } = client.demo.credentials;
    const headers = { authorization: `Token ${token}`, 'content-type': 'application/json' };
    const body = JSON.stringify(agreement);
    const asked = fetch(url, { method: 'POST', headers, body, signal: patience.signal });
    await expect.poll(() => count(client)).toBe(1);
    patience.abort();
    await expect(asked).rejects.toThrow('abort');
  });

  it('send an answer slowly but completely', async () => {
    const client = await openDemo();
    plant(client, { kind: 'drip', bytes: 40, everyMs: 1 });
    const reply = await post(client);
    expect(reply.status).toBe(200);
    expect(at(reply.json, 'data', 'title')).toBe(agreement.title);
  });

  it('announce too few bytes, and the client reads that many', async () => {
    const client = await openDemo();
    plant(client, { kind: 'wrong-length', by: -10 });
    await expect(post(client)).rejects.toThrow(/JSON/);
    expect(count(client)).toBe(1);
  });

  it('announce more bytes than they send', async () => {
    const client = await openDemo();
    plant(client, { kind: 'wrong-length', by: 10 });
    const { token } = client.demo.credentials;
    const reply = await fetch(`${client.demo.v1Url}/v1/agreements`, {
      method: 'POST',
      headers: { authorization: `Token ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(agreement),
    });
    const length = Number(reply.headers.get('content-length'));
    const reader = reply.body?.getReader();
    let read = 0;
    while (read < length - 10) read += (await reader?.read())?.value?.byteLength ?? length;
    expect(read).toBe(length - 10);
    await reader?.cancel();
  });

  it('give the correct body another type', async () => {
    const client = await openDemo();
    plant(client, { kind: 'wrong-type', contentType: 'text/html' });
    const reply = await post(client);
    expect(reply.headers.get('content-type')).toBe('text/html');
    expect(JSON.parse(reply.text)).toHaveProperty('data.id');
  });
});
