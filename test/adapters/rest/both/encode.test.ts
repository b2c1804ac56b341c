import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../shared/errors.ts';
import { REF, openV1, openV2 } from '../desk.ts';
import { FILE, draftV1, draftV2, encoded, onePage } from '../drafts.ts';

const v1 = openV1('https://api.example.com');
const v2 = openV2('https://api.example.com/v2');
const signer = {
  firstName: 'Karin',
  lastName: 'Lindqvist',
  personNumber: '198507099805',
  country: 'SE',
  email: null,
  mobile: null,
  orgNo: '5599990008',
};
const parsed = (bytes: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(bytes));

describe('the body of a v1 create request', () => {
  it('has the file as bare Base64 with name, time and category', async () => {
    const files = await onePage();
    const data = Buffer.from(files.get(FILE)?.data ?? []).toString('base64');
    const { attachments } = await encoded(v1, draftV1());
    expect(attachments).toEqual([
      {
        type: 'BASE64',
        category: 'AGREEMENT',
        name: 'avtal.pdf',
        data: data,
        lastModifiedOn: '20260501T102030Z',
      },
    ]);
    expect(data).not.toMatch(/\s|^data:/);
  });

  it('has a mark by which the agreement can be found (T1-60)', async () => {
    const { tags } = await encoded(v1, draftV1({ tags: { project: 'Öst' } }));
    expect(tags).toEqual({ project: 'Öst', 'desk.ref': REF });
  });

  it('is rejected before it is sent if it has no room for the mark', async () => {
    const tags = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`t${at}`, 'x']));
    await expect(encoded(v1, draftV1({ tags }))).rejects.toThrow(AppError);
  });

  it('omits data of our company except its signing method (T1-39)', async () => {
    const party = {
      type: 'MY_COMPANY' as const,
      name: '',
      companyNumber: '5599990008',
      country: 'SE',
      signingConfigurations: [{ type: 'EID' as const, country: 'SE' }],
    };
    const { parties } = await encoded(v1, draftV1({ parties: [party] }));
    expect(parties).toEqual([
      { type: 'MY_COMPANY', signingConfigurations: [{ type: 'EID', country: 'SE' }] },
    ]);
  });

  it('distinguishes missing notifications, an empty list and entries (T1-52)', async () => {
    expect(await encoded(v1, draftV1())).not.toHaveProperty('notifications');
    expect(await encoded(v1, draftV1({ notifications: [] }))).toHaveProperty('notifications', []);
    const notifications = [{ type: 'SIGNED_BY_ALL' as const, attachPdf: null }];
    expect(await encoded(v1, draftV1({ notifications }))).toMatchObject({ notifications });
  });

  it('has no values for a PDF that was filled locally (TX-33)', async () => {
    const fields = [{ name: 'a', value: 'b' }];
    const file = { type: 'BASE64' as const, file: FILE, fields };
    const merged = { ...file, merge: 'here' as const };
    const here = await encoded(v1, draftV1({ attachments: [merged] }));
    expect(here['attachments']).toEqual([
      expect.not.objectContaining({ fields: expect.anything() as unknown }),
    ]);
    expect(JSON.stringify(here)).not.toContain('merge');
    const service = await encoded(v1, draftV1({ attachments: [file] }));
    expect(service['attachments']).toMatchObject([{ fields: [{ name: 'a', value: 'b' }] }]);
  });

  it('omits cleared boxes, and keeps blank field values', async () => {
    const attachments = [
      { type: 'BASE64' as const, file: FILE, title: '', fields: [{ name: 'a', value: '' }] },
    ];
    const body = await encoded(v1, draftV1({ attachments, expireOn: '' }));
    expect(body).not.toHaveProperty('expireOn');
    expect(body['attachments']).toMatchObject([{ fields: [{ name: 'a', value: '' }] }]);
    expect(JSON.stringify(body)).not.toContain('"title":""');
  });

  it('has only the token of a file that is stored in the account', async () => {
    const attachments = [{ type: 'TOKEN' as const, token: 'abc', name: 'x.pdf', file: FILE }];
    const body = await encoded(v1, draftV1({ attachments }));
    expect(body['attachments']).toEqual([{ type: 'TOKEN', token: 'abc', category: 'AGREEMENT' }]);
  });

  it('is rejected with the attachment’s name if the file of an attachment is missing', () => {
    expect(() => v1.encodeCreate(draftV1(), new Map(), REF)).toThrow(
      expect.objectContaining({
        failure: expect.objectContaining({
          fields: { 'attachments.0.file': expect.any(String) as string },
        }) as object,
      }) as Error,
    );
  });

  it('is not created from a draft for API v2', async () => {
    await expect(encoded(v1, draftV2())).rejects.toThrow('the connection uses API v1');
    await expect(encoded(v2, draftV1())).rejects.toThrow('the connection uses API v2');
  });
});

describe('the body of a v2 create request', () => {
  it('has only the name and the data of each file (T2-45)', async () => {
    const attachments = [{ file: FILE, fields: [{ name: 'a', value: 'b' }] }];
    const body = await encoded(v2, draftV2({ attachments }));
    expect(body['attachments']).toEqual([
      { name: 'avtal.pdf', data: expect.stringMatching(/^[A-Za-z0-9+/]+=*$/) as string },
    ]);
    expect(body).not.toHaveProperty('tags');
  });

  it('has only the token of an uploaded file (T2-40)', async () => {
    const attachments = [{ token: 'abc', name: 'avtal.pdf' }, { token: 'def' }];
    const body = await encoded(v2, draftV2({ attachments }));
    expect(body['attachments']).toEqual(attachments);
  });

  it('omits data of other kinds of agreement (T2-30)', async () => {
    const all = { text: 'Words', dynamicPdf: { templateId: '1', fields: [] } };
    const text = await encoded(v2, draftV2({ ...all, type: 'FREE_TEXT' }));
    const pdf = await encoded(v2, draftV2({ ...all, type: 'DYNAMIC_PDF' }));
    const files = await encoded(v2, draftV2({ ...all, type: 'ATTACHED' }));
    const content = (body: object) =>
      Object.keys(body).filter((key) => ['text', 'dynamicPdf', 'attachments'].includes(key));
    expect([text, pdf, files].map(content)).toEqual([['text'], ['dynamicPdf'], ['attachments']]);
  });

  it('distinguishes missing messages, null and an empty list (T2-33)', async () => {
    expect(await encoded(v2, draftV2())).not.toHaveProperty('notificationMessages');
    for (const notificationMessages of [null, []]) {
      const body = await encoded(v2, draftV2({ notificationMessages }));
      expect(body).toHaveProperty('notificationMessages', notificationMessages);
    }
  });
});

describe('the body of a signature', () => {
  it('has a timestamp and only known values on v1 (T1-81)', () => {
    expect(parsed(v1.encodeSign(signer, Date.UTC(2026, 0, 1)))).toEqual({
      firstName: 'Karin',
      lastName: 'Lindqvist',
      country: 'SE',
      signedOn: '20260101T000000Z',
      personNumber: '198507099805',
    });
  });

  it('has the time in milliseconds as text on v2 (T2-60)', () => {
    expect(parsed(v2.encodeSign(signer, 1_767_225_600_000))).toEqual({
      partyType: 'COMPANY',
      orgNo: '5599990008',
      personNo: '198507099805',
      firstName: 'Karin',
      lastName: 'Lindqvist',
      signedOn: '1767225600000',
    });
  });
});
