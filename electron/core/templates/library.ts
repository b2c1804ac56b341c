import type { FieldValues } from '../../../shared/contract/actions.ts';
import { type AgreementKey, type ApiName, TemplateId } from '../../../shared/model/ids.ts';
import type { Emit, HandlersOf } from '../../../shared/contract/index.ts';
import type { PdfField, PdfForm } from '../../../shared/model/pdf-form.ts';
import type {
  Template,
  TemplateSource,
  TemplateSummary,
  UnsureField,
} from '../../../shared/contract/templates.ts';
import { AppError } from '../../../shared/errors.ts';
import { isSameName } from '../../../shared/rules/text/same-name.ts';
import {
  chooseSources,
  compareFields,
  fillableFields,
  keepFields,
  renameFields,
  templateFields,
  unmappedFields,
} from '../../../shared/rules/templates/fields.ts';
import { startTemplate } from '../../../shared/rules/templates/start.ts';
import { readAsPdfForm } from '../documents/as-pdf.ts';
import type { DocumentConverter } from '../documents/ports.ts';
import type { ByteExchange } from '../host-ports.ts';
import type { Chance, Clock, PdfForms, Sha256 } from '../ports.ts';
import type { TemplateStore } from './ports.ts';

export interface TemplateLibraryPorts {
  readonly stores: { readonly templates: TemplateStore };
  readonly bytes: ByteExchange;
  readonly pdf: PdfForms;
  readonly documents: DocumentConverter;
  readonly sha256: Sha256;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly emit: Emit;
  /**
   * Reads the values of the template fields of an earlier agreement; null if it had no template
   * (API v2).
   */
  readonly fieldValues: (asked: { readonly key: AgreementKey }) => Promise<FieldValues | null>;
}

type LibraryHandlers = Omit<
  HandlersOf<'templates'>,
  | 'templates.fields'
  | 'templates.merge'
  | 'templates.find'
  | 'templates.placeOn'
  | 'templates.pdf'
  | 'templates.savePdf'
  | 'templates.board'
  | 'templates.startFind'
  | 'templates.try'
  | 'templates.newDraft'
  | 'templates.export'
  | 'templates.import'
>;

export function createTemplateLibraryHandlers(ports: TemplateLibraryPorts): LibraryHandlers {
  const { templates } = ports.stores;
  const { clock, emit, bytes } = ports;
  const emitChanged = (template: Template): Template => {
    emit('templates.changed', { id: template.id });
    return template;
  };

  return {
    'templates.list': async () => templates.list().map(summariseTemplate),
    'templates.get': async ({ id }) => templates.get(id),
    'templates.add': async ({ name, api, fileName, bytes: given }) => {
      assertTemplateNameFree(name, ports);
      const file = await readAsPdfForm({ name: fileName, data: bytes.take(given) }, ports);
      const source = await describePdf(file.data, file.name, ports);
      return emitChanged(addTemplate({ name, api, source, data: file.data }, ports));
    },
    'templates.addService': async ({ name, templateId }) => {
      assertTemplateNameFree(name, ports);
      const source = { kind: 'service' as const, templateId, fields: [], learntFrom: null };
      return emitChanged(addTemplate({ name, api: 'v2', source, data: null }, ports));
    },
    'templates.save': async ({ id, revision, name, content }) => {
      const template = templates.get(id);
      const next = { ...template, name, content, revision, updatedAt: clock.now() };
      return emitChanged(templates.save(next, null));
    },
    'templates.duplicate': async ({ id, name }) => {
      const template = templates.get(id);
      const data = template.source.kind === 'pdf' ? templates.pdf(id) : null;
      const copy = { ...template, ...newTemplateFacts(ports), name };
      templates.insert(copy, data);
      return emitChanged(copy);
    },
    'templates.remove': async ({ id }) => {
      templates.setTrashed(id, clock.now());
      emit('templates.changed', { id });
      return {};
    },
    'templates.restore': async ({ id }) => {
      templates.setTrashed(id, null);
      emit('templates.changed', { id });
      return {};
    },
    ...createTemplateChanges(ports, emitChanged),
  };
}

type ChangeHandlers = Pick<
  LibraryHandlers,
  | 'templates.learn'
  | 'templates.compare'
  | 'templates.replacePdf'
  | 'templates.place'
  | 'templates.draw'
>;

/** Creates the calls that change the fields of a template. */
function createTemplateChanges(
  ports: TemplateLibraryPorts,
  emitChanged: (template: Template) => Template,
): ChangeHandlers {
  const { templates } = ports.stores;
  const { clock, bytes } = ports;
  return {
    'templates.learn': async ({ id, from }) => {
      const template = templates.get(id);
      if (template.source.kind === 'pdf') {
        throw new AppError(
          'invalid',
          'The PDF of this template is on this computer, so its fields are already known',
        );
      }
      const learnt = await learnFields(from, template.source.templateId, ports);
      const source = { ...template.source, ...learnt };
      return emitChanged(templates.save({ ...template, source, updatedAt: clock.now() }, null));
    },
    'templates.compare': async ({ id, bytes: given }) => {
      const template = templates.get(id);
      const file = await readAsPdfForm({ name: '', data: bytes.take(given) }, ports);
      const { data, carried, unsure } = await carryFieldsOver(template, file.data, [], ports);
      const form = assertFillableForm(await ports.pdf.read(data));
      const compared = compareFields(template.content, templateFields(template), form.fields);
      const { pages, notices } = form;
      return { pages, notices, ...compared, carried: [...carried], unsure: [...unsure] };
    },
    'templates.replacePdf': async ({ id, revision, fileName, bytes: given, stay = [] }) => {
      const template = templates.get(id);
      const file = await readAsPdfForm({ name: fileName, data: bytes.take(given) }, ports);
      const { data } = await carryFieldsOver(template, file.data, stay, ports);
      const source = await describePdf(data, file.name, ports);
      const content = keepFields(template.content, source.form.fields);
      const next = { ...template, source, content, revision, updatedAt: clock.now() };
      return emitChanged(templates.save(next, data));
    },
    'templates.place': async ({ id, revision, fields }) => {
      const template = templates.get(id);
      const { fileName } = requireLocalPdf(template);
      const drawn = fields.map(({ was: _was, source: _source, ...field }) => field);
      const data = await ports.pdf.place(templates.pdf(id), drawn);
      const source = await describePdf(data, fileName, ports);
      const { drawing: _drawing, ...before } = template.content;
      const chosen = chooseSources(renameFields(before, fields), fields);
      const content = keepFields(chosen, source.form.fields);
      const next = { ...template, source, content, revision, updatedAt: clock.now() };
      return emitChanged(templates.save(next, data));
    },
    'templates.draw': async ({ id, revision, drawing }) => {
      const template = templates.get(id);
      requireLocalPdf(template);
      const { drawing: _drawing, ...content } = template.content;
      if (drawing !== null) Object.assign(content, { drawing });
      const next = { ...template, content, revision, updatedAt: clock.now() };
      return emitChanged(templates.save(next, null));
    },
  };
}

interface CarriedFields {
  readonly data: Uint8Array;
  readonly carried: readonly string[];
  readonly unsure: readonly UnsureField[];
}

/** Draws the template's fields on its new PDF too, if they fit or the user chose to keep them. */
async function carryFieldsOver(
  { id, source }: Template,
  data: Uint8Array,
  stay: readonly string[],
  { pdf, stores }: TemplateLibraryPorts,
): Promise<CarriedFields> {
  const drawn = source.kind === 'pdf' ? (source.form.placed ?? []) : [];
  if (drawn.length === 0) return { data, carried: [], unsure: [] };
  const form = assertFillableForm(await pdf.read(data));
  // Form fields and merge codes of the new file replace drawn fields with the same name.
  const own = new Set(form.fields.map(({ name }) => name));
  const left = drawn.filter(({ name }) => !own.has(name));
  const { fits, unsure } = await pdf.carry(stores.templates.pdf(id), data, left);
  const kept = left.filter(({ name }) => stay.includes(name));
  const asked = new Set(unsure.filter(({ canStay }) => canStay).map(({ name }) => name));
  const fields = [...fits, ...kept.filter(({ name }) => asked.has(name))];
  const carried = fits.map(({ name }) => name);
  if (fields.length === 0) return { data, carried, unsure };
  const all = [...(form.placed ?? []), ...fields];
  return { data: await pdf.place(data, all), carried, unsure };
}

/** Throws 'invalid' for a template at the service: fields can be drawn only on a local PDF. */
export function requireLocalPdf({
  source,
}: Pick<Template, 'source'>): TemplateSource & { kind: 'pdf' } {
  if (source.kind === 'pdf') return source;
  throw new AppError(
    'invalid',
    'The PDF of this template is on the service, so fields cannot be drawn on it here',
  );
}

export interface NewTemplate {
  readonly name: string;
  readonly api: ApiName;
  readonly source: TemplateSource;
  readonly data: Uint8Array | null;
  readonly content?: Template['content'];
}

export function addTemplate(
  { name, api, source, data, content }: NewTemplate,
  ports: Pick<TemplateLibraryPorts, 'stores' | 'clock' | 'chance'>,
): Template {
  const form = source.kind === 'pdf' ? source.form : null;
  const template = {
    ...newTemplateFacts(ports),
    name,
    source,
    content: content ?? startTemplate(api, name, form),
  };
  ports.stores.templates.insert(template, data);
  return template;
}

/**
 * Throws if another template has the name: users would confuse the two and send the wrong PDF. Only
 * new templates are checked: a copy or an imported file is kept next to the existing template.
 */
function assertTemplateNameFree(
  name: string,
  { stores }: Pick<TemplateLibraryPorts, 'stores'>,
): void {
  const found = stores.templates
    .list()
    .find((one) => one.trashedAt === null && isSameName(one.name, name));
  if (found === undefined) return;
  const message = `A template named "${found.name}" already exists (${found.id})`;
  throw new AppError('conflict', message, { reason: 'name-taken' });
}

function newTemplateFacts({ chance, clock }: Pick<TemplateLibraryPorts, 'clock' | 'chance'>) {
  const now = clock.now();
  return {
    id: TemplateId.parse(chance.uuid()),
    nextNumber: 1,
    used: 0,
    revision: 1,
    createdAt: now,
    updatedAt: now,
    trashedAt: null,
  };
}

/** Reads a PDF. Throws 'invalid' with the reason if it cannot be filled. */
export async function describePdf(
  data: Uint8Array,
  fileName: string,
  { pdf, sha256 }: Pick<TemplateLibraryPorts, 'pdf' | 'sha256'>,
): Promise<TemplateSource & { kind: 'pdf' }> {
  const form = assertFillableForm(await pdf.read(data));
  return { kind: 'pdf', fileName, bytes: data.length, sha256: sha256(data), form };
}

function assertFillableForm(form: PdfForm): PdfForm {
  if (form.notices.includes('xfa')) {
    const message =
      'The PDF is an XFA form, which cannot be filled here. Print it to a new PDF and use that one';
    throw new AppError('invalid', message, { reason: 'pdf-xfa' });
  }
  if (form.notices.includes('already-signed')) {
    const message =
      'The PDF is already signed. Filling it would break the signature, so use the unsigned form';
    throw new AppError('invalid', message, { reason: 'pdf-signed' });
  }
  return form;
}

type LearningSource = Parameters<LibraryHandlers['templates.learn']>[0]['from'];

/**
 * Learns the fields of a template at the service from an earlier agreement; no endpoint lists them
 * (API v2, "dynamicPdf").
 */
async function learnFields(
  from: LearningSource,
  templateId: string,
  { bytes, pdf, fieldValues }: TemplateLibraryPorts,
): Promise<{ readonly fields: PdfField[]; readonly learntFrom: string }> {
  if ('bytes' in from) {
    const { fields } = await pdf.read(bytes.take(from.bytes));
    return { fields, learntFrom: from.fileName };
  }
  const found = await fieldValues({ key: from });
  if (found === null) throw new AppError('invalid', 'The agreement was not made from a template');
  if (found.templateId !== null && found.templateId !== templateId) {
    const message = `The agreement was made from another template, ${found.templateId}`;
    throw new AppError('invalid', message, { fields: { templateId: message } });
  }
  return { fields: found.fields.map(learntField), learntFrom: from.id };
}

/** Infers a field from its value: a Boolean is a checkbox, anything else is text. */
function learntField({ name, value }: FieldValues['fields'][number]): PdfField {
  const type = typeof value === 'boolean' ? 'checkbox' : 'text';
  return { name, type, page: 1, value: '', multiline: false, required: false, readOnly: false };
}

function summariseTemplate(template: Template): TemplateSummary {
  const { id, name, content, source, used, updatedAt, trashedAt } = template;
  return {
    id,
    name,
    api: content.body.api,
    kind: source.kind,
    fields: fillableFields(template).length,
    unmapped: unmappedFields(template).length,
    isDrawn: template.content.drawing !== undefined,
    used,
    updatedAt,
    trashedAt,
  };
}
