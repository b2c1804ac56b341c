import { describe, expect, it } from 'vitest';
import { DraftBodyV1, DraftBodyV2 } from '../../../../shared/contract/drafts.ts';
import { checkDraft } from '../../../../shared/rules/drafts/check.ts';
import {
  contactsOf as contactsOfContent,
  notifiedPeople,
} from '../../../../shared/rules/drafts/parts/contacts.ts';

const nothing = { files: [], forms: new Map() };
const EMAIL = { medium: 'EMAIL', address: 'other@example.com' };
const SMS = { medium: 'SMS', address: '+46701234567' };

describe('recipients of messages on sending with v1', () => {
  const party = (email: string | undefined, change: object = {}) => ({
    type: 'PRIVATE',
    firstName: 'Åsa',
    lastName: 'Öberg',
    email,
    signingConfigurations: [{ type: 'CLICK' }],
    ...change,
  });
  const contactsOf = (parties: object[], change: object = {}) => {
    const body = DraftBodyV1.parse({ title: 'x', attachments: [], parties, ...change });
    const content = { api: 'v1', body } as const;
    const { contacts, recipients, warnings } = checkDraft(content, nothing, 0);
    const names = notifiedPeople(contactsOfContent(content));
    return { contacts, addresses: recipients.map(({ address }) => address), names, warnings };
  };
  const ready = (recipients?: object[]) => ({
    notifications: [{ type: 'READY_TO_SIGN', ...(recipients !== undefined && { recipients }) }],
  });
  const silent = { notifications: [] };

  it('are the parties and the owner by default', () => {
    expect(contactsOf([party('a@x.se'), party('b@x.se')])).toMatchObject({
      addresses: ['a@x.se', 'b@x.se', ''],
      contacts: { people: 3, emails: 3, sms: 0 },
    });
  });

  it('are the parties of the first signing order only', () => {
    const parties = [party('late@x.se', { signingOrder: 5 }), party('a@x.se', { signingOrder: 2 })];
    expect(contactsOf(parties, silent).addresses).toEqual(['a@x.se']);
  });

  it('are none when the list is empty, or holds only other events (T1-52)', () => {
    expect(contactsOf([party('a@x.se', silent)], silent).addresses).toEqual([]);
    const later = { notifications: [{ type: 'SIGNED_BY_ALL' }] };
    expect(contactsOf([party('a@x.se', later)], silent).addresses).toEqual([]);
  });

  it('are the usual addresses when a block has no recipients (T1-52)', () => {
    expect(contactsOf([party('a@x.se', ready())], silent).addresses).toEqual(['a@x.se']);
    expect(contactsOf([party('a@x.se', ready([]))], silent).addresses).toEqual(['a@x.se']);
  });

  it('are the addresses of a block instead of the usual one', () => {
    expect(contactsOf([party('a@x.se', ready([EMAIL]))], silent).addresses).toEqual([
      EMAIL.address,
    ]);
  });

  it('count a person once for both email and text message', () => {
    const both = {
      notifications: [{ type: 'READY_TO_SIGN' }, { type: 'READY_TO_SIGN', recipients: [SMS] }],
    };
    expect(contactsOf([party('a@x.se', both)], silent).contacts).toEqual({
      people: 1,
      emails: 1,
      sms: 1,
    });
  });

  it('are named once for each person, with the owner as the last one', () => {
    const both = {
      notifications: [
        { type: 'READY_TO_SIGN' },
        { type: 'READY_TO_SIGN', recipients: [SMS] },
        { type: 'READY_TO_SIGN', recipients: [EMAIL] },
      ],
    };
    const { contacts, names } = contactsOf([party('a@x.se', both), party('b@x.se')]);
    expect(names).toEqual(['Åsa Öberg', EMAIL.address, 'Åsa Öberg', '']);
    expect(contacts).toEqual({ people: 4, emails: 4, sms: 1 });
  });

  it('are only the owner when the parties get no messages', () => {
    const { contacts, names } = contactsOf([party('a@x.se', silent)]);
    expect(names).toEqual(['']);
    expect(contacts.people).toBe(1);
  });

  it('include no person when a webhook is called (T1-93)', () => {
    const hook = ready([{ medium: 'WEBHOOK', address: 'https://x.se' }]);
    expect(contactsOf([party('a@x.se', silent)], hook).contacts.people).toBe(0);
  });

  it('exclude a party without an address, with a warning', () => {
    const { addresses, warnings } = contactsOf([party(undefined)], silent);
    expect(addresses).toEqual([]);
    expect(warnings.map(({ field, code }) => [field, code])).toContainEqual([
      'parties.0.email',
      'nobody-told',
    ]);
  });

  it('exclude one party of several, with a warning about this party only', () => {
    const own = { type: 'MY_COMPANY', signingConfigurations: [{ type: 'API' }] };
    const sms = { notifications: [{ type: 'READY_TO_SIGN', recipients: [SMS] }] };
    const parties = [party('a@x.se'), party(undefined), party(undefined, sms)];
    const { warnings } = contactsOf([...parties, party(undefined, own)], silent);
    expect(warnings.filter(({ code }) => code.endsWith('told'))).toMatchObject([
      { field: 'parties.1.email', code: 'party-not-told' },
    ]);
  });

  it('do not include a party that signs in this program', () => {
    const own = { type: 'MY_COMPANY', signingConfigurations: [{ type: 'API' }] };
    const { warnings } = contactsOf([party(undefined, own)], silent);
    expect(warnings.map(({ code }) => code)).not.toContain('nobody-told');
  });
});

describe('recipients of messages on sending with v2', () => {
  const party = (email: string, signingOrder?: number) => ({
    firstName: 'Åsa',
    email,
    ...(signingOrder !== undefined && { signingOrder }),
  });
  const contactsOf = (privates: object[], companies: object[] = [], change: object = {}) => {
    const parties = { privates, companies };
    const body = DraftBodyV2.parse({ name: 'x', type: 'FREE_TEXT', parties, ...change });
    const { contacts, recipients } = checkDraft({ api: 'v2', body }, nothing, 0);
    return { contacts, addresses: recipients.map(({ address }) => address) };
  };

  it('are the parties of the first signing order in both groups', () => {
    const { addresses } = contactsOf(
      [party('a@x.se', 1), party('late@x.se', 2)],
      [party('b@x.se')],
    );
    expect(addresses).toEqual(['a@x.se', 'b@x.se']);
  });

  it.each([
    ['is null', null],
    ['is empty', []],
    ['names other events only', [{ type: 'closed' }]],
  ])('are none when the list of messages %s (T2-33)', (_, notificationMessages) => {
    const change = { notificationMessages };
    expect(contactsOf([party('a@x.se')], [], change).contacts).toEqual({
      people: 0,
      emails: 0,
      sms: 0,
    });
  });

  it('include additional recipients', () => {
    const additionalRecipients = [{ firstName: 'Bo', email: 'bo@x.se' }];
    const change = { notificationMessages: [{ type: 'posted', additionalRecipients }] };
    expect(contactsOf([party('a@x.se')], [], change)).toEqual({
      addresses: ['a@x.se', 'bo@x.se'],
      contacts: { people: 2, emails: 2, sms: 0 },
    });
  });
});
