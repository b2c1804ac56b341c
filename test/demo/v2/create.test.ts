import { describe, expect, it } from 'vitest';
import { file, legacy, notPdf, ourParty } from '../bodies.ts';
import { at, changed, listAt, openDemo } from '../support.ts';

const person = legacy.parties.privates[0];
const { text: _, ...withoutText } = legacy;
const attached = { ...withoutText, type: 'ATTACHED', attachments: [file] };
const template = (...fields: object[]) => ({
  ...withoutText,
  type: 'DYNAMIC_PDF',
  dynamicPdf: { templateId: '70001', fields },
});
const withPerson = (more: object) => ({
  ...legacy,
  parties: { privates: [{ ...person, ...more }], companies: [] },
});
const bytes = (count: number) => ({
  name: 'stor.bin',
  data: Buffer.alloc(count).toString('base64'),
});

describe('v2 of the demo service, on creating an agreement,', () => {
  it('answers 200 with status POSTED, ids of parties and Stockholm time', async () => {
    const client = await openDemo();
    const body = { ...legacy, parties: { ...legacy.parties, companies: [ourParty] }, expireIn: 0 };
    const reply = await client.v2('POST', '/agreements', { body });
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      referenceNumber: expect.stringMatching(/^0\d+$/),
      name: 'Avtal om förråd',
      status: 'POSTED',
      postedOn: '2026-05-20 12:00:00',
      expireOn: '2026-05-20 23:59:59',
      lastModifiedOn: '2026-05-20 12:00:00',
      parties: {
        companies: [
          {
            id: expect.any(String),
            orgNo: '5599990008',
            name: 'Lindqvist & Berg AB',
            status: 'NOT_SIGNED',
          },
        ],
        privates: [
          {
            id: expect.any(String),
            personNo: '198507099805',
            name: 'Åsa Öberg',
            status: 'NOT_SIGNED',
          },
        ],
      },
    });
  });

  it.each([
    'name',
    'type',
    'text',
    'parties',
    'parties.privates.0.personNo',
    'parties.privates.0.firstName',
    'parties.privates.0.lastName',
    'parties.privates.0.email',
  ])('refuses a body without %s and names the field', async (path) => {
    const client = await openDemo();
    const body = changed(legacy, path, undefined);
    const reply = await client.v2('POST', '/agreements', { body });
    expect(reply.status).toBe(400);
    expect(at(reply.json, 'code')).toMatch(/^[A-Z]+-\d{5}$/);
    expect(listAt(reply.json, 'fieldErrors').map((error) => at(error, 'field'))).toContain(
      path.replace('.0.', '[0].'),
    );
  });

  it.each([
    ['a blank name', { ...legacy, name: ' ' }],
    ['no party in either group', { ...legacy, parties: { privates: [], companies: [] } }],
    ['a text of 30,001 characters', { ...legacy, text: 'å'.repeat(30_001) }],
    ['attachments beside text', { ...legacy, attachments: [file] }],
    ['ATTACHED without files', { ...attached, attachments: [] }],
    ['a file without name', { ...attached, attachments: [{ data: file.data }] }],
    [
      'a .pdf file that is not a PDF',
      { ...attached, attachments: [{ name: 'a.pdf', data: notPdf }] },
    ],
    ['an unknown token', { ...attached, attachments: [{ token: 'x' }] }],
    ['4,000,000 bytes inline', { ...attached, attachments: [bytes(4_000_000)] }],
    ['an unknown template', { ...template(), dynamicPdf: { templateId: '1', fields: [] } }],
    ['a field the template lacks', template({ name: 'pets', value: 'x' })],
    ['"true" for a checkbox', template({ name: 'parking', value: 'true' })],
    ['expireIn 100', { ...legacy, expireIn: 100 }],
    ['expireIn 1.5', { ...legacy, expireIn: 1.5 }],
    ['a signature message without a drawn signature', { ...legacy, signatureMessage: 'x' }],
    [
      'a signature message of 121 characters',
      { ...legacy, drawSignature: true, signatureMessage: 'x'.repeat(121) },
    ],
    ['two sign methods', withPerson({ signMethods: ['EID', 'EMAIL'] })],
    ['no sign method in the list', withPerson({ signMethods: [] })],
    ['SMS_OTP without mobile', withPerson({ signMethods: ['SMS_OTP'] })],
    ['a mobile without space', withPerson({ mobile: '+46701740605' })],
    ['a plus in the person number', withPerson({ personNo: '850709+9805' })],
    [
      'an organisation number of 12 digits',
      { ...legacy, parties: { companies: [{ ...ourParty, orgNo: '165599990008' }] } },
    ],
    [
      'a signature place without a drawn signature',
      {
        ...attached,
        parties: {
          privates: [
            { ...person, signMetadata: [{ attachmentIndex: 0, signatureFields: ['sign'] }] },
          ],
        },
      },
    ],
    [
      'a signature place in a file that does not exist',
      {
        ...attached,
        drawSignature: true,
        parties: {
          privates: [
            { ...person, signMetadata: [{ attachmentIndex: 1, signatureFields: ['sign'] }] },
          ],
        },
      },
    ],
    [
      'a recipient without address',
      {
        ...legacy,
        notificationMessages: [{ type: 'closed', additionalRecipients: [{ firstName: 'Åsa' }] }],
      },
    ],
    [
      'a reminder yesterday',
      { ...legacy, reminders: [{ date: '2026-05-19', emails: ['a@example.com'] }] },
    ],
    [
      'a webhook without events',
      { ...legacy, webhook: { events: [], url: 'https://example.com' } },
    ],
    [
      'a webhook to a file',
      { ...legacy, webhook: { events: ['SIGNED'], url: 'file:///etc/passwd' } },
    ],
    ['a v1 field', { ...legacy, title: 'x' }],
  ])('refuses %s for that reason alone', async (_name, body) => {
    const client = await openDemo();
    const reply = await client.v2('POST', '/agreements', { body });
    expect(reply.status).toBe(400);
    expect(listAt(reply.json, 'fieldErrors')).toHaveLength(1);
    expect(client.demo.agreements.v2()).toEqual([]);
  });

  it.each([
    ['files just below 4 MB inline', { ...attached, attachments: [bytes(3_999_999)] }],
    ['notificationMessages null', { ...legacy, notificationMessages: null }],
    ['notificationMessages empty', { ...legacy, notificationMessages: [] }],
    ['a reminder today', { ...legacy, reminders: [{ date: '2026-05-20', emails: ['a@b.se'] }] }],
    ['a checkbox that is true', template({ name: 'parking', value: true })],
    ['ten digits with a hyphen', withPerson({ personNo: '850709-9805' })],
  ])('accepts %s', async (_name, body) => {
    const client = await openDemo();
    expect((await client.v2('POST', '/agreements', { body })).status).toBe(200);
  });

  it('answers in Swedish on request, otherwise in English', async () => {
    const client = await openDemo();
    const message = async (language: string) => {
      const headers = { 'accept-language': language };
      const reply = await client.v2('POST', '/agreements', { body: {}, headers });
      return at(reply.json, 'message');
    };
    expect(await message('sv')).toBe('Begäran kunde inte användas.');
    expect(await message('fi')).toBe('The request could not be used.');
  });
});
