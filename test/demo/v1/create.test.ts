import { describe, expect, it } from 'vitest';
import { agreement, create, fetchWhole, notPdf, person, us } from '../bodies.ts';
import { at, changed, listAt, openDemo, textAt } from '../support.ts';
import { DAY } from '../../../shared/rules/time/units.ts';

const stamp = (ms: number) => new Date(ms).toISOString().replace(/[-:]|\.\d{3}/g, '');
const soon = (days: number) => stamp(Date.UTC(2026, 4, 20, 10) + days * DAY);
const withParty = (more: object) => ({ ...agreement, parties: [{ ...person, ...more }] });
const withMethod = (method: object) => withParty({ signingConfigurations: [method] });
const withFile = (more: object) => ({
  ...agreement,
  attachments: [{ ...agreement.attachments[0], ...more }],
});
const withNotice = (notice: object) => ({ ...agreement, notifications: [notice] });
const withTags = (tags: object) => ({ ...agreement, tags });
const withRight = (right: object) => ({ ...agreement, accessRights: [right] });
const withConfiguration = (configuration: object, more: object = {}) => ({
  ...agreement,
  ...more,
  configurations: [configuration],
});
const manyTags = (count: number) =>
  withTags(Object.fromEntries(Array.from({ length: count }, (_, n) => [`t${String(n)}`, 'x'])));

describe('v1 of the demo service, on creating an agreement,', () => {
  it('answers 200 with the agreement in data, open for signing, and an ETag', async () => {
    const client = await openDemo();
    const reply = await client.v1('POST', '/v1/agreements', { body: agreement });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('etag')).toMatch(/^".+"$/);
    expect(reply.headers.get('date')).toBe('Wed, 20 May 2026 10:00:00 GMT');
    expect(reply.json).toMatchObject({
      data: {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-1[0-9a-f]{3}-[89ab][0-9a-f]{3}-/),
        title: 'Hyresavtal Łódź',
        state: 'READY_TO_SIGN',
        createdOn: '20260520T100000Z',
        sharedWith: 'NONE',
      },
    });
    expect(at(reply.json, 'data', 'parties')).toBeUndefined();
  });

  it.each([
    'title',
    'attachments',
    'attachments.0.type',
    'attachments.0.name',
    'attachments.0.data',
    'attachments.0.category',
    'parties',
    'parties.0.type',
    'parties.0.firstName',
    'parties.0.lastName',
    'parties.0.signingConfigurations',
    'parties.0.signingConfigurations.0.type',
  ])('refuses a body without %s and points at it', async (path) => {
    const client = await openDemo();
    const body = changed(agreement, path, undefined);
    const reply = await client.v1('POST', '/v1/agreements', { body });
    expect(reply.status).toBe(422);
    const pointers = listAt(reply.json, 'errors').map((error) =>
      textAt(error, 'source', 'pointer'),
    );
    const place = `/${path.replaceAll('.', '/')}`;
    expect(pointers.some((one) => place.startsWith(one))).toBe(true);
    expect(client.demo.agreements.v1()).toEqual([]);
  });

  it.each([
    ['a blank title', { ...agreement, title: ' ' }],
    ['an expiry in the past', { ...agreement, expireOn: soon(-1) }],
    ['an expiry with dashes', { ...agreement, expireOn: '2026-06-01T10:00:00Z' }],
    ['an expiry after deletion', { ...agreement, expireOn: soon(9), deleteOn: soon(8) }],
    ['no party at all', { ...agreement, parties: [] }],
    ['only a reference document', withFile({ category: 'REF_DOC' })],
    ['data that is not Base64', withFile({ data: 'data:application/pdf;base64,AA==' })],
    ['a .pdf file that is not a PDF', withFile({ data: notPdf })],
    ['data and a token together', withFile({ token: 'x' })],
    ['an unknown token', withFile({ type: 'TOKEN', token: 'x', data: undefined })],
    ['fields for a text file', withFile({ name: 'a.txt', fields: [{ name: 'x' }] })],
    ['a field the PDF lacks', withFile({ fields: [{ name: 'x', value: 'y' }] })],
    ['a company without a name', { ...agreement, parties: [{ ...us, type: 'COMPANY' }] }],
    ['our company with a name', { ...agreement, parties: [{ ...us, name: 'Vi' }] }],
    ['our company with country null', { ...agreement, parties: [{ ...us, country: null }] }],
    ['a company number of a person', withParty({ companyNumber: '5599990008' })],
    ['a person number without country', withParty({ personNumber: '198507099805' })],
    ['a hyphen in a Swedish number', withParty({ country: 'SE', personNumber: '19850709-9805' })],
    ['spaces in a phone number', withParty({ mobile: '+46 701740605' })],
    ['an address without domain', withParty({ email: 'asa@example' })],
    ['signing order 0', withParty({ signingOrder: 0 })],
    ['no signing method', withParty({ signingConfigurations: [] })],
    ['EID without country', withMethod({ type: 'EID' })],
    ['EID in Denmark without actionType', withMethod({ type: 'EID', country: 'DK' })],
    [
      'actionType in Sweden',
      withMethod({ type: 'EID', country: 'SE', actionType: 'AUTHENTICATION' }),
    ],
    ['a country with CLICK', withMethod({ type: 'CLICK', country: 'SE' })],
    ['SMS_OTP without number', withMethod({ type: 'SMS_OTP' })],
    ['QES without provider', withMethod({ type: 'QES', identifier: '+46701740605' })],
    ['tbs outside Sweden', withMethod({ type: 'EID', country: 'NO', tbs: { sender: 'Vi' } })],
    [
      'a tbs sender of 26 characters',
      withMethod({ type: 'EID', country: 'SE', tbs: { sender: 'å'.repeat(26) } }),
    ],
    [
      'media mixed in one block',
      withNotice({
        type: 'SIGNED',
        recipients: [
          { medium: 'EMAIL', address: 'a@example.com' },
          { medium: 'SMS', address: '+46701740605' },
        ],
      }),
    ],
    [
      'a webhook on party level',
      withParty({
        notifications: [
          { type: 'SIGNED', recipients: [{ medium: 'WEBHOOK', address: 'a@example.com' }] },
        ],
      }),
    ],
    ['attachPdf on SIGNED', withNotice({ type: 'SIGNED', attachPdf: false })],
    ['an unknown time zone', withNotice({ type: 'SIGNED', timeZone: 'Europe/Lund' })],
    ['101 tags', manyTags(101)],
    ['a tag key of 129 characters', withTags({ ['k'.repeat(129)]: 'x' })],
    ['a tag value of 257 characters', withTags({ k: 'x'.repeat(257) })],
    ['a comma in a tag', withTags({ k: 'a,b' })],
    ['a reserved tag', withTags({ 'EGR:x': 'y' })],
    ['a tag that ends in a space', withTags({ k: 'x ' })],
    [
      'a user granted by name',
      withRight({ type: 'GRANT_BY_NAME', actorType: 'user', actorName: 'x', action: 'read' }),
    ],
    [
      'a grant by ID without an ID',
      withRight({ type: 'GRANT_BY_ID', actorType: 'user', action: 'read' }),
    ],
    [
      'a return link to a script',
      { ...agreement, links: [{ type: 'WEBFLOW_SIGNING_SUCCEEDED', href: 'javascript:1' }] },
    ],
    [
      'a short name of 12 characters',
      withConfiguration({ type: 'OWNER_DETAILS', companyShortName: 'x'.repeat(12) }),
    ],
    [
      'a field of another configuration',
      withConfiguration({ type: 'PDF_SEALING', locale: 'sv_SE' }),
    ],
    [
      'a reminder without expiry',
      withConfiguration({ type: 'NOTIFICATION', sendExpiryReminderOn: soon(2) }),
    ],
  ])('refuses %s as a field problem', async (_, body) => {
    const client = await openDemo();
    const reply = await client.v1('POST', '/v1/agreements', { body });
    expect(reply.status).toBe(422);
    expect(listAt(reply.json, 'errors')).toEqual([
      expect.objectContaining({ status: '422', detail: expect.any(String) }),
    ]);
  });

  it.each([
    ['text that is not JSON', '{"title":'],
    ['a title that is a number', JSON.stringify({ ...agreement, title: 7 })],
    ['an undocumented field', JSON.stringify({ ...agreement, sendNow: true })],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xe5, 0x22, 0x3a, 0x31, 0x7d])],
  ])('refuses %s as a broken contract', async (_, raw) => {
    const client = await openDemo();
    const headers = { 'content-type': 'application/json' };
    expect((await client.v1('POST', '/v1/agreements', { raw, headers })).status).toBe(400);
  });

  it('accepts values at their limits: 100 tags, 25 characters, one day before expiry', async () => {
    const client = await openDemo();
    const body = {
      ...manyTags(100),
      expireOn: soon(5),
      deleteOn: soon(6),
      configurations: [{ type: 'NOTIFICATION', sendExpiryReminderOn: soon(4), locale: 'xx_XX' }],
      parties: [
        {
          ...person,
          country: 'FI',
          personNumber: '131052-308T',
          signingConfigurations: [
            {
              type: 'EID',
              country: 'SE',
              tbs: { sender: '🙂'.repeat(25), description: 'x'.repeat(400) },
            },
          ],
        },
      ],
    };
    expect((await client.v1('POST', '/v1/agreements', { body })).status).toBe(200);
  });

  it('distinguishes omitted, empty and recipient-less notifications', async () => {
    const client = await openDemo();
    const notices = async (party: object) => {
      const id = await create(client, withParty(party));
      return listAt((await fetchWhole(client, id)).data, 'parties', 0, 'notifications');
    };
    expect(await notices({})).toHaveLength(8);
    expect(await notices({ notifications: [] })).toEqual([]);
    expect(await notices({ notifications: [{ type: 'SIGNED' }] })).toMatchObject([
      { type: 'SIGNED', recipients: [{ medium: 'EMAIL', address: 'asa@example.com' }] },
    ]);
  });

  it('requires a drawn signature to belong to an existing party', async () => {
    const client = await openDemo();
    const { PDFDocument } = await import('pdf-lib');
    const form = await PDFDocument.create();
    form.getForm().createTextField('sign').addToPage(form.addPage());
    const data = Buffer.from(await form.save()).toString('base64');
    const status = async (index: number, type: string) => {
      const value = `{{@agr.parties[${String(index)}].signature}}`;
      const body = {
        ...withFile({ data, fields: [{ name: 'sign', value }] }),
        parties: [{ ...person, signingConfigurations: [{ type }] }],
      };
      return (await client.v1('POST', '/v1/agreements', { body })).status;
    };
    expect(await status(0, 'DRAW')).toBe(200);
    expect(await status(1, 'DRAW')).toBe(422);
    expect(await status(0, 'CLICK')).toBe(422);
  });
});
