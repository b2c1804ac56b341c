/**
 * Separator of CSV files in spreadsheet programs of a country: the semicolon if numbers use the
 * comma.
 * @param locale BCP 47; default: the system's.
 */
export function listSeparator(locale?: string): ';' | ',' {
  const parts = new Intl.NumberFormat(locale).formatToParts(1.5);
  return parts.some(({ type, value }) => type === 'decimal' && value === ',') ? ';' : ',';
}
