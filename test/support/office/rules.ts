import type { ReminderRuleDraft } from '../../../shared/contract/reminders.ts';
import type { TemplateId } from '../../../shared/model/ids.ts';
import type { Life } from './lives.ts';

export type RuleName = 'Own' | 'Leases' | 'Batch' | 'Others';

const hours = (zone: string, from: string, to: string) => ({ zone, from, to });

/** Common settings of all rules. */
export const terms = {
  Own: {
    firstAfterDays: 3,
    everyDays: 2,
    most: 3,
    country: 'SE',
    hours: hours('Europe/Stockholm', '09:00', '16:00'),
  },
  Leases: {
    firstAfterDays: 1,
    everyDays: 3,
    most: 4,
    country: 'GB',
    hours: hours('Europe/London', '08:30', '17:00'),
  },
  Batch: {
    firstAfterDays: 2,
    everyDays: 1,
    most: 5,
    country: 'DE',
    hours: hours('Europe/Berlin', '10:00', '15:00'),
  },
  Others: {
    firstAfterDays: 2,
    everyDays: 4,
    most: 2,
    country: 'FI',
    hours: hours('Europe/Helsinki', '09:00', '14:30'),
  },
} as const satisfies Record<RuleName, Omit<ReminderRuleDraft, 'name' | 'isOn' | 'filter'>>;

/**
 * Rules of one computer: for its own sends, more specific ones for leases and a batch, and one for
 * other programs' agreements with a tag.
 */
export function rulesOf(desk: number, templateId: TemplateId): readonly ReminderRuleDraft[] {
  const filters = {
    Own: { ownOnly: true },
    Leases: { ownOnly: true, tag: 'kind=lease' },
    Batch: { ownOnly: true, templateId },
    Others: { ownOnly: false, tag: `desk=${String(desk)}` },
  };
  const names = ['Own', 'Leases', 'Batch', 'Others'] as const;
  return names.map((name) => ({
    name,
    isOn: true,
    filter: filters[name],
    firstAfterDays: terms[name].firstAfterDays,
    everyDays: terms[name].everyDays,
    most: terms[name].most,
    hours: terms[name].hours,
    country: terms[name].country,
  }));
}

/** Name of the rule that applies to an agreement, as a person would read the rules. */
export function ruleOfLife({ from, kind }: Pick<Life, 'from' | 'kind'>): RuleName {
  if (from === 'elsewhere') return 'Others';
  if (from === 'batch') return 'Batch';
  return kind === 'lease' ? 'Leases' : 'Own';
}
