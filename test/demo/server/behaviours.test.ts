import { describe, expect, it } from 'vitest';
import type { Behaviour } from '../../../electron/demo/server/behaviour.ts';
import {
  agreement,
  create,
  createLegacy,
  fetchWhole,
  legacy,
  ourParty,
  partyPath,
} from '../bodies.ts';
import { at, changed, listAt, openDemo, textAt, type Client } from '../support.ts';
import { HOUR } from '../../../shared/rules/time/units.ts';

const AGREEMENTS = '/v1/agreements';
const behave = (behaviour: Partial<Behaviour>) => openDemo({ behaviour });

describe('lists of v1 that begin at page 0', () => {
  it('use page 0 as the first page in counts and links, and at the end of the list', async () => {
    const client = await behave({ firstPage: 0, pageCap: 2 });
    for (let made = 0; made < 3; made += 1) await create(client);
    const page = (query: string) => client.v1('GET', `${AGREEMENTS}?page[size]=50${query}`);
    const first = await page('');
    expect(at(first.json, 'meta')).toEqual({
      pageNumber: 0,
      pageSize: 2,
      totalPages: 2,
      totalRecords: 3,
    });
    expect(at(first.json, 'links', 'prev')).toBeUndefined();
    expect(textAt(first.json, 'links', 'next')).toContain('page%5Bnumber%5D=1');
    const last = await page('&page[number]=1');
    expect(listAt(last.json, 'data')).toHaveLength(1);
    expect(at(last.json, 'links', 'next')).toBeUndefined();
    expect((await page('&page[number]=0')).json).toEqual(first.json);
  });
});

describe('errors of v1', () => {
  const refuse = async (errors: Behaviour['errors']) => {
    const client = await behave({ errors });
    return client.v1('POST', AGREEMENTS, { body: changed(agreement, 'title', '') });
  };

  it.each([
    ['json-api', 'application/json', { errors: [{ source: { pointer: '/title' } }] }],
    ['nested', 'application/json', { error: { details: [{ field: 'title' }] } }],
    ['rfc9457', 'application/problem+json', { status: 422, errors: [{ pointer: '#/title' }] }],
    ['spring', 'application/json', { status: 422, error: 'Unprocessable Entity' }],
  ] as const)('come in the form %s', async (shape, type, body) => {
    const reply = await refuse(shape);
    expect(reply.status).toBe(422);
    expect(reply.headers.get('content-type')).toContain(type);
    expect(JSON.parse(reply.text)).toMatchObject(body);
  });

  it('come as plain text, as a page, or empty', async () => {
    expect((await refuse('plain')).headers.get('content-type')).toContain('text/plain');
    expect((await refuse('html')).text).toContain('<title>422 Unprocessable Entity</title>');
    const empty = await refuse('empty');
    expect([empty.status, empty.text, empty.headers.get('content-type')]).toEqual([422, '', null]);
  });
});

describe('the ETag of a notification', () => {
  const silence = async (client: Client, id: string, tag: string) => {
    const { path, party } = await partyPathWithNotices(client, id);
    const notification = textAt(party, 'notifications', 0, 'id');
    const url = `${path}/notifications/${notification}`;
    const read = await client.v1('GET', url);
    const ifMatch = tag === 'own' ? (read.headers.get('etag') ?? '') : tag;
    return client.v1('DELETE', url, { headers: { 'if-match': ifMatch } });
  };
  const partyPathWithNotices = async (client: Client, id: string) => {
    const { path } = await partyPath(client, id);
    const { data } = await fetchWhole(client, id);
    return { path, party: listAt(data, 'parties')[0] };
  };

  it('is the ETag of the agreement', async () => {
    const client = await behave({ etagOwner: 'agreement' });
    const id = await create(client);
    const reply = await silence(client, id, (await fetchWhole(client, id)).etag);
    expect(reply.status).toBe(204);
    expect(reply.headers.get('etag')).toBe((await fetchWhole(client, id)).etag);
  });

  it('is separate, and the ETag of the agreement is rejected', async () => {
    const client = await behave({ etagOwner: 'notification' });
    const id = await create(client);
    const { etag } = await fetchWhole(client, id);
    expect((await silence(client, id, etag)).status).toBe(412);
    const reply = await silence(client, id, 'own');
    expect([reply.status, reply.headers.get('etag')]).toEqual([204, null]);
  });
});

describe('times of v2', () => {
  it.each([
    ['Europe/Stockholm', '2026-05-20 12:00:00'],
    ['+01:00', '2026-05-20 11:00:00'],
    ['UTC', '2026-05-20 10:00:00'],
  ] as const)('are written as in %s', async (v2Zone, postedOn) => {
    const client = await behave({ v2Zone });
    const reference = await createLegacy(client);
    const reply = await client.v2('GET', `/agreements/${reference}`);
    expect(textAt(reply.json, 'postedOn')).toBe(postedOn);
  });

  it.each([
    ['Europe/Stockholm', '2026-05-20 12:00:00'],
    ['+01:00', '2026-05-20 11:00:00'],
    ['UTC', '2026-05-20 10:00:00'],
  ] as const)('are read as in %s', async (v2FilterZone, noon) => {
    const client = await behave({ v2FilterZone });
    await createLegacy(client);
    const from = async (text: string) =>
      (await client.v2('GET', `/agreements?from=${encodeURIComponent(text)}`)).status;
    expect(await from(noon)).toBe(200);
    expect(await from(noon.replace(':00:00', ':00:01'))).toBe(404);
  });
});

describe('accountId on Sign', () => {
  const sign = async (mode: Behaviour['accountIdOnSign'], accountId: string | null) => {
    const client = await behave({ accountIdOnSign: mode });
    const body = changed(legacy, 'parties.companies', [ourParty]);
    const reference = await createLegacy(client, body);
    const signature = {
      partyType: 'COMPANY',
      orgNo: ourParty.orgNo,
      personNo: '198507099805',
      firstName: 'Karin',
      lastName: 'Lindqvist',
    };
    const sent = { body: signature, headers: { accountId } };
    return (await client.v2('POST', `/agreements/${reference}/sign`, sent)).status;
  };

  it.each([
    ['optional', { known: 200, unknown: 401, none: 200 }],
    ['required', { known: 200, unknown: 401, none: 401 }],
    ['ignored', { known: 200, unknown: 200, none: 200 }],
    ['forbidden', { known: 400, unknown: 400, none: 200 }],
  ] as const)('is %s', async (mode, expected) => {
    const known = await sign(mode, '1001');
    expect({ known, unknown: await sign(mode, '7'), none: await sign(mode, null) }).toEqual(
      expected,
    );
  });
});

describe('a delayed change of the service', () => {
  it('can be a new agreement, in lists and on its own', async () => {
    const client = await behave({ commitDelayMs: HOUR });
    const paths = { v1: `${AGREEMENTS}/${await create(client)}`, v2: await createLegacy(client) };
    const look = async () => ({
      one: (await client.v1('GET', paths.v1)).status,
      many: listAt((await client.v1('GET', AGREEMENTS)).json, 'data').length,
      legacy: (await client.v2('GET', `/agreements/${paths.v2}`)).status,
      legacyList: (await client.v2('GET', '/agreements')).status,
    });
    expect(await look()).toEqual({ one: 404, many: 0, legacy: 404, legacyList: 404 });
    client.clock.at += HOUR;
    expect(await look()).toEqual({ one: 200, many: 1, legacy: 200, legacyList: 200 });
  });

  it('can be every change, in lists only', async () => {
    const client = await behave({ listLagMs: HOUR });
    const id = await create(client);
    const listed = async () => {
      const { json } = await client.v1('GET', AGREEMENTS);
      return listAt(json, 'data').map((item) => textAt(item, 'state'));
    };
    expect(await listed()).toEqual([]);
    expect((await client.v1('GET', `${AGREEMENTS}/${id}`)).status).toBe(200);
    client.clock.at += HOUR;
    expect(await listed()).toEqual(['READY_TO_SIGN']);
    await client.v1('GET', `${AGREEMENTS}/${id}/revoke`);
    expect(await listed()).toEqual(['READY_TO_SIGN']);
    client.clock.at += HOUR;
    expect(await listed()).toEqual(['REVOKED']);
    await client.v1('DELETE', `${AGREEMENTS}/${id}`);
    expect(await listed()).toEqual(['REVOKED']);
    client.clock.at += HOUR;
    expect(await listed()).toEqual([]);
  });

  it('never affects an agreement that was there from the start', async () => {
    const client = await openDemo({ seed: 'full', behaviour: { listLagMs: HOUR } });
    expect(listAt((await client.v1('GET', AGREEMENTS)).json, 'data').length).toBeGreaterThan(0);
    expect((await client.v2('GET', '/agreements')).status).toBe(200);
  });
});

describe('a used token', () => {
  it.each([
    ['refused', 400],
    ['accepted', 200],
  ] as const)('is %s', async (usedToken, status) => {
    const client = await behave({ usedToken });
    const form = new FormData();
    form.set('file', new File([new Uint8Array(10)], 'a.bin'));
    const upload = await client.v2('POST', '/files/attachment/agreement', { raw: form });
    const token = textAt(upload.json, 'token');
    const { text: _, ...about } = legacy;
    const body = { ...about, type: 'ATTACHED', attachments: [{ token }] };
    expect((await client.v2('POST', '/agreements', { body })).status).toBe(200);
    expect((await client.v2('GET', `/files/attachment/agreement/${token}`)).status).toBe(500);
    expect((await client.v2('POST', '/agreements', { body })).status).toBe(status);
  });
});
