const EMAIL_PATTERN = /^[^\s@<>,;]+@[^\s@<>,;]+\.[^\s@.<>,;]{2,}$/;
const E164_PATTERN = /^\+[1-9]\d{3,14}$/;
const SPACED_MOBILE_FORMAT = /^\+[1-9]\d{0,2} \d{6,12}$/;
const STRICT_BASE64_PATTERN = /^[A-Za-z0-9+/]*={0,2}$/;
const TWELVE_DIGIT_NUMBER_PATTERN = /^(\d{8})\d{4}$/;
const FINNISH_CODE_PATTERN = /^(\d{2})(\d{2})\d{2}[-+YXWVUABCDEF]\d{3}[0-9A-Y]$/;
const FOREIGN_NUMBER_PATTERN = /^[A-Za-z0-9][A-Za-z0-9 +\-./]{3,31}$/;
/** Number added to the day of birth in a Swedish co-ordination number. */
const COORDINATION_DAY_OFFSET = 60;

/**
 * Exceptional and private codes for which `Intl` has a name, but which are not ISO 3166-1
 * countries.
 */
const NON_COUNTRY_CODES = new Set('AC CP CQ DG EA EU EZ IC TA UN XA XB XK ZZ QO'.split(' '));

const regionNames = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

/** Whether the text is one address `<local>@<domain>.<tld>` without spaces. */
export function isEmail(text: string): boolean {
  return EMAIL_PATTERN.test(text);
}

/** Whether the text is a phone number in E.164: a plus and at most 15 digits (API v1). */
export function isE164(text: string): boolean {
  return E164_PATTERN.test(text);
}

/** Whether the text is a plus, the country code, one space and further digits (API v2). */
export function isSpacedMobile(text: string): boolean {
  return SPACED_MOBILE_FORMAT.test(text);
}

export function isCountry(text: string): boolean {
  if (!/^[A-Z]{2}$/.test(text) || NON_COUNTRY_CODES.has(text)) return false;
  // `Intl.Locale` converts an obsolete code (`UK`) to the official one, so the two differ.
  return regionNames.of(text) !== undefined && new Intl.Locale(`und-${text}`).region === text;
}

export function isHttpUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text) && !/\s/.test(text);
}

export function isTimeZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return text !== '';
  } catch (cause) {
    if (cause instanceof RangeError) return false;
    throw cause;
  }
}

/**
 * Whether the text has the format of a personal number of the country (API v1, "Conventions");
 * check digits are not verified.
 */
export function isPersonNumber(country: string | null, text: string): boolean {
  if (country === 'SE') return isSwedishNumber(text);
  if (country !== 'FI') return FOREIGN_NUMBER_PATTERN.test(text);
  const [, day = 0, month = 0] = FINNISH_CODE_PATTERN.exec(text)?.map(Number) ?? [];
  return isDayAndMonth(day, month);
}

/**
 * Whether the text is ten or twelve digits, with or without a dash before the last four (API v2).
 */
export function isPersonNo(text: string): boolean {
  const found = /^(\d{2})?(\d{6})-?(\d{4})$/.exec(text);
  return found !== null && isSwedishNumber(`${found[1] ?? '19'}${found[2] ?? ''}${found[3] ?? ''}`);
}

/** Whether the text is ten digits, with or without a dash before the last four (API v2). */
export function isOrgNo(text: string): boolean {
  return /^\d{6}-?\d{4}$/.test(text);
}

/** Returns the last ten digits, for comparing two written forms of a v2 number. */
export function tenDigits(text: string): string {
  return text.replace(/\D/g, '').slice(-10);
}

/**
 * Returns the bytes of strict Base64 (no line breaks, full padding), or null if the text is
 * invalid.
 */
export function decodeBase64(text: string): Buffer | null {
  return text.length % 4 === 0 && STRICT_BASE64_PATTERN.test(text)
    ? Buffer.from(text, 'base64')
    : null;
}

/** Whether the bytes match the name: a `.pdf` file must start like a PDF. */
export function hasMatchingPdfContent(name: string, bytes: Buffer): boolean {
  return !isPdfName(name) || bytes.subarray(0, 5).toString('latin1') === '%PDF-';
}

export function isPdfName(name: string): boolean {
  return /\.pdf$/i.test(name);
}

/** Returns the length in code points, not in UTF-16 units. */
export function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

function isSwedishNumber(text: string): boolean {
  if (!TWELVE_DIGIT_NUMBER_PATTERN.test(text)) return false;
  const day = Number(text.slice(6, 8));
  return isDayAndMonth(
    day > COORDINATION_DAY_OFFSET ? day - COORDINATION_DAY_OFFSET : day,
    Number(text.slice(4, 6)),
  );
}

function isDayAndMonth(day: number, month: number): boolean {
  return day >= 1 && day <= 31 && month >= 1 && month <= 12;
}
