import type {
  BackupManifest,
  BackupPlan,
  BackupState,
  BackupWhen,
} from '../../../../../shared/contract/backup.ts';
import { shown } from '../../input/times.ts';
import { pairs, plain } from '../../output/text.ts';

const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

function whenText(when: BackupWhen): string {
  switch (when.kind) {
    case 'by-hand':
      return 'by hand';
    case 'daily':
      return `daily at ${when.at}`;
    case 'weekly':
      return `${days[when.day - 1]}s at ${when.at}`;
  }
}

/** What a backup holds and what not, said before one is made. */
export function contentsOf({
  withCredentials,
}: Pick<BackupPlan, 'withCredentials'>): readonly string[] {
  return [
    'A backup holds connections, settings, drafts, templates, the address book, batches, the outbox, the copy of the agreements, the evidence and the archive’s book.',
    'The signed PDFs are not in it: they lie in the archive’s folders.',
    withCredentials
      ? 'Tokens and access keys are in it.'
      : 'Tokens and access keys are not in it: they are typed again after a restore.',
  ];
}

export function manifestText({ madeAt, program, computer, counts }: BackupManifest): string {
  return pairs([
    ['made', shown(madeAt)],
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

/** Why backups need a person; null when all is well. */
export function problemOf({ last, isPaused, isOverdue }: BackupState): string | null {
  const why = last?.failure?.message ?? '';
  if (isPaused) return `paused until "backup on": ${why}`;
  if (last !== null && last.failure !== null) return why;
  return isOverdue ? 'overdue: the window was closed, and no scheduler runs it' : null;
}

export function stateText(state: BackupState): string {
  const { plan, good, dueAt } = state;
  if (plan === null) return 'Backups are not set up yet: signing-desk backup setup';
  return pairs([
    ['folder', plan.folder],
    ['when', plan.isOn ? whenText(plan.when) : 'off'],
    ['kept', String(plan.keep)],
    ['credentials', plan.withCredentials ? 'in it' : 'not in it'],
    ['administrator', plan.administrator ?? 'none'],
    ['last good', good === null ? 'none yet' : `${shown(good.at)} ${plain(good.file)}`],
    ['next', shown(dueAt)],
    ['result', problemOf(state) ?? 'good'],
  ]);
}
