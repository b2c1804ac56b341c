import type { ApiName } from '../../../../shared/model/ids.ts';
import { AppError, type ErrorReason } from '../../../../shared/errors.ts';
import { serviceAddress } from '../../../../shared/rules/identifiers/service-address.ts';

/** Where a connection's endpoints begin. */
export interface Base {
  readonly origin: string;
  /** Without a slash at its end; empty at the root of the host. */
  readonly path: string;
  readonly host: string;
  readonly isSecure: boolean;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
const VERSION = /^v\d+$/i;

/**
 * The address of a connection, checked before anything is sent there.
 * @throws AppError 'invalid' for `url`: no address, not https (http is for this computer only), or
 * with the version where v1 adds its own or without it where v2 does not.
 */
export function checkAddress(api: ApiName, text: string): Base {
  const url = URL.parse(text.trim());
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw wrong('address-invalid', 'is not a web address');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw wrong('address-invalid', 'must not contain a user name, a query or a fragment');
  }
  if (!isSafe(url)) throw wrong('address-not-https', 'must begin with https://');
  const segments = url.pathname.split('/').filter((segment) => segment !== '');
  if (api === 'v1' && segments.some((segment) => VERSION.test(segment))) {
    throw wrong('address-has-version', 'must be given without /v1');
  }
  if (api === 'v2' && !VERSION.test(segments.at(-1) ?? '')) {
    throw wrong('address-lacks-version', 'must end in its version, such as /v2');
  }
  const path = segments.map((segment) => `/${segment}`).join('');
  // Desks of an office know a service by its address: what only `URL` understands is another one to them.
  if (serviceAddress(text) !== serviceAddress(`${url.origin}${path}`)) {
    throw wrong('address-invalid', 'must be a plain address, such as https://api.example.com');
  }
  return { origin: url.origin, path, host: url.host, isSecure: url.protocol === 'https:' };
}

/** Whether what is sent there cannot be read on the way: https, or this computer itself. */
export function isSafe(url: URL): boolean {
  if (url.protocol === 'https:') return true;
  return url.protocol === 'http:' && LOOPBACK.test(url.hostname);
}

/**
 * Fills a path template; every value becomes exactly one segment, dots included. An end in `.xml` is
 * written so that API v2 does not take it for the wish to answer in XML.
 * @throws AppError 'invalid' when a value is missing or empty.
 */
export function fillPath(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? '';
    if (value === '') throw new AppError('invalid', `No ${name} to ask for`);
    if (/^\.+$/.test(value)) return value.replaceAll('.', '%2E');
    return encodeURIComponent(value).replace(/\.(?=xml$)/i, '%2E');
  });
}

function wrong(reason: ErrorReason, sentence: string): AppError {
  return new AppError('invalid', `The address ${sentence}`, {
    reason,
    fields: { url: `The address ${sentence}` },
  });
}
