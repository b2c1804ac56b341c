import { replyMismatchError } from '../http/failures.ts';

/** Keys whose values are personal numbers, personal links, or evidence that contains either. */
const PERSONAL_KEYS = new Set([
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

/**
 * Returns the service's own object as JSON text, with personal values masked.
 * @throws AppError 'service' if the object is nested too deeply to be written
 */
export function toMaskedJson(value: unknown): string {
  try {
    return JSON.stringify(value, (key, inner: unknown) =>
      PERSONAL_KEYS.has(key) && isPresentValue(inner) ? MASK : inner,
    );
  } catch (error) {
    if (error instanceof RangeError)
      throw replyMismatchError('agreement', 'its data is nested too deeply');
    throw error;
  }
}

function isPresentValue(value: unknown): boolean {
  return value !== null && value !== undefined && value !== '';
}
