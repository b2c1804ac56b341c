import type { Problem, ProblemCode } from '../../../contract/drafts.ts';

/**
 * English sentences for the command line and the log; the window speaks from the code. Where one
 * code has several causes, the finder gives its own sentence.
 */
const sentences: Readonly<Record<ProblemCode, string>> = {
  required: 'This is needed',
  'too-long': 'This is too long',
  format: 'This does not have the right form',
  'not-future': 'This must lie in the future',
  'expiry-after-deletion': 'Signing must close before the agreement is deleted',
  'no-agreement-document': 'At least one document must be part of the agreement',
  'no-party': 'At least one party is needed',
  'no-method': 'The party needs a way to sign',
  'one-method': 'Exactly one signing method can be chosen',
  'not-applicable': 'This cannot be given here',
  'country-needed': 'A country is needed',
  'mobile-needed': 'A mobile number is needed',
  'email-needed': 'An e-mail address is needed',
  order: 'The signing order is a whole number from 1',
  range: 'This lies outside what the service takes',
  'too-large': 'The files are too large together',
  'no-such-field': 'The PDF has no such field',
  'value-too-long': 'This is longer than the field takes',
  'not-offered': 'The field does not offer this',
  contradicts: 'One answer would set two boxes alike that contradict each other',
  letters: 'The PDF cannot show one of the letters',
  'text-cut': 'The text is too long for its box in the PDF',
  'text-small': 'The text is drawn in letters that are hard to read',
  'not-calculated': 'The form works this out of other fields, and nobody does so here',
  'not-formatted': 'The form writes this field in its own way; it is written as typed',
  'not-checked': 'The form checks this field by a script, which is not run here',
  'password-field': 'Everyone could read a password in the PDF: the field is not filled',
  placeholder: 'This text would place a signature',
  'file-missing': 'The file is missing',
  'nobody-told': 'Nobody is told that there is something to sign',
  'no-expiry': 'Signing never closes',
  'email-shared': 'Two parties share one e-mail address',
  'already-signed': 'The PDF carries a digital signature already',
  'content-mismatch': 'This does not fit the rest',
  reserved: 'This name is reserved',
  blank: 'Nothing stands here',
  duplicate: 'This is given twice',
  insecure: 'The address is not https: others on the way can read it',
  'too-many': 'These are more than the service takes',
  'past-day': 'The day must be today or later',
  'no-reminder': 'Signing closes within a day, so no reminder goes out before',
  'new-group': 'A group of this name is created when there is none',
  'other-mobile': 'The code goes to another number than the mobile of the party',
  'ends-today': 'The agreement is rejected today unless everybody signs',
  'looks-boolean': 'This is sent as text; a checkbox takes true or false',
  stranger: 'The connection is for trying and does not reach this address or number',
  refused: 'The service refused this',
};

/** Collects what is wrong with a draft, by the path of the field. */
export interface Findings {
  readonly errors: Problem[];
  readonly warnings: Problem[];
  error(field: string, code: ProblemCode, message?: string): void;
  warn(field: string, code: ProblemCode, message?: string): void;
}

export function createFindings(): Findings {
  const errors: Problem[] = [];
  const warnings: Problem[] = [];
  const addTo = (list: Problem[]) => (field: string, code: ProblemCode, message?: string) => {
    list.push({ field, code, message: message ?? sentences[code] });
  };
  return { errors, warnings, error: addTo(errors), warn: addTo(warnings) };
}

/** What a person wrote; null for an empty box, which is left out when the draft is sent. */
export function written(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : text;
}

/** Nothing, or nothing but space: not enough where something is needed. */
export function isBlank(text: string | undefined): boolean {
  return text === undefined || text.trim() === '';
}

/**
 * Length in UTF-16 units. The APIs say "characters" and not which; code points are the other way to
 * count them, and never more, so what fits by this fits by both.
 */
export function lengthOf(text: string): number {
  return text.length;
}

/** Refuses a text of more than `most` characters. */
export function checkLength(
  text: string | null | undefined,
  most: number,
  at: string,
  findings: Findings,
): void {
  if (lengthOf(text ?? '') > most) findings.error(at, 'too-long', `At most ${most} characters`);
}

/** Warns of each key that an earlier one equals; null stands for nothing to compare. */
export function warnOfRepeats(
  keys: readonly (string | null)[],
  at: (index: number) => string,
  findings: Findings,
): void {
  const seen = new Set<string>();
  for (const [index, key] of keys.entries()) {
    if (key === null) continue;
    if (seen.has(key)) findings.warn(at(index), 'duplicate');
    seen.add(key);
  }
}
