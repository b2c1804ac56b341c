import type { PdfField } from '../../model/pdf-form.ts';
import type { Template } from '../../contract/templates.ts';
import type { ChosenSource, TemplateContent } from '../../model/template.ts';

/** Fields of a template, from its PDF; for a service's template, the fields known so far. */
export function templateFields({ source }: Pick<Template, 'source'>): readonly PdfField[] {
  return source.kind === 'pdf' ? source.form.fields : source.fields;
}

/** Fields of a template that can have a value; a button has none. */
export function fillableFields(template: Pick<Template, 'source'>): readonly PdfField[] {
  return templateFields(template).filter(({ type }) => type !== 'button');
}

/** Names of the fields that can be filled but are not in the mapping yet. */
export function unmappedFields(template: Pick<Template, 'source' | 'content'>): readonly string[] {
  const mapped = new Set(template.content.mapping.map(({ field }) => field));
  return fillableFields(template)
    .map(({ name }) => name)
    .filter((name) => !mapped.has(name));
}

export function compareFields(
  content: TemplateContent,
  before: readonly PdfField[],
  after: readonly PdfField[],
): { readonly lost: string[]; readonly changed: string[]; readonly added: string[] } {
  const old = new Map(before.map((field) => [field.name, field]));
  const now = new Map(after.map((field) => [field.name, field]));
  const mapped = content.mapping
    .filter(({ source }) => source.from !== 'empty')
    .map(({ field }) => field);
  return {
    lost: mapped.filter((name) => !now.has(name)),
    changed: mapped.filter((name) => {
      const next = now.get(name);
      const last = old.get(name);
      return next !== undefined && last !== undefined && kindOf(next) !== kindOf(last);
    }),
    added: after.filter(({ name }) => !old.has(name)).map(({ name }) => name),
  };
}

/** Returns the content without mappings of fields that are not in `fields`. */
export function keepFields(content: TemplateContent, fields: readonly PdfField[]): TemplateContent {
  const names = new Set(fields.map(({ name }) => name));
  return { ...content, mapping: content.mapping.filter(({ field }) => names.has(field)) };
}

/** Returns the content with renamed fields in its mapping; `was` is the old name. */
export function renameFields(
  content: TemplateContent,
  fields: readonly { readonly name: string; readonly was?: string | undefined }[],
): TemplateContent {
  const names = new Map(
    fields.flatMap(({ name, was }) => (was === undefined ? [] : [[was, name]])),
  );
  const mapping = content.mapping.map((one) => ({
    ...one,
    field: names.get(one.field) ?? one.field,
  }));
  return { ...content, mapping };
}

/** Returns the content with the sources that the user chose while drawing fields. */
export function chooseSources(
  content: TemplateContent,
  fields: readonly { readonly name: string; readonly source?: ChosenSource | null | undefined }[],
): TemplateContent {
  const chosen = new Map(
    fields.flatMap(({ name, source }) => (source ? [[name, source] as const] : [])),
  );
  const before = new Map(content.mapping.map((one) => [one.field, one]));
  const kept = content.mapping.filter(({ field }) => !chosen.has(field));
  const added = [...chosen].flatMap(([field, source]) =>
    source === 'undecided' ? [] : [{ ...before.get(field), field, source }],
  );
  return { ...content, mapping: [...kept, ...added] };
}

/** Key of the properties that a source must fit: type, options and length. */
function kindOf({ type, options = [], maxLength }: PdfField): string {
  return JSON.stringify([type, type === 'text' ? maxLength : options]);
}
