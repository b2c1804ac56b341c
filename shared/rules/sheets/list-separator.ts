/**
 * What spreadsheet programs of a country put between the cells of a CSV file: the semicolon where
 * the comma is in the numbers.
 * @param locale BCP 47; that of the system when it is left out.
 */
export function listSeparator(locale?: string): ';' | ',' {
  const parts = new Intl.NumberFormat(locale).formatToParts(1.5);
  return parts.some(({ type, value }) => type === 'decimal' && value === ',') ? ';' : ',';
}
