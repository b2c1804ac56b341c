import { describe, expect, it } from 'vitest';
import { colleague } from '../../../electron/demo/state/account.ts';
import { agreement, create } from '../bodies.ts';
import { at, listAt, openDemo, textAt, type Client, type Sent } from '../support.ts';
import { DAY } from '../../../shared/rules/time/units.ts';

const titles = (json: unknown) => listAt(json, 'data').map((item) => textAt(item, 'title'));

async function createMany(client: Client, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    ids.push(await create(client, { ...agreement, title: `Nr ${String(n)}` }));
    client.clock.at += 1000;
  }
  return ids;
}

describe('the v1 list of the demo service', () => {
  it('pages with meta and relative links, newest first', async () => {
    const client = await openDemo();
    await createMany(client, 5);
    const reply = await client.v1('GET', '/v1/agreements?page[number]=2&page%5Bsize%5D=2');
    expect(titles(reply.json)).toEqual(['Nr 2', 'Nr 1']);
    expect(at(reply.json, 'meta')).toEqual({
      pageNumber: 2,
      pageSize: 2,
      totalPages: 3,
      totalRecords: 5,
    });
    expect(at(reply.json, 'links')).toEqual({
      self: '/v1/agreements?page%5Bnumber%5D=2&page%5Bsize%5D=2',
      first: '/v1/agreements?page%5Bnumber%5D=1&page%5Bsize%5D=2',
      prev: '/v1/agreements?page%5Bnumber%5D=1&page%5Bsize%5D=2',
      next: '/v1/agreements?page%5Bnumber%5D=3&page%5Bsize%5D=2',
      last: '/v1/agreements?page%5Bnumber%5D=3&page%5Bsize%5D=2',
    });
  });

  it('reduces a page size over the maximum, and has a default', async () => {
    const client = await openDemo({ behaviour: { pageCap: 3, pageDefault: 2 } });
    await createMany(client, 4);
    expect(titles((await client.v1('GET', '/v1/agreements')).json)).toHaveLength(2);
    const large = await client.v1('GET', '/v1/agreements?page[size]=500');
    expect(at(large.json, 'meta', 'pageSize')).toBe(3);
    expect(titles(large.json)).toHaveLength(3);
  });

  it('returns an empty list for an empty account', async () => {
    const client = await openDemo();
    const reply = await client.v1('GET', '/v1/agreements');
    expect(reply.json).toMatchObject({ data: [], meta: { totalPages: 0, totalRecords: 0 } });
  });

  it('shows the default fields and postedOn, and parts only when they are included', async () => {
    const client = await openDemo();
    await create(client, { ...agreement, tags: { a: 'b' } });
    const plain = at((await client.v1('GET', '/v1/agreements')).json, 'data', 0);
    expect(Object.keys(Object(plain)).sort()).toEqual([
      ...['createdOn', 'id', 'postedOn', 'sharedWith', 'state', 'title'],
    ]);
    const full = await client.v1('GET', '/v1/agreements?include=tags,parties,parties.links');
    expect(at(full.json, 'data', 0, 'tags')).toEqual({ a: 'b' });
    expect(textAt(full.json, 'data', 0, 'parties', 0, 'links', 0, 'type')).toBe('WEBFLOW_SIGNING');
  });

  it('shows only the chosen fields of each chosen type', async () => {
    const client = await openDemo();
    await create(client);
    const query = 'include=parties&fields[agreements]=title,parties&fields[party]=state';
    const reply = await client.v1('GET', `/v1/agreements?${query}`);
    expect(at(reply.json, 'data', 0)).toEqual({
      title: 'Hyresavtal Łódź',
      parties: [{ state: 'READY_TO_SIGN' }],
    });
  });

  it('filters by status, aliases included', async () => {
    const client = await openDemo();
    const [first = '', second = '', third = ''] = await createMany(client, 4);
    client.demo.act('v1', first, 'sign-all');
    client.demo.act('v1', second, 'reject');
    client.demo.act('v1', third, 'revoke');
    const of = async (state: string) =>
      titles((await client.v1('GET', `/v1/agreements?filter[state]=${state}`)).json);
    expect(await of('CLOSED')).toEqual(['Nr 0']);
    expect(await of('SIGNED_BY_ALL')).toEqual(['Nr 0']);
    expect(await of('CANCELLED')).toEqual(['Nr 2', 'Nr 1']);
    expect(await of('AWAITING')).toEqual(['Nr 3']);
  });

  it('compares lastActivityOn with the time of the status, and never with the expiry', async () => {
    const client = await openDemo();
    const [first = '', second = ''] = await createMany(client, 3);
    client.clock.at += DAY;
    client.demo.act('v1', first, 'sign-all');
    client.demo.act('v1', second, 'expire');
    const of = async (search: string) =>
      titles((await client.v1('GET', `/v1/agreements?filter[lastActivityOn]=${search}`)).json);
    expect(await of('after:20260520T120000Z')).toEqual(['Nr 0']);
    expect(await of('before:20260520T120000Z')).toEqual(['Nr 2']);
    expect(await of('between:20260520T100002Z:20260521T100003Z')).toEqual(['Nr 2', 'Nr 0']);
  });

  it('shows each user the agreements that they created or may see', async () => {
    const client = await openDemo();
    const headers = { authorization: `Token ${client.demo.colleagueToken}` };
    const { id: actorId } = colleague;
    const rights = [{ type: 'GRANT_BY_ID', actorType: 'user', actorId, action: 'read' }];
    const own = await create(client, { ...agreement, title: 'Ours' });
    await create(client, { ...agreement, title: 'For all', accessRights: rights });
    const body = { ...agreement, title: 'Theirs' };
    expect((await client.v1('POST', '/v1/agreements', { body, headers })).status).toBe(200);
    const list = async (sent: Sent = {}) =>
      titles((await client.v1('GET', '/v1/agreements', sent)).json).toSorted();
    expect(await list()).toEqual(['For all', 'Ours']);
    expect(await list({ headers })).toEqual(['For all', 'Theirs']);
    const path = `/v1/agreements/${own}`;
    expect((await client.v1('GET', path, { headers })).status).toBe(403);
  });

  it.each([
    ['two filters', 'filter[state]=SIGNED&filter[lastActivityOn]=after:20260101T000000Z'],
    ['an unknown state', 'filter[state]=EXPIRED'],
    ['an ISO timestamp', 'filter[lastActivityOn]=after:2026-01-01T00:00:00Z'],
    ['between with one date', 'filter[lastActivityOn]=between:20260101T000000Z'],
    ['page 0', 'page[number]=0'],
    ['an unknown include', 'include=everything'],
    ['a nested part without its parent', 'include=parties.links'],
    ['an unknown parameter', 'sort=title'],
  ])('refuses %s', async (_, query) => {
    const client = await openDemo();
    expect((await client.v1('GET', `/v1/agreements?${query}`)).status).toBe(400);
  });
});
