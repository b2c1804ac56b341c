/**
 * Key of a party, equal for the request and the service's list: organisation or personal number,
 * without differences of format. Swedish personal numbers are compared by their last ten digits;
 * the sign of a Finnish one is part of it.
 */
export function partyKey(kind: 'company' | 'person', number: string): string {
  const bare = number.trim().toUpperCase().replaceAll(' ', '');
  const digits = bare.replace(/^(\d{6}|\d{8})[-+](\d{4})$/, '$1$2');
  return `${kind}:${/^\d{12}$/.test(digits) ? digits.slice(2) : digits}`;
}
