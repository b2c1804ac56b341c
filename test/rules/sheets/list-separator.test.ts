import { expect, it } from 'vitest';
import { listSeparator } from '../../../shared/rules/sheets/list-separator.ts';

it.each([
  ['sv-SE', ';'],
  ['fi-FI', ';'],
  ['nb-NO', ';'],
  ['da-DK', ';'],
  ['de-DE', ';'],
  ['en-GB', ','],
  ['en-US', ','],
])('cells of a CSV file in %s are separated by %j (SEC-M2)', (locale, separator) => {
  expect(listSeparator(locale)).toBe(separator);
});
