import type { PdfField } from '../../../../shared/model/pdf-form.ts';
import type { FieldSource, TemplateContent } from '../../../../shared/model/template.ts';
import { PartyDatum } from '../../../../shared/model/template.ts';
import { BLANK_WORD } from '../../../../shared/rules/forms/field-values.ts';
import { m } from '../../../ui/language.svelte.ts';
import { datumName } from '../words.ts';

interface SourceOption {
  readonly value: string;
  readonly label: string;
}

export interface SourceOptionGroup {
  readonly label: string;
  readonly choices: readonly SourceOption[];
}

/** Creates a new question. */
export const NEW_QUESTION_VALUE = 'ask-new';

/** Sources that may fill this field; only those that its type can hold. */
export function choicesFor(
  field: PdfField,
  content: TemplateContent,
): readonly SourceOptionGroup[] {
  const { roles } = content.body;
  const parties = roles.map(({ id, name }) => ({
    label: name,
    choices: [...partyDataOptions(field, id, name), ...signatureOptions(field, id, name)],
  }));
  const asked = content.questions.map(({ id, label }) => ({
    value: `question:${id}`,
    label: m.templates_source_ask({ label }),
  }));
  const canAsk = field.type !== 'signature';
  return [
    ...parties.filter(({ choices }) => choices.length > 0),
    ...(canAsk
      ? [
          {
            label: m.templates_group_questions(),
            choices: [...asked, { value: NEW_QUESTION_VALUE, label: m.templates_source_ask_new() }],
          },
        ]
      : []),
    { label: m.templates_group_other(), choices: otherOptions(field) },
  ];
}

function partyDataOptions(field: PdfField, role: string, party: string): SourceOption[] {
  if (field.type !== 'text') return [];
  return PartyDatum.options.map((datum) => ({
    value: `party:${role}:${datum}`,
    label: m.templates_source_party({ party, datum: datumName(datum) }),
  }));
}

function signatureOptions(field: PdfField, role: string, party: string): SourceOption[] {
  if (field.type !== 'text' && field.type !== 'signature') return [];
  return [{ value: `signature:${role}`, label: m.templates_source_signature({ party }) }];
}

function otherOptions(field: PdfField): SourceOption[] {
  const empty = { value: 'empty', label: m.templates_source_empty() };
  const blank = { value: `fixed:${BLANK_WORD}`, label: m.templates_source_blank() };
  switch (field.type) {
    case 'text':
      return [
        { value: 'fixed:', label: m.templates_source_fixed() },
        { value: 'date', label: m.templates_source_date() },
        { value: 'counter', label: m.templates_source_counter() },
        ...[empty, blank],
      ];
    case 'checkbox':
      return [
        { value: 'fixed:true', label: m.templates_source_ticked() },
        { value: 'fixed:false', label: m.templates_source_unticked() },
        empty,
      ];
    case 'radio':
    case 'choice':
      return [
        ...(field.options ?? []).map((option) => ({ value: `fixed:${option}`, label: option })),
        ...[empty, blank],
      ];
    case 'signature':
    case 'button':
      return [empty];
  }
}

/** Option for a source; for fixed text, the option that lets the user write it. */
export function valueOf(source: FieldSource | undefined, field: PdfField): string {
  if (source === undefined) return '';
  switch (source.from) {
    case 'party':
      return `party:${source.role}:${source.datum}`;
    case 'question':
      return `question:${source.question}`;
    case 'fixed':
      return field.type === 'text' && source.value !== BLANK_WORD
        ? 'fixed:'
        : `fixed:${source.value}`;
    case 'signature':
      return `signature:${source.role}`;
    case 'date':
    case 'counter':
    case 'empty':
      return source.from;
  }
}

/** Source for an option; undefined for the undecided option. */
export function sourceOf(value: string): FieldSource | undefined {
  const [kind = '', ...rest] = value.split(':');
  const about = rest.join(':');
  switch (kind) {
    case 'party': {
      const [role = '', name] = rest;
      const datum = PartyDatum.safeParse(name);
      return datum.success ? { from: 'party', role, datum: datum.data } : undefined;
    }
    case 'question':
      return { from: 'question', question: about };
    case 'fixed':
      return { from: 'fixed', value: about };
    case 'signature':
      return { from: 'signature', role: about };
    case 'date':
      return { from: 'date', addDays: 0, format: 'yyyy-MM-dd' };
    case 'counter':
      return { from: 'counter' };
    case 'empty':
      return { from: 'empty' };
    default:
      return undefined;
  }
}
