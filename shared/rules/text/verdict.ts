/**
 * Result of validating a text from a user or spreadsheet. A `validResult` text can be sent, a `suspiciousResult`
 * text can be sent after the user has checked it, and a `invalidResult` text cannot be sent. `value` is the
 * text as it would be sent; the value of a wrong text is cleaned up for display only.
 */
export type ValidationResult =
  | { readonly verdict: 'fine'; readonly value: string }
  | {
      readonly verdict: 'suspicious' | 'wrong';
      readonly value: string;
      readonly why: ValidationReason;
    };

/** English messages for the command line; the window uses the code. */
export const validationSentences = {
  'birth-date': 'The birth date in the number does not exist',
  'bracket-zero': 'The zero in brackets was removed',
  century: 'The century is not clear. Write the year with four digits',
  'check-digit': 'The check digit does not match. Check the number',
  'check-digit-2032': 'The check digits match only the rule that applies from 2032',
  'code-assumed': 'This is not an official code, so the most likely code was used',
  'country-needed': 'A country is needed',
  'display-name': 'Enter only the address, without the name',
  'doubled-hour': 'The clock shows this time twice that night. The first one is used',
  empty: 'This is empty',
  extension: 'A text message cannot reach an extension',
  'fixed-line': 'This is a landline number',
  form: 'This does not have the required format',
  'hidden-direction': 'It has characters that change the direction of the text',
  future: 'This is in the future',
  'international-domain': 'The domain has letters outside a–z, which not every mail server accepts',
  'international-name': 'The part before the @ has letters that not every mail server accepts',
  'interim-number': 'This is an interim number, which no service accepts',
  invisible: 'It has invisible characters',
  'line-break': 'This must be one line',
  'look-alike': 'It mixes letters of several alphabets that look alike',
  mailto: 'Enter only the address, without mailto:',
  'missing-hour': 'This time does not exist that night, because the clock is changed',
  'no-mobile': 'This number cannot receive text messages: it is toll-free, premium or shared-cost',
  'no-organisation': 'This is not the number of an organisation',
  'no-top-domain': 'The domain has no ending, such as .com',
  'old-age': 'The birth date is too long ago. Check the number',
  organisation: 'This is the number of an organisation, not of a person',
  'prefix-removed': 'The prefix was removed',
  'region-assumed': 'The region of the language was assumed',
  several: 'There is more than one value here',
  'sole-trader': 'This is the number of a person. Only sole traders use it for their company',
  spreadsheet:
    'A spreadsheet shortened this number. Format the column as text, and export the file again',
  'temporary-number': 'This is a temporary number',
  'test-number': 'This is a test number',
  'too-long': 'This is too long',
  'trailing-dot': 'The address ends with a dot',
  unassigned: 'Numbers like this are not in use',
  unknown: 'This is not a known value',
  'zone-without-place': 'This time zone is ambiguous. Choose a city, such as Europe/Stockholm',
} as const;

export type ValidationReason = keyof typeof validationSentences;

export function validResult(value: string): ValidationResult {
  return { verdict: 'fine', value };
}

export function suspiciousResult(value: string, why: ValidationReason): ValidationResult {
  return { verdict: 'suspicious', value, why };
}

export function invalidResult(value: string, why: ValidationReason): ValidationResult {
  return { verdict: 'wrong', value, why };
}
