import type { ArchiveRuleShown } from '../../../../../shared/contract/archive.ts';
import { AppError } from '../../../../../shared/errors.ts';
import { type Answer, answer } from '../../output/answer.ts';
import { type Exit, exits } from '../../output/exit-codes.ts';
import { plain } from '../../output/text.ts';
import { type AddCommands, example } from '../../session/group.ts';
import { followJob } from '../../session/jobs.ts';
import type { Session } from '../../session/session.ts';
import { backupDue } from '../backup/due.ts';
import { digestDue } from '../digest.ts';
import { remindDue } from '../reminders/due.ts';
import { archiveAnswer, readFirst, type Unread } from './outcome.ts';

/** `run-due`: what a scheduler calls, as often as it likes. Reminds first: that has hours. The backup
 * comes when that is done, so that it is in it. */
export async function runDue(session: Session): Promise<Answer> {
  const reminders = await remindDue(session);
  const ran = await runArchives(session);
  const backup = await backupDue(session);
  // Last: what was archived, or could not be, is part of it.
  const digest = await digestDue(session);
  const all = [
    ...(reminders === null ? [] : [{ ...reminders, name: 'Reminders' }]),
    ...ran,
    ...(backup === null ? [] : [{ ...backup, name: 'Backup' }]),
    ...(digest === null ? [] : [{ ...digest, name: 'Digest' }]),
  ];
  if (all.length === 0) return answer({ ran: [] }, 'Nothing is due.');
  const exit = all.find((one) => one.exit !== exits.done)?.exit ?? exits.done;
  const text = all.map(({ name, text: output }) => `${plain(name)}\n${output}`).join('\n');
  const archives = ran.map(({ name, value }) => ({ name, ...value }));
  const value = {
    ran: archives,
    ...(reminders !== null && { reminders: reminders.value }),
    ...(backup !== null && { backup: backup.value }),
    ...(digest !== null && { digest: digest.value }),
  };
  return answer(value, text, exit);
}

interface Ran {
  readonly name: string;
  readonly value: object;
  readonly text: string;
  readonly exit: Exit;
}

async function runArchives(session: Session): Promise<readonly Ran[]> {
  const now = Date.now();
  const rules = (await session.api['archive.rules']({})).filter(
    ({ rule, isPaused, dueAt }) =>
      rule.isOn &&
      !isPaused &&
      (rule.when.kind === 'completion' || (dueAt !== null && dueAt <= now)),
  );
  if (rules.length === 0) return [];
  const unread = await readFirst(session, undefined);
  const ran: Ran[] = [];
  for (const { rule } of rules) ran.push(await runOne(session, rule, unread));
  return ran;
}

async function runOne(
  session: Session,
  { id, name }: ArchiveRuleShown['rule'],
  unread: Unread | null,
): Promise<Ran> {
  const { jobId } = await session.api['archive.runRule']({ id });
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

/** `run-due` */
export const dueCommands: AddCommands = (command, run) => {
  command.action(() => run.withDesk('data', runDue));
  example(command, 'run-due --json');
};
