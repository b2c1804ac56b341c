import type {
  ReminderReason,
  ReminderRule,
  ReminderRuleShown,
} from '../../../../../shared/contract/reminders.ts';
import { count } from '../../output/text.ts';

export const reasons = {
  'too-early': 'not so many days since it was sent',
  lately: 'not so many days since the last time',
  hours: 'outside office hours',
  weekend: 'a weekend',
  holiday: 'a public holiday',
  enough: 'as often as the rule allows',
  'switched-off': 'switched off for it',
  bounced: 'messages to this address come back',
  refused: 'failed three times',
  'service-reminds': 'the service itself reminds',
  clock: 'a reminder lies in the future: the clock was put back',
  'not-turn': 'not its turn',
  ours: 'our own company',
  'no-address': 'no address',
  expired: 'expired',
  'unknown-start': 'not known when it was sent',
} as const satisfies Record<ReminderReason, string>;

export function whenText({ firstAfterDays, everyDays, most, hours }: ReminderRule): string {
  const times = `after ${count(firstAfterDays, 'day')}, then every ${count(everyDays, 'day')}`;
  return `${times}, at most ${most}; ${hours.from}-${hours.to} ${hours.zone}`;
}

export function lastText({ last }: ReminderRuleShown): string {
  if (last === null) return '';
  if (last.failure !== null) return last.failure.message;
  const unknown = last.unknown === 0 ? '' : `, ${last.unknown} of unknown outcome`;
  return `${last.reminded} reminded, ${last.failed} failed${unknown}`;
}
