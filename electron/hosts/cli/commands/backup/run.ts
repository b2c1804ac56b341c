import { CreatedBackup } from '../../../../../shared/contract/backup.ts';
import { type Answer, answer } from '../../output/answer.ts';
import { exitOfJob, followJob } from '../../session/jobs.ts';
import { exits } from '../../output/exit-codes.ts';
import { count, plain } from '../../output/text.ts';
import type { Session } from '../../session/session.ts';

/** `backup run`: makes a backup, reads it back, and removes backups beyond the number kept. */
export async function runBackup(session: Session, due = false): Promise<Answer> {
  const { jobId } = await session.api['backup.run']({ due });
  const job = await followJob(session, jobId, 'Making a backup');
  const made = CreatedBackup.parse(job.result);
  const removed = made.removed === 0 ? '' : ` Removed ${count(made.removed, 'older backup')}.`;
  const text = `Wrote and verified ${plain(made.file)}, ${count(made.bytes, 'byte')}.${removed}`;
  return answer(made, text, exitOfJob(job, exits.done));
}
