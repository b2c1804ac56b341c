/**
 * Separator of CSV files in spreadsheet programs of a country: a semicolon if numbers have a
 * decimal comma.
 * @param locale BCP 47 tag; default: the system's locale
 */
export function listSeparator(locale?: string): ';' | ',' {
  const parts = new Intl.NumberFormat(locale).formatToParts(1.5);
  return parts.some(({ type, value }) => type === 'decimal' && value === ',') ? ';' : ',';
}
