import { describe, expect, it } from 'vitest';
import {
  documentLines,
  partyPreviews,
} from '../../../../../renderer/features/drafts/send/previews.ts';
import { formatBytes } from '../../../../../renderer/ui/format.ts';
import { m } from '../../../../../renderer/ui/language.svelte.ts';
import { DraftBodyV1, DraftBodyV2, DraftFile } from '../../../../../shared/contract/drafts.ts';

const file = (number: number, name: string) =>
  DraftFile.parse({
    id: `11111111-1111-4111-8111-11111111111${String(number)}`,
    name,
    mimeType: 'application/pdf',
    bytes: 2000,
    sha256: '',
    pages: number,
    fieldCount: 0,
    notices: [],
  });

describe('the documents in the check before a send', () => {
  const files = [file(1, 'lease.pdf'), file(2, 'rules.pdf')];
  const [lease, rules] = files;

  it('are in the order of the draft, each with its purpose, pages and size', () => {
    const attachments = [
      { type: 'BASE64', file: rules?.id, category: 'REF_DOC' },
      { type: 'BASE64', file: lease?.id, category: 'AGREEMENT' },
      { type: 'TOKEN', token: 'abc', category: 'AGREEMENT' },
    ];
    const body = DraftBodyV1.parse({ title: 'x', attachments, parties: [] });
    const size = formatBytes(2000);
    expect(documentLines({ api: 'v1', body }, files)).toEqual([
      {
        name: 'rules.pdf',
        facts: [m.draft_category_reference(), m.draft_pages({ count: 2 }), size].join(' · '),
      },
      { name: 'lease.pdf', facts: [m.draft_pages({ count: 1 }), size].join(' · ') },
      { name: m.draft_token({ token: 'abc' }), facts: '' },
    ]);
  });

  it.each([
    ['FREE_TEXT', { name: m.draft_kind_text(), facts: '' }],
    ['DYNAMIC_PDF', { name: m.draft_kind_template(), facts: 'T-7' }],
  ])('are the text or the template of the service with %s, and never a file', (type, line) => {
    const parties = { privates: [], companies: [] };
    const body = DraftBodyV2.parse({
      name: 'x',
      type,
      parties,
      dynamicPdf: { templateId: 'T-7', fields: [] },
      attachments: [{ file: lease?.id }],
    });
    expect(documentLines({ api: 'v2', body }, files)).toEqual([line]);
  });
});

describe('a party of v1 in the check before a send', () => {
  const previews = (parties: readonly object[], change: object = {}) =>
    partyPreviews({
      api: 'v1',
      body: DraftBodyV1.parse({ title: 'x', attachments: [], parties, ...change }),
    });
  const party = (change: object = {}) => ({
    type: 'PRIVATE',
    firstName: 'Åsa',
    lastName: 'Öberg',
    email: 'asa@example.com',
    signingConfigurations: [{ type: 'EID', country: 'SE' }, { type: 'CLICK' }],
    ...change,
  });

  it('has its signing methods, its address and the service’s standard message', () => {
    expect(previews([party()])).toEqual([
      {
        name: 'Åsa Öberg',
        summary: `${m.method_eid()}, ${m.method_click()} · asa@example.com`,
        rows: [
          { name: m.medium_email(), value: m.draft_send_standard() },
          { name: m.draft_send_sender(), value: m.draft_send_sender_account() },
          { name: m.draft_language(), value: m.effective_account() },
          { name: m.notice_party(), value: m.notice_summary_standard() },
        ],
        html: null,
      },
    ]);
  });

  it('has the sender, template, message and language of its own notification', () => {
    const recipients = [{ medium: 'SMS', address: '+46701234567' }];
    const block = {
      type: 'READY_TO_SIGN',
      templateId: 'T-1',
      placeholders: { message: 'Welcome' },
      recipients,
    };
    const configurations = [
      { type: 'OWNER_DETAILS', companyName: 'Harbour Ltd', companyShortName: 'Harbour' },
    ];
    const [shown] = previews([party({ notifications: [block] })], { configurations });
    expect(shown?.summary).toContain('+46701234567');
    expect(shown?.rows).toMatchObject([
      { name: m.medium_sms(), value: m.draft_send_template({ id: 'T-1' }) },
      { name: m.draft_send_sender(), value: 'Harbour' },
      { name: m.draft_language() },
      { name: m.notice_message(), value: 'Welcome' },
      {
        name: m.notice_party(),
        value: m.notice_summary_custom({ events: m.notification_ready_to_sign() }),
      },
    ]);
  });

  it('is invited later if other parties sign first, and has its identification', () => {
    const late = party({
      signingOrder: 2,
      identificationConfigurations: [{ type: 'EID', country: 'SE' }],
    });
    const [first, second] = previews([party(), late]);
    expect(first?.summary).not.toContain(m.draft_send_invited_later());
    expect(second?.summary).toContain(m.draft_send_invited_later());
    expect(second?.rows[0]).toEqual({
      name: m.identification_title(),
      value: m.identification_eid(),
    });
  });

  it('without messages gets no invitation', () => {
    const [shown] = previews([party({ notifications: [] })]);
    expect(shown?.summary).toContain(m.draft_send_uninvited());
    expect(shown?.rows).toEqual([{ name: m.notice_party(), value: m.notice_summary_none() }]);
  });
});

describe('a party of v2 in the check before a send', () => {
  const previews = (change: object = {}) =>
    partyPreviews({
      api: 'v2',
      body: DraftBodyV2.parse({
        name: 'x',
        type: 'FREE_TEXT',
        parties: {
          privates: [{ firstName: 'Åsa', email: 'asa@example.com' }],
          companies: [{ orgNo: '5560000000', email: 'bo@example.com', signMethods: ['EMAIL'] }],
        },
        ...change,
      }),
    });

  it('signs with an e-identity by default, and gets the service’s standard email', () => {
    const [person, company] = previews();
    expect(person).toEqual({
      name: 'Åsa',
      summary: `${m.method_eid()} · asa@example.com`,
      rows: [
        { name: m.medium_email(), value: m.draft_send_standard_home() },
        { name: m.messages_title(), value: m.notice_summary_standard() },
      ],
      html: null,
    });
    expect(company).toMatchObject({
      name: '5560000000',
      summary: `${m.method_email()} · bo@example.com`,
    });
  });

  it('for a company has the number too, so that two companies with the same person differ', () => {
    const bo = { firstName: 'Bo', lastName: 'Ek', email: 'bo@example.com' };
    const companies = [
      { ...bo, orgNo: '559999-0008' },
      { ...bo, orgNo: '198507099805' },
    ];
    const names = previews({ parties: { privates: [], companies } }).map(({ name }) => name);
    expect(names).toEqual(['Bo Ek (559999-0008)', 'Bo Ek (19850709••••)']);
  });

  it('may sign from the email and by drawing, and gets the user’s own text', () => {
    const notificationMessages = [{ type: 'posted', additionalText: '<b>Hi</b>' }];
    const change = { allowEmailSigning: true, drawSignature: true, notificationMessages };
    expect(previews(change)[0]).toEqual({
      name: 'Åsa',
      summary: `${m.method_eid()}, ${m.method_draw()} · asa@example.com`,
      rows: [
        { name: m.medium_email(), value: m.draft_send_standard() },
        { name: m.messages_title(), value: m.message_posted() },
      ],
      html: '<b>Hi</b>',
    });
  });

  it('without messages gets no invitation', () => {
    const [shown] = previews({ notificationMessages: [] });
    expect(shown?.summary).toBe(`${m.method_eid()} · ${m.draft_send_uninvited()}`);
    expect(shown?.rows).toEqual([{ name: m.messages_title(), value: m.notice_summary_none() }]);
  });
});
