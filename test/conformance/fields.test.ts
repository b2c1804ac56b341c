import { describe, expect, it } from 'vitest';
import type { ApiName } from '../../shared/model/ids.ts';
import { CreateBodyV1 } from '../../shared/model/agreement-v1.ts';
import { CreateBodyV2 } from '../../shared/model/agreement-v2.ts';
import { openDemo, textAt, type Client } from '../demo/support.ts';
import { type Cases, NOW, TOKEN } from './bodies.ts';
import { casesV1 } from './cases-v1.ts';
import { casesV2 } from './cases-v2.ts';
import { judgedByService, judgedHere } from './judges.ts';
import { concerns, fieldsOf, isGiven } from './model-fields.ts';

const apis: readonly { api: ApiName; fields: readonly string[]; cases: Cases }[] = [
  { api: 'v1', fields: fieldsOf(CreateBodyV1), cases: casesV1 },
  { api: 'v2', fields: fieldsOf(CreateBodyV2), cases: casesV2 },
];

describe.each(apis)('the create body of $api', ({ api, fields, cases }) => {
  it('has a test case for every field of the model, and no test case without a field', () => {
    expect(Object.keys(cases).toSorted()).toEqual(fields.toSorted());
  });

  it.each(Object.entries(cases))(
    'is accepted by the program and the service with a valid value for %s',
    async (field, { accepted }) => {
      const client = await openDemo();
      const body = await withToken(client, accepted);
      expect(isGiven(body, field)).toBe(true);
      expect(await judgedByService(client, api, body)).toEqual([]);
      expect(await judgedHere(api, body)).toEqual([]);
      expect(client.demo.agreements[api]()).toHaveLength(1);
    },
  );

  it.each(Object.entries(cases))(
    'is rejected by the program and the service with an invalid value for %s',
    async (field, { refused }) => {
      const client = await openDemo();
      const body = await withToken(client, refused);
      const isAbout = (one: string) => concerns(one, field);
      expect((await judgedByService(client, api, body)).filter(isAbout)).not.toEqual([]);
      expect((await judgedHere(api, body)).filter(isAbout)).not.toEqual([]);
      expect(client.demo.agreements[api]()).toEqual([]);
    },
  );
});

/** Uploads a file and replaces the placeholder in the body with its token. */
async function withToken(client: Client, body: object): Promise<object> {
  const text = JSON.stringify(body);
  if (!text.includes(TOKEN)) return body;
  expect(client.clock.at).toBe(NOW);
  const raw = new FormData();
  raw.set('file', new File(['%PDF-1.7'], 'bilaga.pdf'));
  const { json } = await client.v2('POST', '/files/attachment/agreement', { raw });
  const parsed: unknown = JSON.parse(text.replaceAll(TOKEN, textAt(json, 'token')));
  return Object(parsed);
}
