/** An exact number: `units` divided by ten to the power of `places`. */
export interface Decimal {
  readonly units: bigint;
  readonly places: number;
}

interface DecimalStyle {
  /** Separator of groups of three digits; empty if digits are not grouped. */
  readonly group: string;
  /** Decimal separator. */
  readonly point: string;
  /** Number of decimal places; default: as many as the number needs. */
  readonly places?: number;
}

/** Maximum length of a parsed text: longer than any amount, but short enough to search quickly. */
const MAX_DECIMAL_TEXT_LENGTH = 40;

const SPACE_GROUPED = /^(-?)(\d{1,3}(?: \d{3})+)(?:[.,](\d+))?$/u;
const DOT_GROUPED = /^(-?)(\d{1,3}(?:\.\d{3})+),(\d+)$/u;
const COMMA_GROUPED = /^(-?)(\d{1,3}(?:,\d{3})+)\.(\d+)$/u;
const MANY_GROUPS = /^(-?)(\d{1,3}(?:\.\d{3}){2,}|\d{1,3}(?:,\d{3}){2,})$/u;
const UNGROUPED = /^(-?)(\d+)(?:[.,](\d+))?$/u;
/** Ambiguous number: `1.234` means 1,234 in some countries, and slightly more than 1 in others. */
const AMBIGUOUS_DECIMAL = /^-?[1-9]\d{0,2}[.,]\d{3}$/u;

/** Parses a number in either notation; null if the text is not a number, or is ambiguous. */
export function decimalOf(text: string): Decimal | null {
  if (text.length > MAX_DECIMAL_TEXT_LENGTH) return null;
  const plain = text
    .trim()
    .replaceAll(/[\u00a0\u202f]/gu, ' ')
    .replace(/^[\u2212\u2013]/u, '-');
  if (AMBIGUOUS_DECIMAL.test(plain)) return null;
  const found = [SPACE_GROUPED, DOT_GROUPED, COMMA_GROUPED, MANY_GROUPS, UNGROUPED]
    .map((way) => way.exec(plain))
    .find(Boolean);
  if (!found) return null;
  const [, sign = '', whole = '', tail = ''] = found;
  return { units: BigInt(`${sign}${whole.replaceAll(/\D/gu, '')}${tail}`), places: tail.length };
}

/** Formats the number; null if digits would have to be rounded: an amount is never changed. */
export function decimalText(
  { units, places: held }: Decimal,
  { group, point, places }: DecimalStyle,
): string | null {
  const digits = String(units < 0n ? -units : units).padStart(held + 1, '0');
  const needed = withoutLastZeros(digits.slice(digits.length - held));
  if (needed.length > (places ?? held)) return null;
  const whole = [...digits.slice(0, digits.length - held)];
  const grouped = whole.map((digit, at) =>
    at > 0 && (whole.length - at) % 3 === 0 ? group + digit : digit,
  );
  const tail = needed.padEnd(places ?? 0, '0');
  return `${units < 0n ? '-' : ''}${grouped.join('')}${tail === '' ? '' : point}${tail}`;
}

export function isLess(one: Decimal, other: Decimal): boolean {
  const places = Math.max(one.places, other.places);
  return scaleUnits(one, places) < scaleUnits(other, places);
}

/** Units of a number with `to` decimal places, which must be enough for it. */
export const scaleUnits = ({ units, places }: Decimal, to: number): bigint =>
  units * 10n ** BigInt(to - places);

function withoutLastZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}
