import path from 'node:path';
import {
  type Erasure,
  type ForgetPreview,
  PersonExport,
} from '../../../../../shared/contract/people.ts';
import { AppError } from '../../../../../shared/errors.ts';
import { wholeNumberOption } from '../../input/options.ts';
import { toIsoText } from '../../input/times.ts';
import { type Answer, answer } from '../../output/answer.ts';
import { exits } from '../../output/exit-codes.ts';
import { pairs, plain, table } from '../../output/text.ts';
import { type AddCommands, example } from '../../session/group.ts';
import { exitOfJob, followJob } from '../../session/jobs.ts';
import type { Session } from '../../session/session.ts';
import { PERSON_HELP, personNamed } from './names.ts';

interface ForgetOptions {
  readonly drafts?: boolean;
  readonly keepCopies?: boolean;
  readonly confirm?: number;
}

/**
 * `people forget`: erases a person. Without `--confirm`, only shows what would be erased and what
 * would be kept.
 */
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
    const message = `This affects 1 person, but --confirm gives ${confirm}. Nothing was erased`;
    throw new AppError('invalid', message, { reason: 'count-differs' });
  }
  const chosen = drafts ? preview.drafts.map((one) => one.id) : [];
  const done = await api['people.forget']({ id, drafts: chosen, copies: !keepCopies });
  return answer(erasureForOutput(done), `Erased ${plain(title)}. ${erasedText(done)}`);
}

function previewText(preview: ForgetPreview): string {
  const { title, drafts, batchRows, sheets, copies, isShared, stays } = preview;
  const list = drafts.map(({ title: name, state }) => `${plain(name)} (${state})`);
  return pairs([
    ['would be erased', isShared ? `${title}, on every computer of the office` : title],
    ['drafts, with --drafts', list.length === 0 ? '-' : list.join(', ')],
    ['rows of finished batches', `${batchRows} (${sheets} kept sheets)`],
    ['copies of ended agreements', String(copies)],
    ['stays: open agreements', String(stays.openCopies)],
    ['stays: rows of open batches', String(stays.openRows)],
    ['stays: handed over, not accepted yet', String(stays.handed)],
    ['stays: records of sends and actions', String(stays.records)],
    ['stays: evidence', String(stays.evidence)],
    ['stays: archive', String(stays.archive)],
    ['stays: templates', String(stays.templates)],
    ['stays: people who sign here', String(stays.identities)],
    ['stays: rules', String(stays.rules)],
    ['stays: earlier backups', stays.backups > 0 ? 'yes' : 'none known'],
  ]);
}

const erasureForOutput = ({ at, ...rest }: Erasure) => ({ at: toIsoText(at), ...rest });

const erasedText = ({ drafts, batchRows, sheets, copies }: Erasure): string =>
  `Drafts: ${drafts}, batch rows: ${batchRows}, sheets: ${sheets}, copies: ${copies}.`;

/** `people erasures`: lists past erasures, without the persons whose data was erased. */
async function listErasures({ api }: Session): Promise<Answer> {
  const items = (await api['people.erasures']({})).map(erasureForOutput);
  const rows = items.map((one) => [
    one.at ?? '-',
    ...[one.people, one.drafts, one.batchRows, one.sheets, one.copies].map(String),
  ]);
  const heads = ['TIME', 'PEOPLE', 'DRAFTS', 'BATCH ROWS', 'SHEETS', 'COPIES'];
  return answer({ items }, table(heads, rows, 'No one was erased yet.'));
}

/** `people everything`: writes a folder with a person's data for that person, with full numbers. */
async function exportPersonData(
  session: Session,
  named: string,
  { to }: { readonly to: string },
): Promise<Answer> {
  const { id } = await personNamed(session, named);
  const folder = path.resolve(to);
  const { jobId } = await session.api['people.everything']({ id, folder });
  const job = await followJob(session, jobId, 'Exporting');
  const done = PersonExport.parse(job.result);
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
    `${text}\nThe folder has unmasked personal numbers and is not encrypted.`,
    exitOfJob(job, exits.done),
  );
}

export const forgetCommands: AddCommands = (group, run) => {
  const forget = group
    .command('forget')
    .argument('<person>', PERSON_HELP)
    .description('erase a person permanently; without --confirm, only show what would be erased')
    .option('--drafts', 'also delete the drafts that name the person')
    .option('--keep-copies', 'keep the copies of closed agreements')
    .addOption(wholeNumberOption('--confirm <count>', 'enter 1 to erase the person', 0, 100_000))
    .action((named: string, options: ForgetOptions) =>
      run.withDesk('data', (session) => forgetPerson(session, named, options)),
    );
  example(forget, 'people forget maria@example.com --drafts --confirm 1');
  const everything = group
    .command('everything')
    .argument('<person>', PERSON_HELP)
    .description('export all data about a person, with unmasked personal numbers')
    .requiredOption('--to <folder>', 'existing folder, in which a new folder is created')
    .action((named: string, options: { readonly to: string }) =>
      run.withDesk('data', (session) => exportPersonData(session, named, options)),
    );
  example(everything, 'people everything maria@example.com --to /srv/requests');
  const erasures = group
    .command('erasures')
    .description('list when people were erased; their names are not kept')
    .action(() => run.withDesk('data', listErasures));
  example(erasures, 'people erasures');
};
