import { headOf } from '../text/head-of-text.ts';
import { redact, redactCut } from '../text/mask.ts';

/** Longer than what is left of it, so that no cut goes through a number that is shown. */
const LOOKED_AT = 16_384;
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
/** A number of a person that was broken behind its sign. */
const BROKEN = /(?<=[-–−])[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/**
 * What others wrote as a digest has it: without numbers and addresses of persons, on one line that
 * no line break can make two of, and at most `most` UTF-16 units long.
 */
export function digestLine(text: string, most: number): string {
  const looked = headOf(text, LOOKED_AT).replaceAll(BROKEN, '').replaceAll(BREAKS, ' ');
  const clean = text.length > LOOKED_AT ? redactCut(looked) : redact(looked);
  return clean.length > most ? `${headOf(clean, most - 1)}…` : clean;
}
