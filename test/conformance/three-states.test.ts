import { describe, expect, it } from 'vitest';
import type { DraftContent } from '../../shared/contract/drafts.ts';
import { DraftBodyV1, DraftBodyV2 } from '../../shared/contract/drafts.ts';
import type { AgreementService } from '../../electron/core/ports.ts';
import { openV1, openV2 } from '../adapters/rest/desk.ts';
import { draftV1, draftV2, encoded, FILE } from '../adapters/rest/drafts.ts';
import { listAt, openDemo, textAt } from '../demo/support.ts';
import { newDraft } from '../adapters/sqlite/samples.ts';
import { NOW, tempDatabase } from '../adapters/sqlite/temp-database.ts';

const v1 = openV1('https://api.example.com');
const v2 = openV2('https://api.example.com/v2');
const person = {
  type: 'PRIVATE',
  firstName: 'Åsa',
  lastName: 'Öberg',
  signingConfigurations: [{ type: 'CLICK' }],
};

const bodyV1 = (change: object): DraftContent => ({
  api: 'v1',
  body: DraftBodyV1.parse({ ...draftV1().body, ...change }),
});
const bodyV2 = (change: object): DraftContent => ({
  api: 'v2',
  body: DraftBodyV2.parse({ ...draftV2().body, ...change }),
});

/** Saves the draft and a copy of it, and returns the stored text of both. */
function keptTwice(content: DraftContent): readonly string[] {
  using place = tempDatabase();
  const { drafts } = place.stores;
  const draft = newDraft();
  drafts.insert(draft);
  const saved = drafts.save(draft.id, 1, content, null, NOW).content;
  const copy = newDraft({ content: saved });
  drafts.insert(copy);
  return [saved, drafts.get(copy.id).content].map((one) => JSON.stringify(one));
}

async function sent(service: AgreementService, content: DraftContent): Promise<object> {
  const [saved = ''] = keptTwice(content);
  const parsed: DraftContent = JSON.parse(saved);
  return encoded(service, parsed);
}

const NOTIFICATIONS = [
  ['absent', {}],
  ['nobody', { notifications: [] }],
  ['the usual address', { notifications: [{ type: 'SIGNED' }] }],
  ['an empty list of recipients', { notifications: [{ type: 'SIGNED', recipients: [] }] }],
  ['left to the account', { notifications: [{ type: 'SIGNED_BY_ALL', attachPdf: null }] }],
  ['with the PDF', { notifications: [{ type: 'SIGNED_BY_ALL', attachPdf: true }] }],
  ['without the PDF', { notifications: [{ type: 'SIGNED_BY_ALL', attachPdf: false }] }],
] as const;

describe('the notifications of v1', () => {
  it.each(NOTIFICATIONS)('are stored and copied byte for byte: %s (T1-52, T1-54)', (_, change) => {
    for (const content of [bodyV1(change), bodyV1({ parties: [{ ...person, ...change }] })]) {
      const text = JSON.stringify(content);
      expect(keptTwice(content)).toEqual([text, text]);
    }
  });

  it('result in a different request for each choice (T1-52, T1-54)', async () => {
    const ofAgreement = NOTIFICATIONS.map(([, change]) => sent(v1, bodyV1(change)));
    const ofParty = NOTIFICATIONS.map(([, change]) =>
      sent(v1, bodyV1({ parties: [{ ...person, ...change }] })),
    );
    for (const requests of [await Promise.all(ofAgreement), await Promise.all(ofParty)]) {
      const distinct = new Set(requests.map((one) => JSON.stringify(one)));
      expect(distinct.size).toBe(NOTIFICATIONS.length);
    }
  });

  it.each(NOTIFICATIONS)('are sent as they were chosen: %s (T1-52)', async (_, change) => {
    const { notifications } = { notifications: undefined, ...change };
    const body = await sent(v1, bodyV1(change));
    expect(Reflect.get(body, 'notifications')).toEqual(notifications);
    expect(Object.hasOwn(body, 'notifications')).toBe('notifications' in change);
  });
});

const MESSAGES = [
  ['absent', {}],
  ['null', { notificationMessages: null }],
  ['none', { notificationMessages: [] }],
  ['one', { notificationMessages: [{ type: 'closed' }] }],
  [
    'one with nobody more',
    { notificationMessages: [{ type: 'closed', additionalRecipients: [] }] },
  ],
] as const;

describe('the messages of v2', () => {
  it.each(MESSAGES)('are stored, copied and sent byte for byte: %s (T2-33)', async (_, change) => {
    const content = bodyV2(change);
    const text = JSON.stringify(content);
    expect(keptTwice(content)).toEqual([text, text]);
    const body = await sent(v2, content);
    expect(Object.hasOwn(body, 'notificationMessages')).toBe('notificationMessages' in change);
    expect(body).toMatchObject(change);
  });
});

describe('an absent, empty or false value of a draft', () => {
  it.each([
    bodyV1({ configurations: [], accessRights: [], links: [], tags: {} }),
    bodyV1({ configurations: [{ type: 'REJECTION', enabled: false }] }),
    bodyV1({ title: '', expireOn: '', tags: { k: '' } }),
    bodyV1({ parties: [{ ...person, email: '', configurations: [], notifications: [] }] }),
    bodyV2({ drawSignature: false, reminders: [], additionalTBS: {}, text: '' }),
    bodyV2({ type: 'DYNAMIC_PDF', dynamicPdf: { templateId: '', fields: [] } }),
  ])('is stored and copied byte for byte: %j', (content) => {
    const text = JSON.stringify(content);
    expect(keptTwice(content)).toEqual([text, text]);
  });

  it('is sent if it is false, and is not treated as absent', async () => {
    const configurations = [{ type: 'REJECTION', enabled: false }];
    expect(await sent(v1, bodyV1({ configurations }))).toMatchObject({ configurations });
    const said = { drawSignature: false, hideUnsigned: false };
    expect(await sent(v2, bodyV2(said))).toMatchObject(said);
  });
});

it('the documents of a draft are sent in the order in which they were added (T1-31)', async () => {
  const titles = ['c', 'a', 'b'];
  const attachments = titles.map((title) => ({
    type: 'BASE64',
    category: title === 'a' ? 'REF_DOC' : 'AGREEMENT',
    file: FILE,
    title,
  }));
  const body = await sent(v1, bodyV1({ attachments }));
  expect(Reflect.get(body, 'attachments')).toMatchObject(titles.map((title) => ({ title })));
});

it('a document is sent as plain Base64, the only form that the service accepts (T1-33)', async () => {
  const client = await openDemo();
  const body = await sent(
    v1,
    draftV1({ attachments: [{ type: 'BASE64', category: 'AGREEMENT', file: FILE }] }),
  );
  const [attachment] = listAt(body, 'attachments');
  const data = textAt(attachment, 'data');
  const broken = data.replace(/.{76}/g, (line) => `${line}\n`);
  const answers = [data, `data:application/pdf;base64,${data}`, broken, ''].map(async (one) => {
    const raw = { ...body, attachments: [{ ...Object(attachment), data: one }] };
    return (await client.v1('POST', '/v1/agreements', { body: raw })).status;
  });
  expect(await Promise.all(answers)).toEqual([200, 422, 422, 422]);
});

it('values that only answers of the service contain are not part of a draft (T1-61)', () => {
  const answered = {
    ...draftV1().body,
    id: 'a0e7c1de-5c10-11f0-8d35-03d35ce00001',
    state: 'SIGNED',
    createdOn: '20260520T100000Z',
    attachments: [
      { type: 'BASE64', id: 'x', fileSize: 1, fields: [{ id: 'x', name: 'a', value: 'b' }] },
    ],
    parties: [
      {
        ...person,
        id: 'x',
        state: 'SIGNED',
        signingResult: { signingConfiguration: { type: 'CLICK' } },
        rejectionResult: { reason: 'No' },
        links: [{ type: 'WEBFLOW_SIGNING', href: 'https://example.com/secret' }],
        signingConfigurations: [{ id: 'x', type: 'CLICK' }],
        notifications: [{ id: 'x', type: 'EXPIRY_REMINDER', sendOn: '20260520T100000Z' }],
      },
    ],
  };
  expect(DraftBodyV1.parse(answered)).toEqual({
    ...draftV1().body,
    attachments: [{ type: 'BASE64', fields: [{ name: 'a', value: 'b' }] }],
    parties: [{ ...person, notifications: [{ type: 'EXPIRY_REMINDER' }] }],
  });
});
