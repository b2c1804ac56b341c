import type {
  BackupManifest,
  BackupPlan,
  BackupState,
  BackupFrequency,
  DeskDeactivation,
  RestoredLocation,
} from '../../../../../shared/contract/backup.ts';
import { toShownTime } from '../../input/times.ts';
import { count, pairs, plain, table } from '../../output/text.ts';

const englishWeekdays = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
];

function whenText(when: BackupFrequency): string {
  switch (when.kind) {
    case 'by-hand':
      return 'by hand';
    case 'daily':
      return `daily at ${when.at}`;
    case 'weekly':
      return `${englishWeekdays[when.day - 1]}s at ${when.at}`;
  }
}

/**
 * Returns sentences about the content of a backup and its exclusions, shown before a backup is
 * made.
 */
export function backupContentsText({
  withCredentials,
}: Pick<BackupPlan, 'withCredentials'>): readonly string[] {
  return [
    'A backup has connections, settings, drafts, templates, the address book, batches, the outbox, copies of agreements, the evidence and the list of archived files.',
    'The signed PDFs are not in the backup: they are in the archive folders.',
    withCredentials
      ? 'API keys (tokens and access keys) are in the backup.'
      : 'API keys (tokens and access keys) are not in the backup. Enter them again after a restore.',
  ];
}

export function manifestText({ madeAt, program, computer, counts }: BackupManifest): string {
  return pairs([
    ['made', toShownTime(madeAt)],
    ['by', `Signing Desk ${program} on ${computer}`],
    ['connections', String(counts.connections)],
    ['agreements', String(counts.agreements)],
    ['drafts', String(counts.drafts)],
    ['templates', String(counts.templates)],
    ['people', String(counts.people)],
    ['batches', String(counts.batches)],
    ['sends', String(counts.sends)],
    ['evidence', String(counts.evidence)],
    ['archived', String(counts.archived)],
  ]);
}

const locationKindTexts = {
  connection: 'connection',
  office: 'office',
  rule: 'folder of a rule',
  evidence: 'folder of the evidence',
  archive: 'folder of the archive',
  backups: 'folder of the backups',
  recipient: 'key of the backups',
  administrator: "administrator's key",
  updates: 'update feed, not restored',
} as const satisfies Record<RestoredLocation['kind'], string>;

/**
 * Lists the addresses to which the data of a backup would be sent; the author of the backup chose
 * them.
 */
export function locationsText(reaches: readonly RestoredLocation[]): string {
  const rows = reaches.map(({ kind, name, where }) => [locationKindTexts[kind], name, where]);
  return table(['IT WOULD REACH', 'NAME', 'WHERE'], rows, 'The data is sent to no address.');
}

/** Returns a sentence with the folder and the time at which this computer's data was moved. */
export function deactivationText({ at, to, isProven, waiting }: DeskDeactivation): string {
  const what = isProven
    ? `moved to another computer ${toShownTime(at)} in ${plain(to)}`
    : `a move into ${plain(to)} was not finished ${toShownTime(at)}: move again, or reactivate`;
  return `${what}; ${count(waiting, 'send')} waiting`;
}

/** Returns the problem with backups that the user must solve; null if there is none. */
export function problemOf({ last, isPaused, isOverdue }: BackupState): string | null {
  const why = last?.failure?.message ?? '';
  if (isPaused) return `paused until "backup on": ${why}`;
  if (last !== null && last.failure !== null) return why;
  return isOverdue ? 'overdue: the window was closed, and no scheduler runs `run-due`' : null;
}

const beforeUpgradeText = (at: number): string =>
  `the copy of ${toShownTime(at)} is only next to the data, until the backup folder is available`;

export function stateText(state: BackupState): string {
  const { plan, good, dueAt, upgradeAt, rest, restoredKeys } = state;
  if (plan === null) return 'Backups are not set up yet: signing-desk backup setup';
  return pairs([
    ...(rest === null ? [] : [['deactivated', deactivationText(rest)] as const]),
    ['folder', plan.folder],
    ['when', plan.isOn ? whenText(plan.when) : 'off'],
    ['kept', String(plan.keep)],
    ['API keys', plan.withCredentials ? 'included' : 'not included'],
    ['administrator', plan.administrator ?? 'none'],
    ...(restoredKeys.length === 0
      ? []
      : [['opened with', `${restoredKeys.join(' and ')}, from the restored data`] as const]),
    ['last good', good === null ? 'none yet' : `${toShownTime(good.at)} ${plain(good.file)}`],
    ['next', toShownTime(dueAt)],
    ...(upgradeAt === null ? [] : [['before upgrade', beforeUpgradeText(upgradeAt)] as const]),
    ['result', problemOf(state) ?? 'good'],
  ]);
}
