import path from 'node:path';
import { InvalidArgumentError } from 'commander';
import type { ImportRow } from '../../../../../shared/contract/people.ts';
import { readBytes, writeNewFile } from '../../input/local-files.ts';
import { type Answer, answer } from '../../output/answer.ts';
import { exits } from '../../output/exit-codes.ts';
import { count, table } from '../../output/text.ts';
import { type AddCommands, example, addExitSixHelp } from '../../session/group.ts';
import type { Session } from '../../session/session.ts';
import { GROUP_OPTION_HELP, groupNamed } from './names.ts';

interface ImportOptions {
  readonly check?: boolean;
  readonly onlyNew?: boolean;
}

/** Maximum number of rows that one call returns. */
const IMPORT_PAGE_SIZE = 1000;

/** `people import`: lists refused rows with their numbers, and stores the others. */
async function importPeople(
  session: Session,
  file: string,
  { check = false, onlyNew = false }: ImportOptions,
): Promise<Answer> {
  const { api } = session;
  const bytes = session.giveBytes(await readBytes(file));
  const { id, counts, ignored } = await api['people.readImport']({
    bytes,
    fileName: path.basename(file),
  });
  const refused = await refusedRows(session, id);
  const done = check ? null : await api['people.import']({ id, changes: !onlyNew });
  const stored = { added: done?.added ?? 0, changed: done?.changed ?? 0 };
  const value = { counts, ignored, refused, ...stored };
  const heads = ['ROW', 'WHO', 'REFUSED'];
  const rows = refused.map(({ row, who, reason }) => [String(row), who || '-', reason]);
  const said = check
    ? `${counts.new} would be added, ${counts.change} would change, ${counts.same} are unchanged.`
    : `Added ${stored.added}, changed ${stored.changed}.`;
  const text = refused.length === 0 ? said : `${table(heads, rows, '')}\n${said}`;
  return answer(value, text, refused.length === 0 ? exits.done : exitOfRefusal(check));
}

/**
 * Returns the exit code for refused rows: a check reports them as its result; an import was done in
 * part.
 */
const exitOfRefusal = (check: boolean) => (check ? exits.invalid : exits.inPart);

async function refusedRows({ api }: Session, id: ImportId) {
  const rows: ImportRow[] = [];
  for (;;) {
    const order = { id, verdict: 'refused', from: rows.length, limit: IMPORT_PAGE_SIZE } as const;
    const found = await api['people.importRows'](order);
    rows.push(...found.rows);
    if (found.rows.length === 0 || rows.length >= found.total) break;
  }
  return rows.map(({ place, title, refusal: reason }) => ({
    row: place,
    who: title,
    reason: reason ?? 'broken',
  }));
}

type ImportId = Parameters<Session['api']['people.importRows']>[0]['id'];

interface ExportOptions {
  readonly out: string;
  readonly group?: string;
  readonly numbers?: boolean;
}

/** `people export`: writes the entries; the extension of the file determines its format. */
async function exportPeople(
  session: Session,
  { out, group, numbers = false }: ExportOptions,
): Promise<Answer> {
  const as = /\.csv$/i.test(out) ? 'csv' : 'vcard';
  const order = { as, group: await groupNamed(session, group), numbers } as const;
  const made = await session.api['people.export'](order);
  const file = await writeNewFile(out, await session.takeBytes(made.out));
  return answer(
    { file, people: made.people },
    `Wrote ${file}: ${count(made.people, 'person', 'people')}.`,
  );
}

function parsePeopleFile(file: string): string {
  if (/\.(?:csv|vcf)$/i.test(file)) return file;
  throw new InvalidArgumentError('Write a name that ends in .csv or .vcf.');
}

export const fileCommands: AddCommands = (group, run) => {
  const read = group
    .command('import')
    .argument('<file>', 'CSV file, spreadsheet or vCard file')
    .description('add people from a CSV file, a spreadsheet or vCards')
    .option('--check', 'only show the changes; store nothing (exit code 3 if rows are refused)')
    .option('--only-new', 'add new people, but do not change existing entries')
    .action((file: string, options: ImportOptions) =>
      run.withDesk('data', (session) => importPeople(session, file, options)),
    );
  addExitSixHelp(read, 'some rows were refused; the output lists each one');
  example(read, 'people import contacts.vcf --check');
  const write = group
    .command('export')
    .description('save the address book as a CSV file, or as vCards (version 4.0)')
    .requiredOption(
      '--out <file>',
      'output file, .csv or .vcf; an existing file is never overwritten',
      parsePeopleFile,
    )
    .option('--group <name>', GROUP_OPTION_HELP)
    .option('--numbers', 'CSV: include personal numbers')
    .action((options: ExportOptions) =>
      run.withDesk('data', (session) => exportPeople(session, options)),
    );
  example(write, 'people export --out people.vcf');
};
