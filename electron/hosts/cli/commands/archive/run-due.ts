import type { ArchiveRuleView } from '../../../../../shared/contract/archive.ts';
import { AppError } from '../../../../../shared/errors.ts';
import { type Answer, answer } from '../../output/answer.ts';
import { type Exit, exits } from '../../output/exit-codes.ts';
import { plain } from '../../output/text.ts';
import { type AddCommands, example, addExitSixHelp } from '../../session/group.ts';
import { followJob } from '../../session/jobs.ts';
import type { Session } from '../../session/session.ts';
import { runDueBackup } from '../backup/due.ts';
import { deactivatedAnswer } from '../backup/move.ts';
import { readDueDigest } from '../digest.ts';
import { importDueFolders } from '../intake/run.ts';
import { runDueRetention } from '../privacy/commands.ts';
import { sendDueRows } from '../outbox/due.ts';
import { runDueReminders } from '../reminders/due.ts';
import { archiveAnswer, readBeforeArchiving, type UnreadService } from './outcome.ts';

interface DueOptions {
  /** Prints nothing unless a job failed or a daily summary is due. */
  readonly onlyNews?: boolean;
  readonly skipSummary?: boolean;
}

/**
 * `run-due`: runs all due work; a scheduler calls it as often as needed. Sends first, because the
 * user chose the minute. Then reminds, which may happen within hours. Backs up after that work, so
 * that the backup contains it.
 */
async function runDueWork(
  session: Session,
  { onlyNews = false, skipSummary = false }: DueOptions = {},
): Promise<Answer> {
  const rest = await deactivatedAnswer(session);
  if (rest !== null) return { ...rest, text: onlyNews ? '' : rest.text };
  await session.api['office.report']({});
  const sent = await sendDueRows(session);
  const due = await dueArchives(session);
  // This is the reason why the following steps may use old data.
  const unread = (await needsServiceRead(session, due))
    ? await readBeforeArchiving(session, undefined)
    : null;
  const reminders = await runDueReminders(session);
  const taken = await importDueFolders(session);
  const ran: RunDueResult[] = [];
  for (const { rule } of due) ran.push(await runArchiveRule(session, rule, unread));
  const backup = await runDueBackup(session);
  // Retention runs after the backup, which still contains the data that retention removes.
  const retention = await runDueRetention(session);
  // The summary comes last, because it contains the results of the archive run.
  const digest = skipSummary ? null : await readDueDigest(session);
  const all = [
    ...(sent === null ? [] : [{ ...sent, name: 'Outbox' }]),
    ...(reminders === null ? [] : [{ ...reminders, name: 'Reminders' }]),
    ...taken,
    ...ran,
    ...(backup === null ? [] : [{ ...backup, name: 'Backup' }]),
    ...(retention === null ? [] : [{ ...retention, name: 'Removal of old data' }]),
    ...(digest === null ? [] : [{ ...digest, name: 'Daily summary' }]),
  ];
  const behind = unread !== null && { unread };
  if (all.length === 0) return answer({ ran: [], ...behind }, onlyNews ? '' : 'Nothing is due.');
  const exit = all.find((one) => one.exit !== exits.done)?.exit ?? exits.done;
  const whole = all.map(({ name, text: output }) => `${plain(name)}\n${output}`).join('\n');
  const text = onlyNews && exit === exits.done ? (digest?.text ?? '') : whole;
  const archives = ran.map(({ name, value }) => ({ name, ...value }));
  const value = {
    ran: archives,
    ...behind,
    ...(sent !== null && { outbox: sent.value }),
    ...(reminders !== null && { reminders: reminders.value }),
    ...(taken.length > 0 && { intake: taken.map(({ name, value: of }) => ({ name, ...of })) }),
    ...(backup !== null && { backup: backup.value }),
    ...(retention !== null && { retention: retention.value }),
    ...(digest !== null && { digest: digest.value }),
  };
  return answer(value, text, exit);
}

interface RunDueResult {
  readonly name: string;
  readonly value: object;
  readonly text: string;
  readonly exit: Exit;
}

async function dueArchives({ api }: Session): Promise<readonly ArchiveRuleView[]> {
  const now = Date.now();
  return (await api['archive.rules']({})).filter(
    ({ rule, isPaused, dueAt }) =>
      rule.isOn &&
      !isPaused &&
      (rule.when.kind === 'completion' || (dueAt !== null && dueAt <= now)),
  );
}

/**
 * Whether the service must be read. If no window is ever open, only this command reads new data:
 * signers whose turn it has become, and events of the daily summary.
 */
async function needsServiceRead(
  { api }: Session,
  archives: readonly ArchiveRuleView[],
): Promise<boolean> {
  if ((await api['connections.list']({})).length === 0) return false;
  if (archives.length > 0 || (await api['settings.read']({})).digest.isOn) return true;
  return (await api['reminders.rules']({})).some(({ rule, isPaused }) => rule.isOn && !isPaused);
}

async function runArchiveRule(
  session: Session,
  { id, name }: ArchiveRuleView['rule'],
  unread: UnreadService | null,
): Promise<RunDueResult> {
  const { jobId } = await session.api['archive.runRule']({ id, isDue: true });
  try {
    const job = await followJob(session, jobId, `Archiving ${plain(name)}`);
    return { name, ...archiveAnswer(job, unread) };
  } catch (error) {
    if (!(error instanceof AppError) || error.failure.code === 'cancelled') throw error;
    const { code, message, reason } = error.failure;
    // The other process does the same work.
    if (reason === 'already-under-way') {
      return { name, value: { skipped: message }, text: `Skipped: ${message}.`, exit: exits.done };
    }
    return { name, value: { error: { code, message } }, text: message, exit: exits.inPart };
  }
}

const DUE_JOBS_HELP = `
Jobs, in this order: send, remind, import files, archive, back up, remove old data,
print the daily summary. The exit code is the exit code of the first job that did not succeed.`;

export const dueCommands: AddCommands = (command, run) => {
  command
    .option('--only-news', 'print only failures and the daily summary, which cron sends by email')
    .option('--skip-summary', 'do not print the daily summary; the window shows it')
    .action((options: DueOptions) =>
      run.withDesk('data', (session) => runDueWork(session, options)),
    );
  command.addHelpText('after', DUE_JOBS_HELP);
  addExitSixHelp(command, 'a job failed or was done in part; the output shows which one');
  example(command, 'run-due --json');
};
