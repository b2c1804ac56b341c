import type {
  ReminderReason,
  ReminderRule,
  ReminderRuleView,
} from '../../../../../shared/contract/reminders.ts';
import { count } from '../../output/text.ts';

export const reasons = {
  'too-early': 'sent too recently',
  lately: 'reminded too recently',
  hours: 'outside office hours',
  weekend: 'a weekend',
  holiday: 'a public holiday',
  enough: 'already reminded as often as the rule allows',
  'switched-off': 'excluded from reminders',
  bounced: 'messages to this address bounce',
  refused: 'failed three times',
  'service-reminds': 'the service itself reminds',
  clock: 'a reminder is dated in the future: the clock was set back',
  'not-turn': 'not its turn',
  ours: 'our own company',
  'no-address': 'no address',
  expired: 'expired',
  'unknown-start': 'the time of sending is not known',
} as const satisfies Record<ReminderReason, string>;

export function whenText({ firstAfterDays, everyDays, most, hours }: ReminderRule): string {
  const times = `after ${count(firstAfterDays, 'day')}, then every ${count(everyDays, 'day')}`;
  return `${times}, at most ${most}; ${hours.from}-${hours.to} ${hours.zone}`;
}

export function lastText({ last }: ReminderRuleView): string {
  if (last === null) return '';
  if (last.failure !== null) return last.failure.message;
  const unknown = last.unknown === 0 ? '' : `, ${last.unknown} with an unknown outcome`;
  return `${last.reminded} reminded, ${last.failed} failed${unknown}`;
}
