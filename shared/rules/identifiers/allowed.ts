import { validateEmail } from './email.ts';
import { isE164, toE164 } from './phone.ts';

/*
 * Allowed recipients of a test connection: whole domains (`@example.com`), addresses, mobile
 * numbers in E.164, and hosts of webhooks (`https://hooks.example.com`, because a bare
 * `example.com` could be a domain of addresses).
 */

/** Local part added to a domain, which is validated as part of an address. */
const ANY_LOCAL_PART = 'anybody';

/** Host: labels separated by dots, without port and path. */
const HOST_PATTERN =
  /^(?=.*[a-z])[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/;
const AUTHORITY_PATTERN = /^https?:\/\/([^/?#]+)(?:[/?#]\S*)?$/i;
const HOST_AND_PORT_PATTERN = /^([a-z0-9.-]+|\[::1\])(?::\d{1,5})?$/;
const LOOPBACK_PATTERN = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Normalises one entry; null if it is not a domain, address, number or host. */
export function allowedEntry(text: string): string | null {
  const typed = text.trim();
  if (typed.startsWith('@')) {
    const { verdict, value } = validateEmail(`${ANY_LOCAL_PART}${typed}`);
    return verdict === 'wrong' ? null : value.slice(ANY_LOCAL_PART.length);
  }
  if (typed.includes('@')) {
    const { verdict, value } = validateEmail(typed);
    return verdict === 'wrong' ? null : value.toLowerCase();
  }
  const number = toE164(typed);
  if (number !== null && isE164(number)) return number;
  const host = hostOf(typed);
  return host !== null && HOST_PATTERN.test(host) ? `${schemeOf(typed)}//${host}` : null;
}

/** Whether a webhook may call a URL: its host is in the list, or the service's own computer. */
export function isAllowedHost(url: string, allowed: readonly string[] | null): boolean {
  if (allowed === null) return true;
  const host = hostOf(url.trim());
  if (host === null) return false;
  return LOOPBACK_PATTERN.test(host) || allowed.some((one) => hostOf(one) === host);
}

const schemeOf = (url: string): string => url.slice(0, url.indexOf('/')).toLowerCase();

function hostOf(url: string): string | null {
  const [, authority] = AUTHORITY_PATTERN.exec(url) ?? [];
  // Parts that programs read differently, such as a user before the host, never match a list.
  const [, host] =
    authority === undefined ? [] : (HOST_AND_PORT_PATTERN.exec(authority.toLowerCase()) ?? []);
  return host?.replace(/\.$/, '') ?? null;
}

/** Splits a text into entries at line breaks, commas and semicolons. */
export function splitEntries(text: string): readonly string[] {
  return text
    .split(/[\n,;]/)
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

/**
 * Whether a message may be sent to the address; null instead of a list allows everyone. See
 * `isAllowedHost` for URLs.
 */
export function isAllowed(address: string, allowed: readonly string[] | null): boolean {
  if (allowed === null) return true;
  const typed = address.trim();
  if (!typed.includes('@')) return allowed.includes(toE164(typed) ?? typed);
  const { verdict, value } = validateEmail(typed);
  // A service may read an invalid address as several addresses.
  if (verdict === 'wrong') return false;
  const [email, domain] = [value.toLowerCase(), value.slice(value.lastIndexOf('@')).toLowerCase()];
  return allowed.some((one) => one === email || one === domain);
}
