import type { DraftContent } from '../../contract/drafts.ts';
import { parseV1Time } from '../time/wire-time.ts';
import { DAY } from '../time/units.ts';

const YEAR_MS = 366 * DAY;

/**
 * Why a draft cannot be sent at this time (epoch ms): it is not in the future, is more than a year
 * away, or is after the agreement's expiry (API v1, `expireOn`). Null if it can.
 */
export type SendTimeProblem = 'past' | 'far' | 'closes-first';

export function sendTimeProblem(
  content: DraftContent,
  sendAt: number,
  now: number,
): SendTimeProblem | null {
  if (sendAt <= now) return 'past';
  if (sendAt > now + YEAR_MS) return 'far';
  const closes = content.api === 'v1' ? parseV1Time(content.body.expireOn ?? '') : null;
  return closes !== null && closes <= sendAt ? 'closes-first' : null;
}
