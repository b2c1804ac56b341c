import type { Command } from 'commander';
import {
  checkBatch,
  reportBatch,
  sampleSheet,
  sendBatch,
  type SendOptions,
  workBatch,
} from './run.ts';
import type { FileOptions } from './file.ts';
import { addScheduleOptions } from './schedule.ts';
import { listBatches } from './list.ts';
import { type AddCommands, example, fieldHelp } from '../../session/group.ts';
import { choiceOption, confirmOption, waitOption } from '../../input/options.ts';
import { HOW_TO_SEND } from '../outbox/sending.ts';

const EXAMPLE_BATCH = '7d3c1a90-52c4-4f7e-8a35-0c9f5b1e2d64';
const FILE = 'leases.xlsx --template Lease --connection Office';

const withFile = (command: Command): Command =>
  fieldHelp(command)
    .requiredOption('--template <name>', 'the template each row fills')
    .requiredOption('--connection <name>', 'what it is checked for and sent through')
    .option('--mapping <file.json>', 'a create body with {Column} in its texts; see below')
    .option('--sheet <name>', 'of a workbook; else the first one that is not hidden')
    .option('--delimiter <sign>', '; , | or tab, where it is not found by itself')
    .option('--encoding <name>', 'such as utf-8 or windows-1252, where it is not found by itself')
    .addOption(choiceOption('--hidden <what>', 'hidden rows and columns', ['skip', 'read']))
    .option('--accept-guesses', 'of letters and columns; without it, a file with one is not sent')
    .addHelpText('after', MAPPING_HELP);

/** What a file of `--mapping` may hold beside the create body of the API. */
const MAPPING_HELP = `
A mapping is the create body of the connection's API without attachments. In its texts:
  {Column}          the cell of this column
  {Column|yes-no}   true or false, read from a cell such as yes, no, ja, nej, x
  {=today}          today; {=today+30} in 30 days, {=today+30:yyyy-MM-dd} in this form
  {=number}         the running number of the template
A party with "when": "{Column}" is left out in rows where that cell is empty or says no.
"fields": { "PDF field": "text with {Column}" } fills the PDF form of the template.`;

/** `batch …` */
export const batchCommands: AddCommands = (group, run) => {
  const sample = group
    .command('sample <template>')
    .description('write a sheet with the headers a template asks for, its cells as text')
    .requiredOption('--out <file.xlsx>', 'where; nothing is written over')
    .action((name: string, options: { readonly out: string }) =>
      run.withDesk('data', (session) => sampleSheet(session, name, options)),
    );
  example(sample, 'batch sample Lease --out leases.xlsx');
  const check = withFile(group.command('check <file>'))
    .description('judge every row; nothing is kept and nothing is sent')
    .action((file: string, options: FileOptions) =>
      run.withDesk('data', (session) => checkBatch(session, file, options)),
    );
  example(check, `batch check ${FILE} --json`);
  const send = addScheduleOptions(withFile(group.command('send <file>')))
    .description('send every row that is ready, and say how it went; Ctrl+C stops it')
    .addOption(confirmOption())
    .addOption(choiceOption('--policy <policy>', 'what an absent outcome does', ['ask', 'auto']))
    .option('--queue', `send nothing now: ${HOW_TO_SEND}`)
    .addOption(waitOption())
    .action((file: string, options: SendOptions) =>
      run.withDesk('data', (session) => sendBatch(session, file, options)),
    );
  example(send, `batch send ${FILE} --confirm 201`);
  example(
    send,
    `batch send ${FILE} --confirm 201 --at 2026-12-01T07:00Z --hours 8-17 --per-hour 50`,
  );
  addWork(group, run);
  const report = group
    .command('report <batch>')
    .description('write the original columns with row, state, id, error and time')
    .requiredOption('--out <file>', 'a .csv or .xlsx file; nothing is written over')
    .action((id: string, options: { readonly out: string }) =>
      run.withDesk('data', (session) => reportBatch(session, id, options)),
    );
  example(report, `batch report ${EXAMPLE_BATCH} --out leases-sent.xlsx`);
};

/** Commands for batches that are in the outbox. */
function addWork(group: Command, run: Parameters<AddCommands>[1]): void {
  const list = group
    .command('list')
    .description('list the batches, with the names the other commands take')
    .action(() => run.withDesk('data', listBatches));
  example(list, 'batch list --json');
  for (const [name, work, about] of [
    ['status', 'progress', 'how far a batch has come'],
    ['pause', 'pause', 'send nothing more of it for now'],
    ['resume', 'resume', 'go on with it'],
    ['stop', 'stop', 'cancel what is not on the wire; what was sent stays sent'],
  ] as const) {
    const command = group
      .command(`${name} <batch>`)
      .description(about)
      .action((id: string) => run.withDesk('data', (session) => workBatch(session, id, work)));
    example(command, `batch ${name} ${EXAMPLE_BATCH}`);
  }
}
