import type { DraftContent } from '../../../../shared/contract/drafts.ts';
import { wallTimeOf } from '../../../../shared/rules/drafts/wall-time.ts';
import { isDay } from '../../../../shared/rules/time/days.ts';
import { DAY } from '../../../../shared/rules/time/units.ts';
import { formatDate } from '../../../ui/format.ts';
import { m } from '../../../ui/language.svelte.ts';

/** API v2, "Agreement request (create)": the default if `expireIn` is absent. */
const DEFAULT_DAYS = 60;

/**
 * When an agreement that is sent at `sentAt` (epoch ms) ends, in sentences. API v2 counts the days
 * from the send.
 */
export function endLines(content: DraftContent, sentAt: number): readonly string[] {
  if (content.api === 'v2') {
    const count = content.body.expireIn ?? DEFAULT_DAYS;
    return [m.draft_send_days({ count, date: formatDate(sentAt + count * DAY) })];
  }
  const closes = wallTimeOf(content.body.expireOn);
  const deletes = wallTimeOf(content.body.deleteOn);
  return [
    closes.date === ''
      ? m.draft_send_never_closes()
      : m.draft_send_closes({ date: dayOf(closes.date), time: closes.time }),
    deletes.date === ''
      ? m.draft_send_never_deletes()
      : m.draft_send_deletes({ date: dayOf(deletes.date) }),
  ];
}

/**
 * Returns a day of the Swedish calendar as a text, in every time zone of this computer; a typed
 * text that is not a day is returned unchanged.
 */
function dayOf(date: string): string {
  return isDay(date) ? formatDate(new Date(`${date}T12:00`).getTime()) : date;
}
