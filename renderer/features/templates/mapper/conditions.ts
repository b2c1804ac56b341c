import type { Condition, Question } from '../../../../shared/model/template.ts';
import { canDecide, decidingAnswers } from '../../../../shared/rules/templates/conditions.ts';
import { m } from '../../../ui/language.svelte.ts';

interface ConditionChoice {
  readonly value: string;
  readonly label: string;
  /** The condition; undefined means always. */
  readonly condition: Condition | undefined;
}

/**
 * Possible conditions: the answers of all questions with a fixed set of answers. The current
 * condition is included even if its answer no longer exists, so that it is visible.
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

/** Value of the option for a condition; empty for always. */
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
