import { validateEmail } from './email.ts';
import { isE164, toE164 } from './phone.ts';

/*
 * Who may be reached through a connection that is for trying: whole domains (`@example.com`),
 * addresses, mobile numbers in E.164, and hosts of webhooks (`https://hooks.example.com`, since a
 * bare `example.com` could be meant as a domain of addresses).
 */

/** Any local part: a domain is judged as part of an address. */
const ANYBODY = 'anybody';

/** Labels with a dot between; a port and a path are not part of who is called. */
const HOST = /^(?=.*[a-z])[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/;
const AUTHORITY = /^https?:\/\/([^/?#]+)(?:[/?#]\S*)?$/i;
const HOST_AND_PORT = /^([a-z0-9.-]+|\[::1\])(?::\d{1,5})?$/;
const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** One entry as it is kept; null when it is neither a domain, an address, a number nor a host. */
export function allowedEntry(text: string): string | null {
  const typed = text.trim();
  if (typed.startsWith('@')) {
    const { verdict, value } = validateEmail(`${ANYBODY}${typed}`);
    return verdict === 'wrong' ? null : value.slice(ANYBODY.length);
  }
  if (typed.includes('@')) {
    const { verdict, value } = validateEmail(typed);
    return verdict === 'wrong' ? null : value.toLowerCase();
  }
  const number = toE164(typed);
  if (number !== null && isE164(number)) return number;
  const host = hostOf(typed);
  return host !== null && HOST.test(host) ? `${schemeOf(typed)}//${host}` : null;
}

/** Whether a program may be called there: one on a host of the list, or on the service's own computer. */
export function isAllowedHost(url: string, allowed: readonly string[] | null): boolean {
  if (allowed === null) return true;
  const host = hostOf(url.trim());
  if (host === null) return false;
  return LOOPBACK.test(host) || allowed.some((one) => hostOf(one) === host);
}

const schemeOf = (url: string): string => url.slice(0, url.indexOf('/')).toLowerCase();

function hostOf(url: string): string | null {
  const [, authority] = AUTHORITY.exec(url) ?? [];
  // Whatever programs read differently, as a user before the host, is no host of a list.
  const [, host] =
    authority === undefined ? [] : (HOST_AND_PORT.exec(authority.toLowerCase()) ?? []);
  return host?.replace(/\.$/, '') ?? null;
}

/** Entries between line ends, commas or semicolons. */
export function splitEntries(text: string): readonly string[] {
  return text
    .split(/[\n,;]/)
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

/** Whether a message may go there; a list of null allows everybody. See `isAllowedHost` for URLs. */
export function isAllowed(address: string, allowed: readonly string[] | null): boolean {
  if (allowed === null) return true;
  const typed = address.trim();
  if (!typed.includes('@')) return allowed.includes(toE164(typed) ?? typed);
  const { verdict, value } = validateEmail(typed);
  // What is no address may be read as several by a service.
  if (verdict === 'wrong') return false;
  const [email, domain] = [value.toLowerCase(), value.slice(value.lastIndexOf('@')).toLowerCase()];
  return allowed.some((one) => one === email || one === domain);
}
