import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { ApiName } from '../../../../../shared/model/ids.ts';
import {
  type PdfField,
  type PdfForm,
  PdfValues,
  type UnsureField,
} from '../../../../../shared/contract/templates.ts';
import { type PlacedField, PlacedFields } from '../../../../../shared/model/placed-field.ts';
import { AppError } from '../../../../../shared/errors.ts';
import { type Answer, answer } from '../../output/answer.ts';
import { readBytes, readJson, writeNewFile } from '../../input/local-files.ts';
import { choiceOption } from '../../input/options.ts';
import type { Session } from '../../session/session.ts';
import { findTemplate, listKeptTemplates, templateNotFound, templateNamed } from './names.ts';
import { count, table } from '../../output/text.ts';
import { type AddCommands, example, addFieldHelp } from '../../session/group.ts';
import { toIsoText } from '../../input/times.ts';

interface AddOptions {
  readonly name: string;
  readonly api: ApiName;
}

/** `templates add`: stores a form; the window sets how its fields are filled. */
async function addTemplate(session: Session, file: string, options: AddOptions): Promise<Answer> {
  const { name, api } = options;
  const bytes = session.giveBytes(await readBytes(file));
  const fileName = path.basename(file);
  const made = await session.api['templates.add']({ name, api, fileName, bytes });
  if (made.source.kind !== 'pdf')
    throw new AppError('unexpected', 'The PDF of the template was not stored');
  const { form } = made.source;
  const value = { id: made.id, name, api, fields: form.fields.length, notices: form.notices };
  return answer(value, `Added template ${name} with ${count(form.fields.length, 'field')}.`);
}

/** `templates list`: lists the templates that are not in the trash. */
async function listTemplates(session: Session): Promise<Answer> {
  const kept = await listKeptTemplates(session);
  const items = kept.map(({ trashedAt: _trashedAt, updatedAt, ...rest }) => ({
    ...rest,
    updatedAt: toIsoText(updatedAt),
  }));
  const rows = kept.map((one) => [
    ...[one.id, one.name, one.api, one.kind],
    ...[String(one.fields), String(one.unmapped), String(one.used)],
  ]);
  const heads = ['ID', 'NAME', 'API', 'KIND', 'FIELDS', 'OPEN', 'USED'];
  return answer({ items }, table(heads, rows, 'There are no templates.'));
}

/** `templates remove`: moves a template to the trash, from which the window restores it. */
async function removeTemplate(session: Session, name: string): Promise<Answer> {
  const { id } = await templateNamed(session, name);
  await session.api['templates.remove']({ id });
  return answer({}, `Moved template ${name} to the trash.`);
}

/** `templates fields`: lists the form fields of a template, or of a PDF. */
async function listFields(session: Session, named: string): Promise<Answer> {
  const form = await session.api['templates.fields'](await findForm(session, named));
  const { pages, notices } = form;
  const fields = form.fields.map(fieldForOutput);
  const placed = form.placed === undefined ? {} : { placed: form.placed };
  return answer({ pages, fields, notices, ...placed }, formText(form));
}

/** Returns a field without its positions on the page, which only the window uses. */
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

interface ReplaceOptions {
  readonly stay?: string[];
  readonly dropRest?: boolean;
}

/**
 * `templates replace`: stores another version of the file; the user decides about everything that
 * would be lost.
 */
async function replacePdf(
  session: Session,
  name: string,
  file: string,
  { stay = [], dropRest = false }: ReplaceOptions,
): Promise<Answer> {
  const { id } = await templateNamed(session, name);
  const data = await readBytes(file);
  const { api } = session;
  const given = session.giveBytes(data);
  const { carried, unsure, lost, changed } = await api['templates.compare']({ id, bytes: given });
  const stranger = stay.find((one) => !unsure.some((field) => field.name === one && field.canStay));
  if (stranger !== undefined) {
    throw new AppError(
      'invalid',
      `Nothing was changed: there is no drawn field "${stranger}" that can stay (--stay)`,
    );
  }
  const open = unsure.filter((field) => !stay.includes(field.name));
  if (open.length > 0 && !dropRest) throw undecidedFieldsError(open);
  const { revision } = await api['templates.get']({ id });
  const bytes = session.giveBytes(data);
  const fileName = path.basename(file);
  const asked = { id, revision, fileName, bytes, stay };
  const template = await api['templates.replacePdf'](asked);
  const dropped = open.map((field) => field.name);
  const value = { id, revision: template.revision, carried, stayed: stay, dropped, lost, changed };
  const words = [
    `Template ${name} has the new file.`,
    ...(carried.length === 0 ? [] : [`Kept in place: ${carried.join(', ')}.`]),
    ...(dropped.length === 0 ? [] : [`Removed: ${dropped.join(', ')}.`]),
    ...(changed.length === 0 ? [] : [`Now of another type: ${changed.join(', ')}.`]),
  ];
  return answer(value, words.join(' '));
}

const UNSURE_FIELD_TEXTS: Readonly<Record<UnsureField['why'], string>> = {
  'page-gone': 'its page no longer exists',
  'page-size': 'the page has another size',
  'text-differs': 'the text around it has changed',
  taken: 'another field is in this place',
};

function undecidedFieldsError(open: readonly UnsureField[]): AppError {
  const fields = Object.fromEntries(
    open.map(({ name, why, canStay }) => [
      name,
      canStay ? UNSURE_FIELD_TEXTS[why] : `${UNSURE_FIELD_TEXTS[why]}; it cannot stay`,
    ]),
  );
  const message =
    'Some drawn fields may not fit the new file, so nothing was changed. Name the fields to keep ' +
    'with --stay, or remove the other drawn fields with --drop-rest';
  return new AppError('invalid', message, { fields });
}

interface MergeOptions {
  readonly values: string;
  readonly out: string;
  readonly flatten?: boolean;
}

async function mergeForm(
  session: Session,
  named: string,
  { values, out, flatten = false }: MergeOptions,
): Promise<Answer> {
  const given = PdfValues.safeParse(await readJson(values));
  if (!given.success) {
    const message = `${values} must be a JSON object whose values are texts, true or false`;
    throw new AppError('invalid', message);
  }
  const form = await findForm(session, named);
  const merged = await session.api['templates.merge']({ ...form, values: given.data, flatten });
  const data = await session.takeBytes(merged.out);
  const sha256 = createHash('sha256').update(data).digest('hex');
  if (sha256 !== merged.sha256) throw new AppError('unexpected', 'The merged file was damaged');
  const written = await writeNewFile(out, data);
  const left = merged.unfilled.length === 0 ? '' : ` Not filled: ${merged.unfilled.join(', ')}.`;
  const text = `Wrote ${written}: ${count(merged.filled, 'field')} filled.${left}`;
  return answer({ ...merged, out: written }, text);
}

/** `templates find`: finds positions for fields, as a list that `templates place` accepts. */
async function findPlaces(session: Session, named: string): Promise<Answer> {
  const found = await session.api['templates.find'](await findForm(session, named));
  const rows = found.map(({ by, field: { name, kind, places } }) => {
    const [{ page, box } = { page: 0, box: { x: 0, y: 0 } }] = places;
    return [name, kind, String(page), `${Math.round(box.x)}, ${Math.round(box.y)}`, by];
  });
  const heads = ['FIELD', 'KIND', 'PAGE', 'AT', 'FOUND BY'];
  const value = { placed: found.map(({ field }) => field), by: found.map(({ by }) => by) };
  return answer(value, table(heads, rows, 'No places to fill in were found.'));
}

interface PlaceOptions {
  readonly fields: string;
  readonly out?: string;
}

/** `templates place`: draws the fields of a template, or writes a copy of a PDF with fields. */
async function placeFields(
  session: Session,
  named: string,
  { fields: file, out }: PlaceOptions,
): Promise<Answer> {
  const fields = parsePlacedFields(await readJson(file), file);
  const found = await findTemplate(session, named);
  if (found !== null && out !== undefined) {
    const message = 'Nothing was changed: use --out only with a PDF; a template keeps its own file';
    throw new AppError('invalid', message);
  }
  if (found !== null) {
    const { id, revision } = await session.api['templates.get']({ id: found.id });
    const template = await session.api['templates.place']({ id, revision, fields });
    const value = { id, revision: template.revision, fields: fields.length };
    return answer(value, `Template ${named} has ${count(fields.length, 'drawn field')}.`);
  }
  if (!existsSync(named) && !/\.pdf$/i.test(named)) throw templateNotFound(named);
  if (out === undefined) throw new AppError('invalid', 'Name the output file with --out');
  const bytes = session.giveBytes(await readBytes(named));
  const { out: made, sha256 } = await session.api['templates.placeOn']({ bytes, fields });
  const written = await writeNewFile(out, await session.takeBytes(made));
  const text = `Wrote ${written} with ${count(fields.length, 'drawn field')}.`;
  return answer({ out: written, sha256, fields: fields.length }, text);
}

/** Reads the `placed` list of `templates fields --json`, or the list alone. */
function parsePlacedFields(given: unknown, file: string): PlacedField[] {
  const list =
    typeof given === 'object' && given !== null && 'placed' in given ? given.placed : given;
  const read = PlacedFields.safeParse(list);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new AppError('invalid', `${file}, ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
}

interface PdfOptions {
  readonly out: string;
}

/** `templates pdf`: writes the PDF of a template with its fields, for a recipient to fill. */
async function writePdf(session: Session, name: string, { out }: PdfOptions): Promise<Answer> {
  const { id } = await templateNamed(session, name);
  const { out: made } = await session.api['templates.pdf']({ id });
  const written = await writeNewFile(out, await session.takeBytes(made));
  return answer({ out: written }, `Wrote ${written}.`);
}

/** Returns a template, or the PDF of a file. A template is preferred to a file of the same name. */
async function findForm(session: Session, named: string) {
  const found = await findTemplate(session, named);
  if (found !== null) return { id: found.id };
  if (!existsSync(named) && !/\.pdf$/i.test(named)) throw templateNotFound(named);
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

const TEMPLATE_HELP = 'name or ID of the template, as `templates list` shows it';
const TEMPLATE_OR_FILE_HELP = 'name or ID of a template, or a PDF file';
const OUTPUT_FILE_HELP = 'output file; an existing file is never overwritten';

export const templateCommands: AddCommands = (group, run) => {
  const add = group
    .command('add')
    .argument('<file>', 'PDF form, or a document that is converted to PDF')
    .description('add a template from a PDF form or a document')
    .requiredOption('--name <name>', 'name for the new template')
    .addOption(
      choiceOption(
        '--api <api>',
        'API that the agreements of the template use',
        ApiName.options,
      ).default('v1'),
    )
    .action((file: string, options: AddOptions) =>
      run.withDesk('data', (session) => addTemplate(session, file, options)),
    );
  example(add, 'templates add lease.docx --name Lease');
  const replace = group
    .command('replace')
    .argument('<name>', TEMPLATE_HELP)
    .argument('<file>', 'new version of the file')
    .description('replace the file of a template; drawn fields stay if they fit the new file')
    .option(
      '--stay <field...>',
      'names of drawn fields to keep in place, even if they do not fit the new file',
    )
    .option(
      '--drop-rest',
      'remove the drawn fields that do not fit the new file and are not listed with --stay',
    )
    .action((name: string, file: string, options: ReplaceOptions) =>
      run.withDesk('data', (session) => replacePdf(session, name, file, options)),
    );
  example(replace, 'templates replace Lease lease-2027.pdf --stay Signature');
  const list = group
    .command('list')
    .description('list the templates')
    .action(() => run.withDesk('data', listTemplates));
  example(list, 'templates list --json');
  const remove = group
    .command('remove')
    .argument('<name>', TEMPLATE_HELP)
    .description('move a template to the trash')
    .action((name: string) => run.withDesk('data', (session) => removeTemplate(session, name)));
  example(remove, 'templates remove Lease');
  const fields = group
    .command('fields')
    .argument('<template>', TEMPLATE_OR_FILE_HELP)
    .description('list the form fields of a template or a PDF')
    .action((named: string) => run.withDesk('data', (session) => listFields(session, named)));
  example(fields, 'templates fields lease.pdf');
  const find = group
    .command('find')
    .argument('<template>', TEMPLATE_OR_FILE_HELP)
    .description('find places to fill in, and list them in the form that `templates place` reads')
    .action((named: string) => run.withDesk('data', (session) => findPlaces(session, named)));
  example(find, 'templates find lease.pdf --json');
  const place = group
    .command('place')
    .argument('<template>', TEMPLATE_OR_FILE_HELP)
    .description('set the drawn fields of a template, or save a copy of a PDF with drawn fields')
    .requiredOption(
      '--fields <file.json>',
      'JSON file with a list of fields; an empty list removes all fields',
    )
    .option(
      '--out <file.pdf>',
      'output file, if you named a PDF file; an existing file is never overwritten',
    )
    .action((named: string, options: PlaceOptions) =>
      run.withDesk('data', (session) => placeFields(session, named, options)),
    );
  example(place, 'templates place lease.pdf --fields places.json --out form.pdf');
  addTemplateCopyCommands(group, run);
};

const addTemplateCopyCommands: AddCommands = (group, run) => {
  const pdf = group
    .command('pdf')
    .argument('<name>', TEMPLATE_HELP)
    .description('save the PDF of a template with its fields')
    .requiredOption('--out <file.pdf>', OUTPUT_FILE_HELP)
    .action((name: string, options: PdfOptions) =>
      run.withDesk('data', (session) => writePdf(session, name, options)),
    );
  example(pdf, 'templates pdf Lease --out lease-form.pdf');
  const merge = group
    .command('merge')
    .argument('<template>', TEMPLATE_OR_FILE_HELP)
    .description('save a filled copy of a template or a PDF form')
    .requiredOption(
      '--values <file.json>',
      'JSON file with the values: { "field": "text", "box": true }',
    )
    .requiredOption('--out <file.pdf>', OUTPUT_FILE_HELP)
    .option('--flatten', 'turn the fields into plain page content')
    .action((named: string, options: MergeOptions) =>
      run.withDesk('data', (session) => mergeForm(session, named, options)),
    );
  addFieldHelp(merge);
  example(merge, 'templates merge lease.pdf --values values.json --out filled.pdf');
};
