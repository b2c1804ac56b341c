import type { ValidationReason } from '../text/verdict.ts';
import type { Day } from '../time/days.ts';
import { validatePersonNumberV1 } from './identity.ts';
import { validateOrganisationNumber } from './organisation-number.ts';

/** Country of a personal number without one, as in the core. */
const USUAL_COUNTRY = 'SE';

/** Reason why a valid personal number may be mistyped; null if there is no doubt. */
export function personNumberDoubt(
  text: string,
  country: string,
  today: Day,
): ValidationReason | null {
  if (text.trim() === '') return null;
  const judged = validatePersonNumberV1(text, country || USUAL_COUNTRY, today);
  return judged.verdict === 'suspicious' ? judged.why : null;
}

/** Reason why an organisation number may be mistyped or wrong; null if there is no doubt. */
export function organisationNumberDoubt(text: string, today: Day): ValidationReason | null {
  if (text.trim() === '') return null;
  const judged = validateOrganisationNumber(text, today);
  // If only the form differs, the same digits are compared and sent.
  return judged.verdict === 'fine' || judged.why === 'prefix-removed' ? null : judged.why;
}
