import type { ApiName } from '../../../../shared/model/ids.ts';
import { AppError, type ErrorReason } from '../../../../shared/errors.ts';
import { serviceAddress } from '../../../../shared/rules/identifiers/service-address.ts';

/** Base address of a connection. */
export interface BaseAddress {
  readonly origin: string;
  /** Path without a trailing slash; empty at the root of the host. */
  readonly path: string;
  readonly host: string;
  readonly isSecure: boolean;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
const VERSION = /^v\d+$/i;

/**
 * Validates the address of a connection before anything is sent to it.
 * @throws AppError 'invalid' for `url` if it is not an address, or not https (http is allowed only
 * for this computer). Also if a v1 address has a version, which the program adds, or a v2 address
 * has none.
 */
export function checkAddress(api: ApiName, text: string): BaseAddress {
  const url = URL.parse(text.trim());
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw wrongAddressError('address-invalid', 'is not a web address');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw wrongAddressError(
      'address-invalid',
      'must not contain a user name, a query or a fragment',
    );
  }
  if (!isSafe(url)) throw wrongAddressError('address-not-https', 'must begin with https://');
  const segments = url.pathname.split('/').filter((segment) => segment !== '');
  if (api === 'v1' && segments.some((segment) => VERSION.test(segment))) {
    throw wrongAddressError('address-has-version', 'must be given without /v1');
  }
  if (api === 'v2' && !VERSION.test(segments.at(-1) ?? '')) {
    throw wrongAddressError('address-lacks-version', 'must end in its version, such as /v2');
  }
  const path = segments.map((segment) => `/${segment}`).join('');
  // The computers of an office identify a service by its address, so a form that only `URL`
  // normalizes would count as another service.
  if (serviceAddress(text) !== serviceAddress(`${url.origin}${path}`)) {
    throw wrongAddressError(
      'address-invalid',
      'must be a plain address, such as https://api.example.com',
    );
  }
  return { origin: url.origin, path, host: url.host, isSecure: url.protocol === 'https:' };
}

/** Whether requests are protected: by https, or because the address is this computer. */
export function isSafe(url: URL): boolean {
  if (url.protocol === 'https:') return true;
  return url.protocol === 'http:' && LOOPBACK.test(url.hostname);
}

/**
 * Fills a path template; every value becomes exactly one segment, even if it is dots. The dot of a
 * final `.xml` is encoded, so that API v2 does not answer in XML.
 * @throws AppError 'invalid' if a value is missing or empty
 */
export function fillPath(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? '';
    if (value === '')
      throw new AppError('invalid', `The value ${name} is missing, so the request cannot be sent`);
    if (/^\.+$/.test(value)) return value.replaceAll('.', '%2E');
    return encodeURIComponent(value).replace(/\.(?=xml$)/i, '%2E');
  });
}

function wrongAddressError(reason: ErrorReason, sentence: string): AppError {
  return new AppError('invalid', `The address ${sentence}`, {
    reason,
    fields: { url: `The address ${sentence}` },
  });
}
