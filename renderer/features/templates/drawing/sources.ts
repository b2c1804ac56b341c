import type {
  ChosenSource,
  DrawnField,
  FieldSource,
  TemplateContent,
} from '../../../../shared/model/template.ts';
import { choicesFor, sourceOf, valueOf } from '../mapper/source-choice.ts';
import { formFieldOf } from './drawn.ts';

interface SourceChoice {
  readonly value: string;
  readonly label: string;
  readonly source: FieldSource;
}

/** Sources that need no further input; the others are set in the template, field by field. */
const SOURCES_WITHOUT_INPUT: readonly FieldSource['from'][] = [
  'party',
  'signature',
  'question',
  'counter',
  'date',
];

/** Sources available for the future field, with the names of the template's own list. */
export function sourceChoices(
  field: DrawnField,
  content: TemplateContent,
): readonly SourceChoice[] {
  const groups = choicesFor(formFieldOf(field), content);
  return groups.flatMap(({ choices }) =>
    choices.flatMap(({ value, label }) => {
      const source = sourceOf(value);
      return source !== undefined && SOURCES_WITHOUT_INPUT.includes(source.from)
        ? [{ value, label, source: inFormat(source, field) }]
        : [];
    }),
  );
}

/** The source chosen while drawing, or the current source of the field. */
export function currentSource(
  field: DrawnField,
  content: TemplateContent,
): FieldSource | undefined {
  const source = field.source ?? originalSource(field, content);
  return source === 'undecided' ? undefined : source;
}

/** Option for the current source. */
export const currentSourceValue = (field: DrawnField, content: TemplateContent): string =>
  valueOf(currentSource(field, content), formFieldOf(field));

/** The undecided option removes the current source. */
export function chosenSourceFor(
  field: DrawnField,
  content: TemplateContent,
  source: FieldSource | undefined,
): ChosenSource | null {
  return source ?? (originalSource(field, content) === undefined ? null : 'undecided');
}

function originalSource(
  { was }: DrawnField,
  { mapping }: TemplateContent,
): FieldSource | undefined {
  return mapping.find((one) => one.field === was)?.source;
}

function inFormat(source: FieldSource, { kind, format }: DrawnField): FieldSource {
  const isDay = source.from === 'date' && kind === 'date' && format !== undefined;
  return isDay ? { from: 'date', addDays: source.addDays, format } : source;
}
