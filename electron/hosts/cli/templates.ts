import { createHash } from 'node:crypto';
import { type PdfForm, PdfValues } from '../../../shared/contract/templates.ts';
import { AppError } from '../../../shared/errors.ts';
import { type Answer, answer } from './answer.ts';
import { readBytes, readJson, writeNew } from './local-files.ts';
import type { Session } from './session.ts';
import { count, table } from './text.ts';
import { type AddCommands, example } from './group.ts';

/** `templates fields`: the form fields of a PDF. */
export async function listFields(session: Session, file: string): Promise<Answer> {
  const bytes = session.giveBytes(await readBytes(file));
  const form = await session.api['templates.fields']({ bytes });
  return answer(form, formText(form));
}

interface MergeOptions {
  readonly values: string;
  readonly out: string;
  readonly flatten?: boolean;
}

/** `templates merge`: a filled copy of a PDF form. */
async function mergeForm(
  session: Session,
  file: string,
  { values, out, flatten = false }: MergeOptions,
): Promise<Answer> {
  const given = PdfValues.safeParse(await readJson(values));
  if (!given.success) {
    throw new AppError('invalid', `${values} must be an object of texts, true or false`);
  }
  const bytes = session.giveBytes(await readBytes(file));
  const merged = await session.api['templates.merge']({ bytes, values: given.data, flatten });
  const data = await session.takeBytes(merged.out);
  const sha256 = createHash('sha256').update(data).digest('hex');
  if (sha256 !== merged.sha256) throw new AppError('unexpected', 'The merged file was damaged');
  const written = await writeNew(out, data);
  const left = merged.unfilled.length === 0 ? '' : ` Not filled: ${merged.unfilled.join(', ')}.`;
  const text = `Wrote ${written}: ${count(merged.filled, 'field')} filled.${left}`;
  return answer({ ...merged, out: written }, text);
}

function formText({ pages, fields, notices }: PdfForm): string {
  const rows = fields.map((one) => [
    ...[one.name, one.type, String(one.page), one.value],
    [one.required && 'required', one.readOnly && 'read-only', ...(one.options ?? [])]
      .filter((word) => word !== false)
      .join(' '),
  ]);
  const list = table(['FIELD', 'TYPE', 'PAGE', 'VALUE', ''], rows, 'It has no form fields.');
  const noticed = notices.length === 0 ? '' : `\nNotices: ${notices.join(', ')}`;
  return `${list}\n${count(pages, 'page')}${noticed}`;
}

/** `templates …` */
export const templateCommands: AddCommands = (program, run) => {
  const group = program.command('templates').description('PDF forms');
  const fields = group
    .command('fields <file.pdf>')
    .description('list the form fields of a PDF')
    .action((file: string) => run.withDesk('data', (session) => listFields(session, file)));
  example(fields, 'templates fields lease.pdf');
  const merge = group
    .command('merge <file.pdf>')
    .description('write a filled copy of a PDF form')
    .requiredOption('--values <file.json>', '{ "field": "text", "box": true }')
    .requiredOption('--out <file.pdf>', 'where; nothing is written over')
    .option('--flatten', 'make the fields part of the page')
    .action((file: string, options: MergeOptions) =>
      run.withDesk('data', (session) => mergeForm(session, file, options)),
    );
  example(merge, 'templates merge lease.pdf --values values.json --out filled.pdf');
};
