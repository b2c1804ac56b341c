import type { BatchMapping } from '../../contract/batches.ts';
import { cleanText, validateName } from '../text/clean-text.ts';
import { type Day } from '../time/days.ts';
import { validateEmail } from '../identifiers/email.ts';
import { validatePersonNumberV1, validatePersonNoV2 } from '../identifiers/identity.ts';
import { validateOrganisationNumber } from '../identifiers/organisation-number.ts';
import { validateMobile, toSpacedMobile } from '../identifiers/phone.ts';
import type { ValidationResult, ValidationReason } from '../text/verdict.ts';

type Json = BatchMapping['body'][string];

/** A problem to show although the text was corrected. */
export interface TidyProblem {
  readonly at: string;
  readonly why: ValidationReason;
  readonly isError: boolean;
}

/** Maximum length of a name: a longer one is a mistake. The services document no limits. */
const MAX_TIDY_NAME_LENGTH = 255;
const NAME_KEYS = ['firstName', 'lastName', 'name', 'title'];
const METHODS_NEEDING_PHONE = ['SMS_OTP', 'QES'];
const cachedResults = new Map<string, ValidationResult>();
/** Maximum size of the cache: spreadsheets repeat values, and phone numbers are slow to parse. */
const MAX_CACHED_RESULTS = 50_000;

/**
 * Returns the body with values converted to the API's format if nothing is lost: phone numbers,
 * personal numbers, addresses with surrounding spaces. Invalid texts are kept for the rules to
 * report.
 */
export function tidyBody(
  api: BatchMapping['api'],
  body: Readonly<Record<string, Json>>,
  today: Day,
  doubts: TidyProblem[],
): Readonly<Record<string, Json>> {
  const tidy = new BodyTidier(api, today, doubts);
  return tidy.object(body, '', undefined);
}

class BodyTidier {
  readonly #api: BatchMapping['api'];
  readonly #today: Day;
  readonly #doubts: TidyProblem[];

  constructor(api: BatchMapping['api'], today: Day, doubts: TidyProblem[]) {
    this.#api = api;
    this.#today = today;
    this.#doubts = doubts;
  }

  object(
    one: Readonly<Record<string, Json>>,
    at: string,
    around: string | undefined,
  ): Readonly<Record<string, Json>> {
    const written = one['country'];
    const country =
      this.#api === 'v2' ? 'SE' : typeof written === 'string' ? tidyCountry(written) : around;
    const isByPhone =
      typeof one['type'] === 'string' && METHODS_NEEDING_PHONE.includes(one['type']);
    return Object.fromEntries(
      Object.entries(one).map(([key, value]) => {
        const place = at === '' ? key : `${at}.${key}`;
        return [key, this.#value(key, value, place, country || undefined, isByPhone)];
      }),
    );
  }

  #value(
    key: string,
    value: Json,
    at: string,
    country: string | undefined,
    byPhone: boolean,
  ): Json {
    if (typeof value === 'string') return this.#text(key, value, at, country, byPhone);
    if (Array.isArray(value)) {
      return value.map((item, index) => {
        const place = `${at}.${index}`;
        return isObject(item) ? this.object(item, place, country) : item;
      });
    }
    return isObject(value) ? this.object(value, at, country) : value;
  }

  #text(key: string, text: string, at: string, country: string | undefined, byPhone: boolean) {
    if (text === '') return text;
    switch (key) {
      case 'mobile':
        return this.#mobile(text, at, country);
      case 'identifier':
        return byPhone ? this.#mobile(text, at, country) : this.#person(text, at, country);
      case 'personNumber':
      case 'personNo':
        return this.#person(text, at, country);
      case 'companyNumber':
      case 'orgNo':
        return this.#organisation(text, country);
      case 'email':
        return validateEmail(text).verdict === 'fine' ? cleanText(text) : text;
      case 'country':
        return tidyCountry(text);
      default:
        return NAME_KEYS.includes(key) ? this.#name(text, at) : text;
    }
  }

  #mobile(text: string, at: string, country: string | undefined): string {
    const verdict = cachedResult(`${country ?? ''}:${text}`, () => validateMobile(text, country));
    if (verdict.verdict === 'wrong' || hasLostSign(text, verdict.value, country)) return text;
    if (verdict.verdict === 'suspicious') this.#doubt(at, verdict.why);
    return this.#api === 'v1' ? verdict.value : (toSpacedMobile(verdict.value) ?? text);
  }

  #person(text: string, at: string, country: string | undefined): string {
    const verdict =
      this.#api === 'v1'
        ? validatePersonNumberV1(text, country, this.#today)
        : validatePersonNoV2(text, this.#today);
    if (verdict.verdict === 'wrong') return text;
    if (verdict.verdict === 'suspicious') {
      if (verdict.why === 'century') return text;
      this.#doubt(at, verdict.why);
    }
    return verdict.value;
  }

  #organisation(text: string, country: string | undefined): string {
    if (country !== 'SE') return cleanText(text);
    const verdict = validateOrganisationNumber(text, this.#today);
    return verdict.verdict === 'fine' && this.#api === 'v1' ? verdict.value : cleanText(text);
  }

  #name(text: string, at: string): string {
    const verdict = validateName(text, MAX_TIDY_NAME_LENGTH);
    if (verdict.verdict === 'fine') return verdict.value;
    if (verdict.why !== 'empty') this.#doubt(at, verdict.why, verdict.verdict === 'wrong');
    return verdict.verdict === 'wrong' ? text : verdict.value;
  }

  #doubt(at: string, why: ValidationReason, isError = false): void {
    this.#doubts.push({ at, why, isError });
  }
}

/** Countries with a leading zero in national phone numbers. */
const COUNTRIES_WITH_LEADING_ZERO = ['SE', 'FI', 'DE', 'NL', 'FR', 'GB', 'BE', 'AT', 'CH', 'IE'];

/**
 * Whether a spreadsheet removed the plus or the leading zero. The number is still readable, but the
 * user should see the loss.
 */
function hasLostSign(text: string, value: string, country: string | undefined): boolean {
  const bare = cleanText(text).replaceAll(/[\s()-]/g, '');
  if (!/^[1-9]\d+$/.test(bare)) return false;
  return (
    value === `+${bare}` || (country !== undefined && COUNTRIES_WITH_LEADING_ZERO.includes(country))
  );
}

function cachedResult(key: string, judge: () => ValidationResult): ValidationResult {
  const known = cachedResults.get(key);
  if (known !== undefined) return known;
  if (cachedResults.size >= MAX_CACHED_RESULTS) cachedResults.clear();
  const verdict = judge();
  cachedResults.set(key, verdict);
  return verdict;
}

const tidyCountry = (text: string): string => cleanText(text).toUpperCase();

function isObject(value: Json): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
