import type { DraftBodyV1, DraftBodyV2, DraftContent } from '../../../contract/drafts.ts';
import { isAllowed } from '../../identifiers/allowed.ts';
import type { Findings } from './findings.ts';

interface Reached {
  readonly at: string;
  readonly address: string | undefined;
}

/**
 * Refuses everybody that the service would ever write to or call for this agreement, at once or
 * later, and who is not among those allowed; null allows everybody. The owner of the account, whom
 * only the service knows, is no stranger.
 */
export function refuseStrangers(
  content: DraftContent,
  allowed: readonly string[] | null,
  findings: Findings,
): void {
  if (allowed === null) return;
  const reached = content.api === 'v1' ? reachedByV1(content.body) : reachedByV2(content.body);
  for (const { at, address = '' } of reached) {
    if (address.trim() !== '' && !isAllowed(address, allowed)) findings.error(at, 'stranger');
  }
}

function reachedByV1({ parties, notifications }: DraftBodyV1): readonly Reached[] {
  return [
    ...parties.flatMap(({ email, mobile, notifications: own }, index) => [
      { at: `parties.${index}.email`, address: email },
      { at: `parties.${index}.mobile`, address: mobile },
      ...recipientsOf(own, `parties.${index}.notifications`),
    ]),
    ...recipientsOf(notifications, 'notifications'),
  ];
}

/** A webhook reaches a program. */
function recipientsOf(blocks: DraftBodyV1['notifications'], path: string): readonly Reached[] {
  return (blocks ?? []).flatMap(({ recipients = [] }, block) =>
    recipients.flatMap(({ medium, address }, index) =>
      medium === 'WEBHOOK' ? [] : [{ at: `${path}.${block}.recipients.${index}.address`, address }],
    ),
  );
}

function reachedByV2({
  parties,
  notificationMessages,
  reminders,
}: DraftBodyV2): readonly Reached[] {
  return [
    ...parties.privates.flatMap(({ email, mobile }, index) => [
      { at: `parties.privates.${index}.email`, address: email },
      { at: `parties.privates.${index}.mobile`, address: mobile },
    ]),
    ...parties.companies.map(({ email }, index) => ({
      at: `parties.companies.${index}.email`,
      address: email,
    })),
    ...(notificationMessages ?? []).flatMap(({ additionalRecipients = [] }, block) =>
      additionalRecipients.map(({ email }, index) => ({
        at: `notificationMessages.${block}.additionalRecipients.${index}.email`,
        address: email,
      })),
    ),
    ...(reminders ?? []).flatMap(({ emails }, reminder) =>
      emails.map((address, index) => ({ at: `reminders.${reminder}.emails.${index}`, address })),
    ),
  ];
}
