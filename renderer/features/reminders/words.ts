import type {
  ReminderPreview,
  ReminderReason,
  ReminderRule,
  ReminderRuleView,
} from '../../../shared/contract/reminders.ts';
import { formatDateTime } from '../../ui/format.ts';
import { m } from '../../ui/language.svelte.ts';
import { failuresLook, lastRunText, runLook } from '../../window/rule-words.ts';

type ReminderTerms = Pick<ReminderRule, 'firstAfterDays' | 'everyDays' | 'most' | 'hours'>;

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

export function reminderLook(shown: ReminderRuleView) {
  const { rule, last } = shown;
  const { reminded = 0, failed = 0, unknown = 0 } = last ?? {};
  const words = [
    m.reminder_result({ count: reminded }),
    ...(failed > 0 ? [m.rule_result_failed({ count: failed })] : []),
    ...(unknown > 0 ? [m.rule_result_unknown({ count: unknown })] : []),
  ];
  return {
    sentence: reminderSentence(rule),
    times: [lastRunText(shown), nextReminderText(shown)],
    failures: failuresLook(shown.failures, failed),
    ...runLook(shown, { words, isGood: failed + unknown === 0 }),
  };
}

/** When the rule reminds, and how often, as a sentence without a full stop. @internal */
export function reminderSentence({
  firstAfterDays,
  everyDays,
  most,
  hours,
}: ReminderTerms): string {
  const sentence = [
    m.reminder_says_first({ count: firstAfterDays }),
    m.reminder_says_every({ count: everyDays }),
    m.reminder_says_most({ count: most }),
  ].join(', ');
  return `${sentence} · ${hours.from}–${hours.to}`;
}

function nextReminderText({ rule, isPaused, dueNow, nextAt }: ReminderRuleView): string | null {
  if (!rule.isOn || isPaused) return m.rule_off();
  if (dueNow > 0) return m.rule_due_now({ count: dueNow });
  return nextAt === null ? null : m.rule_next({ time: formatDateTime(nextAt) });
}

/** Result of a rule for today; `nextAt` is the next reminder if there is none today. */
export function forecastText({ planned, held }: ReminderPreview): string {
  if (planned.length > 0) return m.reminder_forecast({ count: planned.length });
  const times = held.flatMap(({ nextAt }) => nextAt ?? []);
  if (times.length === 0) return m.reminder_forecast_none();
  const next = m.rule_next({ time: formatDateTime(Math.min(...times)) });
  return `${m.reminder_forecast_none()} · ${next}`;
}
