import { expect, it } from 'vitest';
import { DraftBodyV1, DraftBodyV2 } from '../../../../shared/contract/drafts.ts';
import { createFindings } from '../../../../shared/rules/drafts/parts/findings.ts';
import { rejectUnallowedRecipients } from '../../../../shared/rules/drafts/parts/strangers.ts';
import { personV1 } from '../../../support/draft-checks.ts';

const OURS = ['@ours.test', '+46701234567'];

function strangers(
  content: Parameters<typeof rejectUnallowedRecipients>[0],
  allowed: readonly string[] | null = OURS,
): readonly string[] {
  const findings = createFindings();
  rejectUnallowedRecipients(content, allowed, findings);
  return findings.errors.map(({ field, code }) => `${field} ${code}`);
}

const recipients = [
  { medium: 'EMAIL' as const, address: 'x@else.test' },
  { medium: 'SMS' as const, address: '+46709999999' },
  { medium: 'WEBHOOK' as const, address: 'https://else.test' },
];
const blocks = [{ type: 'SIGNED' as const, recipients }];

it('for API v1 every later recipient is checked against the allowed list', () => {
  const body = DraftBodyV1.parse({
    title: 'Lease',
    attachments: [],
    parties: [
      { ...personV1, email: 'a@ours.test', mobile: '+46701234567' },
      {
        ...personV1,
        email: 'b@else.test',
        mobile: '+46709999999',
        signingOrder: 2,
        notifications: blocks,
      },
    ],
    notifications: blocks,
  });
  expect(strangers({ api: 'v1', body })).toEqual([
    'parties.1.email stranger',
    'parties.1.mobile stranger',
    'parties.1.notifications.0.recipients.0.address stranger',
    'parties.1.notifications.0.recipients.1.address stranger',
    'parties.1.notifications.0.recipients.2.address stranger',
    'notifications.0.recipients.0.address stranger',
    'notifications.0.recipients.1.address stranger',
    'notifications.0.recipients.2.address stranger',
  ]);
  expect(strangers({ api: 'v1', body }, null)).toEqual([]);
});

it('for API v2 additional recipients and reminder recipients are checked against the allowed list', () => {
  const body = DraftBodyV2.parse({
    name: 'Lease',
    type: 'ATTACHED',
    attachments: [],
    parties: {
      privates: [{ email: 'a@else.test', mobile: '+46709999999', signMethods: ['EMAIL'] }],
      companies: [{ email: 'b@else.test', orgNo: '5599990008' }],
    },
    notificationMessages: [
      {
        type: 'posted',
        additionalRecipients: [{ email: 'c@else.test' }, { email: 'c@ours.test' }],
      },
    ],
    reminders: [{ date: '2027-01-01', emails: ['a@ours.test', 'd@else.test'] }],
  });
  expect(strangers({ api: 'v2', body })).toEqual([
    'notificationMessages.0.additionalRecipients.0.email stranger',
    'reminders.0.emails.1 stranger',
    'parties.privates.0.email stranger',
    'parties.privates.0.mobile stranger',
    'parties.companies.0.email stranger',
  ]);
});
