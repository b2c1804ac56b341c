/**
 * Key of a party, equal for the request and the service's list: organisation or personal number,
 * without differences of format. The key of a Swedish personal number is its last ten digits; the
 * key of a Finnish one includes the century sign.
 */
export function partyKey(kind: 'company' | 'person', number: string): string {
  const bare = number.trim().toUpperCase().replaceAll(' ', '');
  const digits = bare.replace(/^(\d{6}|\d{8})[-+](\d{4})$/, '$1$2');
  return `${kind}:${/^\d{12}$/.test(digits) ? digits.slice(2) : digits}`;
}
