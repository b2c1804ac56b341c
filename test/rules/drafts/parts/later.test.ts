import { describe, expect, it } from 'vitest';
import { DraftBodyV1, DraftBodyV2 } from '../../../../shared/contract/drafts.ts';
import { laterRecipientsOf } from '../../../../shared/rules/drafts/parts/later.ts';

const party = {
  type: 'PRIVATE',
  firstName: 'Åsa',
  lastName: 'Öberg',
  email: 'asa@example.com',
  mobile: '+46701234567',
};
const block = (type: string, medium: string, address: string) => ({
  type,
  recipients: [{ medium, address }],
});
const v1 = (more: object, ofParty: object = {}) => ({
  api: 'v1' as const,
  body: DraftBodyV1.parse({
    title: 'Lease',
    attachments: [],
    parties: [{ ...party, signingConfigurations: [{ type: 'CLICK' }], ...ofParty }],
    ...more,
  }),
});

describe('recipients of an agreement that are notified later (SR-P8)', () => {
  it('include the recipients and webhooks of v1 messages, each once', () => {
    const content = v1({
      notifications: [
        block('SIGNED_BY_ALL', 'EMAIL', 'other@example.com'),
        block('REJECTED', 'EMAIL', 'Other@example.com'),
        block('SIGNED_BY_ALL', 'WEBHOOK', 'https://other.example/hook'),
      ],
    });
    expect(laterRecipientsOf(content, ['asa@example.com'])).toEqual([
      { address: 'other@example.com', isHost: false },
      { address: 'https://other.example/hook', isHost: true },
    ]);
  });

  it('include the other recipients of a party’s messages', () => {
    const content = v1({}, { notifications: [block('SIGNED', 'SMS', '+46700000000')] });
    expect(laterRecipientsOf(content, [])).toEqual([{ address: '+46700000000', isHost: false }]);
  });

  it('exclude the parties and recipients of the first messages', () => {
    const content = v1({
      notifications: [
        block('SIGNED', 'EMAIL', 'ASA@example.com'),
        block('SIGNED', 'EMAIL', 'now@example.com'),
      ],
    });
    expect(laterRecipientsOf(content, ['now@example.com'])).toEqual([]);
  });

  it('include the webhook, reminder recipients and additional recipients of a v2 draft', () => {
    const body = DraftBodyV2.parse({
      name: 'Lease',
      type: 'ATTACHED',
      parties: { privates: [{ ...party, personNo: '' }], companies: [] },
      webhook: { events: ['SIGNED_BY_ALL'], url: 'https://other.example/v2' },
      reminders: [{ date: '2026-12-24', emails: ['asa@example.com', 'chief@example.com'] }],
      notificationMessages: [
        { type: 'signed', additionalRecipients: [{ email: 'copy@example.com' }] },
      ],
    });
    expect(
      laterRecipientsOf({ api: 'v2', body }, [])
        .map(({ address }) => address)
        .toSorted(),
    ).toEqual(['chief@example.com', 'copy@example.com', 'https://other.example/v2']);
  });
});
