import { headOf } from '../text/head-of-text.ts';
import { redact, redactCut } from '../text/mask.ts';

/** More than the remaining length, so that the cut never splits a visible number. */
const MAX_LINE_SCAN_LENGTH = 16_384;
const LINE_BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
/** A personal number with a line break after its separator. */
const BREAKS_AFTER_DASH = /(?<=[-–−])[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/**
 * Text of others for the daily summary: without personal numbers and addresses, on one line without
 * any line break, and at most `most` UTF-16 units long.
 */
export function digestLine(text: string, most: number): string {
  const looked = headOf(text, MAX_LINE_SCAN_LENGTH)
    .replaceAll(BREAKS_AFTER_DASH, '')
    .replaceAll(LINE_BREAKS, ' ');
  const clean = text.length > MAX_LINE_SCAN_LENGTH ? redactCut(looked) : redact(looked);
  return clean.length > most ? `${headOf(clean, most - 1)}…` : clean;
}
