import path from 'node:path';
import {
  type Erasure,
  type ForgetPreview,
  PersonExported,
} from '../../../../../shared/contract/people.ts';
import { AppError } from '../../../../../shared/errors.ts';
import { wholeOption } from '../../input/options.ts';
import { iso } from '../../input/times.ts';
import { type Answer, answer } from '../../output/answer.ts';
import { exits } from '../../output/exit-codes.ts';
import { pairs, plain, table } from '../../output/text.ts';
import { type AddCommands, example } from '../../session/group.ts';
import { exitOfJob, followJob } from '../../session/jobs.ts';
import type { Session } from '../../session/session.ts';
import { personNamed } from './names.ts';

interface ForgetOptions {
  readonly drafts?: boolean;
  readonly keepCopies?: boolean;
  readonly confirm?: number;
}

/** `people forget`: without `--confirm`, what would be erased and what stays. */
async function forgetPerson(
  session: Session,
  named: string,
  { drafts = false, keepCopies = false, confirm }: ForgetOptions,
): Promise<Answer> {
  const { api } = session;
  const { id, title } = await personNamed(session, named);
  const preview = await api['people.forgetPreview']({ id });
  if (confirm === undefined) return answer(preview, previewText(preview));
  if (confirm !== 1) {
    throw new AppError('invalid', 'This concerns 1 person', { reason: 'count-differs' });
  }
  const chosen = drafts ? preview.drafts.map((one) => one.id) : [];
  const done = await api['people.forget']({ id, drafts: chosen, copies: !keepCopies });
  return answer(forOutput(done), `Erased ${plain(title)}. ${erasedText(done)}`);
}

function previewText(preview: ForgetPreview): string {
  const { title, drafts, batchRows, sheets, copies, isShared, stays } = preview;
  const list = drafts.map(({ title: name, state }) => `${plain(name)} (${state})`);
  return pairs([
    ['would be erased', isShared ? `${title}, at every desk of the office` : title],
    ['drafts, with --drafts', list.length === 0 ? '-' : list.join(', ')],
    ['rows of finished batches', `${batchRows} (${sheets} kept sheets)`],
    ['copies of ended agreements', String(copies)],
    ['stays: open agreements', String(stays.openCopies)],
    ['stays: rows of open batches', String(stays.openRows)],
    ['stays: handed over, not taken yet', String(stays.handed)],
    ['stays: what was sent and done', String(stays.records)],
    ['stays: evidence', String(stays.evidence)],
    ['stays: archive', String(stays.archive)],
    ['stays: templates', String(stays.templates)],
    ['stays: those who sign here', String(stays.identities)],
    ['stays: rules', String(stays.rules)],
    ['stays: backups made before', stays.backups > 0 ? 'yes' : 'none known'],
  ]);
}

const forOutput = ({ at, ...rest }: Erasure) => ({ at: iso(at), ...rest });

const erasedText = ({ drafts, batchRows, sheets, copies }: Erasure): string =>
  `Drafts: ${drafts}, batch rows: ${batchRows}, sheets: ${sheets}, copies: ${copies}.`;

/** `people erasures`: that something was erased, and never of whom. */
async function listErasures({ api }: Session): Promise<Answer> {
  const items = (await api['people.erasures']({})).map(forOutput);
  const rows = items.map((one) => [
    one.at ?? '-',
    ...[one.people, one.drafts, one.batchRows, one.sheets, one.copies].map(String),
  ]);
  const heads = ['TIME', 'PEOPLE', 'DRAFTS', 'BATCH ROWS', 'SHEETS', 'COPIES'];
  return answer({ items }, table(heads, rows, 'Nothing was erased.'));
}

/** `people everything`: a folder for the person, numbers in full. */
async function writeEverything(
  session: Session,
  named: string,
  { to }: { readonly to: string },
): Promise<Answer> {
  const { id } = await personNamed(session, named);
  const folder = path.resolve(to);
  const { jobId } = await session.api['people.everything']({ id, folder });
  const job = await followJob(session, jobId, 'Exporting');
  const done = PersonExported.parse(job.result);
  const text = pairs([
    ['folder', done.folder],
    ['files', String(done.files)],
    ['drafts', String(done.drafts)],
    ['copies', String(done.copies)],
    ['rows of batches', String(done.batchRows)],
    ['corrections', String(done.corrections)],
    ['records', String(done.records)],
    ['evidence', String(done.evidence)],
  ]);
  return answer(
    done,
    `${text}\nIt holds personal numbers in the open.`,
    exitOfJob(job, exits.done),
  );
}

/** `people forget`, `people everything` and `people erasures` */
export const forgetCommands: AddCommands = (group, run) => {
  const forget = group
    .command('forget <person>')
    .description('erase a person for good; without --confirm, say what that would be')
    .option('--drafts', 'the drafts that name the person, too')
    .option('--keep-copies', 'leave the copies of agreements that ended')
    .addOption(wholeOption('--confirm <count>', 'the number of people: 1', 0, 100_000))
    .action((named: string, options: ForgetOptions) =>
      run.withDesk('data', (session) => forgetPerson(session, named, options)),
    );
  example(forget, 'people forget maria@example.com --drafts --confirm 1');
  const everything = group
    .command('everything <person>')
    .description('export all that is stored about a person; numbers stand in full in it')
    .requiredOption('--to <folder>', 'a folder that is there; a new one is made in it')
    .action((named: string, options: { readonly to: string }) =>
      run.withDesk('data', (session) => writeEverything(session, named, options)),
    );
  example(everything, 'people everything maria@example.com --to /srv/requests');
  const erasures = group
    .command('erasures')
    .description('when something was erased, and never of whom')
    .action(() => run.withDesk('data', listErasures));
  example(erasures, 'people erasures');
};
