import type { TemplateAnswers } from '../../contract/templates.ts';
import type { Condition, Question, TemplateContent } from '../../model/template.ts';
import { parseBoolean } from '../forms/boolean-words.ts';

type Questions = readonly Question[];

/** Questions on whose answer something may depend: those with a few answers that are known. */
export function canDecide({ kind }: Question): boolean {
  return kind === 'yes-no' || kind === 'choice';
}

/** What a question can be answered with, as conditions have it. */
export function decidingAnswers({ kind, options }: Question): readonly string[] {
  return kind === 'yes-no' ? ['true', 'false'] : options;
}

/** Whether one of the questions can be answered so. For a question's own, those before it count. */
export function canBeMet(questions: Questions, { question, answer }: Condition): boolean {
  const found = questions.find(({ id }) => id === question);
  return found !== undefined && canDecide(found) && decidingAnswers(found).includes(answer);
}

/** The answers to the questions that are asked, given all that was ever typed. */
export function askedAnswers(
  questions: Questions,
  typed: TemplateAnswers['questions'],
): ReadonlyMap<string, string> {
  const asked = new Map<string, string>();
  for (const { id, onlyIf } of questions) {
    // Only questions before this one are there yet, so that nothing goes round in a circle.
    if (onlyIf === undefined || isMet(onlyIf, asked)) asked.set(id, typed[id] ?? '');
  }
  return asked;
}

/** Whether the answers of `askedAnswers` are what the condition wants. */
export function isMet(
  { question, answer }: Condition,
  asked: ReadonlyMap<string, string>,
): boolean {
  return isAnswer(asked.get(question) ?? '', answer);
}

/** Whether a text that was typed is the answer a condition wants, in whatever word for yes or no. */
export function isAnswer(typed: string, wanted: string): boolean {
  const text = typed.trim();
  // Nobody said no by saying nothing.
  if (text === '') return false;
  return text === wanted || (isBooleanWord(wanted) && String(parseBoolean(text)) === wanted);
}

/** Whether it stands for any word for yes, or for no. */
export function isBooleanWord(wanted: string): boolean {
  return wanted === 'true' || wanted === 'false';
}

/** What has to be so before a field has a value: its own condition, and its question's. */
export function conditionsOf(
  { questions }: Pick<TemplateContent, 'questions'>,
  { source, onlyIf }: TemplateContent['mapping'][number],
): readonly Condition[] {
  const asked =
    source.from === 'question' ? questions.find(({ id }) => id === source.question)?.onlyIf : null;
  return [onlyIf, asked].filter((one) => one !== undefined && one !== null);
}

/** Takes away what depends on a question that is no more. */
export function forgetQuestion(content: TemplateContent, id: string): void {
  for (const one of [...content.questions, ...content.mapping]) {
    if (one.onlyIf?.question === id) delete one.onlyIf;
  }
}
