import { describe, expect, it } from 'vitest';
import { createLegacy, legacy, ourParty } from '../bodies.ts';
import { at, NOON, openDemo } from '../support.ts';

const { text: _, ...withoutText } = legacy;
const withUs = (more: object = {}) => ({
  ...legacy,
  parties: { ...legacy.parties, companies: [{ ...ourParty, ...more }] },
});
const signature = {
  partyType: 'COMPANY',
  orgNo: '559999-0008',
  personNo: '198507099805',
  firstName: 'Åsa',
  lastName: 'Öberg',
};
const person = { partyType: 'PRIVATE', personNo: '850709-9805' };
const lease = {
  ...withoutText,
  type: 'DYNAMIC_PDF',
  dynamicPdf: { templateId: '70001', fields: [{ name: 'parking', value: true }] },
};

describe('headers of v2 requests to the demo service', () => {
  it.each([
    ['no key', 400, { accessKey: null }],
    ['a blank key', 400, { accessKey: ' ' }],
    ['an unknown key', 401, { accessKey: 'x' }],
    ['no account', 401, { accountId: null }],
    ['a blank account', 401, { accountId: ' ' }],
    ['an unknown account', 401, { accountId: '7' }],
  ])('with %s give %i on create', async (_name, status, headers) => {
    const client = await openDemo();
    expect((await client.v2('POST', '/agreements', { body: legacy, headers })).status).toBe(status);
  });

  it('need no account when none is required', async () => {
    const client = await openDemo();
    const reference = await createLegacy(client);
    const sent = { headers: { accountId: null } };
    expect((await client.v2('GET', `/agreements/${reference}`, sent)).status).toBe(200);
    expect((await client.v2('PUT', `/agreements/${reference}/revoke`, sent)).status).toBe(401);
  });
});

describe('v2 of the demo service, on fetching an agreement,', () => {
  it('answers 404 for an unknown reference, 403 for another company', async () => {
    const client = await openDemo({ seed: 'full' });
    expect((await client.v2('GET', '/agreements/0')).status).toBe(404);
    const foreign = client.demo.agreements.v2().find(({ name }) => name.endsWith('eget avtal'));
    const path = `/agreements/${foreign?.referenceNumber ?? ''}`;
    expect((await client.v2('GET', path)).status).toBe(403);
  });

  it('returns XML when .xml is appended, also for errors', async () => {
    const client = await openDemo();
    const reference = await createLegacy(client);
    const reply = await client.v2('GET', `/agreements/${reference}.xml`);
    expect(reply.headers.get('content-type')).toContain('application/xml');
    expect(reply.text).toContain(`<referenceNumber>${reference}</referenceNumber>`);
    const missing = await client.v2('GET', '/agreements/0.xml');
    expect(missing.status).toBe(404);
    expect(missing.text).toMatch(/<error><code>AGR-40400<\/code>/);
  });

  it('lists the field values of a template agreement only', async () => {
    const client = await openDemo();
    const path = `/agreements/${await createLegacy(client, lease)}/fields`;
    expect((await client.v2('GET', path)).json).toMatchObject({
      dynamicPdfId: '70001',
      fields: [{ name: 'parking', value: true }],
    });
    const other = `/agreements/${await createLegacy(client)}/fields`;
    expect((await client.v2('GET', other)).status).toBe(400);
  });
});

describe('v2 of the demo service, on signing,', () => {
  it('signs for our company, with the time as milliseconds in text', async () => {
    const client = await openDemo();
    const reference = await createLegacy(client, withUs());
    const path = `/agreements/${reference}/sign`;
    const body = { ...signature, signedOn: String(NOON - 5000) };
    const reply = await client.v2('POST', path, { body });
    expect(reply.json).toEqual({
      referenceNumber: reference,
      signedBy: { orgNo: '5599990008', personNo: '198507099805' },
    });
    const { json } = await client.v2('GET', `/agreements/${reference}`);
    expect(at(json, 'parties', 'companies', 0)).toMatchObject({
      status: 'SIGNED',
      signedOn: '2026-05-20 11:59:55',
    });
    expect((await client.v2('POST', path, { body: signature })).status).toBe(403);
    client.demo.act('v2', reference, 'sign-others');
    expect(client.demo.agreements.v2()[0]?.status).toBe('SIGNED_BY_ALL');
  });

  it.each([
    ['a number', 1_767_225_600_000],
    ['seconds', '1767225600'],
    ['a v1 timestamp', '20260520T095959Z'],
    ['the future', String(NOON + 1000)],
  ])('refuses signedOn as %s', async (_name, signedOn) => {
    const client = await openDemo();
    const path = `/agreements/${await createLegacy(client, withUs())}/sign`;
    const reply = await client.v2('POST', path, { body: { ...signature, signedOn } });
    expect(reply.status).toBe(400);
  });

  it('accepts only allowed persons, and only for a company that is a party', async () => {
    const client = await openDemo();
    const only = { allowedPersons: [{ personNo: '196203149825' }] };
    const limited = `/agreements/${await createLegacy(client, withUs(only))}/sign`;
    expect((await client.v2('POST', limited, { body: signature })).status).toBe(403);
    const allowed = { ...signature, personNo: '620314-9825' };
    expect((await client.v2('POST', limited, { body: allowed })).status).toBe(200);
    const without = `/agreements/${await createLegacy(client)}/sign`;
    expect((await client.v2('POST', without, { body: signature })).status).toBe(403);
  });
});

describe('v2 of the demo service, on rejecting, revoking and deleting,', () => {
  it('rejects for a named person, and only once', async () => {
    const client = await openDemo();
    const reference = await createLegacy(client);
    const path = `/agreements/${reference}/reject`;
    const stranger = { ...person, personNo: '196203149825' };
    expect((await client.v2('POST', path, { body: stranger })).status).toBe(403);
    const reply = await client.v2('POST', path, { body: person });
    expect(reply.json).toEqual({
      referenceNumber: reference,
      rejectedBy: { personNo: '8507099805' },
    });
    expect((await client.v2('POST', path, { body: person })).status).toBe(403);
  });

  it('needs orgNo to reject for a company', async () => {
    const client = await openDemo();
    const path = `/agreements/${await createLegacy(client, withUs())}/reject`;
    const body = { ...person, partyType: 'COMPANY' };
    expect((await client.v2('POST', path, { body })).status).toBe(400);
    const full = await client.v2('POST', path, { body: { ...body, orgNo: '5599990008' } });
    expect(at(full.json, 'rejectedBy', 'orgNo')).toBe('5599990008');
  });

  it('revokes an open agreement with PUT, and returns revokedOn', async () => {
    const client = await openDemo();
    const path = `/agreements/${await createLegacy(client)}/revoke`;
    expect((await client.v2('GET', path)).status).toBe(405);
    const reply = await client.v2('PUT', path);
    expect(reply.json).toMatchObject({ status: 'REVOKED', revokedOn: '2026-05-20 12:00:00' });
    expect((await client.v2('PUT', path)).status).toBe(403);
  });

  it('deletes only rejected agreements, with a plain text answer', async () => {
    const client = await openDemo();
    const reference = await createLegacy(client);
    const path = `/agreements/${reference}`;
    expect((await client.v2('DELETE', path)).status).toBe(403);
    client.demo.act('v2', reference, 'reject');
    const reply = await client.v2('DELETE', path);
    expect(reply.headers.get('content-type')).toContain('text/plain');
    expect(reply.text).toContain(reference);
    expect((await client.v2('DELETE', path)).status).toBe(403);
    expect((await client.v2('GET', path)).status).toBe(404);
  });
});

describe('v2 of the demo service, on sharing an agreement,', () => {
  const share = { shareWithType: 'PERSON', personNo: '19850709-9805', email: 'a@example.com' };

  it.each([
    ['for good', { ...share, shareType: 'PERMANENT' }, 'permanent'],
    ['till a day', { ...share, shareType: 'TILL_DATE', date: '2026-05-20' }, 'till 2026-05-20'],
  ])('%s answers with its text', async (_name, body, shareType) => {
    const client = await openDemo();
    const path = `/agreements/${await createLegacy(client)}/share`;
    expect((await client.v2('POST', path, { body })).json).toMatchObject({
      sharedWith: '198507099805',
      shareType,
    });
  });

  it.each([
    ['a day that has passed', { ...share, shareType: 'TILL_DATE', date: '2026-05-19' }],
    ['TILL_DATE without a day', { ...share, shareType: 'TILL_DATE' }],
    ['an organisation without orgNo', { ...share, shareWithType: 'ORGANIZATION' }],
    ['a share without an email address', { ...share, shareType: 'PERMANENT', email: undefined }],
  ])('refuses %s', async (_name, body) => {
    const client = await openDemo();
    const path = `/agreements/${await createLegacy(client)}/share`;
    expect((await client.v2('POST', path, { body })).status).toBe(400);
  });
});
