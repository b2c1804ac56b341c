import type { FieldValues } from '../../../shared/contract/actions.ts';
import { type AgreementKey, type ApiName, TemplateId } from '../../../shared/model/ids.ts';
import type { Emit, HandlersOf } from '../../../shared/contract/index.ts';
import type { PdfField, PdfForm } from '../../../shared/model/pdf-form.ts';
import type {
  Template,
  TemplateSource,
  TemplateSummary,
} from '../../../shared/contract/templates.ts';
import { AppError } from '../../../shared/errors.ts';
import { isSameName } from '../../../shared/rules/text/same-name.ts';
import {
  compareFields,
  keepFields,
  templateFields,
  unmappedFields,
} from '../../../shared/rules/templates/fields.ts';
import { startTemplate } from '../../../shared/rules/templates/start.ts';
import type { ByteExchange } from '../host-ports.ts';
import type { Chance, Clock, PdfForms, Sha256 } from '../ports.ts';
import type { TemplateStore } from './ports.ts';

export interface TemplateLibraryPorts {
  readonly stores: { readonly templates: TemplateStore };
  readonly bytes: ByteExchange;
  readonly pdf: PdfForms;
  readonly sha256: Sha256;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly emit: Emit;
  /** What an earlier agreement's template fields hold; null when it was made of none (v2). */
  readonly fieldValues: (asked: { readonly key: AgreementKey }) => Promise<FieldValues | null>;
}

type LibraryHandlers = Omit<
  HandlersOf<'templates'>,
  | 'templates.fields'
  | 'templates.merge'
  | 'templates.try'
  | 'templates.newDraft'
  | 'templates.export'
  | 'templates.import'
>;

/** How long something thrown away can be taken back. */
const TRASH_DAYS = 30;
const DAY = 86_400_000;

export function createTemplateLibrary(ports: TemplateLibraryPorts): LibraryHandlers {
  const { templates } = ports.stores;
  const { clock, emit, bytes } = ports;
  const emitChanged = (template: Template): Template => {
    emit('templates.changed', { id: template.id });
    return template;
  };

  return {
    'templates.list': async () => {
      templates.purge(clock.now() - TRASH_DAYS * DAY);
      return templates.list().map(summarise);
    },
    'templates.get': async ({ id }) => templates.get(id),
    'templates.add': async ({ name, api, fileName, bytes: given }) => {
      refuseTaken(name, ports);
      const data = bytes.take(given);
      const source = await describePdf(data, fileName, ports);
      return emitChanged(addTemplate({ name, api, source, data }, ports));
    },
    'templates.addService': async ({ name, templateId }) => {
      refuseTaken(name, ports);
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
      const copy = { ...template, ...fresh(ports), name };
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
  'templates.learn' | 'templates.compare' | 'templates.replacePdf'
>;

/** What changes the fields a template has. */
function createTemplateChanges(
  ports: TemplateLibraryPorts,
  emitChanged: (template: Template) => Template,
): ChangeHandlers {
  const { templates } = ports.stores;
  const { clock, bytes } = ports;
  return {
    'templates.learn': async ({ id, from }) => {
      const template = templates.get(id);
      if (template.source.kind === 'pdf') throw new AppError('invalid', 'The PDF itself is here');
      const learnt = await learn(from, template.source.templateId, ports);
      const source = { ...template.source, ...learnt };
      return emitChanged(templates.save({ ...template, source, updatedAt: clock.now() }, null));
    },
    'templates.compare': async ({ id, bytes: given }) => {
      const template = templates.get(id);
      const form = refuseFixed(await ports.pdf.read(bytes.take(given)));
      const compared = compareFields(template.content, templateFields(template), form.fields);
      return { pages: form.pages, notices: form.notices, ...compared };
    },
    'templates.replacePdf': async ({ id, revision, fileName, bytes: given }) => {
      const template = templates.get(id);
      const data = bytes.take(given);
      const source = await describePdf(data, fileName, ports);
      const content = keepFields(template.content, source.form.fields);
      const next = { ...template, source, content, revision, updatedAt: clock.now() };
      return emitChanged(templates.save(next, data));
    },
  };
}

export interface NewTemplate {
  readonly name: string;
  readonly api: ApiName;
  readonly source: TemplateSource;
  readonly data: Uint8Array | null;
  readonly content?: Template['content'];
}

/** Stores a template as new, with a counter that starts at 1. */
export function addTemplate(
  { name, api, source, data, content }: NewTemplate,
  ports: Pick<TemplateLibraryPorts, 'stores' | 'clock' | 'chance'>,
): Template {
  const form = source.kind === 'pdf' ? source.form : null;
  const template = {
    ...fresh(ports),
    name,
    source,
    content: content ?? startTemplate(api, name, form),
  };
  ports.stores.templates.insert(template, data);
  return template;
}

/**
 * Two templates of one name are taken for each other, and then the wrong PDF goes to everybody.
 * Only new ones are refused: a copy and an imported file stand beside what is there already.
 */
function refuseTaken(name: string, { stores }: Pick<TemplateLibraryPorts, 'stores'>): void {
  const found = stores.templates
    .list()
    .find((one) => one.trashedAt === null && isSameName(one.name, name));
  if (found === undefined) return;
  const message = `A template named "${found.name}" is there already (${found.id})`;
  throw new AppError('conflict', message, { reason: 'name-taken' });
}

function fresh({ chance, clock }: Pick<TemplateLibraryPorts, 'clock' | 'chance'>) {
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

/** Looks into a PDF. Throws 'invalid' for one that cannot be filled, with the reason. */
export async function describePdf(
  data: Uint8Array,
  fileName: string,
  { pdf, sha256 }: Pick<TemplateLibraryPorts, 'pdf' | 'sha256'>,
): Promise<TemplateSource & { kind: 'pdf' }> {
  const form = refuseFixed(await pdf.read(data));
  return { kind: 'pdf', fileName, bytes: data.length, sha256: sha256(data), form };
}

function refuseFixed(form: PdfForm): PdfForm {
  if (form.notices.includes('xfa')) {
    const message = 'The PDF holds an XFA form, which cannot be filled here';
    throw new AppError('invalid', message, { reason: 'pdf-xfa' });
  }
  if (form.notices.includes('already-signed')) {
    const message = 'The PDF is signed already; filling it would break that';
    throw new AppError('invalid', message, { reason: 'pdf-signed' });
  }
  return form;
}

type LearnFrom = Parameters<LibraryHandlers['templates.learn']>[0]['from'];

/** The fields of a template on the service; no endpoint lists them (API v2, "dynamicPdf"). */
async function learn(
  from: LearnFrom,
  templateId: string,
  { bytes, pdf, fieldValues }: TemplateLibraryPorts,
): Promise<{ readonly fields: PdfField[]; readonly learntFrom: string }> {
  if ('bytes' in from) {
    const { fields } = await pdf.read(bytes.take(from.bytes));
    return { fields, learntFrom: from.fileName };
  }
  const found = await fieldValues({ key: from });
  if (found === null) throw new AppError('invalid', 'The agreement was not made of a template');
  if (found.templateId !== null && found.templateId !== templateId) {
    const message = `The agreement was made of another template, ${found.templateId}`;
    throw new AppError('invalid', message, { fields: { templateId: message } });
  }
  return { fields: found.fields.map(learntField), learntFrom: from.id };
}

/** What a value tells of its field: a Boolean is a checkbox's, all else is text. */
function learntField({ name, value }: FieldValues['fields'][number]): PdfField {
  const type = typeof value === 'boolean' ? 'checkbox' : 'text';
  return { name, type, page: 1, value: '', multiline: false, required: false, readOnly: false };
}

function summarise(template: Template): TemplateSummary {
  const { id, name, content, source, used, updatedAt, trashedAt } = template;
  return {
    id,
    name,
    api: content.body.api,
    kind: source.kind,
    fields: templateFields(template).length,
    unmapped: unmappedFields(template).length,
    used,
    updatedAt,
    trashedAt,
  };
}
