import { validateOrganisationNumber } from '../../shared/rules/identifiers/organisation-number.ts';
import * as doubts from '../../shared/rules/identifiers/number-doubts.ts';
import type { ValidationReason } from '../../shared/rules/text/verdict.ts';
import type { Day } from '../../shared/rules/time/days.ts';
import { m } from './language.svelte.ts';

/** Text about a personal number that is valid but may be mistyped; null if there is no doubt. */
export function personNumberDoubt(text: string, country: string, today: Day): string | null {
  return textOf(doubts.personNumberDoubt(text, country, today));
}

/** Text about an organisation number that may be mistyped; null if there is no doubt. */
export function organisationNumberDoubt(text: string, today: Day): string | null {
  const doubt = doubts.organisationNumberDoubt(text, today);
  if (doubt === null) return null;
  const isWrong = validateOrganisationNumber(text, today).verdict === 'wrong';
  return isWrong ? m.problem_format_org() : textOf(doubt);
}

function textOf(doubt: ValidationReason | null): string | null {
  if (doubt === null) return null;
  return doubt === 'check-digit' ? m.problem_check_digit() : m.problem_number_doubtful();
}
