import { headOf } from '../text/head-of-text.ts';
import { redact, redactCut } from '../text/mask.ts';

/** More than the remaining length, so that the cut never splits a visible number. */
const LOOKED_AT = 16_384;
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
/** A personal number with a line break after its separator. */
const BROKEN = /(?<=[-–−])[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/**
 * Text of others for the daily summary: without personal numbers and addresses, on one line without
 * any line break, and at most `most` UTF-16 units long.
 */
export function digestLine(text: string, most: number): string {
  const looked = headOf(text, LOOKED_AT).replaceAll(BROKEN, '').replaceAll(BREAKS, ' ');
  const clean = text.length > LOOKED_AT ? redactCut(looked) : redact(looked);
  return clean.length > most ? `${headOf(clean, most - 1)}…` : clean;
}
