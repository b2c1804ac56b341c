import path from 'node:path';
import {
  DataExportKind,
  type DataExportSummary,
  DataExportReading,
  WrittenDataExport,
} from '../../../../../shared/contract/takeout.ts';
import { toIsoText } from '../../input/times.ts';
import { type Answer, answer } from '../../output/answer.ts';
import { exits } from '../../output/exit-codes.ts';
import { count, pairs, plain, table } from '../../output/text.ts';
import { type AddCommands, example } from '../../session/group.ts';
import { exitOfJob, followJob } from '../../session/jobs.ts';
import type { Session } from '../../session/session.ts';

async function createDataExport(
  session: Session,
  { to }: { readonly to: string },
): Promise<Answer> {
  const { jobId } = await session.api['takeout.write']({ folder: path.resolve(to) });
  const job = await followJob(session, jobId, 'Exporting all data');
  const done = WrittenDataExport.parse(job.result);
  const rows = [
    ['folder', plain(done.folder)] as const,
    ...DataExportKind.options.map((kind) => [kind, String(done.counts[kind])] as const),
    ['entries of the evidence', String(done.evidence)] as const,
    ['archived PDFs, listed', String(done.archived)] as const,
    ['files', String(done.files)] as const,
  ];
  const text = `${pairs(rows)}\nThe folder has unmasked personal numbers and is not encrypted.`;
  return answer(done, text, exitOfJob(job, exits.done));
}

async function readExportFolder(
  session: Session,
  named: string,
  isImport: boolean,
): Promise<Answer> {
  const folder = path.resolve(named);
  const { jobId } = await session.api[isImport ? 'takeout.import' : 'takeout.look']({ folder });
  const job = await followJob(session, jobId, isImport ? 'Importing' : 'Checking');
  const { look, isImported } = DataExportReading.parse(job.result);
  const isWhole = look.evidence.firstBroken === null;
  const exit = exitOfJob(job, isWhole ? exits.done : exits.invalid);
  const value = { ...look, madeAt: toIsoText(look.madeAt), imported: isImported };
  return answer(value, dataExportText(look, isImported), exit);
}

function dataExportText(
  { counts, evidence, archived }: DataExportSummary,
  isImported: boolean,
): string {
  const rows = DataExportKind.options.map((kind) => {
    const { added, beside, same, passed, removed } = counts[kind];
    return [kind, ...[added, beside, same, passed, removed].map(String)];
  });
  const list = table(
    ['KIND', 'NEW', 'DIFFERENT', 'HERE ALREADY', 'PASSED OVER', 'OF THOSE REMOVED HERE'],
    rows,
    '',
  );
  const chain =
    evidence.firstBroken === null
      ? 'the log is intact'
      : `the log is broken at entry ${evidence.firstBroken}`;
  const log = `Evidence: ${count(evidence.entries, 'entry', 'entries')}, ${chain}. It is kept separate from the evidence of this computer.`;
  const end = isImported ? 'Imported. Nothing was sent.' : 'Nothing was imported.';
  return `${list}\n${log}\nArchived PDFs in the list: ${archived}.\n${end}`;
}

const DATA_EXPORT_HELP = 'folder that `data export` created';

export const takeoutCommands: AddCommands = (group, run) => {
  const writing = group
    .command('export')
    .description('export all data as JSON, CSV and PDF, with unmasked personal numbers')
    .requiredOption('--to <folder>', 'existing folder, in which a new folder is created')
    .action((options: { readonly to: string }) =>
      run.withDesk('data', (session) => createDataExport(session, options)),
    );
  example(writing, 'data export --to /srv/exports');
  const checking = group
    .command('check')
    .argument('<folder>', DATA_EXPORT_HELP)
    .description('check an export, and show what an import would add')
    .action((folder: string) =>
      run.withDesk('data', (session) => readExportFolder(session, folder, false)),
    );
  example(checking, 'data check signing-desk-export-2026-11-25-8c9a3c0e');
  const importing = group
    .command('import')
    .argument('<folder>', DATA_EXPORT_HELP)
    .description('add the new drafts, templates, people and batches of an export; sends nothing')
    .action((folder: string) =>
      run.withDesk('data', (session) => readExportFolder(session, folder, true)),
    );
  example(importing, 'data import signing-desk-export-2026-11-25-8c9a3c0e');
};
