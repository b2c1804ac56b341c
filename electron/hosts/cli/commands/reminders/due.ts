import { ActionsResult } from '../../../../../shared/contract/actions.ts';
import { AppError } from '../../../../../shared/errors.ts';
import { type Answer, answer, failedItem } from '../../output/answer.ts';
import { exits } from '../../output/exit-codes.ts';
import { count, plain } from '../../output/text.ts';
import { exitOfJob, followJob } from '../../session/jobs.ts';
import type { Session } from '../../session/session.ts';

export async function runDueReminders(session: Session): Promise<Answer | null> {
  const rules = await session.api['reminders.rules']({});
  if (rules.every(({ dueNow }) => dueNow === 0)) return null;
  const { jobId } = await session.api['reminders.run']({});
  try {
    const job = await followJob(session, jobId, 'Reminding');
    const result = ActionsResult.parse(job.result);
    const stopped = await failuresOf(session);
    const exit = result.unknown.length > 0 ? exits.personDecides : exits.inPart;
    const isGood = result.failed.length + result.unknown.length + stopped.length === 0;
    return answer(
      {
        reminded: result.done.map(({ id, title }) => ({ id, title })),
        failed: result.failed.map(({ id, failure }) => ({ id, ...failedItem(failure) })),
        unknown: result.unknown.map(({ id, title }) => ({ id, title })),
        stopped,
      },
      reminderRunText(result, stopped),
      exitOfJob(job, isGood ? exits.done : exit),
    );
  } catch (error) {
    if (!(error instanceof AppError) || error.failure.code === 'cancelled') throw error;
    const { code, message, reason } = error.failure;
    // The other process sends reminders or agreements; reminders that it leaves are due at the next
    // call.
    if (reason === 'desk-busy') return answer({ skipped: message }, `Skipped: ${message}.`);
    return answer({ error: { code, message } }, message, exits.inPart);
  }
}

/** Returns the reasons why rules could not run: an unreachable connection, or a wrong clock. */
async function failuresOf({ api }: Session) {
  return (await api['reminders.rules']({})).flatMap(({ rule, last }) =>
    rule.isOn && last?.failure
      ? [{ rule: rule.name, code: last.failure.code, message: last.failure.message }]
      : [],
  );
}

function reminderRunText(
  { done, failed, unknown }: ActionsResult,
  stopped: readonly { readonly rule: string; readonly message: string }[],
): string {
  return [
    ...done.map(({ title }) => `Reminded: ${plain(title)}`),
    ...failed.map(({ title, failure }) => `Failed: ${plain(title)}: ${failure.message}`),
    ...unknown.map(({ title }) => `Outcome unknown: ${plain(title)}`),
    ...stopped.map(({ rule, message }) => `${plain(rule)}: ${message}`),
    `${count(done.length, 'agreement')} reminded, ${failed.length} failed.`,
  ].join('\n');
}
