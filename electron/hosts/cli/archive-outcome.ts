import { type ArchiveDoubt, ArchiveResult } from '../../../shared/contract/archive.ts';
import type { Job } from '../../../shared/contract/jobs.ts';
import { AppError } from '../../../shared/errors.ts';
import { type Answer, answer, failedItem } from './answer.ts';
import { exits } from './exit-codes.ts';
import { exitOfJob } from './jobs.ts';
import type { Session } from './session.ts';
import { sync } from './sync.ts';
import { count, plain } from './text.ts';

/** A service that cannot be read now does not keep what is known from being saved. */
export async function readFirst(session: Session, connection: string | undefined): Promise<void> {
  try {
    await sync(session, connection === undefined ? {} : { connection });
  } catch (error) {
    const { failure } = error instanceof AppError ? error : AppError.from(unreadable);
    if (failure.code === 'cancelled' || failure.code === 'not-found') throw error;
    session.report.note(`The service could not be read first: ${failure.message}`);
  }
}

const unreadable = { code: 'unexpected', message: 'Reading the service failed' } as const;

export function archiveAnswer(job: Job): Answer {
  const result = ArchiveResult.parse(job.result);
  const failed = result.failed.map(({ id, failure }) => ({ id, ...failedItem(failure) }));
  const exit = exitOfJob(job, failed.length === 0 ? exits.done : exits.inPart);
  return answer({ ...result, failed }, archiveText(result), exit);
}

const doubts = {
  'seal-extended': 'bytes were added after the seal',
  'seal-malformed': 'the seal is malformed',
  'seal-of-test': 'the seal is one for tests, though the connection is for production',
  'same-as-another': 'another agreement has the very same PDF',
} as const satisfies Record<ArchiveDoubt, string>;

function archiveText(result: ArchiveResult): string {
  const { listed, saved, present, waiting, unsealed, failed, doubtful, bytes, folder } = result;
  return [
    ...doubtful.map(({ id, title, doubt }) => `Look at: ${id} ${plain(title)}: ${doubts[doubt]}`),
    ...failed.map(({ id, title, failure }) => `Failed: ${id} ${plain(title)}: ${failure.message}`),
    `${count(listed, 'signed agreement')}: ${saved} saved (${bytes} bytes), ` +
      `${present} there already, ${failed.length} failed.`,
    ...(waiting > 0 ? [`${waiting} not concluded yet: the next run fetches them.`] : []),
    ...(unsealed > 0 ? [`${unsealed} without a seal that covers the whole file.`] : []),
    `Folder: ${plain(folder)}`,
  ].join('\n');
}
