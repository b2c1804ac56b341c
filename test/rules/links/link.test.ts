import { describe, expect, it } from 'vitest';
import {
  agreementLink,
  MAX_LINK_LENGTH,
  MAX_MESSAGE,
  MAX_PARTIES,
  readLink,
  MAX_TITLE,
} from '../../../shared/rules/links/link.ts';
import { linkedContent } from '../../../shared/rules/links/fill.ts';
import { checkDraft } from '../../../shared/rules/drafts/check.ts';
import { AgreementId } from '../../../shared/model/ids.ts';

const V1 = '0b1f8a52-6c1e-4a53-9a7e-2f1f9f0c8d11';
const V2 = '004711000001';
const NOW = Date.UTC(2026, 10, 24);

const draftOf = (query: string) => {
  const link = readLink(`signingdesk:draft?${query}`);
  if (link.kind !== 'draft') throw new Error(JSON.stringify(link));
  return link.draft;
};
const faultOf = (text: string) => {
  const link = readLink(text);
  return link.kind === 'refused' ? link.why : link.kind;
};

describe('a link to an agreement', () => {
  it.each([V1, V2, 'A-12.xml', 'Å_7'])('opens %s, and can be created from it', (text) => {
    const id = AgreementId.parse(text);
    expect(readLink(agreementLink(id))).toEqual({ kind: 'agreement', id });
  });

  it('is read as chat programs and browsers write it', () => {
    for (const text of [
      `signingdesk:agreement/${V2}`,
      `signingdesk://agreement/${V2}`,
      `signingdesk://agreement/${V2}/`,
      `SigningDesk:agreement/${V2}`,
    ]) {
      expect(readLink(text)).toEqual({ kind: 'agreement', id: V2 });
    }
  });

  it.each([
    '/etc/passwd',
    '..',
    '%2e%2e%2fsecret',
    '%2Fetc%2Fpasswd',
    'C:%5CUsers',
    '%00',
    '',
    '%ff',
    '~root',
    'a%0ab',
  ])('never opens a file: %s (TX-61)', (id) => {
    expect(faultOf(`signingdesk:agreement/${id}`)).toMatch(/^(damaged|unknown)$/);
  });

  it('ignores commands added to the agreement', () => {
    expect(faultOf(`signingdesk:agreement/${V1}?sign=yes`)).toBe('unknown');
    expect(faultOf(`signingdesk:agreement/${V1}#sign`)).toBe('damaged');
  });
});

describe('a link that fills a draft', () => {
  it('sets a title, a message, and parties with contacts', () => {
    const query = [
      'title=Hyra%20av%20lokal',
      'message=Hej!%0AL%C3%A4s%20noga.',
      'person=Anna%20Maria%20Berg%20%3Canna@example.org%3E',
      'person=%3C+46701234567%3E',
      'company=Ek%20%26%20S%C3%B6ner%20AB%20%3Cinfo@ek.example%3E',
    ];
    expect(draftOf(query.join('&'))).toEqual({
      title: 'Hyra av lokal',
      message: 'Hej!\nLäs noga.',
      parties: [
        { kind: 'person', firstName: 'Anna Maria', lastName: 'Berg', email: 'anna@example.org' },
        { kind: 'person', mobile: '+46701234567' },
        { kind: 'company', name: 'Ek & Söner AB', email: 'info@ek.example' },
      ],
    });
  });

  it.each([
    'file=/etc/passwd',
    'attach=contract.pdf',
    'title=x&send=1',
    'title=x&sign=1',
    'title=x&connection=Office',
    'title=x&personNumber=198507099805',
    'title=x&url=https://example.org',
    'title=x&TITLE=y',
  ])('rejects any other parameter: %s (TX-61)', (query) => {
    expect(faultOf(`signingdesk:draft?${query}`)).toBe('unknown');
  });

  it.each([
    'person=Anna%20Berg%20%3C19900101-1234%3E',
    'person=%3C199001011239%3E',
    'person=%3C+199001011239%3E',
    'person=19850709-9805',
    'person=Anna%20850709-9805%20%3Canna@example.org%3E',
    'company=Berg%20850709-9805%20%3Cinfo@ek.example%3E',
    'person=Anna%20%3C850709-9805@example.org%3E',
    'title=Hyra%20850709-9805',
    'message=Hej%20198507099805',
  ])('is rejected as a whole when a part contains a personal number: %s (SR-L5)', (query) => {
    expect(faultOf(`signingdesk:draft?${query}`)).toBe('damaged');
  });

  it.each(['+46701234567', '0701234567', '070-123 45 67', '+46 70 123 45 67', '+4740123456'])(
    'may have the mobile number %s, which is not a personal number',
    (mobile) => {
      expect(draftOf(`person=${encodeURIComponent(`<${mobile}>`)}`)).toMatchObject({
        parties: [{ mobile }],
      });
    },
  );

  it.each([
    'title=a&title=b',
    'title=a%0Ab',
    'title=%E2%80%AEfdp.tnemeerga',
    'title=%',
    'title=%ED%A0%80',
    'person=',
    'person=Anna%20%3Cnot%20an%20address%3E',
    'person=%3Cscript%3Ealert(1)%3C/script%3E',
    '',
  ])('is rejected as a whole when a part is invalid: %s', (query) => {
    expect(faultOf(`signingdesk:draft?${query}`)).toBe('damaged');
  });

  it('is limited to the length that a person would type, and rejected beyond', () => {
    const people = (count: number): string => Array(count).fill('person=A').join('&');
    expect(draftOf(`title=${'a'.repeat(MAX_TITLE)}`).title).toHaveLength(MAX_TITLE);
    expect(faultOf(`signingdesk:draft?title=${'a'.repeat(MAX_TITLE + 1)}`)).toBe('too-much');
    expect(faultOf(`signingdesk:draft?message=${'a'.repeat(MAX_MESSAGE + 1)}`)).toBe('too-much');
    expect(draftOf(people(MAX_PARTIES)).parties).toHaveLength(MAX_PARTIES);
    expect(faultOf(`signingdesk:draft?${people(MAX_PARTIES + 1)}`)).toBe('too-much');
    const long = `signingdesk:draft?message=${'%61'.repeat(1400)}`;
    expect(long.length).toBeGreaterThan(MAX_LINK_LENGTH);
    expect(faultOf(long)).toBe('too-long');
  });

  it('becomes a draft of either API without errors in the filled fields', () => {
    const draft = draftOf(
      'title=Hyra&message=Hej&person=Anna%20Berg%20%3Canna@example.org%3E' +
        '&person=Bo%20Ek%20%3C070-123%2045%2067%3E&company=Ek%20AB%20%3Cinfo@ek.example%3E',
    );
    const v1 = linkedContent('v1', draft, NOW);
    const v2 = linkedContent('v2', draft, NOW);
    if (v1.api !== 'v1' || v2.api !== 'v2') throw new Error('another API');
    expect(v1.body).toMatchObject({
      title: 'Hyra',
      attachments: [],
      parties: [
        { type: 'PRIVATE', firstName: 'Anna', lastName: 'Berg', email: 'anna@example.org' },
        { type: 'PRIVATE', mobile: '+46701234567' },
        { type: 'COMPANY', name: 'Ek AB', email: 'info@ek.example' },
      ],
    });
    // The party gets all default notifications, with the message in the first one.
    expect(v1.body.parties[0]?.notifications).toHaveLength(8);
    expect(v1.body.parties[0]?.notifications?.[0]).toEqual({
      type: 'READY_TO_SIGN',
      placeholders: { message: 'Hej' },
    });
    expect(v2.body).toMatchObject({
      name: 'Hyra',
      attachments: [],
      notificationMessages: [{ type: 'posted', additionalText: 'Hej' }],
      parties: {
        privates: [{ firstName: 'Anna' }, { mobile: '+46 701234567' }],
        companies: [{ email: 'info@ek.example' }],
      },
    });
    for (const content of [v1, v2]) {
      const { errors } = checkDraft(content, { files: [], forms: new Map() }, NOW);
      expect(errors.filter(({ code }) => code === 'format' || code === 'too-long')).toEqual([]);
    }
  });

  it('leaves the messages unchanged when it has none', () => {
    const content = linkedContent('v1', draftOf('person=Anna'), NOW);
    expect(JSON.stringify(content)).not.toContain('notifications');
  });

  it('adds no markup to a message that the service formats', () => {
    const draft = draftOf('message=%3Cimg%20src%3Dx%3E%20%26%20mer');
    const content = linkedContent('v2', draft, NOW);
    expect(content.body).toMatchObject({
      notificationMessages: [{ additionalText: '<p>&lt;img src=x&gt; &amp; mer</p>' }],
    });
  });
});

it.each([
  'signingdesk:send/1',
  'signingdesk:sign/1',
  'signingdesk:revoke/1',
  'signingdesk:file/x',
  'signingdesk:draft/1?title=x',
])('a link with another command is rejected: %s (TX-61)', (text) => {
  expect(faultOf(text)).toBe('unknown');
});

it.each(['', 'https://example.org', 'signingdesk:', 'signingdesk:///etc/passwd', 'desk://app'])(
  'other text is not read as a link: %j',
  (text) => {
    expect(faultOf(text)).toBe('damaged');
  },
);
