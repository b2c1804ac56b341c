import { AppError } from '../../../../../shared/errors.ts';
import { type Answer, answer } from '../../output/answer.ts';
import { exits } from '../../output/exit-codes.ts';
import type { Session } from '../../session/session.ts';
import { runBackup } from './run.ts';

/** Runs the backup if it is due, for a scheduler's run; null when none is due. */
export async function runDueBackup(session: Session): Promise<Answer | null> {
  const { dueAt } = await session.api['backup.read']({});
  if (dueAt === null || dueAt > Date.now()) return null;
  try {
    return await runBackup(session, true);
  } catch (error) {
    if (!(error instanceof AppError) || error.failure.code === 'cancelled') throw error;
    const { code, message, reason } = error.failure;
    // The other process does the same work, or the drive is not connected and the backup is tried
    // again later.
    if (reason === 'already-under-way' || reason === 'folder-missing') {
      return answer({ skipped: message }, `Skipped: ${message}.`);
    }
    return answer({ error: { code, message } }, message, exits.inPart);
  }
}
