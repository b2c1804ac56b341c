import type { BackupState, BackupWhen } from '../../../shared/contract/backup.ts';
import { sentenceFor } from '../../ui/failure-words.ts';
import { formatDateTime } from '../../ui/format.ts';
import { currentLanguage, m } from '../../ui/language.svelte.ts';

/** A Monday. */
const MONDAY = Date.UTC(2026, 0, 5);
const DAY_MS = 86_400_000;
export const weekdays = [1, 2, 3, 4, 5, 6, 7] as const;

/** 1 is Monday. */
export function weekdayName(day: number): string {
  const format = new Intl.DateTimeFormat(currentLanguage(), { weekday: 'long', timeZone: 'UTC' });
  return format.format(MONDAY + (day - 1) * DAY_MS);
}

function whenText(when: BackupWhen): string {
  switch (when.kind) {
    case 'by-hand':
      return m.archive_when_by_hand();
    case 'daily':
      return m.archive_when_daily_at({ time: when.at });
    case 'weekly':
      return m.backup_when_weekly_at({ day: weekdayName(when.day), time: when.at });
  }
}

/** What it does, what it did, and what is wrong; null leaves a line out. */
export function linesOf({ plan, last, good, dueAt, isOverdue }: BackupState): (string | null)[] {
  if (plan === null) return [];
  const failure = last?.failure ?? null;
  return [
    `${whenText(plan.when)} · ${plan.folder}`,
    good === null ? m.backup_never() : m.backup_last({ time: formatDateTime(good.at) }),
    failure === null ? null : sentenceFor(failure),
    failure === null && isOverdue ? m.backup_overdue() : null,
    dueAt === null ? null : m.rule_next({ time: formatDateTime(dueAt) }),
  ];
}
