import type { NewRecipient } from '../../contract/actions.ts';
import { validateEmail } from '../identifiers/email.ts';
import { toE164 } from '../identifiers/phone.ts';

type Medium = NewRecipient['medium'];

/** Returns the recipient in the service's format; null if the input is not a valid address. */
export function recipientOf(medium: Medium, typed: string): NewRecipient | null {
  if (medium === 'SMS') {
    const number = toE164(typed);
    return number === null ? null : { medium, address: number };
  }
  const { verdict, value } = validateEmail(typed);
  return verdict === 'wrong' ? null : { medium, address: value };
}

/** Valid recipients for the request, or the problems of the input. */
export type CheckedRecipients =
  | { readonly ok: true; readonly recipients: readonly NewRecipient[] }
  /** Problems by path within the list: `0.address`; an empty path means the whole list. */
  | { readonly ok: false; readonly problems: Readonly<Record<string, string>> };

/**
 * Checks all future recipients of a notification of API v1 ("Notification", "Recipient"): one
 * medium in each block, and addresses that the service can reach.
 */
export function checkRecipients(typed: readonly NewRecipient[]): CheckedRecipients {
  const problems: Record<string, string> = {};
  if (new Set(typed.map(({ medium }) => medium)).size > 1) {
    problems[''] = 'One notification cannot have both email addresses and phone numbers';
  }
  const recipients = typed.flatMap(({ medium, address }, index) => {
    const recipient = recipientOf(medium, address);
    if (recipient !== null) return recipient;
    problems[`${String(index)}.address`] =
      medium === 'SMS'
        ? `"${address}" is not a phone number with a country code, such as +46701234567`
        : `"${address}" is not an email address`;
    return [];
  });
  const places = new Map<string, number>();
  for (const [index, { address }] of recipients.entries()) {
    const first = places.get(address);
    if (first === undefined) places.set(address, index);
    else problems[`${String(index)}.address`] = `"${address}" is listed twice`;
  }
  return Object.keys(problems).length > 0 ? { ok: false, problems } : { ok: true, recipients };
}
