import type { ReminderReason, ReminderRuleView } from '../../../shared/contract/reminders.ts';
import { sentenceFor } from '../../ui/failure-words.ts';
import { formatDateTime } from '../../ui/format.ts';
import { m } from '../../ui/language.svelte.ts';

export const reasons = {
  'too-early': m.reminder_why_too_early,
  lately: m.reminder_why_lately,
  hours: m.reminder_why_hours,
  weekend: m.reminder_why_weekend,
  holiday: m.reminder_why_holiday,
  enough: m.reminder_why_enough,
  'switched-off': m.reminder_why_switched_off,
  bounced: m.reminder_why_bounced,
  refused: m.reminder_why_refused,
  'service-reminds': m.reminder_why_service_reminds,
  clock: m.reminder_why_clock,
  'not-turn': m.reminder_why_not_turn,
  ours: m.reminder_why_ours,
  'no-address': m.reminder_why_no_address,
  expired: m.reminder_why_expired,
  'unknown-start': m.reminder_why_unknown_start,
} as const satisfies Record<ReminderReason, () => string>;

export function lastText({ last }: ReminderRuleView): string {
  if (last === null) return m.archive_rule_never();
  if (last.failure !== null) return sentenceFor(last.failure);
  const { at, reminded, failed, unknown } = last;
  const time = formatDateTime(at);
  return failed + unknown === 0
    ? m.reminder_rule_last_good({ time, reminded })
    : m.reminder_rule_last({ time, reminded, failed, unknown });
}

export function nextReminderText({ rule, dueNow, nextAt }: ReminderRuleView): string | null {
  if (!rule.isOn) return null;
  if (dueNow > 0) return m.rule_due_now({ count: dueNow });
  return nextAt === null ? null : m.rule_next({ time: formatDateTime(nextAt) });
}
