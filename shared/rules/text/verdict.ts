/**
 * What can be said of a text that a person or a sheet gave. `fine` can be sent, `suspicious` can
 * be sent once a person has looked, `wrong` cannot. `value` is the text as it would be sent; of a
 * wrong one it is the tidied text, good for showing only.
 */
export type Verdict =
  | { readonly verdict: 'fine'; readonly value: string }
  | { readonly verdict: 'suspicious' | 'wrong'; readonly value: string; readonly why: Why };

/** English, for the command line; the window speaks from the code. */
export const whySentences = {
  'birth-date': 'No such birth date',
  'bracket-zero': 'The zero in brackets was left out',
  century: 'The century cannot be told: write the year with four digits',
  'check-digit': 'The check digit does not fit',
  'check-digit-2032': 'The check digits fit the rule of 2032 only',
  'code-assumed': 'This is not the official code; the one that is probably meant was taken',
  'country-needed': 'A country is needed',
  'display-name': 'Only the address, without the name',
  'doubled-hour': 'The clock shows this time twice that night; the first is taken',
  empty: 'There is nothing here',
  extension: 'A text message cannot reach an extension',
  'fixed-line': 'This number belongs to a fixed line',
  form: 'This does not have the right form',
  'hidden-direction': 'It holds characters that turn the direction of the text',
  future: 'This lies in the future',
  'international-domain': 'The domain has letters outside a–z; not every mail server takes it',
  'international-name': 'The part before the @ has letters that not every mail server takes',
  'interim-number': 'This is an interim number, which no service takes',
  invisible: 'It holds characters that cannot be seen',
  'line-break': 'This must be one line',
  'look-alike': 'It mixes letters of several alphabets that look alike',
  mailto: 'Only the address, without mailto:',
  'missing-hour': 'The clock leaves this time out that night',
  'no-mobile': 'This number gets no text messages: it is toll-free, premium or shared-cost',
  'no-organisation': 'This is not the number of an organisation',
  'no-top-domain': 'The domain has no ending',
  'old-age': 'Nobody of this age is known',
  organisation: 'This is the number of an organisation, not of a person',
  'prefix-removed': 'The prefix was left out',
  'region-assumed': 'The region of the language was assumed',
  several: 'More than one stands here',
  'sole-trader': 'This is the number of a person; only sole traders use it for their company',
  spreadsheet: 'A spreadsheet shortened this number: format the column as text and export again',
  'temporary-number': 'This is a temporary number',
  'test-number': 'This is a number for tests',
  'too-long': 'This is too long',
  'trailing-dot': 'The address ends in a dot',
  unassigned: 'No such number is assigned',
  unknown: 'This is not known',
  'zone-without-place': 'Programs differ in what this zone means; choose a place',
} as const;

/** Why a text is not simply fine. */
export type Why = keyof typeof whySentences;

export function fine(value: string): Verdict {
  return { verdict: 'fine', value };
}

export function suspicious(value: string, why: Why): Verdict {
  return { verdict: 'suspicious', value, why };
}

export function wrong(value: string, why: Why): Verdict {
  return { verdict: 'wrong', value, why };
}
