import { type ArchivePdfWarning, ArchiveResult } from '../../../../../shared/contract/archive.ts';
import type { Job } from '../../../../../shared/contract/jobs.ts';
import { AppError } from '../../../../../shared/errors.ts';
import { type Answer, answer, failedItem } from '../../output/answer.ts';
import { exits } from '../../output/exit-codes.ts';
import { exitOfJob } from '../../session/jobs.ts';
import type { Session } from '../../session/session.ts';
import { sync } from '../sync/commands.ts';
import { count, plain } from '../../output/text.ts';

/** Reason why the local list of agreements may be older than the service's. */
export interface UnreadService {
  readonly code: string;
  readonly message: string;
}

/**
 * Reads new data before it is archived. If a service cannot be read now, known agreements are saved
 * all the same. The reason is then returned, because agreements may be missing.
 */
export async function readBeforeArchiving(
  session: Session,
  connection: string | undefined,
): Promise<UnreadService | null> {
  try {
    const { exit } = await sync(session, connection === undefined ? {} : { connection });
    return exit === exits.done ? null : reportUnreadService(session, failedItem(partlyUnread));
  } catch (error) {
    const { failure } = error instanceof AppError ? error : AppError.from(unreadable);
    // A service may also answer every request with 'not-found'.
    const isUnnamed = failure.code === 'not-found' && connection !== undefined;
    if (failure.code === 'cancelled' || isUnnamed) throw error;
    return reportUnreadService(session, failedItem(failure));
  }
}

function reportUnreadService(session: Session, unread: UnreadService): UnreadService {
  session.report.note(
    `New agreements could not be read from the service before this: ${unread.message}`,
  );
  return unread;
}

const partlyUnread = { code: 'service', message: 'Some connections could not be read' } as const;
const unreadable = { code: 'unexpected', message: 'The service could not be read' } as const;

/** Returns the result of a run; `unread` is the reason why the run may be incomplete. */
export function archiveAnswer(job: Job, unread: UnreadService | null): Answer {
  const result = ArchiveResult.parse(job.result);
  const failed = result.failed.map(({ id, failure }) => ({
    id,
    ...failedItem(failure),
    ...(failure.file !== undefined && { file: failure.file }),
  }));
  const isWhole = failed.length === 0 && unread === null;
  const exit = exitOfJob(job, isWhole ? exits.done : exits.inPart);
  const value = { ...result, failed, ...(unread !== null && { unread }) };
  const behind = unread === null ? [] : ['Agreements signed since the last sync are missing.'];
  return answer(value, [archiveText(result), ...behind].join('\n'), exit);
}

const pdfWarningTexts = {
  'seal-extended': 'bytes were added after the seal',
  'seal-malformed': 'the seal is malformed',
  'seal-of-test': 'the seal is a test seal, but the connection is for production',
  'same-as-another': 'another agreement has the same PDF',
} as const satisfies Record<ArchivePdfWarning, string>;

function archiveText(result: ArchiveResult): string {
  const { listed, saved, present, waiting, unsealed, failed, doubtful, bytes, folder } = result;
  const { setAside = [], copied = 0 } = result;
  if (result.doneBy !== undefined) {
    return `Another computer of the office does this: ${plain(result.doneBy)}.`;
  }
  return [
    ...doubtful.map(
      ({ id, title, doubt }) => `Check: ${id} ${plain(title)}: ${pdfWarningTexts[doubt]}`,
    ),
    ...failed.map(({ id, title, failure: { file, message } }) => {
      const about = file === undefined ? '' : `${plain(file)}: `;
      return `Failed: ${id} ${plain(title)}: ${about}${message}`;
    }),
    `${count(listed, 'agreement')}: ${saved} saved (${bytes} bytes), ` +
      `${present} already there, ${failed.length} failed.`,
    ...(copied > 0 ? [`${count(copied, 'file')} copied from other archive folders.`] : []),
    ...(waiting > 0
      ? [`${waiting} without a PDF on the service yet: the next run tries again.`]
      : []),
    ...(unsealed > 0 ? [`${unsealed} without a seal that covers the whole file.`] : []),
    ...(setAside.length > 0
      ? [`Files of other programs were kept under new names: ${plain(setAside.join(', '))}.`]
      : []),
    `Folder: ${plain(folder)}`,
  ].join('\n');
}
