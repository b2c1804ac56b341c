import { describe, expect, it } from 'vitest';
import {
  bodyFromReplyV1,
  bodyFromReplyV2,
} from '../../../../shared/rules/drafts/convert/from-reply.ts';

const NOW = Date.UTC(2026, 10, 21);

describe('the draft made from a v1 agreement', () => {
  const reply = {
    id: 'a',
    title: 'Lease',
    state: 'SIGNED',
    createdOn: '20260101T000000Z',
    expireOn: '20260201T000000Z',
    deleteOn: '20280101T000000Z',
    sharedWith: 'NONE',
    notifications: [
      { id: 'n', type: 'SIGNED_BY_ALL', attachPdf: null, sendOn: '2026', locale: null },
    ],
    accessRights: [
      {
        id: 'r',
        type: 'GRANT_BY_ID',
        actorType: 'user',
        actorId: 'u',
        actorName: 'K',
        action: 'read',
      },
    ],
    tags: { customer: '7', 'desk.ref': 'x', 'egr:own': 'y' },
    parties: [
      {
        id: 'p',
        type: 'PRIVATE',
        state: 'SIGNED',
        firstName: 'Åsa',
        lastName: 'Öberg',
        signingResult: { signingConfiguration: {} },
        links: [{ type: 'WEBFLOW_SIGNING', href: 'https://example.com/secret' }],
        signingConfigurations: [{ id: 's', type: 'EID', country: 'SE', tbs: null }],
        notifications: [],
      },
      {
        id: 'q',
        type: 'MY_COMPANY',
        name: 'Berg',
        companyNumber: '1',
        country: 'SE',
        signingConfigurations: [{ id: 't', type: 'API' }],
      },
    ],
  };

  it('has no fields that only answers have (T1-61)', () => {
    const { body } = bodyFromReplyV1(reply, NOW);
    expect(body).toEqual({
      title: 'Lease',
      deleteOn: '20280101T000000Z',
      attachments: [],
      parties: [
        {
          type: 'PRIVATE',
          firstName: 'Åsa',
          lastName: 'Öberg',
          notifications: [],
          signingConfigurations: [{ type: 'EID', country: 'SE' }],
        },
        { type: 'MY_COMPANY', signingConfigurations: [{ type: 'API' }] },
      ],
      notifications: [{ type: 'SIGNED_BY_ALL', attachPdf: null }],
      accessRights: [{ type: 'GRANT_BY_ID', actorType: 'user', actorId: 'u', action: 'read' }],
      tags: { customer: '7' },
    });
  });

  it('reports that the configurations are missing (T1-61)', () => {
    expect(bodyFromReplyV1(reply, NOW).losses).toEqual([{ code: 'configurations', about: '' }]);
  });

  it('omits elements of unknown types, and keeps the rest', () => {
    const odd = { ...reply, notifications: [{ type: 'SOMETHING_NEW' }, { type: 'SIGNED' }] };
    expect(bodyFromReplyV1(odd, NOW).body.notifications).toEqual([{ type: 'SIGNED' }]);
  });
});

describe('the draft made from a v2 agreement', () => {
  const reply = {
    referenceNumber: '2611',
    name: 'Lease',
    status: 'REVOKED',
    parties: { privates: [{ personNo: '198507099805', name: 'Åsa Maria Öberg', status: 'X' }] },
  };

  it('has little data, and names all that is missing (T2-66, T2-67)', () => {
    const { body, losses } = bodyFromReplyV2(reply, null);
    expect(body.parties.privates).toEqual([
      { personNo: '198507099805', firstName: 'Åsa Maria', lastName: 'Öberg' },
    ]);
    expect(losses.map(({ code }) => code)).toEqual([
      ...['addresses', 'method', 'signing-order', 'messages', 'reminders', 'files'],
    ]);
  });

  it('includes the values of a template (T2-47, T2-67)', () => {
    const fields = [
      { name: 'rent', value: '9400' },
      { name: 'furnished', value: true },
      { name: 'note', value: null },
    ];
    const { body } = bodyFromReplyV2(reply, { templateId: '871', fields });
    expect(body).toMatchObject({
      type: 'DYNAMIC_PDF',
      dynamicPdf: {
        templateId: '871',
        fields: [fields[0], fields[1], { name: 'note', value: '' }],
      },
    });
  });
});
