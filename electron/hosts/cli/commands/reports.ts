import path from 'node:path';
import { InvalidArgumentError } from 'commander';
import type { ListColumn } from '../../../../shared/contract/agreement-views.ts';
import { ReportForm, ReportResult } from '../../../../shared/contract/reports.ts';
import { englishWords } from '../../../../shared/rules/agreements/english-words.ts';
import { englishHeading } from '../../../../shared/rules/agreements/columns.ts';
import { chosenColumns, columnsOption } from './agreements/columns.ts';
import { addFilterOptions, filterOf, type FilterOptions } from './agreements/filter.ts';
import { type Answer, answer } from '../output/answer.ts';
import { exits } from '../output/exit-codes.ts';
import { firstSync } from './sync/first-sync.ts';
import { type AddCommands, example } from '../session/group.ts';
import { exitOfJob, followJob } from '../session/jobs.ts';
import { choiceOption } from '../input/options.ts';
import type { Session } from '../session/session.ts';
import { count } from '../output/text.ts';

interface ReportOptions extends FilterOptions {
  readonly out: string;
  readonly columns?: readonly string[];
  readonly delimiter?: 'comma' | 'semicolon' | 'tab';
}

const delimitersByName = { comma: ',', semicolon: ';', tab: '\t' } as const;

const defaultReportColumns: readonly ListColumn[] = [
  'connection',
  'id',
  'title',
  'parties',
  'state',
  'nativeState',
  'updated',
  'closed',
  'expires',
  'archived',
];

async function writeReport(session: Session, options: ReportOptions): Promise<Answer> {
  await firstSync(session, options.connection);
  const columns =
    options.columns === undefined ? defaultReportColumns : chosenColumns(options.columns);
  const { jobId } = await session.api['reports.write']({
    file: path.resolve(options.out),
    form: reportFormOf(options.out),
    rows: { kind: 'view', view: { ...(await filterOf(session, options)) }, except: [] },
    columns: columns.map((column) => ({ column, heading: englishHeading(column) })),
    words: englishWords,
    ...(options.delimiter !== undefined && { delimiter: delimitersByName[options.delimiter] }),
  });
  const job = await followJob(session, jobId, 'Writing the report');
  const result = ReportResult.parse(job.result);
  const { file, rows, bytes, sha256 } = result;
  const text = `${count(rows, 'agreement')} in ${file} (${bytes} bytes, SHA-256 ${sha256}).`;
  return answer(result, text, exitOfJob(job, exits.done));
}

/** Returns the format that the extension of the file determines. */
function reportFormOf(file: string): ReportForm {
  return ReportForm.parse(path.extname(file).slice(1).toLowerCase());
}

function parseReportFile(file: string): string {
  const isKnown = ReportForm.options.some((form) => file.toLowerCase().endsWith(`.${form}`));
  if (isKnown) return file;
  throw new InvalidArgumentError('Write a name that ends in .csv or .xlsx.');
}

export const reportCommands: AddCommands = (command, run) => {
  addFilterOptions(
    command.requiredOption(
      '--out <file>',
      'output file, .csv or .xlsx; an existing file is never overwritten',
      parseReportFile,
    ),
  )
    .addOption(columnsOption('columns of the report, in this order'))
    .addOption(
      choiceOption(
        '--delimiter <sign>',
        'CSV: column separator (default: the usual separator in the country of this computer)',
        ['comma', 'semicolon', 'tab'],
      ),
    )
    .action((options: ReportOptions) =>
      run.withDesk('data', (session) => writeReport(session, options)),
    );
  example(command, 'report --out signed.xlsx --state signed --closed-from 2026-11-01');
  example(command, 'report --out waiting.csv --state waiting --columns title days-waiting tags');
};
