import { breaksLine, cleanText } from '../text/clean-text.ts';
import type { Day } from '../time/days.ts';
import { judgeDanish } from './identity-denmark.ts';
import { judgeFinnish } from './identity-finland.ts';
import { judgeNorwegian } from './identity-norway.ts';
import { judgeSwedish } from './identity-sweden.ts';
import { fine, type Verdict, wrong } from '../text/verdict.ts';

/**
 * The personal number of a party of API v1 (`personNumber`, and the `identifier` of `EID`), by the
 * country it is of (ISO 3166-1 alpha-2). Sweden's must have the century, so a number whose century
 * is open is wrong here. The forms of other countries are not known, and are sent as they are.
 */
export function toV1(text: string, country: string | undefined, today: Day): Verdict {
  if (country === undefined || country === '') return wrong(cleanText(text), 'country-needed');
  const judged = judgeIdentity(text, country, today);
  return country === 'SE' && isOpen(judged) ? wrong(judged.value, 'century') : judged;
}

/**
 * The `personNo` of API v2: twelve digits, or ten where the century is open and a person agreed to
 * leave it so. The service takes no `+`, so a number of ten digits never comes from one.
 */
export function toV2(text: string, today: Day): Verdict {
  return judgeSwedish(text, today);
}

/**
 * One text per person, for finding the same one twice; null where the number is wrong or may be
 * that of two people. Nothing that could tell two people apart is left out.
 */
export function personKey(text: string, country: string, today: Day): string | null {
  const judged = judgeIdentity(text, country, today);
  if (judged.verdict === 'wrong' || isOpen(judged)) return null;
  return `${country}:${judged.value}`;
}

function judgeIdentity(text: string, country: string, today: Day): Verdict {
  switch (country) {
    case 'SE':
      return judgeSwedish(text, today);
    case 'FI':
      return judgeFinnish(text, today);
    case 'NO':
      return judgeNorwegian(text, today);
    case 'DK':
      return judgeDanish(text, today);
    default:
      return judgeForeign(text);
  }
}

function judgeForeign(text: string): Verdict {
  const value = cleanText(text);
  if (value === '') return wrong(value, 'empty');
  return breaksLine(value) ? wrong(value, 'line-break') : fine(value);
}

/** Two people, a hundred years apart, may have these ten digits. */
function isOpen(judged: Verdict): boolean {
  return judged.verdict === 'suspicious' && judged.why === 'century';
}
