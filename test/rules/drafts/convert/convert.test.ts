import { describe, expect, it } from 'vitest';
import type { DraftBodyV1, DraftBodyV2 } from '../../../../shared/contract/drafts.ts';
import { FileId } from '../../../../shared/model/ids.ts';
import { toBodyV1 } from '../../../../shared/rules/drafts/convert/to-v1.ts';
import { toBodyV2 } from '../../../../shared/rules/drafts/convert/to-v2.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const file = FileId.parse('0b5f6f0e-5b0d-4c51-9a51-6c1f5c1f7a01');
const codesOf = (losses: readonly { readonly code: string }[]) => losses.map(({ code }) => code);

const v1: DraftBodyV1 = {
  title: 'Lease',
  expireOn: '20261205T225900Z',
  attachments: [
    {
      type: 'BASE64',
      name: 'lease.pdf',
      file,
      category: 'AGREEMENT',
      fields: [
        { name: 'rent', value: '9400' },
        { name: 'sign', value: '{{@agr.parties[0].signature}}' },
      ],
    },
  ],
  parties: [
    {
      type: 'PRIVATE',
      firstName: 'Åsa',
      lastName: 'Öberg',
      country: 'SE',
      personNumber: '198507099805',
      mobile: '+46701234567',
      signingOrder: 2,
      signingConfigurations: [{ type: 'SMS_OTP', identifier: '+46701234567' }, { type: 'DRAW' }],
    },
  ],
};

const v2: DraftBodyV2 = {
  name: 'Lease',
  type: 'ATTACHED',
  expireIn: 14,
  attachments: [{ name: 'lease.pdf', file, fields: [{ name: 'rent', value: '9400' }] }],
  parties: {
    privates: [
      {
        personNo: '850709-9805',
        firstName: 'Åsa',
        lastName: 'Öberg',
        email: 'asa@example.com',
        mobile: '+46 701234567',
        signMethods: ['SMS_OTP'],
      },
    ],
    companies: [],
  },
};

describe('a v1 draft converted to v2', () => {
  it('keeps documents, values, people, order and drawn signature places (TX-02)', () => {
    const { body } = toBodyV2(v1, [], NOW);
    expect(body).toMatchObject({ name: 'Lease', type: 'ATTACHED', drawSignature: true });
    expect(body.attachments).toEqual([
      { name: 'lease.pdf', file, fields: [{ name: 'rent', value: '9400' }] },
    ]);
    expect(body.parties.privates).toEqual([
      {
        personNo: '198507099805',
        firstName: 'Åsa',
        lastName: 'Öberg',
        signingOrder: 2,
        mobile: '+46 701234567',
        signMethods: ['SMS_OTP'],
        signMetadata: [{ attachmentIndex: 0, signatureFields: ['sign'] }],
      },
    ]);
  });

  it('turns a date into days, and reports it (T2-31, TX-01)', () => {
    const { body, losses } = toBodyV2(v1, [], NOW);
    expect(body.expireIn).toBe(14);
    expect(codesOf(losses)).toContain('expiry-rounded');
  });

  it('reports what v2 does not support (TX-02)', () => {
    const rich: DraftBodyV1 = {
      ...v1,
      deleteOn: '20270101T000000Z',
      attachments: [
        ...v1.attachments,
        { type: 'TOKEN', token: 't', category: 'AGREEMENT' },
        { type: 'BASE64', name: 'policy.pdf', file, category: 'REF_DOC' },
      ],
      parties: [
        { type: 'MY_COMPANY', signingConfigurations: [{ type: 'API' }], notifications: [] },
        {
          type: 'PRIVATE',
          firstName: 'Ola',
          lastName: 'Nordmann',
          country: 'NO',
          signingConfigurations: [{ type: 'QES', provider: 'P', identifier: '+4790000000' }],
          identificationConfigurations: [{ type: 'EID', country: 'SE' }],
        },
      ],
      configurations: [{ type: 'WATERMARK', x: 1 }],
      accessRights: [{ type: 'GRANT_BY_ID', actorType: 'user', actorId: 'x', action: 'read' }],
      links: [{ type: 'WEBFLOW_SIGNING_SUCCEEDED', href: 'https://example.com' }],
      tags: { customer: '1' },
    };
    const codes = new Set(codesOf(toBodyV2(rich, [], NOW).losses));
    expect([...codes].toSorted()).toEqual([
      ...['access-rights', 'configurations', 'country', 'deletion-date', 'expiry-rounded'],
      ...['identification', 'method', 'notifications', 'own-company', 'reference-documents'],
      ...['return-links', 'tags', 'uploaded-files'],
    ]);
  });

  it('drops personal numbers of other countries (TX-01)', () => {
    const { parties } = v1;
    const foreign = parties.map((one) => ({ ...one, country: 'NO', personNumber: '01019012345' }));
    const { body, losses } = toBodyV2({ ...v1, parties: foreign }, [], NOW);
    expect(body.parties.privates[0]).not.toHaveProperty('personNo');
    expect(losses).toContainEqual({ code: 'country', about: 'Åsa Öberg' });
  });
});

describe('a v2 draft converted to v1', () => {
  it('writes personal and mobile numbers in the v1 form (TX-01)', () => {
    const { body } = toBodyV1(v2, NOW);
    expect(body.parties).toEqual([
      {
        type: 'PRIVATE',
        firstName: 'Åsa',
        lastName: 'Öberg',
        email: 'asa@example.com',
        mobile: '+46701234567',
        country: 'SE',
        personNumber: '198507099805',
        signingConfigurations: [{ type: 'SMS_OTP', identifier: '+46701234567' }],
      },
    ]);
  });

  it('turns days into the end of a Swedish day (TX-01)', () => {
    expect(toBodyV1(v2, NOW).body.expireOn).toBe('20261205T225900Z');
    const { expireIn: _, ...usual } = v2;
    expect(toBodyV1(usual, NOW).body.expireOn).toBe('20270120T225900Z');
  });

  it('drops an upload token, which v1 would not recognise, and reports it (T1-62)', () => {
    const uploaded = { name: 'annex.pdf', token: '8c9a3c0e-6c43-4b8e-9d0a-0d7b6a4f3d11' };
    const both = { ...v2, attachments: [...(v2.attachments ?? []), uploaded] };
    const { body, losses } = toBodyV1(both, NOW);
    expect(body.attachments.map(({ type, name }) => [type, name])).toEqual([
      ['BASE64', 'lease.pdf'],
    ]);
    expect(JSON.stringify(body)).not.toContain(uploaded.token);
    expect(losses).toContainEqual({ code: 'uploaded-files', about: 'annex.pdf' });
  });

  it('reports what v1 does not support (TX-02)', () => {
    const rich: DraftBodyV2 = {
      ...v2,
      type: 'FREE_TEXT',
      text: '<b>Hej</b>',
      hideUnsigned: true,
      notificationMessages: null,
      reminders: [{ date: '2027-01-01', emails: ['a@example.com'] }],
      webhook: { events: ['SIGNED'], url: 'https://example.com' },
      parties: {
        privates: [{ firstName: 'Åsa', lastName: 'Öberg', signMethods: ['EMAIL'] }],
        companies: [{ orgNo: '5599990008', allowedPersons: [{ personNo: '198507099805' }] }],
      },
    };
    const codes = new Set(codesOf(toBodyV1(rich, NOW).losses));
    expect([...codes].toSorted()).toEqual([
      ...['allowed-persons', 'company-contact', 'expiry-rounded', 'free-text', 'method'],
      ...['notifications', 'reminders', 'viewing', 'webhook'],
    ]);
  });
});
