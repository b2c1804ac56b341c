import { describe, expect, it } from 'vitest';
import { legacy } from '../bodies.ts';
import { openDemo, textAt, type Client } from '../support.ts';
import { DAY } from '../../../shared/rules/time/units.ts';

const FILES = '/files/attachment/agreement';
const { text: _, ...withoutText } = legacy;

async function upload(client: Client, size = 5_000_000, field = 'file') {
  const form = new FormData();
  form.set(field, new File([new Uint8Array(size)], 'avtal_åäö.bin'));
  return client.v2('POST', FILES, { raw: form });
}

const attach = (...tokens: string[]) => ({
  ...withoutText,
  type: 'ATTACHED',
  attachments: tokens.map((token) => ({ token })),
});

describe('v2 uploaded files in the demo service', () => {
  it('are read from the form field `file`, with their names', async () => {
    const client = await openDemo();
    expect((await upload(client, 10, 'document')).status).toBe(400);
    const reply = await upload(client, 10);
    expect(reply.json).toMatchObject({
      fileName: 'avtal_åäö.bin',
      createdOn: '2026-05-20 12:00:00',
    });
    const token = textAt(reply.json, 'token');
    expect((await client.v2('GET', `${FILES}/${token}`)).json).toEqual(reply.json);
    expect((await client.v2('GET', FILES)).json).toEqual({
      items: [reply.json],
      start: 0,
      count: 1,
      totalCount: 1,
    });
  });

  it('answer 404 when there are none or the token is unknown, 403 for files of others', async () => {
    const client = await openDemo({ seed: 'full' });
    expect((await client.v2('GET', FILES)).status).toBe(404);
    expect((await client.v2('GET', `${FILES}/x`)).status).toBe(404);
    expect((await client.v2('GET', `${FILES}/foreign-upload`)).status).toBe(403);
  });

  it('can be used once; a second use is answered with 500', async () => {
    const client = await openDemo();
    const token = textAt((await upload(client)).json, 'token');
    const create = () => client.v2('POST', '/agreements', { body: attach(token) });
    expect((await create()).status).toBe(200);
    expect((await client.v2('GET', `${FILES}/${token}`)).status).toBe(500);
    expect((await create()).status).toBe(400);
  });

  it('are limited to 12 MB together', async () => {
    const client = await openDemo();
    const first = textAt((await upload(client, 6_000_000)).json, 'token');
    const second = textAt((await upload(client, 6_000_000)).json, 'token');
    const third = textAt((await upload(client, 5_999_999)).json, 'token');
    const create = (...tokens: string[]) =>
      client.v2('POST', '/agreements', { body: attach(...tokens) });
    expect((await create(first, second)).status).toBe(400);
    expect((await create(first, third)).status).toBe(200);
  });

  it('are deleted on request, or by timeout after a day', async () => {
    const client = await openDemo();
    const token = textAt((await upload(client, 10)).json, 'token');
    const reply = await client.v2('DELETE', `${FILES}/${token}`);
    expect(reply.json).toEqual({
      token,
      fileName: 'avtal_åäö.bin',
      deletedOn: '2026-05-20 12:00:00',
    });
    const old = textAt((await upload(client, 10)).json, 'token');
    client.clock.at += DAY;
    expect((await client.v2('GET', `${FILES}/${old}`)).status).toBe(500);
    expect((await client.v2('DELETE', `${FILES}/${old}`)).status).toBe(500);
  });
});
