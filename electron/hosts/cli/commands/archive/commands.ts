import path from 'node:path';
import { Option } from 'commander';
import {
  ArchiveVerification,
  BagResult,
  IndexColumn,
  defaultIndexColumns,
} from '../../../../../shared/contract/archive.ts';
import { type Answer, answer } from '../../output/answer.ts';
import { addArchiveOptions, archiveSettingsFrom, type ArchiveOptions } from './options.ts';
import { archiveAnswer, readBeforeArchiving } from './outcome.ts';
import { archiveScheduleCommands } from './schedule.ts';
import { exits } from '../../output/exit-codes.ts';
import { type AddCommands, example, addExitSixHelp } from '../../session/group.ts';
import { exitOfJob, followJob } from '../../session/jobs.ts';
import { choiceOption, wholeNumberOption } from '../../input/options.ts';
import type { Session } from '../../session/session.ts';
import { count, plain } from '../../output/text.ts';

interface RunOptions extends ArchiveOptions {
  readonly limit?: number;
  readonly again?: true;
  readonly alsoDeleted?: true;
}

/** `archive run`: reads new data, and saves every signed agreement that is not in the folder. */
async function runArchive(session: Session, options: RunOptions): Promise<Answer> {
  const unread = await readBeforeArchiving(session, options.connection);
  const { limit, again, alsoDeleted } = options;
  const { jobId } = await session.api['archive.run']({
    ...(await archiveSettingsFrom(session, options)),
    ...(limit !== undefined && { limit }),
    ...(again === true && { anew: again }),
    ...(alsoDeleted === true && { alsoDeleted }),
    folder: path.resolve(options.to),
  });
  return archiveAnswer(await followJob(session, jobId, 'Archiving'), unread);
}

const REPAIR_HELP =
  'saves missing and changed PDFs again, from an intact copy in another archive folder or from the service, and repairs altered lists. Changed files are kept as NAME.changed.';

/**
 * `archive verify`: verifies the files of a folder. Differences are findings that the user must
 * look at.
 */
async function verifyFolder(session: Session, folder: string): Promise<Answer> {
  const place = path.resolve(folder);
  const { jobId } = await session.api['archive.verify']({ folder: place });
  const job = await followJob(session, jobId, 'Verifying');
  const verdict = ArchiveVerification.parse(job.result);
  const { files, ok, changed, missing, unknown, lists, agreements } = verdict;
  const isClean = changed.length + missing.length + unknown.length + lists.length === 0;
  const lost = changed.length + missing.length;
  const { here, elsewhere } = (await session.api['archive.list']({ folder: place })).counts;
  const lines = [
    ...changed.map((name) => `Changed: ${plain(name)}`),
    ...missing.map((name) => `Missing: ${plain(name)}`),
    ...unknown.map((name) => `Unknown: ${plain(name)}`),
    ...lists.map((name) => `Altered list: ${plain(name)} was changed after this computer wrote it`),
    `${ok} of ${count(files, 'file')} unchanged; ${changed.length} changed, ` +
      `${missing.length} missing, ${unknown.length} unknown.`,
    `Signed agreements on the service: ${agreements.listed}; saved here: ${agreements.saved}.`,
    // Nothing is recorded for a folder that is not an archive, such as a bag.
    ...(here === 0 || elsewhere === 0
      ? []
      : [
          `Signed agreements saved only in other folders: ${elsewhere}.`,
          `  archive run --to ${plain(folder)} --also-deleted copies them to this folder.`,
        ]),
    ...(lost + lists.length === 0 ? [] : [`  archive run --to ${plain(folder)} ${REPAIR_HELP}`]),
  ];
  const isComplete = agreements.notSaved.length === 0;
  const whole = isComplete ? exits.done : exits.inPart;
  const exit = exitOfJob(job, isClean ? whole : exits.personDecides);
  return answer({ ...verdict, elsewhere }, lines.join('\n'), exit);
}

async function bagFolder(
  session: Session,
  folder: string,
  { to }: { readonly to: string },
): Promise<Answer> {
  const order = { folder: path.resolve(folder), to: path.resolve(to) };
  const { jobId } = await session.api['archive.bag'](order);
  const job = await followJob(session, jobId, 'Writing the BagIt folder');
  const result = BagResult.parse(job.result);
  const text = [
    ...result.leftOut.map((name) => `Skipped, because it was changed: ${plain(name)}`),
    `${count(result.files, 'file')} (${result.bytes} bytes) in ${plain(result.folder)}.`,
  ].join('\n');
  return answer(
    result,
    text,
    exitOfJob(job, result.leftOut.length === 0 ? exits.done : exits.inPart),
  );
}

const indexColumnsByOption = new Map(
  IndexColumn.options.map((column) => [indexColumnOption(column), column]),
);

interface IndexOptions {
  readonly columns?: readonly string[];
  readonly usual?: true;
}

/**
 * `archive index`: sets the columns of the index of every folder; a folder's index changes at its
 * next run.
 */
async function chooseIndex({ api }: Session, { columns, usual }: IndexOptions): Promise<Answer> {
  const chosen = [...new Set(columns)].flatMap((option) => indexColumnsByOption.get(option) ?? []);
  const change = columns === undefined ? null : chosen;
  const wanted = usual === true ? [...defaultIndexColumns] : change;
  const { archiveIndex } =
    wanted === null
      ? await api['settings.read']({})
      : await api['settings.write']({ archiveIndex: wanted });
  const text = `Each archive index has these columns: ${archiveIndex.map(indexColumnOption).join(', ')}.`;
  return answer({ columns: archiveIndex }, text);
}

function indexColumnOption(column: IndexColumn): string {
  return column.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/**
 * Returns the option for the columns of the index. Without the file column, a row would not show
 * which file in the folder it belongs to.
 */
const indexColumnsOption = () =>
  choiceOption('--columns <column...>', 'columns, in this order; the column `file` is required', [
    ...indexColumnsByOption.keys(),
  ]).conflicts('usual');

const ARCHIVE_HELP = 'folder of the archive, as given to `archive run --to`';

export const archiveCommands: AddCommands = (group, run) => {
  const running = addArchiveOptions(
    group.command('run').description('save all signed agreements that are not in the folder yet'),
  )
    .addOption(wholeNumberOption('--limit <n>', 'maximum number of agreements', 1, 1e8))
    .option('--again', 'save all agreements again, in a folder that was emptied')
    .addOption(
      new Option(
        '--also-deleted',
        'also save archived agreements that are no longer on the service, from copies in other archive folders',
      ).conflicts(['tag', 'template', 'search', 'state']),
    )
    .action((options: RunOptions) =>
      run.withDesk('data', (session) => runArchive(session, options)),
    );
  addExitSixHelp(
    running,
    'some agreements were not saved, or a service could not be read beforehand',
  );
  example(running, 'archive run --to ~/Signed --since 2026-11-01 --with attachments evidence');
  const verifying = group
    .command('verify')
    .argument('<folder>', ARCHIVE_HELP)
    .description('check all files, and list the changed, missing and unknown files')
    .action((folder: string) => run.withDesk('data', (session) => verifyFolder(session, folder)));
  addExitSixHelp(
    verifying,
    'the files are unchanged, but some signed agreements are not saved yet',
  );
  example(verifying, 'archive verify ~/Signed');
  const bagging = group
    .command('bagit')
    .argument('<folder>', ARCHIVE_HELP)
    .description('copy an archive for long-term storage (BagIt 1.0, RFC 8493)')
    .requiredOption('--to <folder>', 'new folder to create')
    .action((folder: string, options: { readonly to: string }) =>
      run.withDesk('data', (session) => bagFolder(session, folder, options)),
    );
  addExitSixHelp(bagging, 'some files were skipped, because they were changed');
  example(bagging, 'archive bagit ~/Signed --to ~/Signed-2026');
  const index = group
    .command('index')
    .description('show or set the columns of the index file in each archive folder')
    .addOption(indexColumnsOption())
    .option('--usual', 'set the default columns')
    .action((options: IndexOptions) =>
      run.withDesk('data', (session) => chooseIndex(session, options)),
    );
  example(index, 'archive index --columns file sha256 title tags batch batch-row');
  archiveScheduleCommands(group, run);
};
