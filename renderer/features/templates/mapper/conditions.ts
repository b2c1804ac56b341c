import type { Condition, Question } from '../../../../shared/model/template.ts';
import { canDecide, decidingAnswers } from '../../../../shared/rules/templates/conditions.ts';
import { m } from '../../../ui/language.svelte.ts';

interface ConditionChoice {
  readonly value: string;
  readonly label: string;
  /** Undefined for always. */
  readonly condition: Condition | undefined;
}

/**
 * What something may depend on: any answer of the questions that have a few known ones. A condition
 * that none of them meets any more is among the choices, so that it is seen.
 */
export function conditionChoices(
  questions: readonly Question[],
  now: Condition | undefined,
): readonly ConditionChoice[] {
  const always = { value: '', label: m.templates_when_always(), condition: undefined };
  const known = questions
    .filter(canDecide)
    .flatMap((question) =>
      decidingAnswers(question).map((answer) =>
        choiceOf(question, { question: question.id, answer }),
      ),
    );
  const own = valueOf(now);
  const isKnown = own === '' || known.some(({ value }) => value === own);
  if (isKnown || now === undefined) return [always, ...known];
  const lost = questions.find(({ id }) => id === now.question);
  return [always, ...known, choiceOf(lost, now)];
}

/** The choice that is made; empty for always. */
export function valueOf(condition: Condition | undefined): string {
  return condition === undefined ? '' : `${condition.question}:${condition.answer}`;
}

function choiceOf(question: Question | undefined, condition: Condition): ConditionChoice {
  const answer = answerName(question, condition.answer);
  const label = m.templates_when_answer({ question: question?.label ?? '?', answer });
  return { value: valueOf(condition), label, condition };
}

function answerName(question: Question | undefined, answer: string): string {
  if (question?.kind !== 'yes-no') return answer;
  return answer === 'true' ? m.templates_answer_yes() : m.templates_answer_no();
}
