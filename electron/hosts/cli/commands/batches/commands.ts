import type { Command } from 'commander';
import {
  checkBatch,
  reportBatch,
  writeSampleSheet,
  sendBatch,
  type SendOptions,
  controlBatch,
} from './run.ts';
import type { FileOptions } from './file.ts';
import { addScheduleOptions } from './schedule.ts';
import { listBatches } from './list.ts';
import { type AddCommands, example, addFieldHelp, addExitSixHelp } from '../../session/group.ts';
import { choiceOption, confirmOption, waitOption } from '../../input/options.ts';

const EXAMPLE_BATCH = '7d3c1a90-52c4-4f7e-8a35-0c9f5b1e2d64';
const EXAMPLE_FILE_ARGUMENTS = 'leases.xlsx --template Lease --connection Office';
const SPREADSHEET_HELP = '.csv, .xlsx or .ods file with one agreement in each row';
const BATCH_ID_HELP = 'ID of the batch, as `batch list` shows it';

const addSpreadsheetOptions = (command: Command): Command =>
  addFieldHelp(command)
    .requiredOption('--template <name>', 'template that each row fills (see `templates list`)')
    .requiredOption('--connection <name>', 'connection for sending (see `connections list`)')
    .option(
      '--mapping <file.json>',
      'JSON file of an agreement for the API, with `{Column}` in its texts; see below',
    )
    .option('--sheet <name>', 'sheet of the spreadsheet (default: the first visible one)')
    .option(
      '--delimiter <sign>',
      'CSV: column separator, one of `;`, `,`, `|` and `tab` (default: detected)',
    )
    .option('--encoding <name>', 'CSV: encoding, such as utf-8 or windows-1252 (default: detected)')
    .addOption(
      choiceOption('--hidden <what>', 'how to treat hidden rows and columns', ['skip', 'read']),
    )
    .option('--accept-guesses', 'send even if the encoding or the column separator is a guess')
    .addHelpText('after', MAPPING_HELP);

/** Help about the fields that a `--mapping` file may have in addition to the API's create body. */
const MAPPING_HELP = `
A mapping is a JSON file of a new agreement for the API of the connection, without
attachments. In its texts:
  {Column}          the text of the cell in this column
  {Column|yes-no}   true or false, for a cell with a word such as yes, no, ja, nej or x
  {Column|day}      a day, as year-month-day; another text in the cell is an error
  {=today}          the date of today; {=today+30} is the date in 30 days, and
                    {=today+30:yyyy-MM-dd} is that date in this format
  {=number}         the serial number of the template
A party with "when": "{Column}" is skipped in rows where this cell is empty, or has a word such
as no or nej.
"fields": { "PDF field": "text with {Column}" } fills the PDF form of the template.`;

export const batchCommands: AddCommands = (group, run) => {
  const sample = group
    .command('sample')
    .argument('<template>', 'name or ID of the template, as `templates list` shows it')
    .description('save an empty spreadsheet with the columns that a template needs')
    .requiredOption('--out <file.xlsx>', 'output file; an existing file is never overwritten')
    .action((name: string, options: { readonly out: string }) =>
      run.withDesk('data', (session) => writeSampleSheet(session, name, options)),
    );
  example(sample, 'batch sample Lease --out leases.xlsx');
  const check = addSpreadsheetOptions(group.command('check').argument('<file>', SPREADSHEET_HELP))
    .description('check every row; nothing is stored or sent (exit code 3 if a row has problems)')
    .action((file: string, options: FileOptions) =>
      run.withDesk('data', (session) => checkBatch(session, file, options)),
    );
  example(check, `batch check ${EXAMPLE_FILE_ARGUMENTS} --json`);
  const send = addScheduleOptions(
    addSpreadsheetOptions(group.command('send').argument('<file>', SPREADSHEET_HELP)),
  )
    .description('send all rows without errors, and show the result; Ctrl+C stops it')
    .addOption(confirmOption())
    .addOption(
      choiceOption(
        '--policy <policy>',
        'if a send is proven not to have arrived: ask you (`ask`, the default), or send it again (`auto`)',
        ['ask', 'auto'],
      ),
    )
    .option(
      '--queue',
      'only put the rows in the outbox; `outbox run` or the open window sends them',
    )
    .addOption(waitOption())
    .action((file: string, options: SendOptions) =>
      run.withDesk('data', (session) => sendBatch(session, file, options)),
    );
  addExitSixHelp(
    send,
    'some rows were refused, given up or have errors; `batch report` lists them',
  );
  example(send, `batch send ${EXAMPLE_FILE_ARGUMENTS} --confirm 201`);
  example(
    send,
    `batch send ${EXAMPLE_FILE_ARGUMENTS} --confirm 201 --at 2026-12-01T07:00Z --hours 8-17 --per-hour 50`,
  );
  addWorkCommands(group, run);
  const report = group
    .command('report')
    .argument('<batch>', BATCH_ID_HELP)
    .description('save the original columns with the status, ID, error and time of each row')
    .requiredOption(
      '--out <file>',
      'output file, .csv or .xlsx; an existing file is never overwritten',
    )
    .action((id: string, options: { readonly out: string }) =>
      run.withDesk('data', (session) => reportBatch(session, id, options)),
    );
  example(report, `batch report ${EXAMPLE_BATCH} --out leases-sent.xlsx`);
};

function addWorkCommands(group: Command, run: Parameters<AddCommands>[1]): void {
  const list = group
    .command('list')
    .description('list the batches with their IDs')
    .action(() => run.withDesk('data', listBatches));
  example(list, 'batch list --json');
  for (const [name, work, about] of [
    ['status', 'progress', 'show the progress of a batch'],
    ['pause', 'pause', 'pause a batch: its waiting rows are not sent'],
    ['resume', 'resume', 'resume a paused batch'],
    ['stop', 'stop', 'cancel the unsent rows of a batch'],
  ] as const) {
    const command = group
      .command(name)
      .argument('<batch>', BATCH_ID_HELP)
      .description(about)
      .action((id: string) => run.withDesk('data', (session) => controlBatch(session, id, work)));
    addExitSixHelp(command, 'some rows were refused or given up; `batch report` lists them');
    example(command, `batch ${name} ${EXAMPLE_BATCH}`);
  }
}
