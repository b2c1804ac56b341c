import { headOf } from '../text/head-of-text.ts';
import { redact, redactTruncated } from '../text/mask.ts';

/** Scanned length: more than the result, so that the cut never splits a number in the result. */
const MAX_LINE_SCAN_LENGTH = 16_384;
const LINE_BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
/** Line breaks after the separator of a personal number, which would hide the number. */
const BREAKS_AFTER_DASH = /(?<=[-–−])[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/**
 * Returns a text that someone else wrote, for the daily summary: without personal numbers and
 * addresses, on one line, and at most `most` UTF-16 units long.
 */
export function digestLine(text: string, most: number): string {
  const looked = headOf(text, MAX_LINE_SCAN_LENGTH)
    .replaceAll(BREAKS_AFTER_DASH, '')
    .replaceAll(LINE_BREAKS, ' ');
  const clean = text.length > MAX_LINE_SCAN_LENGTH ? redactTruncated(looked) : redact(looked);
  return clean.length > most ? `${headOf(clean, most - 1)}…` : clean;
}
