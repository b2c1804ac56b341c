import { describe, expect, it } from 'vitest';
import { agreement, create, fetchWhole, partyPath, person } from '../bodies.ts';
import { at, listAt, openDemo, textAt, type Client } from '../support.ts';

const notified = {
  ...agreement,
  parties: [
    {
      ...person,
      notifications: [
        { type: 'READY_TO_SIGN' },
        { type: 'SIGNED', recipients: [{ medium: 'EMAIL', address: 'other@example.com' }] },
      ],
    },
  ],
};

async function open(client: Client) {
  const id = await create(client, notified);
  const { path, party } = await partyPath(client, id);
  const { etag } = await fetchWhole(client, id);
  return {
    id,
    path,
    notice: `${path}/notifications/${textAt(party, 'notifications', 0, 'id')}`,
    etag,
  };
}

describe('v1 corrections of a party in the demo service', () => {
  it('move only the notifications sent to the old address', async () => {
    const client = await openDemo();
    const { id, path, etag } = await open(client);
    const body = { address: 'new@example.com' };
    const update = (ifMatch: string | null) =>
      client.v1('POST', `${path}/updateEmail`, { body, headers: { 'if-match': ifMatch } });
    expect((await update(null)).status).toBe(412);
    const reply = await update(etag);
    expect(reply.status).toBe(200);
    expect(reply.headers.get('etag')).not.toBe(etag);
    const { data } = await fetchWhole(client, id);
    expect(at(data, 'parties', 0, 'email')).toBe('new@example.com');
    const addresses = listAt(data, 'parties', 0, 'notifications').map((one) =>
      at(one, 'recipients', 0, 'address'),
    );
    expect(addresses).toEqual(['new@example.com', 'other@example.com']);
  });

  it('reject an invalid address', async () => {
    const client = await openDemo();
    const { path, etag } = await open(client);
    const sent = { body: { address: 'nobody' }, headers: { 'if-match': etag } };
    expect((await client.v1('POST', `${path}/updateEmail`, sent)).status).toBe(400);
  });
});

describe('v1 notifications of a party in the demo service', () => {
  it('are fetched one by one with the ETag', async () => {
    const client = await openDemo();
    const { notice, path, etag } = await open(client);
    const reply = await client.v1('GET', notice);
    expect(reply.headers.get('etag')).toBe(etag);
    expect(at(reply.json, 'data', 'type')).toBe('READY_TO_SIGN');
    expect((await client.v1('GET', `${path}/notifications/x`)).status).toBe(404);
  });

  it('get all new recipients from a bare array', async () => {
    const client = await openDemo();
    const { notice, etag } = await open(client);
    const put = (body: unknown, ifMatch: string | null) =>
      client.v1('PUT', `${notice}/recipients`, { body, headers: { 'if-match': ifMatch } });
    const sms = [{ medium: 'SMS', address: '+46701740605' }];
    expect((await put(sms, null)).status).toBe(412);
    expect((await put({ recipients: sms }, etag)).status).toBe(400);
    expect(
      (await put([{ medium: 'WEBHOOK', address: 'https://x.example.com' }], etag)).status,
    ).toBe(400);
    const reply = await put(sms, etag);
    expect(reply.status).toBe(200);
    expect(at((await client.v1('GET', notice)).json, 'data', 'recipients')).toEqual(sms);
    expect((await put(sms, etag)).status).toBe(412);
  });

  it('are deleted with 204 and an updated ETag', async () => {
    const client = await openDemo();
    const { id, notice, etag } = await open(client);
    expect((await client.v1('DELETE', notice)).status).toBe(412);
    const reply = await client.v1('DELETE', notice, { headers: { 'if-match': etag } });
    expect(reply.status).toBe(204);
    expect(reply.headers.get('etag')).toBe((await fetchWhole(client, id)).etag);
    expect((await client.v1('GET', notice)).status).toBe(404);
  });

  it('are sent again with 202 and empty data, for an empty object only', async () => {
    const client = await openDemo();
    const { id, notice } = await open(client);
    const headers = { 'content-type': 'application/json' };
    expect((await client.v1('POST', `${notice}/notify`, { headers })).status).toBe(400);
    expect((await client.v1('POST', `${notice}/notify`, { body: { now: true } })).status).toBe(400);
    const reply = await client.v1('POST', `${notice}/notify`, { body: {} });
    expect(reply.status).toBe(202);
    expect(reply.json).toEqual({ data: {} });
    client.demo.act('v1', id, 'sign-all');
    expect((await client.v1('POST', `${notice}/notify`, { body: {} })).status).toBe(400);
  });
});
