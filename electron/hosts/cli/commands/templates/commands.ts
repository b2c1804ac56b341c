import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { ApiName } from '../../../../../shared/model/ids.ts';
import {
  type PdfField,
  type PdfForm,
  PdfValues,
} from '../../../../../shared/contract/templates.ts';
import { AppError } from '../../../../../shared/errors.ts';
import { type Answer, answer } from '../../output/answer.ts';
import { readBytes, readJson, writeNew } from '../../input/local-files.ts';
import { choiceOption } from '../../input/options.ts';
import type { Session } from '../../session/session.ts';
import { findTemplate, keptTemplates, noTemplate, templateNamed } from './names.ts';
import { count, table } from '../../output/text.ts';
import { type AddCommands, example, fieldHelp } from '../../session/group.ts';
import { iso } from '../../input/times.ts';

interface AddOptions {
  readonly name: string;
  readonly api: ApiName;
}

/** `templates add`: keeps a PDF form; what fills its fields is said in the window. */
async function addTemplate(session: Session, file: string, options: AddOptions): Promise<Answer> {
  const { name, api } = options;
  const bytes = session.giveBytes(await readBytes(file));
  const fileName = path.basename(file);
  const made = await session.api['templates.add']({ name, api, fileName, bytes });
  if (made.source.kind !== 'pdf') throw new AppError('unexpected', 'The PDF was not kept');
  const { form } = made.source;
  const value = { id: made.id, name, api, fields: form.fields.length, notices: form.notices };
  return answer(value, `Added template ${name} with ${count(form.fields.length, 'field')}.`);
}

/** `templates list`: without those in the trash. */
async function listTemplates(session: Session): Promise<Answer> {
  const kept = await keptTemplates(session);
  const items = kept.map(({ trashedAt: _trashedAt, updatedAt, ...rest }) => ({
    ...rest,
    updatedAt: iso(updatedAt),
  }));
  const rows = kept.map((one) => [
    ...[one.id, one.name, one.api, one.kind],
    ...[String(one.fields), String(one.unmapped), String(one.used)],
  ]);
  const heads = ['ID', 'NAME', 'API', 'KIND', 'FIELDS', 'OPEN', 'USED'];
  return answer({ items }, table(heads, rows, 'There is no template.'));
}

/** `templates remove`: into the trash, from which the window takes it back for 30 days. */
async function removeTemplate(session: Session, name: string): Promise<Answer> {
  const { id } = await templateNamed(session, name);
  await session.api['templates.remove']({ id });
  return answer({}, `Moved template ${name} to the trash.`);
}

/** `templates fields`: the form fields of a template, or of a PDF. */
async function listFields(session: Session, named: string): Promise<Answer> {
  const form = await session.api['templates.fields'](await formNamed(session, named));
  const { pages, notices } = form;
  return answer({ pages, fields: form.fields.map(fieldForOutput), notices }, formText(form));
}

/** Where a field stands on its page is for the window. */
function fieldForOutput({
  name,
  type,
  page,
  value,
  multiline,
  required,
  readOnly,
  ...rest
}: PdfField) {
  const { options, maxLength } = rest;
  return {
    name,
    type,
    page,
    value,
    ...(options === undefined ? {} : { options }),
    ...(maxLength === undefined ? {} : { maxLength }),
    multiline,
    required,
    readOnly,
  };
}

interface MergeOptions {
  readonly values: string;
  readonly out: string;
  readonly flatten?: boolean;
}

/** `templates merge`: a filled copy of a PDF form. */
async function mergeForm(
  session: Session,
  named: string,
  { values, out, flatten = false }: MergeOptions,
): Promise<Answer> {
  const given = PdfValues.safeParse(await readJson(values));
  if (!given.success) {
    throw new AppError('invalid', `${values} must be an object of texts, true or false`);
  }
  const form = await formNamed(session, named);
  const merged = await session.api['templates.merge']({ ...form, values: given.data, flatten });
  const data = await session.takeBytes(merged.out);
  const sha256 = createHash('sha256').update(data).digest('hex');
  if (sha256 !== merged.sha256) throw new AppError('unexpected', 'The merged file was damaged');
  const written = await writeNew(out, data);
  const left = merged.unfilled.length === 0 ? '' : ` Not filled: ${merged.unfilled.join(', ')}.`;
  const text = `Wrote ${written}: ${count(merged.filled, 'field')} filled.${left}`;
  return answer({ ...merged, out: written }, text);
}

/** A template goes before a file of the same name. */
async function formNamed(session: Session, named: string) {
  const found = await findTemplate(session, named);
  if (found !== null) return { id: found.id };
  if (!existsSync(named) && !/\.pdf$/i.test(named)) throw noTemplate(named);
  return { bytes: session.giveBytes(await readBytes(named)) };
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
export const templateCommands: AddCommands = (group, run) => {
  const add = group
    .command('add <file.pdf>')
    .description('keep a PDF form as a template')
    .requiredOption('--name <name>', 'what to call it')
    .addOption(choiceOption('--api <api>', 'which API', ApiName.options).default('v1'))
    .action((file: string, options: AddOptions) =>
      run.withDesk('data', (session) => addTemplate(session, file, options)),
    );
  example(add, 'templates add lease.pdf --name Lease');
  const list = group
    .command('list')
    .description('list the templates')
    .action(() => run.withDesk('data', listTemplates));
  example(list, 'templates list --json');
  const remove = group
    .command('remove <name>')
    .description('move a template to the trash, for 30 days')
    .action((name: string) => run.withDesk('data', (session) => removeTemplate(session, name)));
  example(remove, 'templates remove Lease');
  const fields = group
    .command('fields <template>')
    .description('list the form fields of a template or a PDF')
    .action((named: string) => run.withDesk('data', (session) => listFields(session, named)));
  example(fields, 'templates fields lease.pdf');
  const merge = group
    .command('merge <template>')
    .description('write a filled copy of a template or a PDF form')
    .requiredOption('--values <file.json>', '{ "field": "text", "box": true }')
    .requiredOption('--out <file.pdf>', 'where; nothing is written over')
    .option('--flatten', 'make the fields part of the page')
    .action((named: string, options: MergeOptions) =>
      run.withDesk('data', (session) => mergeForm(session, named, options)),
    );
  fieldHelp(merge);
  example(merge, 'templates merge lease.pdf --values values.json --out filled.pdf');
};
