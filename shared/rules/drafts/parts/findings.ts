import type { Problem, ProblemCode } from '../../../contract/drafts.ts';

/**
 * English messages for the command line and the log; the window uses the code. If a code has
 * several causes, the rule that reports the problem supplies its own message.
 */
const sentences: Readonly<Record<ProblemCode, string>> = {
  required: 'This is required',
  'too-long': 'This is too long',
  format: 'This does not have the required format',
  'not-future': 'This must be in the future',
  'expiry-after-deletion': 'Signing must close before the agreement is deleted',
  'no-agreement-document': 'At least one document must be part of the agreement',
  'no-party': 'At least one party is needed',
  'no-method': 'The party needs a way to sign',
  'one-method': 'Exactly one signing method can be chosen',
  'not-applicable': 'This is not allowed here',
  'country-needed': 'A country is needed',
  'mobile-needed': 'A mobile number is needed',
  'email-needed': 'An email address is needed',
  order: 'The signing order must be a whole number from 1',
  range: 'The service does not accept this value',
  'too-large': 'The files are too large together',
  'no-such-field': 'The PDF has no field with this name',
  'value-too-long': 'This is longer than the field in the PDF',
  'not-offered': 'The field does not offer this value',
  contradicts: 'One answer would set two contradicting boxes to the same value',
  letters: 'The PDF cannot show one of the characters',
  'text-cut': 'The text is too long for its box in the PDF',
  'text-small': 'The text is drawn in letters that are hard to read',
  'not-calculated': 'The form calculates this from other fields, but Signing Desk does not',
  'not-formatted': 'The form has its own format for this field, but the text is written as typed',
  'not-checked': 'The form checks this field by a script, which Signing Desk does not run',
  'password-field': 'Everyone could read a password in the PDF, so the field is not filled',
  placeholder: 'This text would place a signature',
  'file-missing': 'The file is missing',
  'nobody-told': 'No party is notified that there is something to sign',
  'party-not-told': 'This party is not notified that there is something to sign',
  'no-expiry': 'Signing has no end date',
  'email-shared': 'Two parties have the same email address',
  'already-signed': 'The PDF already has a digital signature',
  'content-mismatch': 'This does not match the other values',
  reserved: 'This name is reserved',
  blank: 'This is empty',
  duplicate: 'This appears twice',
  insecure: 'The address is not https, so others on the way can read it',
  'too-many': 'The service does not accept this many',
  'past-day': 'The day must be today or later',
  'no-reminder': 'Signing closes within a day, which is too soon for a reminder',
  'new-group': 'If no group has this name, it is created',
  'other-mobile': 'The code is sent to this number, not to the mobile number of the party',
  'ends-today': 'The agreement is rejected today unless everyone signs',
  'looks-boolean': 'This is sent as text. A checkbox needs true or false',
  stranger:
    'The connection is limited to certain recipients and does not reach this address or number',
  refused: 'The service refused this',
};

/** Problems of a draft, each with the path of its field. */
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

/** Returns the text; null for an empty box, which is omitted when the draft is sent. */
export function textOrNullIfEmpty(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : text;
}

/** Whether a text is missing, empty or only spaces: invalid for a required field. */
export function isBlank(text: string | undefined): boolean {
  return text === undefined || text.trim() === '';
}

/**
 * Length in UTF-16 units. The APIs do not define "characters"; code points are never more, so a
 * text within this limit fits by both counts.
 */
export function lengthOf(text: string): number {
  return text.length;
}

export function checkLength(
  text: string | null | undefined,
  most: number,
  at: string,
  findings: Findings,
): void {
  if (lengthOf(text ?? '') > most) findings.error(at, 'too-long', `At most ${most} characters`);
}

/** Warns of each key that equals an earlier key; null is not compared. */
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
