import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAgreementV1 } from '../../../../electron/adapters/rest/v1/read.ts';
import { startDemo, type Demo } from '../../../../electron/demo/start.ts';
import { formatV1Time } from '../../../../shared/rules/time/wire-time.ts';
import { all, createTestPorts, failureOf, id, neverStops, openV1, pagesOf, seen } from '../desk.ts';
import { HOUR } from '../../../../shared/rules/time/units.ts';

/** Number of changed answers: more than any test requests. */
const ALWAYS = 100;
let demo: Demo;

beforeAll(async () => {
  const behaviour = { pageCap: 7 };
  demo = await startDemo({ dataDir: null, seed: 'full', counterpartDelayMs: null, behaviour });
});
afterAll(() => demo.close());

/** Changes the next answers to a list of agreements. */
const changeList = (change: (json: unknown) => unknown, times = 1) =>
  demo.fault({ path: /agreements\?/, do: { kind: 'mutate', change }, times });

/** Changes each agreement of the next answer. */
const changeItems = (edit: (item: Record<string, unknown>) => void) =>
  changeList((json) => {
    const body = json as { data: Record<string, unknown>[] };
    for (const item of body.data) edit(item);
    return body;
  });

describe('listing v1', () => {
  it('reads every page, though the service returns fewer entries than requested (T1-17)', async () => {
    const service = openV1(demo.v1Url);
    const pages = await pagesOf(service);
    const ids = pages.flatMap(({ items }) => items.map((item) => item.id));
    expect(new Set(ids).size).toBe(pages[0]?.total);
    expect(pages.every(({ items }) => items.length <= 7)).toBe(true);
    expect(service.requestCount()).toBe(pages.length);
  });

  it('sends brackets percent-encoded, and counts the entries itself (T1-03)', async () => {
    const before = demo.requests.length;
    await pagesOf(openV1(demo.v1Url), Date.now() - 365 * 24 * HOUR);
    const asked = demo.requests.slice(before).map(({ url }) => url);
    for (const url of asked) {
      expect(url).not.toMatch(/[[\]]/);
      expect(url).toContain('filter%5BlastActivityOn%5D=after%3A');
      expect(url).toContain('page%5Bsize%5D=100');
    }
    expect(asked[1]).toContain('page%5Bnumber%5D=2');
  });

  it('requests changes from a quarter of an hour earlier, in compact time, with one filter (T1-13)', async () => {
    const since = Date.UTC(2026, 5, 1, 12);
    const before = demo.requests.length;
    await pagesOf(openV1(demo.v1Url), since);
    const url = new URL(demo.requests[before]?.url ?? '', demo.v1Url);
    const filters = [...url.searchParams].filter(([key]) => key.startsWith('filter'));
    expect(filters).toEqual([
      ['filter[lastActivityOn]', `after:${formatV1Time(since - 15 * 60_000)}`],
    ]);
  });

  it('continues by its own count if the page links lose the filter or are wrong (T1-16)', async () => {
    const links = { self: '/x', next: 'https://elsewhere.example.com/' };
    const fault = changeList((json) => ({ ...(json as object), links }), ALWAYS);
    const pages = await pagesOf(openV1(demo.v1Url));
    fault.clear();
    expect(pages.flatMap(({ items }) => items).length).toBe(pages[0]?.total);
  });

  it('fails when the service returns the first page endlessly (T1-16)', async () => {
    const fault = changeList((json) => {
      const body = json as { meta: object };
      return { ...body, meta: { ...body.meta, pageNumber: 1 } };
    }, ALWAYS);
    const failure = await failureOf(pagesOf(openV1(demo.v1Url)));
    fault.clear();
    expect(failure).toMatchObject({ code: 'service', reason: 'answer-mismatch' });
    // A few requests are in flight when the endless first page is noticed.
    expect(fault.hits()).toBeLessThanOrEqual(5);
  });

  it('accepts an empty account, which has no page (T1-17)', async () => {
    const empty = await startDemo({ dataDir: null, seed: 'none' });
    const pages = await pagesOf(openV1(empty.v1Url));
    await empty.close();
    expect(pages).toMatchObject([{ items: [], total: 0 }]);
    expect(pages[0]?.serverTime).toBeGreaterThan(0);
  });

  it('reports parties, documents or tags missing from the answer as unknown (T1-18)', async () => {
    const fault = changeItems((item) => {
      delete item['parties'];
      delete item['attachments'];
      item['tags'] = null;
    });
    const [page] = await pagesOf(openV1(demo.v1Url));
    fault.clear();
    expect(page?.items[0]).toMatchObject({ parties: null, documents: null, tags: null });
  });

  it('requests parents with their parts, so that no agreement is read singly (T1-18)', async () => {
    const before = demo.requests.length;
    const items = await all(openV1(demo.v1Url));
    const asked = new URL(demo.requests[before]?.url ?? '', demo.v1Url).searchParams;
    const include = asked.get('include')?.split(',') ?? [];
    for (const part of include.filter((name) => name.includes('.'))) {
      expect(include).toContain(part.split('.')[0]);
    }
    expect(items.every(({ parties, tags }) => parties !== null && tags !== null)).toBe(true);
  });

  it('keeps unknown values as text (T1-26)', async () => {
    const fault = changeItems((item) => {
      item['state'] = 'PAUSED';
      for (const party of item['parties'] as Record<string, unknown>[]) {
        party['state'] = 'THINKING';
        party['type'] = 'ROBOT';
        party['signingConfigurations'] = [{ id: 'x', type: 'TELEPATHY' }];
      }
    });
    const [page] = await pagesOf(openV1(demo.v1Url));
    fault.clear();
    const item = page?.items.find(({ parties }) => (parties ?? []).length > 0);
    expect(item).toMatchObject({ state: 'unknown', nativeState: 'PAUSED' });
    expect(item?.parties?.[0]).toMatchObject({
      state: 'unknown',
      nativeState: 'THINKING',
      methods: ['TELEPATHY'],
    });
  });

  it('reads SIGNED as partly and SIGNED_BY_ALL as fully signed (T1-27)', async () => {
    const states = new Map(
      (await all(openV1(demo.v1Url))).map((one) => [one.nativeState, one.state]),
    );
    expect(Object.fromEntries(states)).toMatchObject({
      READY_TO_SIGN: 'waiting',
      SIGNED: 'part-signed',
      SIGNED_BY_ALL: 'signed',
      REJECTED: 'rejected',
      REVOKED: 'revoked',
      EXPIRED: 'expired',
    });
  });

  it('does not return the expiry, which only a single read returns (T1-11)', async () => {
    const service = openV1(demo.v1Url);
    const open = (await all(service)).find(({ state }) => state === 'waiting');
    demo.act('v1', open?.id ?? '', 'expire');
    const changed = await all(service, Date.now() + HOUR);
    expect(changed.map((one) => one.id)).not.toContain(open?.id);
    const read = await service.read(id(open?.id ?? ''), neverStops);
    expect(read).toMatchObject({ state: 'expired', nativeState: 'EXPIRED' });
  });

  it('reports where in an answer an unexpected value is (T1-05)', async () => {
    const fault = changeItems((item) => delete item['id']);
    const failure = await failureOf(pagesOf(openV1(demo.v1Url)));
    fault.clear();
    expect(failure).toMatchObject({ code: 'service', reason: 'answer-mismatch' });
    expect(failure.message).toMatch(/^v1\.agreements\.list: .*data\.0\.id/);
  });

  it('fails with a specific error if the answer is one agreement and not a list (T1-05)', async () => {
    const fault = changeList((json) => {
      const { data, ...rest } = json as { data: unknown[] };
      return { ...rest, data: data[0] };
    });
    const failure = await failureOf(pagesOf(openV1(demo.v1Url)));
    fault.clear();
    expect(failure).toMatchObject({ code: 'service', reason: 'answer-mismatch' });
    expect(failure.message).toMatch(/^v1\.agreements\.list: .*data/);
  });

  it('is not affected by keys with a meaning in JavaScript', async () => {
    const evil = '{"__proto__":{"state":"SIGNED_BY_ALL"},"id"';
    const fault = changeList((json): unknown =>
      JSON.parse(JSON.stringify(json).replace('{"id"', evil)),
    );
    const [page] = await pagesOf(openV1(demo.v1Url));
    fault.clear();
    expect(page?.items.length).toBeGreaterThan(0);
    expect(Object.prototype).not.toHaveProperty('state');
  });
});

describe('reading one agreement of v1', () => {
  it('returns the version, documents, our signing method and times in order', async () => {
    const service = openV1(demo.v1Url);
    const listed = (await all(service)).find(({ parties }) =>
      parties?.some(({ apiSigning }) => apiSigning !== null),
    );
    const one = await service.read(id(listed?.id ?? ''), neverStops);
    expect(one.etag).toMatch(/^"/);
    expect(one.documents?.[0]).toMatchObject({
      category: 'agreement',
      mimeType: 'application/pdf',
    });
    const ours = one.parties?.find(({ apiSigning }) => apiSigning !== null);
    expect(ours?.methods).toContain('API');
    const before = listed?.timeline.map(({ at }) => at) ?? [];
    expect(before).toEqual([...before].sort((a, b) => a - b));
  });

  it('offers signing through the API only for a configuration of that type (T1-81)', () => {
    const configurations = (...types: string[]) =>
      types.map((type, index) => ({ id: `configuration-${String(index)}`, type }));
    const party = (...types: string[]) => ({
      id: 'p',
      type: 'MY_COMPANY',
      state: 'READY_TO_SIGN',
      signingConfigurations: configurations(...types),
    });
    const signedBy = (...types: string[]) => {
      const parties = [party(...types)];
      const reply = { id: id('a'), title: 'Lease', state: 'READY_TO_SIGN', parties };
      return readAgreementV1(reply, null).parties?.map(({ apiSigning }) => apiSigning);
    };
    expect(signedBy('EID', 'API', 'CLICK')).toEqual(['configuration-1']);
    expect(signedBy('API')).toEqual(['configuration-0']);
    expect(signedBy('EID', 'CLICK', 'SMS_OTP', 'DRAW', 'QES')).toEqual([null]);
    expect(signedBy()).toEqual([null]);
  });

  it('has no personal number or link in displayed data (T1-89)', async () => {
    const items = await all(openV1(demo.v1Url));
    const shown = JSON.stringify(items);
    expect(shown).toContain('personNumber');
    expect(shown).not.toMatch(/personNumber\\?": ?\\?"\d/);
    expect(shown).not.toContain('sign.example.com');
  });

  it('fails with a specific error when data is missing (T1-05)', async () => {
    const [known] = demo.agreements.v1();
    demo.fault({ path: /agreements\//, do: { kind: 'mutate', change: () => ({}) } });
    const missing = await failureOf(openV1(demo.v1Url).read(id(known?.id ?? ''), neverStops));
    expect(missing).toMatchObject({ code: 'service', reason: 'answer-mismatch' });
  });

  it.each<[string, unknown]>([
    ['a list', []],
    ['nothing', null],
    ['a word', 'agreement'],
  ])('fails with a specific error when its data is %s (T1-05)', async (_, data) => {
    const [known] = demo.agreements.v1();
    demo.fault({ path: /agreements\//, do: { kind: 'mutate', change: () => ({ data }) } });
    const failure = await failureOf(openV1(demo.v1Url).read(id(known?.id ?? ''), neverStops));
    expect(failure).toMatchObject({ code: 'service', reason: 'answer-mismatch' });
    expect(failure.message).toMatch(/^v1\.agreements\.fetch: .*data/);
  });

  it('distinguishes a missing agreement, a missing right and an invalid API key (T1-07)', async () => {
    const [known] = demo.agreements.v1();
    const service = openV1(demo.v1Url);
    const unknown = '00000000-0000-1000-8000-000000000000';
    expect(await failureOf(service.read(id(unknown), neverStops))).toMatchObject({
      code: 'not-found',
    });
    demo.fault({
      path: /agreements\//,
      do: { kind: 'status', status: 403, body: '{"errors":[{"title":"No right"}]}' },
    });
    expect(await failureOf(service.read(id(known?.id ?? ''), neverStops))).toMatchObject({
      code: 'forbidden',
    });
    const stranger = openV1(demo.v1Url, { token: 'wrong' });
    expect(await failureOf(stranger.read(id(known?.id ?? ''), neverStops))).toMatchObject({
      code: 'signed-out',
      reason: 'credential-refused',
    });
  });

  it('does not accept a gateway’s 403 and 404 as the service’s answer', async () => {
    const [known] = demo.agreements.v1();
    for (const status of [403, 404]) {
      demo.fault({
        path: /agreements\//,
        do: { kind: 'status', status, contentType: 'text/html', body: '<title>Blocked</title>' },
      });
      const failure = await failureOf(openV1(demo.v1Url).read(id(known?.id ?? ''), neverStops));
      expect(failure).toMatchObject({ code: 'service', reason: 'not-json' });
    }
  });

  it('logs only routes and counts', async () => {
    const ports = createTestPorts();
    const [known] = demo.agreements.v1();
    await openV1(demo.v1Url, { ports }).read(id(known?.id ?? ''), neverStops);
    expect(ports.logged).toHaveLength(1);
    expect(ports.logged[0]).toMatch(
      /^service\.answered \{"route":"v1\.agreements\.fetch","status":200,"milliseconds":\d+\}$/,
    );
    expect(seen(demo, /./).at(-1)).toContain(known?.id);
  });
});
