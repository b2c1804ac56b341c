import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemo, type Demo } from '../../../../electron/demo/start.ts';
import { parseV1Time, formatV1Time } from '../../../../shared/rules/time/wire-time.ts';
import { rawAnswer, startRawServer } from '../../../support/raw-server.ts';
import { actionsV1, collect, failureOf, id, neverStops, openV1, seen } from '../desk.ts';
import { sendV1 } from '../sent.ts';
import { DAY } from '../../../../shared/rules/time/units.ts';

let demo: Demo;

beforeAll(async () => {
  demo = await startDemo({ dataDir: null, seed: 'full', counterpartDelayMs: null });
});
afterAll(() => demo.close());

const lastRequest = () => demo.requests.at(-1);
/** Start of this run: dates computed from it stay the same, however long the run takes. */
const START = Date.now();
const inDays = (days: number) => parseV1Time(formatV1Time(START + days * DAY)) ?? 0;

describe('revoking on v1', () => {
  it('returns the status and time of the service', async () => {
    const { id: agreement } = await sendV1(demo);
    const asked = Date.now();
    const result = await actionsV1(demo.v1Url).revoke(agreement, neverStops);
    expect(result).toMatchObject({ kind: 'done', reply: { nativeState: 'REVOKED' } });
    const { revokedAt } = result.kind === 'done' ? result.reply : { revokedAt: null };
    // The service returns whole seconds.
    expect(revokedAt).toBeGreaterThan(asked - 1000);
    expect(revokedAt).toBeLessThanOrEqual(Date.now());
    expect(result.kind === 'done' ? result.etag : null).toMatch(/^"/);
  });

  it('has an unknown outcome after a lost answer, is sent once, and is found by reading (T1-71)', async () => {
    const { id: agreement } = await sendV1(demo);
    const fault = demo.fault({ path: /\/revoke$/, times: 9, do: { kind: 'reset-after' } });
    const result = await actionsV1(demo.v1Url).revoke(agreement, neverStops);
    fault.clear();
    expect(result.kind).toBe('unknown');
    expect(seen(demo, new RegExp(`${agreement}/revoke$`))).toHaveLength(1);
    expect((await openV1(demo.v1Url).read(agreement, neverStops)).state).toBe('revoked');
  });

  it('lets the service decide about a closed agreement (T1-71)', async () => {
    const { id: agreement } = await sendV1(demo);
    demo.act('v1', agreement, 'sign-all');
    expect(await actionsV1(demo.v1Url).revoke(agreement, neverStops)).toMatchObject({
      kind: 'refused',
      failure: { code: 'invalid' },
    });
  });

  it.each([
    ['another agreement', { id: 'other', state: 'REVOKED' }],
    ['an agreement that is still open', { state: 'READY_TO_SIGN' }],
  ])('has an unknown outcome if the answer is about %s', async (_name, change) => {
    const { id: agreement } = await sendV1(demo);
    const data = { id: agreement, ...change };
    demo.fault({ path: /\/revoke$/, do: { kind: 'mutate', change: () => ({ data }) } });
    const result = await actionsV1(demo.v1Url).revoke(agreement, neverStops);
    expect(result).toMatchObject({ kind: 'unknown', failure: { reason: 'answer-mismatch' } });
  });
});

describe('deleting on v1', () => {
  it('is done with 204 and no body (T1-04)', async () => {
    const { id: agreement } = await sendV1(demo);
    const actions = actionsV1(demo.v1Url);
    expect(await actions.remove(agreement, neverStops)).toMatchObject({
      kind: 'done',
      reply: null,
    });
    expect(lastRequest()).toMatchObject({ method: 'DELETE', status: 204 });
  });

  it('a second time reports that the agreement is deleted, not another failure (T1-84)', async () => {
    const { id: agreement } = await sendV1(demo);
    const actions = actionsV1(demo.v1Url);
    await actions.remove(agreement, neverStops);
    expect(await actions.remove(agreement, neverStops)).toMatchObject({
      kind: 'refused',
      failure: { code: 'not-found' },
    });
  });
});

describe('changing the dates of a v1 agreement', () => {
  it('sends only the changed dates with the ETag, and returns the new ETag (T1-74)', async () => {
    const { id: agreement, etag } = await sendV1(demo);
    const actions = actionsV1(demo.v1Url);
    const first = await actions.change(agreement, { expiresAt: inDays(10) }, etag, neverStops);
    expect(first.kind).toBe('done');
    const next = first.kind === 'done' ? (first.etag ?? '') : '';
    expect(next).not.toBe(etag);
    expect(lastRequest()?.headers['if-match']).toBe(etag);
    const second = await actions.change(agreement, { deletesAt: inDays(20) }, next, neverStops);
    expect(second.kind).toBe('done');
    const read = await openV1(demo.v1Url).read(agreement, neverStops);
    expect(read).toMatchObject({ expiresAt: inDays(10), deletesAt: inDays(20) });
    expect(read.etag).toBe(second.kind === 'done' ? second.etag : '');
  });

  it('reports a conflicting change, shows the current agreement, and sends nothing again (T1-72)', async () => {
    const { id: agreement, etag } = await sendV1(demo);
    const actions = actionsV1(demo.v1Url);
    await actions.change(agreement, { expiresAt: inDays(5) }, etag, neverStops);
    const before = demo.requests.length;
    const result = await actions.change(agreement, { expiresAt: inDays(9) }, etag, neverStops);
    expect(result).toMatchObject({
      kind: 'changed',
      failure: { code: 'conflict' },
      fresh: { ok: true, value: { id: agreement, expiresAt: inDays(5) } },
    });
    const asked = demo.requests.slice(before).map(({ method }) => method);
    expect(asked).toEqual(['PATCH', 'GET']);
    const fresh = result.kind === 'changed' && result.fresh.ok ? result.fresh.value.etag : null;
    const again = await actions.change(
      agreement,
      { expiresAt: inDays(9) },
      fresh ?? '',
      neverStops,
    );
    expect(again.kind).toBe('done');
  });

  it('reports a conflicting change even if the following read fails (T1-72)', async () => {
    const { id: agreement } = await sendV1(demo);
    demo.fault({ path: /include=/, times: 3, do: { kind: 'status', status: 503 } });
    const actions = actionsV1(demo.v1Url);
    const result = await actions.change(agreement, { expiresAt: inDays(5) }, '"old"', neverStops);
    expect(result).toMatchObject({
      kind: 'changed',
      fresh: { ok: false, failure: { code: 'service' } },
    });
  });

  it.each(['"a-1"', 'W/"a-1"', 'bare', '"gzip-suffixed--gzip"', '"a, b"'])(
    'sends the ETag %s back byte by byte (T1-73)',
    async (etag) => {
      const server = await startRawServer(() =>
        rawAnswer('200 OK', 'application/json', '{"data":{"id":"x","state":"SIGNED"}}').replace(
          '\r\n\r\n',
          `\r\nETag: ${etag}\r\n\r\n`,
        ),
      );
      const read = await openV1(server.origin).read(id('x'), neverStops);
      expect(read.etag).toBe(etag);
      const change = { expiresAt: inDays(5) };
      await actionsV1(server.origin).change(id('x'), change, read.etag ?? '', neverStops);
      await server.close();
      const sent = /\r\nif-match: (.*)\r\n/i.exec(server.received[1] ?? '')?.[1];
      expect(sent).toBe(etag);
    },
  );

  it('reads an empty 412 as a conflicting change, and a 412 of a gateway as unknown outcome (T1-72)', async () => {
    const { id: agreement, etag } = await sendV1(demo);
    const say = (contentType: string, body: string) =>
      demo.fault({
        method: 'PATCH',
        path: /./,
        do: { kind: 'status', status: 412, contentType, body },
      });
    const actions = actionsV1(demo.v1Url);
    const change = { expiresAt: inDays(5) };
    say('text/plain', '');
    expect((await actions.change(agreement, change, etag, neverStops)).kind).toBe('changed');
    say('text/html', '<title>Precondition</title>');
    expect((await actions.change(agreement, change, etag, neverStops)).kind).toBe('unknown');
  });

  it('is not sent if no date would change', async () => {
    const before = demo.requests.length;
    const call = actionsV1(demo.v1Url).change(id('x'), {}, '"x"', neverStops);
    expect(await failureOf(call)).toMatchObject({ code: 'invalid' });
    expect(demo.requests.length).toBe(before);
  });
});

describe('correcting an email address', () => {
  it('moves only the notifications sent to the old address, and returns the ETag (T1-77)', async () => {
    const place = await sendV1(demo);
    const actions = actionsV1(demo.v1Url);
    const recipients = [{ medium: 'EMAIL', address: 'else@example.com' }] as const;
    const replaced = await actions.replaceRecipients(place, recipients, place.etag, neverStops);
    const etag = replaced.kind === 'done' ? (replaced.etag ?? '') : replaced.kind;
    const result = await actions.correctEmail(place, 'asa.ny@example.com', etag, neverStops);
    expect(result.kind).toBe('done');
    const read = await openV1(demo.v1Url).read(place.id, neverStops);
    expect(result.kind === 'done' ? result.etag : '').toBe(read.etag);
    expect(read.parties?.find(({ id: party }) => party === place.partyId)?.email).toBe(
      'asa.ny@example.com',
    );
    const extras = await actions.extras(place.id, neverStops);
    const notifications =
      extras.parties.find((party) => party.id === place.partyId)?.notifications ?? [];
    const addresses = new Set(
      notifications.flatMap((one) => one.recipients ?? []).map((r) => r.address),
    );
    expect(addresses).toEqual(new Set(['else@example.com', 'asa.ny@example.com']));
  });

  it('sends no message to the party, which is a separate call (T1-77)', async () => {
    const place = await sendV1(demo);
    const actions = actionsV1(demo.v1Url);
    const before = demo.requests.length;
    await actions.correctEmail(place, 'asa.ny@example.com', place.etag, neverStops);
    expect(demo.requests.slice(before)).toHaveLength(1);
    expect(await actions.remind(place, neverStops)).toMatchObject({ kind: 'done', reply: null });
  });

  it('is rejected with the field when the service finds the address invalid', async () => {
    const place = await sendV1(demo);
    const actions = actionsV1(demo.v1Url);
    expect(await actions.correctEmail(place, 'nobody', place.etag, neverStops)).toMatchObject({
      kind: 'refused',
      failure: { fields: { address: expect.any(String) as string } },
    });
  });
});

describe('the server-side selections of v1', () => {
  it.each([
    [{ state: 'CANCELLED' }, 'filter[state]', 'CANCELLED'],
    [{ state: 'AWAITING' }, 'filter[state]', 'AWAITING'],
    [{ active: { from: 0 } }, 'filter[lastActivityOn]', 'after:19700101T000000Z'],
    [{ active: { to: DAY } }, 'filter[lastActivityOn]', 'before:19700102T000000Z'],
    [
      { active: { from: 0, to: DAY } },
      'filter[lastActivityOn]',
      'between:19700101T000000Z:19700102T000000Z',
    ],
  ] as const)(
    'send %j as one filter, with no other colon in it (T1-02, T1-10)',
    async (...given) => {
      const [selection, key, value] = given;
      const before = demo.requests.length;
      await collect(actionsV1(demo.v1Url).select(selection, neverStops));
      const url = new URL(demo.requests[before]?.url ?? '', demo.v1Url);
      const filters = [...url.searchParams].filter(([name]) => name.startsWith('filter'));
      expect(filters).toEqual([[key, value]]);
      expect(demo.requests[before]?.status).toBe(200);
    },
  );

  it('return the selected agreements; names of filters are not statuses (T1-27)', async () => {
    const pages = await collect(actionsV1(demo.v1Url).select({ state: 'CANCELLED' }, neverStops));
    const states = new Set(pages.flatMap(({ items }) => items.map(({ state }) => state)));
    expect(states).toEqual(new Set(['rejected', 'revoked']));
  });
});
