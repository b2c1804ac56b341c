import { judgeEmail } from './email.ts';
import { isE164, toE164 } from './phone.ts';

/*
 * Who may be reached through a connection that is for trying: whole domains (`@example.com`),
 * addresses, and mobile numbers in E.164.
 */

/** Any local part: a domain is judged as part of an address. */
const ANYBODY = 'anybody';

/** One entry as it is kept; null when it is neither a domain, an address nor a number. */
export function allowedEntry(text: string): string | null {
  const typed = text.trim();
  if (typed.startsWith('@')) {
    const { verdict, value } = judgeEmail(`${ANYBODY}${typed}`);
    return verdict === 'wrong' ? null : value.slice(ANYBODY.length);
  }
  if (typed.includes('@')) {
    const { verdict, value } = judgeEmail(typed);
    return verdict === 'wrong' ? null : value.toLowerCase();
  }
  const number = toE164(typed);
  return number !== null && isE164(number) ? number : null;
}

/** Entries between line ends, commas or semicolons. */
export function splitEntries(text: string): readonly string[] {
  return text
    .split(/[\n,;]/)
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

/** Whether a message may go there; a list of null allows everybody. */
export function isAllowed(address: string, allowed: readonly string[] | null): boolean {
  if (allowed === null) return true;
  const typed = address.trim();
  if (!typed.includes('@')) return allowed.includes(toE164(typed) ?? typed);
  const { value } = judgeEmail(typed);
  const [email, domain] = [value.toLowerCase(), value.slice(value.lastIndexOf('@')).toLowerCase()];
  return allowed.some((one) => one === email || one === domain);
}
