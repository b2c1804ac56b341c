import { validatePersonNumberV1 } from '../../shared/rules/identifiers/identity.ts';
import { validateOrganisationNumber } from '../../shared/rules/identifiers/organisation-number.ts';
import type { ValidationResult } from '../../shared/rules/text/verdict.ts';
import type { Day } from '../../shared/rules/time/days.ts';
import { m } from './language.svelte.ts';

/** Country of a personal number without one, as in the core. */
const USUAL_COUNTRY = 'SE';

/** Text about a personal number that is valid but may be mistyped; null if there is no doubt. */
export function personNumberDoubt(text: string, country: string, today: Day): string | null {
  if (text.trim() === '') return null;
  const judged = validatePersonNumberV1(text, country || USUAL_COUNTRY, today);
  return judged.verdict === 'suspicious' ? textOf(judged) : null;
}

/** Text about an organisation number that may be mistyped; null if there is no doubt. */
export function organisationNumberDoubt(text: string, today: Day): string | null {
  if (text.trim() === '') return null;
  const judged = validateOrganisationNumber(text, today);
  if (judged.verdict === 'wrong') return m.problem_format_org();
  // Only the form differs: the same digits are compared and sent.
  const isSame = judged.verdict === 'fine' || judged.why === 'prefix-removed';
  return isSame ? null : textOf(judged);
}

function textOf(judged: ValidationResult): string {
  const isCheckDigit = judged.verdict !== 'fine' && judged.why === 'check-digit';
  return isCheckDigit ? m.problem_check_digit() : m.problem_number_doubtful();
}
