import type { TemplateAnswers } from '../../contract/templates.ts';
import type { Condition, Question, TemplateContent } from '../../model/template.ts';
import { parseBoolean } from '../forms/boolean-words.ts';

type Questions = readonly Question[];

/** Whether conditions may depend on a question: only on one with a fixed list of answers. */
export function canDecide({ kind }: Question): boolean {
  return kind === 'yes-no' || kind === 'choice';
}

/** Possible answers to a question, in the form of conditions. */
export function decidingAnswers({ kind, options }: Question): readonly string[] {
  return kind === 'yes-no' ? ['true', 'false'] : options;
}

/**
 * Whether an answer to one of `questions` can meet a condition. For a question's own condition,
 * pass the questions before that question.
 */
export function canBeMet(questions: Questions, { question, answer }: Condition): boolean {
  const found = questions.find(({ id }) => id === question);
  return found !== undefined && canDecide(found) && decidingAnswers(found).includes(answer);
}

/** Answers to the questions whose conditions are met, from all answers typed so far. */
export function askedAnswers(
  questions: Questions,
  typed: TemplateAnswers['questions'],
): ReadonlyMap<string, string> {
  const asked = new Map<string, string>();
  for (const { id, onlyIf } of questions) {
    // `asked` has only earlier questions, so conditions cannot be circular.
    if (onlyIf === undefined || isMet(onlyIf, asked)) asked.set(id, typed[id] ?? '');
  }
  return asked;
}

export function isMet(
  { question, answer }: Condition,
  asked: ReadonlyMap<string, string>,
): boolean {
  return isAnswer(asked.get(question) ?? '', answer);
}

/** Whether a typed text is the answer of a condition; any word for yes or no is understood. */
export function isAnswer(typed: string, wanted: string): boolean {
  const text = typed.trim();
  // An empty answer does not mean no.
  if (text === '') return false;
  return text === wanted || (isBooleanWord(wanted) && String(parseBoolean(text)) === wanted);
}

/** Whether the answer of a condition is yes or no, which any word for yes or no matches. */
export function isBooleanWord(wanted: string): boolean {
  return wanted === 'true' || wanted === 'false';
}

/** All conditions of a field's value: those of the field and of its question. */
export function conditionsOf(
  { questions }: Pick<TemplateContent, 'questions'>,
  { source, onlyIf }: TemplateContent['mapping'][number],
): readonly Condition[] {
  const asked =
    source.from === 'question' ? questions.find(({ id }) => id === source.question)?.onlyIf : null;
  return [onlyIf, asked].filter((one) => one !== undefined && one !== null);
}

/** Removes conditions on a deleted question. */
export function forgetQuestion(content: TemplateContent, id: string): void {
  for (const one of [...content.questions, ...content.mapping]) {
    if (one.onlyIf?.question === id) delete one.onlyIf;
  }
}
