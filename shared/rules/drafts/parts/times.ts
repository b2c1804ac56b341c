import type { DraftBodyV1 } from '../../../contract/drafts.ts';
import type { Day } from '../../time/days.ts';
import { type Findings, textOrNullIfEmpty } from './findings.ts';
import { parseV1Time } from '../../time/wire-time.ts';
import { DAY } from '../../time/units.ts';

/** Time of the check, and the draft's own expiry (epoch ms). */
export interface CheckTimes {
  readonly now: number;
  readonly today: Day;
  readonly expires: number | null;
}

/** Checks `expireOn` and `deleteOn` (API v1, "Agreement (request body of create)"). */
export function checkDeadlines(body: DraftBodyV1, now: number, findings: Findings): void {
  const expires = checkFuture(body.expireOn, 'expireOn', now, findings);
  const deletes = checkFuture(body.deleteOn, 'deleteOn', now, findings);
  if (expires !== null && deletes !== null && expires >= deletes) {
    findings.error('expireOn', 'expiry-after-deletion');
  }
  if (textOrNullIfEmpty(body.expireOn) === null) findings.warn('expireOn', 'no-expiry');
  else if (expires !== null && expires > now && expires - now < DAY && isReminded(body)) {
    findings.warn('expireOn', 'no-reminder');
  }
}

/**
 * Checks that `sendExpiryReminderOn` is at least a whole day before the agreement expires (API v1,
 * "Configuration").
 */
export function checkReminderTime(
  text: string | undefined,
  times: CheckTimes,
  at: string,
  findings: Findings,
): void {
  const reminds = checkFuture(text, at, times.now, findings);
  if (reminds === null) return;
  if (times.expires === null || reminds > times.expires - DAY) {
    const rule = 'The reminder must be sent at least a day before signing closes';
    findings.error(at, 'range', rule);
  }
}

/** Checks a v1 timestamp, past or future. */
export function checkStamp(text: string | undefined, at: string, findings: Findings): void {
  const stamp = textOrNullIfEmpty(text);
  if (stamp !== null && parseV1Time(stamp) === null) findings.error(at, 'format');
}

function checkFuture(
  text: string | undefined,
  at: string,
  now: number,
  findings: Findings,
): number | null {
  const stamp = textOrNullIfEmpty(text);
  if (stamp === null) return null;
  const time = parseV1Time(stamp);
  if (time === null) findings.error(at, 'format');
  else if (time <= now) findings.error(at, 'not-future');
  return time;
}

/** Whether anyone would get the automatic reminder one day before expiry. */
function isReminded({ notifications, parties }: DraftBodyV1): boolean {
  const lists = [notifications, ...parties.map((party) => party.notifications)];
  return lists.some(
    (list) => list === undefined || list.some(({ type }) => type === 'EXPIRY_REMINDER'),
  );
}
