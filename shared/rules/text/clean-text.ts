import { validResult, suspiciousResult, type ValidationResult, invalidResult } from './verdict.ts';
import { EXCESS_COMBINING_MARKS } from './long-marks.ts';

/* Spreadsheets, web pages and emails insert invisible characters into numbers and names. */

/** Invisible characters: U+FEFF, zero-width characters, word joiner, and direction marks. */
const UNSEEN_CHARACTERS =
  /[\u{feff}\u{61c}\u{200b}-\u{200f}\u{2060}\u{202a}-\u{202e}\u{2066}-\u{2069}]/gu;
const DIRECTION_CHARACTERS = /[\u{61c}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2066}-\u{2069}]/u;
const JOINING_CHARACTERS = /[\u{200b}-\u{200d}\u{2060}\u{feff}]/u;
const SPACE_VARIANTS = /[\u{a0}\u{202f}\u{2007}]/gu;
const DASH_VARIANTS = /[\u{2010}-\u{2015}\u{2212}]/gu;
const FULL_WIDTH_DIGITS = /[\u{ff10}-\u{ff19}]/gu;
const FULL_WIDTH_SHIFT = 0xff10 - 0x30;
const SCIENTIFIC_NUMBER_PATTERN = /^\d[.,]\d+E\+?\d+$/i;
const LINE_BREAKING_CHARACTERS = /[\u{0}-\u{1f}\u{7f}\u{85}\u{2028}\u{2029}]/u;

/**
 * Normalises a number or a code before validation: composed (NFC), trimmed, without invisible
 * characters; spaces, dashes and full-width digits become ASCII. Digits of other scripts are kept,
 * so the validation rejects them.
 */
export function cleanText(text: string): string {
  return text
    .replaceAll(UNSEEN_CHARACTERS, '')
    .replaceAll(SPACE_VARIANTS, ' ')
    .replaceAll(DASH_VARIANTS, '-')
    .replaceAll(FULL_WIDTH_DIGITS, toPlainDigit)
    .replaceAll(EXCESS_COMBINING_MARKS, '')
    .normalize('NFC')
    .trim();
}

/** Whether a spreadsheet shortened a long number to `1,98507E+11`: its last digits are lost. */
export function isShortened(text: string): boolean {
  return SCIENTIFIC_NUMBER_PATTERN.test(text);
}

/** Whether the text has a line break or another control character. */
export function hasLineBreak(text: string): boolean {
  return LINE_BREAKING_CHARACTERS.test(text);
}

/** Whether the text has a character that changes the reading direction. */
export function changesDirection(text: string): boolean {
  return DIRECTION_CHARACTERS.test(text);
}

/**
 * Validates the name of a person or company: not blank, one line, at most `most` visible
 * characters; `value` is composed (NFC) and trimmed. Joiners cause a warning, but are kept, because
 * some scripts need them.
 */
export function validateName(text: string, most: number): ValidationResult {
  const value = text
    .replaceAll(EXCESS_COMBINING_MARKS, '')
    .normalize('NFC')
    .replaceAll(SPACE_VARIANTS, ' ')
    .trim();
  if (value.replaceAll(UNSEEN_CHARACTERS, '').trim() === '') return invalidResult('', 'empty');
  if (hasLineBreak(value)) return invalidResult(value, 'line-break');
  if (changesDirection(value)) return invalidResult(value, 'hidden-direction');
  if ([...value].length > most) return invalidResult(value, 'too-long');
  return JOINING_CHARACTERS.test(value) ? suspiciousResult(value, 'invisible') : validResult(value);
}

function toPlainDigit(digit: string): string {
  return String.fromCharCode(digit.charCodeAt(0) - FULL_WIDTH_SHIFT);
}
