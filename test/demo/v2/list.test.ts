import { describe, expect, it } from 'vitest';
import { createLegacy, legacy } from '../bodies.ts';
import { at, listAt, openDemo, textAt, type Client } from '../support.ts';
import { DAY, HOUR } from '../../../shared/rules/time/units.ts';

const names = (json: unknown) => listAt(json, 'agreements').map((item) => textAt(item, 'name'));

async function createMany(client: Client, count: number): Promise<string[]> {
  const references: string[] = [];
  for (let n = 0; n < count; n += 1) {
    references.push(await createLegacy(client, { ...legacy, name: `Nr ${String(n)}` }));
    client.clock.at += HOUR;
  }
  return references;
}

describe('the v2 list of the demo service', () => {
  it('answers 404 when nothing matches, as for an empty account', async () => {
    const client = await openDemo();
    expect((await client.v2('GET', '/agreements')).status).toBe(404);
    await createMany(client, 1);
    expect((await client.v2('GET', '/agreements?offset=1')).status).toBe(404);
    expect((await client.v2('GET', '/agreements?templateId=70001')).status).toBe(404);
  });

  it('counts from offset and never returns more than 100', async () => {
    const client = await openDemo();
    await createMany(client, 102);
    const first = await client.v2('GET', '/agreements?max=500');
    expect(first.json).toMatchObject({ start: 0, count: 100, totalCount: 102 });
    const rest = await client.v2('GET', '/agreements?offset=100&max=100');
    expect(rest.json).toMatchObject({ start: 100, count: 2, totalCount: 102 });
    expect(names(rest.json)).toEqual(['Nr 1', 'Nr 0']);
  });

  it('selects and sorts by status, and never lists revoked agreements', async () => {
    const client = await openDemo();
    const [first = '', second = '', third = ''] = await createMany(client, 4);
    client.demo.act('v2', third, 'revoke');
    client.demo.act('v2', second, 'reject');
    client.clock.at += HOUR;
    client.demo.act('v2', first, 'sign-all');
    const of = async (status: string) =>
      names((await client.v2('GET', `/agreements?status=${status}`)).json);
    expect(await of('NOT_SIGNED')).toEqual(['Nr 3']);
    expect(await of('CLOSED')).toEqual(['Nr 0']);
    expect(await of('REJECTED')).toEqual(['Nr 1']);
    expect(await of('ALL')).toEqual(['Nr 3', 'Nr 1', 'Nr 0']);
    expect(await of('MODIFIED')).toEqual(['Nr 0', 'Nr 1', 'Nr 3']);
  });

  it('reads from and to as Stockholm dates or times', async () => {
    const client = await openDemo();
    client.clock.at = Date.UTC(2026, 4, 20, 21, 30);
    await createMany(client, 2);
    const of = async (query: string) =>
      names((await client.v2('GET', `/agreements?${query}`)).json);
    expect(await of('from=2026-05-20&to=2026-05-20')).toEqual(['Nr 0']);
    expect(await of('from=2026-05-21')).toEqual(['Nr 1']);
    expect(await of('from=2026-05-20%2023:30:00&to=2026-05-20 23:30:00')).toEqual(['Nr 0']);
  });

  it.each(['status=SIGNED_BY_ALL', 'from=20260520', 'max=-1', 'offset=x', 'page=1'])(
    'refuses %s',
    async (query) => {
      const client = await openDemo();
      expect((await client.v2('GET', `/agreements?${query}`)).status).toBe(400);
    },
  );

  it('shows an unsigned agreement as rejected after its time, and its parties as unsigned', async () => {
    const client = await openDemo();
    const reference = await createLegacy(client, { ...legacy, expireIn: 1 });
    client.clock.at += 2 * DAY;
    const { json } = await client.v2('GET', `/agreements/${reference}`);
    expect(json).toMatchObject({ status: 'REJECTED', rejectedOn: '2026-05-21 23:59:59' });
    expect(at(json, 'parties', 'privates', 0, 'status')).toBe('NOT_SIGNED');
  });
});
