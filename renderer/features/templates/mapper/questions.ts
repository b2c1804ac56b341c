import type { PdfField } from '../../../../shared/model/pdf-form.ts';
import type { Question, TemplateContent } from '../../../../shared/model/template.ts';

/** A question for one field, asked by the field's own name until somebody words it. */
export function questionFor(field: PdfField): Question {
  const isChoice = field.type === 'radio' || field.type === 'choice';
  return {
    id: crypto.randomUUID(),
    label: wordsOf(field),
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
 * Takes a question away that was made for `field` and that nobody worded, once nothing is filled
 * from it: whoever goes through the choices with the arrow keys passes it on the way.
 */
export function dropUnworded(content: TemplateContent, id: string, field: PdfField): void {
  const isUsed =
    content.mapping.some(({ source }) => source.from === 'question' && source.question === id) ||
    [...content.questions, ...content.mapping].some(({ onlyIf }) => onlyIf?.question === id);
  if (isUsed) return;
  content.questions = content.questions.filter(
    (one) => one.id !== id || one.label !== wordsOf(field) || one.help !== '',
  );
}

const wordsOf = (field: PdfField): string => field.label ?? field.name;
