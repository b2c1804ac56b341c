import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemo, type Demo } from '../../../../electron/demo/start.ts';
import { readAgreementV2 } from '../../../../electron/adapters/rest/v2/read.ts';
import { rawAnswer, startRawServer } from '../../../support/raw-server.ts';
import { REF, all, createTestPorts, failureOf, id, neverStops, openV2, pagesOf } from '../desk.ts';
import { draftV2, onePage } from '../drafts.ts';
import { HOUR } from '../../../../shared/rules/time/units.ts';

const rejecting = { name: 'Åsa', status: 'NOT_SIGNED', rejectedOn: '2026-11-01 10:00:00' };
let demo: Demo;

beforeAll(async () => {
  demo = await startDemo({ dataDir: null, seed: 120, counterpartDelayMs: null });
});
afterAll(() => demo.close());

const listQueries = (from: number) =>
  demo.requests.slice(from).map(({ url }) => new URL(url, demo.v2Url).searchParams);

describe('listing v2', () => {
  it('reads every page by offset and never requests more than a hundred (T2-25)', async () => {
    const before = demo.requests.length;
    const pages = await pagesOf(openV2(demo.v2Url));
    const ids = new Set(pages.flatMap(({ items }) => items.map((item) => item.id)));
    expect(new Set(pages.map(({ place }) => place.pages)).size).toBe(2);
    expect(ids.size).toBe(pages[0]?.total);
    const queries = listQueries(before);
    expect(queries.map((query) => query.get('max'))).toEqual(['100', '100']);
    expect(queries.map((query) => query.get('offset'))).toEqual(['0', '100']);
  });

  it('continues after the received entries when the service returns too few (T2-25, TE-S09)', async () => {
    const fewer = demo.fault({
      path: /agreements\?/,
      times: Number.POSITIVE_INFINITY,
      do: {
        kind: 'mutate',
        change: (json) => {
          const { agreements, ...rest } = json as { agreements: unknown[] };
          return { ...rest, agreements: agreements.slice(0, 50), count: 50 };
        },
      },
    });
    const before = demo.requests.length;
    const pages = await pagesOf(openV2(demo.v2Url));
    fewer.clear();
    const ids = pages.flatMap(({ items }) => items.map((item) => item.id));
    expect(new Set(ids).size).toBe(pages[0]?.total);
    expect(ids).toHaveLength(new Set(ids).size);
    const offsets = listQueries(before).map((query) => query.get('offset'));
    expect(offsets.toSorted((one, other) => Number(one) - Number(other))).toEqual([
      '0',
      '50',
      '100',
    ]);
  });

  it('ends when a page is empty though more entries were announced (T2-25)', async () => {
    const fault = demo.fault({
      path: /offset=100/,
      do: {
        kind: 'mutate',
        change: () => ({ agreements: [], start: 100, count: 0, totalCount: 9_999 }),
      },
    });
    const pages = await pagesOf(openV2(demo.v2Url));
    expect(fault.hits()).toBe(1);
    expect(pages.at(-1)).toMatchObject({ items: [], place: { pages: 2 } });
  });

  it('reads the 404 of the API as an empty list (T2-01)', async () => {
    const empty = await startDemo({ dataDir: null, seed: 'none' });
    const pages = await pagesOf(openV2(empty.v2Url));
    await empty.close();
    expect(pages).toMatchObject([{ items: [], total: 0 }]);
    expect(pages[0]?.serverTime).toBeGreaterThan(0);
  });

  it('reads a 404 after the last page as the end of the list (T2-01)', async () => {
    const fault = demo.fault({
      path: /offset=100/,
      do: { kind: 'status', status: 404, body: '{"code":"AGR-40400","message":"Nothing."}' },
    });
    const pages = await pagesOf(openV2(demo.v2Url));
    expect(fault.hits()).toBe(1);
    expect(pages.at(-1)).toMatchObject({ items: [] });
  });

  it.each([
    ['text/html', '<title>Not Found</title>', 'not-json'],
    ['application/json', '', 'answer-mismatch'],
  ])('reads a 404 from another server (%s) as a wrong address (T2-01)', async (...given) => {
    const [contentType, body, reason] = given;
    demo.fault({ path: /agreements\?/, do: { kind: 'status', status: 404, contentType, body } });
    const failure = await failureOf(pagesOf(openV2(demo.v2Url)));
    expect(failure).toMatchObject({ code: 'service', reason });
  });

  it('requests by last change, two hours early and into the future, in Swedish time (T2-23)', async () => {
    const now = Date.UTC(2026, 9, 25, 12);
    const before = demo.requests.length;
    const service = openV2(demo.v2Url, { ports: createTestPorts(() => now) });
    await pagesOf(service, Date.UTC(2026, 9, 25, 3));
    const query = listQueries(before)[0];
    expect(query?.get('status')).toBe('MODIFIED');
    // 02:00 happens twice that night; two hours before 04:00 are two real hours.
    expect(query?.get('from')).toBe('2026-10-25 02:00:00');
    expect(Date.parse(`${query?.get('to')?.replace(' ', 'T') ?? ''}Z`)).toBeGreaterThan(now + HOUR);
    expect(demo.requests[before]?.url).not.toContain(' ');
  });

  it('sends the API key on every request, the user on no read, and requests English (T2-06)', async () => {
    const before = demo.requests.length;
    await pagesOf(openV2(demo.v2Url));
    for (const { headers } of demo.requests.slice(before)) {
      expect(headers).toMatchObject({
        accesskey: demo.credentials.accessKey,
        'accept-language': 'en',
      });
      expect(headers).not.toHaveProperty('accountid');
    }
  });

  it('uses different words for filters and statuses (T2-20)', async () => {
    const items = await all(openV2(demo.v2Url));
    const states = new Set(items.map(({ nativeState, state }) => `${nativeState} ${state}`));
    expect(states).toContain('SIGNED_BY_ALL signed');
    expect(states).toContain('REJECTED rejected');
    expect(states).toContain('POSTED waiting');
    for (const pair of states) expect(pair).not.toMatch(/^(?:NOT_SIGNED|CLOSED|MODIFIED)/);
  });

  it('distinguishes an expiry from a party’s rejection (T2-27)', async () => {
    const service = openV2(demo.v2Url);
    const items = await all(service);
    const expired = items.find(({ title }) => title === 'Erbjudande som löpte ut');
    expect(expired).toMatchObject({ state: 'expired', nativeState: 'REJECTED' });
    expect(expired?.timeline.map(({ what }) => what)).toEqual(['sent', 'expired']);
    const rejected = items.find(({ title }) => title === 'Uppsägning av lokal');
    expect(rejected).toMatchObject({ state: 'rejected', nativeState: 'REJECTED' });
    const read = await service.read(id(expired?.id ?? ''), neverStops);
    expect(read).toMatchObject({ state: 'expired', nativeState: 'REJECTED' });
  });

  it.each([
    ['no parties in the answer', {}],
    ['an unknown status of a party', { privates: [{ name: 'Åsa', status: 'WITHDRAWN' }] }],
    ['a rejection date next to another status', { privates: [rejecting] }],
  ])('keeps the status REJECTED unchanged with %s (T2-27)', (_, parties) => {
    const reply = { referenceNumber: id('7'), status: 'REJECTED', parties };
    expect(readAgreementV2(reply, null).state).toBe('rejected');
  });

  it('does not return revoked agreements, which a single read returns (T2-21)', async () => {
    const service = openV2(demo.v2Url);
    const open = (await all(service)).find(({ state }) => state === 'waiting');
    demo.act('v2', open?.id ?? '', 'revoke');
    expect((await all(service)).map((one) => one.id)).not.toContain(open?.id);
    const read = await service.read(id(open?.id ?? ''), neverStops);
    expect(read).toMatchObject({ state: 'revoked', nativeState: 'REVOKED' });
  });

  it('keeps unknown values as text (T2-20)', async () => {
    const fault = demo.fault({
      path: /agreements\?/,
      do: {
        kind: 'mutate',
        change: (json) => {
          const body = json as {
            agreements: { status: string; parties: { companies: { status: string }[] } }[];
          };
          for (const item of body.agreements) {
            item.status = 'PAUSED';
            for (const party of item.parties.companies) party.status = 'THINKING';
          }
          return body;
        },
      },
    });
    const [page] = await pagesOf(openV2(demo.v2Url));
    expect(fault.hits()).toBe(1);
    expect(page?.items[0]).toMatchObject({ state: 'unknown', nativeState: 'PAUSED' });
    const companies = page?.items.flatMap(({ parties }) => parties ?? []);
    expect(companies?.find(({ kind }) => kind === 'company')).toMatchObject({
      state: 'unknown',
      nativeState: 'THINKING',
    });
  });
});

describe('an agreement of v2', () => {
  it('keeps its reference number as text with leading zeros, inside one segment (T2-10)', async () => {
    const items = await all(openV2(demo.v2Url));
    expect(items[0]?.id).toMatch(/^0\d+$/);
    const server = await startRawServer(() =>
      rawAnswer('200 OK', 'application/json', '{"referenceNumber":7,"status":"POSTED"}'),
    );
    const service = openV2(`${server.origin}/v2`);
    const failure = await failureOf(service.read(id('00/7.xml'), neverStops));
    await server.close();
    expect(failure).toMatchObject({ reason: 'answer-mismatch' });
    expect(server.received[0]).toMatch(/^GET \/v2\/agreements\/00%2F7%2Exml HTTP/);
  });

  it('keeps the text of its times together with their instants (T2-12)', async () => {
    const [item] = await all(openV2(demo.v2Url));
    const native = JSON.parse(item?.native ?? '{}') as { lastModifiedOn: string };
    expect(native.lastModifiedOn).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    expect(item?.updatedAt).toBeGreaterThan(0);
  });

  it('is part-signed when one of its parties has signed', async () => {
    const service = openV2(demo.v2Url);
    const body = service.encodeCreate(draftV2(), await onePage(), REF);
    const created = await service.create(body, neverStops);
    const reference = created.kind === 'done' ? (created.remoteId ?? '') : created.kind;
    expect((await service.read(id(reference), neverStops)).state).toBe('waiting');
    demo.act('v2', reference, 'sign-others');
    const read = await service.read(id(reference), neverStops);
    expect(read.state).toBe('part-signed');
    expect(read.parties?.find(({ kind }) => kind === 'company')).toMatchObject({
      state: 'turn',
      apiSigning: 'company',
    });
  });

  it('shows no personal number, not even as the ID of a party', async () => {
    const shown = JSON.stringify(await all(openV2(demo.v2Url)));
    expect(shown).toContain('personNo');
    expect(shown).not.toMatch(/personNo\\?": ?\\?"\d/);
    expect(shown).not.toMatch(/"id":"(?:19|20)\d{10}"/);
  });
});
