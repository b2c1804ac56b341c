import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgreementService, WriteResult } from '../../../../electron/core/ports.ts';
import { startDemo, type Demo } from '../../../../electron/demo/start.ts';
import { rawAnswer, startRawServer, type RawReply } from '../../../support/raw-server.ts';
import { selfSigned } from '../../../support/self-signed.ts';
import { DEFAULT_DEADLINES } from '../../../../electron/adapters/rest/http/transport.ts';
import { REF, SHORT, createTestPorts, id, neverStops, openV1, openV2, seen } from '../desk.ts';
import { draftV1, draftV2, onePage } from '../drafts.ts';
import { sendV1 } from '../sent.ts';

const body = '{"data":{"id":"x"}}';
const JSON_TYPE = 'application/json';
const whole = rawAnswer('200 OK', JSON_TYPE, body);
const CREATE = /\/agreements$/;
let demo: Demo;

beforeAll(async () => {
  demo = await startDemo({ dataDir: null, seed: 'none', counterpartDelayMs: null });
});
afterAll(() => demo.close());

const apis = [
  {
    api: 'v1',
    open: (deadlines = DEFAULT_DEADLINES) => openV1(demo.v1Url, { deadlines }),
    draft: draftV1(),
  },
  {
    api: 'v2',
    open: (deadlines = DEFAULT_DEADLINES) => openV2(demo.v2Url, { deadlines }),
    draft: draftV2(),
  },
] as const;

async function create(service: AgreementService, draft = draftV1()): Promise<WriteResult> {
  return service.create(service.encodeCreate(draft, await onePage(), REF), neverStops);
}

const count = (api: 'v1' | 'v2') => demo.agreements[api]().length;

describe.each(apis)('a create request on $api', ({ api, open, draft }) => {
  it('is done if the answer confirms it, with 200 and not 201 (T1-04)', async () => {
    const before = count(api);
    const result = await create(open(), draft);
    expect(result.kind).toBe('done');
    const ids =
      api === 'v1'
        ? demo.agreements.v1().map((one) => one.id)
        : demo.agreements.v2().map(({ referenceNumber }) => referenceNumber);
    expect(ids).toContain(result.kind === 'done' ? result.remoteId : '');
    expect(result.kind === 'done' ? result.serverTime : 0).toBeGreaterThan(0);
    expect(count(api)).toBe(before + 1);
  });

  it('has an unknown outcome if its answer is lost, and is sent only once (T1-60)', async () => {
    const before = count(api);
    const sent = demo.requests.length;
    const fault = demo.fault({
      method: 'POST',
      path: CREATE,
      times: 9,
      do: { kind: 'reset-after' },
    });
    const service = open();
    const result = await create(service, draft);
    fault.clear();
    expect(result).toMatchObject({ kind: 'unknown', failure: { code: 'offline' } });
    expect(fault.hits()).toBe(1);
    expect(demo.requests.length - sent).toBe(1);
    expect(service.requestCount()).toBe(1);
    expect(count(api)).toBe(before + 1);
  });

  it.each([
    ['a reset before anything happened', { kind: 'reset-before' }],
    ['no answer', { kind: 'hang', commits: true }],
    ['a page instead of JSON', { kind: 'html', commits: true }],
    ['half of the JSON', { kind: 'cut-json' }],
    ['a broken body', { kind: 'cut-body', fraction: 0.5 }],
    ['a redirect', { kind: 'redirect', status: 307, location: 'https://elsewhere.example.com/' }],
    ['an answer without an ID', { kind: 'mutate', change: () => ({}) }],
    [
      'an answer about another agreement',
      {
        kind: 'mutate',
        change: () => ({
          data: { id: 'other', title: 'Other' },
          referenceNumber: 'other',
          name: 'Other',
        }),
      },
    ],
  ] as const)('has an unknown outcome after %s', async (_name, action) => {
    const fault = demo.fault({ method: 'POST', path: CREATE, times: 9, do: action });
    const result = await create(open(SHORT), draft);
    fault.clear();
    expect(result.kind).toBe('unknown');
    expect(fault.hits()).toBe(1);
  });

  it.each([201, 202, 204, 301, 302, 303, 308, 408, 409, 425, 500, 502, 503, 504, 520])(
    'has an unknown outcome after status %i, even with a text of the API (T1-09)',
    async (status) => {
      const body = '{"errors":[{"title":"x"}],"message":"x"}';
      const fault = demo.fault({
        method: 'POST',
        path: CREATE,
        times: 9,
        do: { kind: 'status', status, body, headers: { 'Retry-After': '0' } },
      });
      const result = await create(open(), draft);
      fault.clear();
      expect(result.kind).toBe('unknown');
      expect(fault.hits()).toBe(1);
    },
  );

  it.each([400, 403, 404, 405, 413, 414, 415, 422])(
    'is rejected by status %i in JSON, but has an unknown outcome if a gateway answers (T1-08)',
    async (status) => {
      const said = { method: 'POST', path: CREATE } as const;
      demo.fault({ ...said, do: { kind: 'status', status, body: '{"message":"No"}' } });
      expect((await create(open(), draft)).kind).toBe('refused');
      demo.fault({
        ...said,
        do: { kind: 'status', status, contentType: 'text/html', body: '<title>No</title>' },
      });
      expect((await create(open(), draft)).kind).toBe('unknown');
      demo.fault({ ...said, do: { kind: 'status', status, body: '' } });
      expect((await create(open(), draft)).kind).toBe('unknown');
    },
  );

  it('is rejected by status 401 and 429, with the time to wait (T1-07)', async () => {
    demo.fault({ method: 'POST', path: CREATE, do: { kind: 'unauthorized' } });
    expect(await create(open(), draft)).toMatchObject({
      kind: 'turned-away',
      failure: { code: 'signed-out', reason: 'credential-refused' },
    });
    demo.fault({
      method: 'POST',
      path: CREATE,
      do: { kind: 'status', status: 429, headers: { 'Retry-After': '120' } },
    });
    const limited = await create(open(), draft);
    expect(limited).toMatchObject({ kind: 'turned-away', failure: { code: 'limited' } });
    const { failure } = limited.kind === 'turned-away' ? limited : { failure: null };
    expect((failure?.retryAt ?? 0) - Date.now()).toBeGreaterThan(100_000);
  });

  it('is not sent if it was cancelled before', async () => {
    const service = open();
    const body = service.encodeCreate(draft, await onePage(), REF);
    const result = await service.create(body, AbortSignal.abort());
    expect(result).toMatchObject({ kind: 'not-sent', failure: { code: 'cancelled' } });
    expect(service.requestCount()).toBe(0);
  });

  it('has an unknown outcome if it is cancelled during sending', async () => {
    const stop = new AbortController();
    demo.fault({ method: 'POST', path: CREATE, do: { kind: 'hang' } });
    const service = open();
    const body = service.encodeCreate(draft, await onePage(), REF);
    const sending = service.create(body, stop.signal);
    await expect.poll(() => service.requestCount()).toBe(1);
    stop.abort();
    expect(await sending).toMatchObject({ kind: 'unknown', failure: { code: 'cancelled' } });
  });

  it('sends exactly the bytes that were stored for it', async () => {
    const service = open();
    const body = service.encodeCreate(draft, await onePage(), REF);
    await service.create(body, neverStops);
    const digest = await crypto.subtle.digest('SHA-256', Buffer.from(body));
    expect(demo.requests.at(-1)?.bodySha256).toBe(Buffer.from(digest).toString('hex'));
    expect(demo.requests.at(-1)?.headers['content-type']).toBe(JSON_TYPE);
    expect(demo.requests.at(-1)?.headers['connection']).toBe('close');
  });
});

describe('a create request that cannot reach the service', () => {
  it('was not sent when no server listens', async () => {
    const server = await startRawServer(() => 'reset');
    await server.close();
    const result = await create(openV1(server.origin));
    expect(result).toMatchObject({
      kind: 'not-sent',
      failure: { code: 'offline', reason: 'connection-refused' },
    });
  });

  it('was not sent when the host has no address', async () => {
    const result = await create(openV1('https://signing-desk-test.invalid'));
    expect(result).toMatchObject({
      kind: 'not-sent',
      failure: { code: 'offline', reason: 'host-unknown' },
    });
  });

  it('was not sent when there is no trusted connection', async () => {
    const server = await startRawServer(() => whole, selfSigned());
    const results = [
      await create(openV1(server.origin)),
      await create(openV1(demo.v1Url.replace('http:', 'https:'))),
    ];
    await server.close();
    for (const result of results) {
      expect(result).toMatchObject({
        kind: 'not-sent',
        failure: { code: 'service', reason: 'tls' },
      });
    }
    expect(server.received.join('')).toBe('');
  });
});

describe('a create request with an invalid HTTP answer', () => {
  const answers: readonly (readonly [string, RawReply])[] = [
    ['garbage', 'I am not HTTP\r\n\r\n'],
    ['an empty body', rawAnswer('200 OK', JSON_TYPE, '')],
    ['another content type', rawAnswer('200 OK', 'text/plain', body)],
    ['a length too large', whole.replace(/Length: \d+/, 'Length: 999')],
    ['a length too small', whole.replace(/Length: \d+/, 'Length: 9')],
    [
      'a broken chunk',
      `HTTP/1.1 200 OK\r\nContent-Type: ${JSON_TYPE}\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n`,
    ],
    ['only the status 100 Continue', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['a connection closed without an answer', ''],
  ];

  it.each(answers)('has an unknown outcome after %s', async (_name, reply) => {
    const server = await startRawServer(() => reply);
    const result = await create(openV1(server.origin, { deadlines: SHORT }));
    await server.close();
    expect(result.kind).toBe('unknown');
    expect(server.received).toHaveLength(1);
  });

  it('is done if the answer has the ID but not the title', async () => {
    const server = await startRawServer(() => whole);
    const result = await create(openV1(server.origin));
    await server.close();
    expect(result).toMatchObject({ kind: 'done', remoteId: 'x', serverTime: null });
  });
});

describe('a rejection by the service', () => {
  it('names the fields of a v1 draft (T1-08)', async () => {
    const result = await create(openV1(demo.v1Url), draftV1({ title: '' }));
    expect(result).toMatchObject({
      kind: 'refused',
      failure: { code: 'invalid', fields: { title: expect.any(String) as string } },
    });
  });

  it('names the fields of a v2 draft (T2-05)', async () => {
    const draft = draftV2({ parties: { privates: [{ email: 'nobody' }], companies: [] } });
    const result = await create(openV2(demo.v2Url), draft);
    expect(result).toMatchObject({
      kind: 'refused',
      failure: {
        code: 'invalid',
        fields: { 'parties.privates.0.email': expect.any(String) as string },
      },
    });
  });

  it('is reported without API keys and personal numbers, even when the service quotes them', async () => {
    const { token } = demo.credentials;
    const body = JSON.stringify({ message: `Token ${token} may not name 198507099805` });
    demo.fault({ method: 'POST', path: CREATE, do: { kind: 'status', status: 400, body } });
    const ports = createTestPorts();
    const result = await create(openV1(demo.v1Url, { ports }));
    const output = JSON.stringify([result, ports.logged]);
    expect(output).toContain('may not name');
    expect(output).not.toContain(token);
    expect(output).not.toContain('198507099805');
  });
});

describe('the acting user of v2', () => {
  it('is sent with a create request and a signature, and is required for a create request', async () => {
    const service = openV2(demo.v2Url);
    const created = await create(service, draftV2());
    expect(demo.requests.at(-1)?.headers['accountid']).toBe(demo.credentials.accountId);
    expect(created.kind).toBe('done');
    const nobody = openV2(demo.v2Url, { accountId: null });
    const before = demo.requests.length;
    expect(await create(nobody, draftV2())).toMatchObject({
      kind: 'not-sent',
      failure: { code: 'invalid', reason: 'credential-blank' },
    });
    expect(demo.requests.length).toBe(before);
  });
});

describe('signing for the company', () => {
  const signer = {
    firstName: 'Karin',
    lastName: 'Lindqvist',
    personNumber: '198507099805',
    country: 'SE',
    email: null,
    mobile: null,
    orgNo: '5599990008',
  };

  it('signs a v1 party once; the second time the service rejects it', async () => {
    const service = openV1(demo.v1Url);
    const created = await create(service);
    const agreementId = id(created.kind === 'done' ? (created.remoteId ?? '') : created.kind);
    const ours = (await service.read(agreementId, neverStops)).parties?.find(
      ({ kind }) => kind === 'my-company',
    );
    expect(ours).toMatchObject({ state: 'turn' });
    const request = {
      agreementId,
      partyId: ours?.id ?? '',
      configurationId: ours?.apiSigning ?? '',
      body: service.encodeSign(signer, Date.now() - 1000),
    };
    expect(await service.sign(request, neverStops)).toMatchObject({
      kind: 'done',
      remoteId: agreementId,
    });
    expect((await service.read(agreementId, neverStops)).state).toBe('part-signed');
    expect(await service.sign(request, neverStops)).toMatchObject({
      kind: 'refused',
      failure: { code: 'invalid' },
    });
  });

  it('has an unknown outcome after a lost answer of v1, and is then read as signed (T1-82)', async () => {
    const { id: agreementId, ours } = await sendV1(demo);
    const service = openV1(demo.v1Url);
    const fault = demo.fault({ path: /\/sign\//, times: 9, do: { kind: 'reset-after' } });
    const body = service.encodeSign(signer, Date.now() - 1000);
    const result = await service.sign({ agreementId, ...ours, body }, neverStops);
    fault.clear();
    expect(result.kind).toBe('unknown');
    expect(seen(demo, new RegExp(`${agreementId}.*/sign/`))).toHaveLength(1);
    const after = await service.read(agreementId, neverStops);
    expect(after.parties?.find(({ id: party }) => party === ours.partyId)?.state).toBe('signed');
  });

  it.each(['1001', null])(
    'signs for a company on v2 with the user %j (T2-08, T2-61)',
    async (accountId) => {
      const created = await create(openV2(demo.v2Url), draftV2());
      const agreementId = id(created.kind === 'done' ? (created.remoteId ?? '') : created.kind);
      const service = openV2(demo.v2Url, { accountId });
      const ours = (await service.read(agreementId, neverStops)).parties?.find(
        ({ kind }) => kind === 'company',
      );
      const request = {
        agreementId,
        partyId: ours?.id ?? '',
        configurationId: ours?.apiSigning ?? '',
        body: service.encodeSign(signer, Date.now() - 1000),
      };
      expect(await service.sign(request, neverStops)).toMatchObject({ kind: 'done' });
      expect(demo.requests.at(-1)?.headers['accountid']).toBe(accountId ?? undefined);
      const after = await service.read(agreementId, neverStops);
      expect(after.parties?.find(({ kind }) => kind === 'company')?.signedAt).not.toBeNull();
      expect(await service.sign(request, neverStops)).toMatchObject({
        kind: 'refused',
        failure: { code: 'forbidden' },
      });
    },
  );

  it('has an unknown outcome after a lost answer of v2, and was sent once (T2-61)', async () => {
    const created = await create(openV2(demo.v2Url), draftV2());
    const agreementId = id(created.kind === 'done' ? (created.remoteId ?? '') : created.kind);
    const service = openV2(demo.v2Url);
    const fault = demo.fault({ path: /\/sign$/, times: 9, do: { kind: 'reset-after' } });
    const request = {
      agreementId,
      partyId: '5599990008',
      configurationId: 'company',
      body: service.encodeSign(signer, Date.now() - 1000),
    };
    expect((await service.sign(request, neverStops)).kind).toBe('unknown');
    fault.clear();
    expect(seen(demo, new RegExp(`${agreementId}/sign$`))).toHaveLength(1);
    const after = await service.read(agreementId, neverStops);
    expect(after.parties?.find(({ kind }) => kind === 'company')?.state).toBe('signed');
  });
});
