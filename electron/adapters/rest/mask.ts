/** Keys whose values are personal numbers, personal links, or evidence that holds either. */
const PERSONAL = new Set([
  'personNumber',
  'personNo',
  'identifier',
  'href',
  'downloadLink',
  'clientIpAddress',
  'signature',
  'ocsp',
]);
const MASK = '••••';

/** The service's own object as JSON text, without what must not lie about on screens. */
export function maskedJson(value: unknown): string {
  return JSON.stringify(value, (key, inner: unknown) =>
    PERSONAL.has(key) && isSomething(inner) ? MASK : inner,
  );
}

function isSomething(value: unknown): boolean {
  return value !== null && value !== undefined && value !== '';
}
