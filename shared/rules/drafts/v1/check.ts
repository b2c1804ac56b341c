import type { DraftBodyV1 } from '../../../contract/drafts.ts';
import { dayOf } from '../../time/days.ts';
import type { Documents } from '../parts/documents.ts';
import { type Findings, isBlank } from '../parts/findings.ts';
import { checkLinksV1 } from '../parts/links.ts';
import { warnOfSamePersonV1 } from '../parts/people.ts';
import { checkTags } from '../parts/tags.ts';
import { checkDeadlines } from '../parts/times.ts';
import { checkAccessRightsV1 } from './access.ts';
import { checkAttachmentsV1 } from './attachments.ts';
import { checkConfigurationsV1 } from './configurations.ts';
import { checkNotificationsV1 } from './notifications.ts';
import { checkPartyV1 } from './party.ts';
import { parseV1Time } from '../../time/wire-time.ts';

/** Checks every rule of API v1, "Agreement (request body of create)". */
export function checkV1(
  body: DraftBodyV1,
  documents: Documents,
  now: number,
  findings: Findings,
): void {
  const times = { now, today: dayOf(now), expires: parseV1Time(body.expireOn ?? '') };
  if (isBlank(body.title)) findings.error('title', 'required');
  checkDeadlines(body, now, findings);
  checkConfigurationsV1(body.configurations, times, findings);
  checkAttachmentsV1(body, documents, findings);
  if (body.parties.length === 0) findings.error('parties', 'no-party');
  for (const [index, party] of body.parties.entries()) {
    checkPartyV1(party, times, `parties.${index}`, findings);
  }
  warnOfSamePersonV1(body, times.today, findings);
  checkNotificationsV1(body.notifications, 'notifications', 'agreement', findings);
  checkAccessRightsV1(body.accessRights, findings);
  checkLinksV1(body.links, findings);
  checkTags(body.tags, findings);
}
