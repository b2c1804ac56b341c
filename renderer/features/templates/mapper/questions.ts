import type { PdfField } from '../../../../shared/model/pdf-form.ts';
import type { Question, TemplateContent } from '../../../../shared/model/template.ts';

/** A question for one field; its text is the field's name until the user writes another. */
export function questionFor(field: PdfField): Question {
  const isChoice = field.type === 'radio' || field.type === 'choice';
  return {
    id: crypto.randomUUID(),
    label: fieldLabelOf(field),
    help: '',
    kind: isChoice ? 'choice' : kindOf(field),
    options: isChoice ? [...(field.options ?? [])] : [],
    required: field.required,
  };
}

function kindOf({ type, multiline, day }: PdfField): Question['kind'] {
  if (type === 'checkbox') return 'yes-no';
  if (day !== undefined) return 'day';
  return multiline ? 'lines' : 'text';
}

/**
 * Removes the automatic question of `field` if it still has its default text and fills no field.
 * Arrow keys that pass through the options create such questions.
 */
export function removeUnusedQuestion(content: TemplateContent, id: string, field: PdfField): void {
  const isUsed =
    content.mapping.some(({ source }) => source.from === 'question' && source.question === id) ||
    [...content.questions, ...content.mapping].some(({ onlyIf }) => onlyIf?.question === id);
  if (isUsed) return;
  content.questions = content.questions.filter(
    (one) => one.id !== id || one.label !== fieldLabelOf(field) || one.help !== '',
  );
}

const fieldLabelOf = (field: PdfField): string => field.label ?? field.name;
