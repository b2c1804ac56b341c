import { get } from 'node:http';
import { describe, expect, it } from 'vitest';
import { agreement, create, fetchWhole, partyPath, person, us } from '../bodies.ts';
import { at, openDemo, textAt } from '../support.ts';
import { DAY } from '../../../shared/rules/time/units.ts';

const both = { ...agreement, parties: [person, { ...us, signingOrder: 2 }] };
const signer = { firstName: 'Karin', lastName: 'Lindqvist', signedOn: '20260520T095959Z' };

describe('headers of v1 requests to the demo service', () => {
  it.each([
    ['no Authorization', null],
    ['Bearer', 'Bearer demo-token-not-a-secret'],
    ['another token', 'Token nobody'],
    ['the bare token', 'demo-token-not-a-secret'],
    ['a lower-case scheme', 'token demo-token-not-a-secret'],
  ])('answer 401 for %s', async (_, authorization) => {
    const client = await openDemo();
    const reply = await client.v1('GET', '/v1/agreements', { headers: { authorization } });
    expect(reply.status).toBe(401);
  });

  it.each([
    ['POST', ''],
    ['PATCH', '/ID'],
    ['POST', '/ID/parties/PARTY/updateEmail'],
  ])('need the JSON content type on %s %s', async (method, below) => {
    const client = await openDemo();
    const { path } = await partyPath(client, await create(client));
    const [, , , id = '', , party = ''] = path.split('/');
    const target = `/v1/agreements${below.replace('ID', id).replace('PARTY', party)}`;
    const headers = { 'content-type': 'text/plain' };
    expect((await client.v1(method, target, { raw: '{}', headers })).status).toBe(400);
  });

  it('must name this computer as host', async () => {
    const client = await openDemo();
    const status = await new Promise((resolve) => {
      const headers = { host: 'attacker.example', authorization: 'Token demo-token-not-a-secret' };
      get(`${client.demo.v1Url}/v1/agreements`, { headers }, (reply) => {
        resolve(reply.statusCode);
        reply.resume();
      });
    });
    expect(status).toBe(421);
  });

  it('list the allowed methods of a path', async () => {
    const client = await openDemo();
    const reply = await client.v1('PUT', '/v1/agreements');
    expect(reply.status).toBe(405);
    expect(reply.headers.get('allow')).toBe('POST, GET');
  });
});

describe('v1 of the demo service, on fetching an agreement,', () => {
  it('returns every included part, and the ETag', async () => {
    const client = await openDemo();
    const { data, etag } = await fetchWhole(client, await create(client));
    expect(etag).toMatch(/^"/);
    expect(data).toMatchObject({
      attachments: [{ name: 'avtal.pdf', mimeType: 'application/pdf', category: 'AGREEMENT' }],
      parties: [{ state: 'READY_TO_SIGN', signingConfigurations: [{ type: 'CLICK' }] }],
      owner: { lastName: 'Lindqvist', links: [{ type: 'SELF' }] },
    });
  });

  it('answers 404 for an unknown ID and 403 for an unshared agreement', async () => {
    const client = await openDemo({ seed: 'full' });
    expect((await client.v1('GET', '/v1/agreements/x')).status).toBe(404);
    const hidden = client.demo.agreements.v1().find(({ title }) => title.endsWith('bara för Berg'));
    expect((await client.v1('GET', `/v1/agreements/${hidden?.id ?? ''}`)).status).toBe(403);
  });
});

describe('v1 of the demo service, on signing,', () => {
  it('signs for our company in its turn and closes the agreement', async () => {
    const client = await openDemo();
    const id = await create(client, both);
    const { sign } = await partyPath(client, id, 1);
    expect((await client.v1('POST', sign, { body: signer })).status).toBe(400);
    client.demo.act('v1', id, 'sign-others');
    expect(client.demo.agreements.v1()[0]?.state).toBe('SIGNED');
    const reply = await client.v1('POST', sign, { body: signer });
    expect(reply.status).toBe(200);
    expect(at(reply.json, 'data', 'state')).toBe('SIGNED_BY_ALL');
    const { data, etag } = await fetchWhole(client, id);
    expect(reply.headers.get('etag')).toBe(etag);
    expect(at(data, 'parties', 1, 'signingResult', 'signingConfiguration', 'type')).toBe('API');
    expect((await client.v1('POST', sign, { body: signer })).status).toBe(400);
  });

  it.each([
    ['a future time', { signedOn: '20260520T110000Z' }],
    ['milliseconds', { signedOn: '1767225600000' }],
    ['an unknown field', { orgNo: '5599990008' }],
  ])('refuses %s', async (_, body) => {
    const client = await openDemo();
    const { sign } = await partyPath(client, await create(client, { ...agreement, parties: [us] }));
    expect((await client.v1('POST', sign, { body })).status).toBe(400);
  });

  it('answers 404 for an unknown configuration, 400 for a configuration that is not of type API', async () => {
    const client = await openDemo();
    const { path, sign } = await partyPath(client, await create(client));
    expect((await client.v1('POST', sign, { body: signer })).status).toBe(400);
    expect((await client.v1('POST', `${path}/sign/x`, { body: signer })).status).toBe(404);
  });
});

describe('v1 of the demo service, on revoking and deleting,', () => {
  it('revokes with GET, and only once', async () => {
    const client = await openDemo();
    const id = await create(client);
    const reply = await client.v1('GET', `/v1/agreements/${id}/revoke`);
    expect(at(reply.json, 'data', 'state')).toBe('REVOKED');
    expect(reply.headers.get('etag')).not.toBeNull();
    expect((await client.v1('GET', `/v1/agreements/${id}/revoke`)).status).toBe(400);
  });

  it('deletes with 204, and the agreement is then unknown', async () => {
    const client = await openDemo();
    const id = await create(client);
    expect((await client.v1('DELETE', `/v1/agreements/${id}`)).status).toBe(204);
    expect((await client.v1('DELETE', `/v1/agreements/${id}`)).status).toBe(404);
  });

  it('respects rights: reading does not allow deleting, deleting does not mean owning', async () => {
    const client = await openDemo({ seed: 'full' });
    const idOf = (end: string) =>
      client.demo.agreements.v1().find(({ title }) => title.endsWith(end))?.id ?? '';
    const readable = `/v1/agreements/${idOf('delat för läsning')}`;
    const deletable = `/v1/agreements/${idOf('delat med säljarna')}`;
    expect((await client.v1('GET', readable)).status).toBe(200);
    expect((await client.v1('GET', `${readable}/revoke`)).status).toBe(403);
    expect((await client.v1('DELETE', readable)).status).toBe(403);
    expect((await client.v1('DELETE', deletable)).status).toBe(204);
  });
});

describe('v1 of the demo service, on updating an agreement,', () => {
  it('changes the deadlines only with the current ETag, and returns a new one', async () => {
    const client = await openDemo();
    const id = await create(client);
    const { etag } = await fetchWhole(client, id);
    const update = (body: object, ifMatch: string | null) =>
      client.v1('PATCH', `/v1/agreements/${id}`, { body, headers: { 'if-match': ifMatch } });
    expect((await update({ expireOn: '20260601T120000Z' }, null)).status).toBe(412);
    expect((await update({ expireOn: '20260601T120000Z' }, '"old"')).status).toBe(412);
    const reply = await update({ expireOn: '20260601T120000Z' }, etag);
    expect(at(reply.json, 'data', 'expireOn')).toBe('20260601T120000Z');
    const next = reply.headers.get('etag') ?? '';
    expect(next).not.toBe(etag);
    expect((await update({ deleteOn: '20260531T120000Z' }, next)).status).toBe(400);
    expect((await update({ title: 'Nytt' }, next)).status).toBe(400);
    expect((await update({ deleteOn: '20260701T120000Z' }, next)).status).toBe(200);
  });
});

describe('v1 of the demo service, as time passes,', () => {
  it('expires unsigned agreements at their time, and deletes them on their deletion day', async () => {
    const client = await openDemo();
    const id = await create(client, {
      ...agreement,
      expireOn: '20260522T100000Z',
      deleteOn: '20260524T100000Z',
    });
    client.clock.at += 3 * DAY;
    const reply = await client.v1('GET', `/v1/agreements/${id}`);
    expect(textAt(reply.json, 'data', 'state')).toBe('EXPIRED');
    expect(textAt(reply.json, 'data', 'expiredOn')).toBe('20260522T100000Z');
    client.clock.at += DAY;
    expect((await client.v1('GET', `/v1/agreements/${id}`)).status).toBe(404);
  });
});
