import type {
  BackupManifest,
  BackupState,
  BackupFrequency,
  RestoredLocation,
  RestoreOutcome,
} from '../../../shared/contract/backup.ts';
import { sentenceFor } from '../../ui/failure-words.ts';
import { formatCount, formatDateTime, formatTime } from '../../ui/format.ts';
import { currentLanguage, m } from '../../ui/language.svelte.ts';
import type { ScreenPlace } from '../../window/router.svelte.ts';
import { DAY } from '../../../shared/rules/time/units.ts';

const SOME_MONDAY = Date.UTC(2026, 0, 5);
export const weekdays = [1, 2, 3, 4, 5, 6, 7] as const;

/** Name of a day of the week; 1 is Monday. */
export function weekdayName(day: number): string {
  const format = new Intl.DateTimeFormat(currentLanguage(), { weekday: 'long', timeZone: 'UTC' });
  return format.format(SOME_MONDAY + (day - 1) * DAY);
}

function whenText(when: BackupFrequency): string {
  switch (when.kind) {
    case 'by-hand':
      return m.archive_when_by_hand();
    case 'daily':
      return m.archive_when_daily_at({ time: when.at });
    case 'weekly':
      return m.backup_when_weekly_at({ day: weekdayName(when.day), time: when.at });
  }
}

/** Age of the last good backup, or the state that needs the user's attention. */
export function backupBadge({ last, good, isPaused, isOverdue }: BackupState, now: number) {
  if (isPaused) return { tone: 'attention', word: m.rule_paused_short() } as const;
  const isGood = !isOverdue && (last === null || last.failure === null);
  if (good === null) {
    return { tone: isGood ? 'waiting' : 'attention', word: m.backup_never() } as const;
  }
  const isToday = new Date(good.at).toDateString() === new Date(now).toDateString();
  const time = isToday ? formatTime(good.at) : formatDateTime(good.at);
  return { tone: isGood ? 'signed' : 'attention', word: m.backup_last({ time }) } as const;
}

/** Problems of the backups, as sentences. */
export function backupNotes(state: BackupState): readonly string[] {
  const { last, isPaused, isOverdue, upgradeAt, restoredKeys } = state;
  const failure = last?.failure ?? null;
  const isRestored = failure?.reason === 'data-restored';
  return [
    isPaused && !isRestored ? m.rule_paused() : null,
    failure === null ? null : sentenceFor(failure),
    restoredKeys.length === 0 ? null : m.backup_restored_keys({ keys: restoredKeys.join(', ') }),
    failure === null && isOverdue ? m.backup_overdue() : null,
    upgradeAt === null ? null : m.backup_upgrade_waits({ time: formatDateTime(upgradeAt) }),
  ].filter((note) => note !== null);
}

export function backupFacts({ plan, dueAt }: BackupState) {
  if (plan === null) return [];
  return [
    { name: m.rule_when(), value: whenText(plan.when) },
    ...(dueAt === null ? [] : [{ name: m.backup_next(), value: formatDateTime(dueAt) }]),
    { name: m.backup_folder(), value: plan.folder },
    { name: m.backup_keep(), value: formatCount(plan.keep) },
  ];
}

export function factsOf({ computer, program, counts, withCredentials }: BackupManifest) {
  const count = (name: string, number: number) => ({ name, value: formatCount(number) });
  return [
    { name: m.backup_fact_computer(), value: computer },
    { name: m.backup_fact_program(), value: `Signing Desk ${program}` },
    count(m.settings_connections(), counts.connections),
    count(m.screen_agreements(), counts.agreements),
    count(m.screen_drafts(), counts.drafts),
    count(m.screen_templates(), counts.templates),
    count(m.screen_people(), counts.people),
    count(m.screen_batch(), counts.batches),
    count(m.screen_outbox(), counts.sends),
    count(m.evidence_title(), counts.evidence),
    count(m.screen_archive(), counts.archived),
    {
      name: m.backup_fact_credentials(),
      value: withCredentials ? m.backup_fact_credentials_in() : m.backup_fact_credentials_out(),
    },
  ];
}

interface NextStep {
  readonly name: string;
  readonly say: () => string;
  readonly show: () => string;
  /** Screen on which the user can take the step; null if no screen is needed. */
  readonly place: ScreenPlace | null;
}

/** Destination of data from a backup, or someone whom it trusts, as a sentence. */
export function reachText({ kind, name, where }: RestoredLocation): string {
  switch (kind) {
    case 'connection':
      return m.backup_reach_connection({ name, where });
    case 'office':
      return m.backup_reach_office({ name, where });
    case 'rule':
      return m.backup_reach_rule({ name, where });
    case 'evidence':
      return m.backup_reach_evidence({ where });
    case 'archive':
      return m.backup_reach_archive({ where });
    case 'backups':
      return m.backup_reach_backups({ where });
    case 'recipient':
      return m.backup_reach_recipient({ where });
    case 'administrator':
      return m.backup_reach_administrator({ where });
    case 'updates':
      return m.backup_reach_updates({ where });
  }
}

/** Steps for the user after a restore, in this order. */
export function nextSteps(
  restored: Pick<
    RestoreOutcome,
    'doubtful' | 'pausedRules' | 'withCredentials' | 'missingEvidence'
  >,
): readonly NextStep[] {
  const { doubtful, pausedRules, withCredentials, missingEvidence } = restored;
  return [
    ...(withCredentials
      ? []
      : [
          {
            name: 'credentials',
            say: m.backup_next_credentials,
            show: m.settings_connections,
            place: ['settings'],
          } as const,
        ]),
    ...(doubtful === 0
      ? []
      : [
          {
            name: 'sends',
            say: m.backup_next_sends,
            show: m.screen_outbox,
            place: ['outbox'],
          } as const,
        ]),
    ...(pausedRules === 0
      ? []
      : [
          {
            name: 'rules',
            say: m.backup_next_rules,
            show: m.screen_automation,
            place: ['automation'],
          } as const,
          {
            name: 'backups',
            say: m.backup_next_backups,
            show: m.backup_title,
            place: ['settings', 'backups'],
          } as const,
        ]),
    {
      name: 'evidence',
      say: missingEvidence === 0 ? m.backup_next_evidence : m.backup_next_gap,
      show: m.evidence_title,
      place: ['signing', 'evidence'],
    },
  ];
}

/** Command line that starts the program with a folder. */
export const startCommandFor = (folder: string): string => `signing-desk --data "${folder}"`;
