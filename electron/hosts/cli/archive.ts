import path from 'node:path';
import { ArchiveResult } from '../../../shared/contract/archive.ts';
import { type Answer, answer, failedItem } from './answer.ts';
import { exits } from './exit-codes.ts';
import { exitOfJob, followJob } from './jobs.ts';
import { onConnection } from './names.ts';
import type { Session } from './session.ts';
import { count, plain } from './text.ts';
import { type AddCommands, example } from './group.ts';
import { connectionOption, wholeOption } from './options.ts';
import { fromOption, untilOption } from './times.ts';

/** The contract's limit. */
const MOST_PARALLEL = 16;

export interface RunOptions {
  readonly to: string;
  readonly connection?: string;
  readonly since?: number;
  readonly until?: number;
  readonly name?: string;
  readonly parallel?: number;
  readonly limit?: number;
}

/** `archive run`: saves every signed agreement that is not in the folder yet. */
export async function runArchive(session: Session, options: RunOptions): Promise<Answer> {
  const { to, connection, name, ...range } = options;
  const { jobId } = await session.api['archive.run']({
    ...range,
    ...(await onConnection(session, connection)),
    ...(name !== undefined && { pattern: name }),
    folder: path.resolve(to),
  });
  const job = await followJob(session, jobId, 'Archiving');
  const result = ArchiveResult.parse(job.result);
  const failed = result.failed.map(({ id, failure }) => ({ id, ...failedItem(failure) }));
  const exit = exitOfJob(job, failed.length === 0 ? exits.done : exits.inPart);
  return answer({ ...result, failed }, archiveText(result), exit);
}

function archiveText({ listed, saved, present, failed, bytes, folder }: ArchiveResult): string {
  return [
    ...failed.map(({ id, title, failure }) => `Failed: ${id} ${plain(title)}: ${failure.message}`),
    `${count(listed, 'signed agreement')}: ${saved} saved (${bytes} bytes), ` +
      `${present} there already, ${failed.length} failed.`,
    `Folder: ${folder}`,
  ].join('\n');
}

/** `archive …` */
export const archiveCommands: AddCommands = (program, run) => {
  const group = program.command('archive').description('signed PDFs in a folder of yours');
  const command = group
    .command('run')
    .description('save every signed agreement that is not there yet')
    .requiredOption('--to <folder>', 'where; it is made when it is missing')
    .addOption(connectionOption())
    .option('--since <date>', 'closed on this day or later', fromOption)
    .option('--until <date>', 'closed on this day or earlier', untilOption)
    .option('--name <pattern>', 'file names, such as {closed:yyyy-MM-dd}_{title}_{id8}')
    .addOption(wholeOption('--parallel <n>', 'so many downloads at once', 1, MOST_PARALLEL))
    .addOption(wholeOption('--limit <n>', 'at most so many', 1, 1e8))
    .action((options: RunOptions) =>
      run.withDesk('data', (session) => runArchive(session, options)),
    );
  example(command, 'archive run --to ~/Signed --since 2026-11-01');
};
