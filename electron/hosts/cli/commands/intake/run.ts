import {
  IntakeResult,
  type IntakeRule,
  type IntakeRun,
} from '../../../../../shared/contract/intake.ts';
import type { JobId } from '../../../../../shared/model/ids.ts';
import type { Failure } from '../../../../../shared/errors.ts';
import { type Answer, answer, failedItem } from '../../output/answer.ts';
import { exits } from '../../output/exit-codes.ts';
import { count, plain } from '../../output/text.ts';
import { exitOfJob, followJob } from '../../session/jobs.ts';
import type { Session } from '../../session/session.ts';

/** Meaning of exit code 6 for an import. */
export const SOME_REFUSED_HELP = 'some files were not imported; the output lists each one';

export async function answerAfterImport(session: Session, jobId: JobId): Promise<Answer> {
  const job = await followJob(session, jobId, 'Importing files');
  const result = IntakeResult.parse(job.result);
  const exit = result.refused + result.replaced === 0 ? exits.done : exits.inPart;
  return answer(
    importResultValue(result, job.failure),
    importResultText(result),
    exitOfJob(job, exit),
  );
}

function importResultValue({ refusals, ...counts }: IntakeResult, failure: Failure | null): object {
  const items = refusals.map((one) => ({ file: one.file, ...failedItem(one.failure) }));
  const value = { ...counts, refusals: items };
  return failure === null ? value : { ...value, error: failedItem(failure) };
}

function importResultText(result: IntakeResult): string {
  const refused = result.refusals.map(
    ({ file, failure }) => `Refused: ${plain(file)}: ${failure.message}`,
  );
  return [...refused, `${countsText(result)}.`].join('\n');
}

export function countsText({
  drafts,
  sheets,
  again,
  refused,
  replaced,
  waiting,
}: Omit<IntakeRun, 'at' | 'failure' | 'inRow'>): string {
  return [
    `${count(drafts, 'draft')} added`,
    ...(sheets > 0 ? [`${count(sheets, 'spreadsheet')} to check`] : []),
    ...(again > 0 ? [`${again} imported before`] : []),
    `${refused} refused`,
    ...(replaced > 0 ? [`${replaced} changed during the import, left for the next run`] : []),
    ...(waiting > 0 ? [`${waiting} waiting`] : []),
  ].join(', ');
}

/** Imports new files of the watched folders. Returns no answer for folders with no new result. */
export async function importDueFolders(session: Session): Promise<readonly NamedAnswer[]> {
  const rules = (await session.api['intake.rules']({})).filter(
    ({ rule, isPaused }) => rule.isOn && !isPaused,
  );
  const done: NamedAnswer[] = [];
  for (const { rule } of rules) {
    const answered = await importFolderOfRule(session, rule);
    if (answered !== null) done.push({ ...answered, name: rule.name });
  }
  return done;
}

type NamedAnswer = Answer & { readonly name: string };

/**
 * Imports one folder; null if there is no new result. Files that wait for a later call are not
 * reported again.
 */
async function importFolderOfRule(
  session: Session,
  { id, name }: IntakeRule,
): Promise<Answer | null> {
  const { jobId } = await session.api['intake.runRule']({ id });
  const job = await followJob(session, jobId, `Importing ${plain(name)}`);
  const result = IntakeResult.parse(job.result);
  const { drafts, sheets, again, refused, replaced } = result;
  if (drafts + sheets + again + refused + replaced === 0 && job.failure === null) return null;
  // A drive that is not connected is tried again at the next call.
  const isWhole = job.failure === null && refused + replaced === 0;
  const exit = job.state === 'cancelled' ? exits.stopped : isWhole ? exits.done : exits.inPart;
  const why = job.failure === null ? [] : [job.failure.message];
  return answer(
    importResultValue(result, job.failure),
    [...why, importResultText(result)].join('\n'),
    exit,
  );
}
