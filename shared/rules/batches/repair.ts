import type { CellKind } from './kinds.ts';
import { cleanText } from '../text/clean-text.ts';
import type { Day } from '../time/days.ts';
import { validatePersonNumberV1 } from '../identifiers/identity.ts';
import { swedishChoices } from '../identifiers/identity-sweden.ts';
import { validateOrganisationNumber } from '../identifiers/organisation-number.ts';
import { validateMobile } from '../identifiers/phone.ts';

/** End of `46.0` or `46,0`, as programs write a number that was meant as text. */
const DECIMAL_TAIL_PATTERN = /[.,]0$/;
const ONLY_DIGITS_PATTERN = /^\d+$/;
/** Maximum number of leading zeros that a Swedish number may have lost. */
const MAX_LOST_ZEROS = 2;

export interface RepairContext {
  /** Country of the cell's party (ISO 3166-1 alpha-2); if undefined, nothing is suggested. */
  readonly country: string | undefined;
  readonly today: Day;
}

/**
 * Suggests the most likely original of a cell that a spreadsheet converted to a number. A
 * suggestion passes the check of its kind, invents no lost digits, and is never applied
 * automatically.
 */
export function repairsOf(
  kind: CellKind,
  text: string,
  { country, today }: RepairContext,
): readonly string[] {
  const bare = cleanText(text).replace(DECIMAL_TAIL_PATTERN, '');
  const candidates = [bare, ...candidatesOf(kind, bare, country)];
  const good = candidates.filter((one) => one !== text && isValidOfKind(kind, one, country, today));
  if (kind === 'person-number' && country === 'SE' && good.length === 0) {
    return swedishChoices(bare, today);
  }
  return [...new Set(good)].slice(0, 2);
}

function candidatesOf(
  kind: CellKind,
  bare: string,
  country: string | undefined,
): readonly string[] {
  if (!ONLY_DIGITS_PATTERN.test(bare)) return [];
  if (kind === 'mobile') return country === undefined ? [`+${bare}`] : [`+${bare}`, `0${bare}`];
  if (country === undefined) return [];
  const zeros = Array.from({ length: MAX_LOST_ZEROS }, (_, count) => '0'.repeat(count + 1) + bare);
  return kind === 'person-number' || kind === 'org-number' ? zeros : [];
}

function isValidOfKind(
  kind: CellKind,
  text: string,
  country: string | undefined,
  today: Day,
): boolean {
  switch (kind) {
    case 'mobile': {
      const judged = validateMobile(text, text.startsWith('+') ? undefined : country);
      return judged.verdict === 'fine';
    }
    case 'person-number':
      return (
        country !== undefined && validatePersonNumberV1(text, country, today).verdict === 'fine'
      );
    case 'org-number':
      return validateOrganisationNumber(text, today).verdict === 'fine';
    default:
      return false;
  }
}
