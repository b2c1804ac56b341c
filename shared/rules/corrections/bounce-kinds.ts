/*
 * Words of mail services for messages that bounced, or did not. Mail services use different words
 * and columns for the same few results.
 */

export interface Bounce {
  /** Number of the line in the text, from 1. */
  readonly line: number;
  readonly address: string;
}

/**
 * Columns and keys with the recipient, best first: in some formats, `to` has the sender's address.
 */
const ADDRESS_FIELDS = [
  ...['recipient address', 'recipientaddress', 'recipient', 'rcpt_to', 'rcptto', 'emailaddress'],
  ...['email address', 'e-mail address', 'email', 'e-mail', 'address', 'rcpt', 'to'],
];
/** Columns and keys with the result. */
const OUTCOME_FIELDS = [
  ...['event', 'type', 'bouncetype', 'bounce type', 'bounce_type', 'status', 'delivery status'],
  ...[
    'severity',
    'action',
    'reason',
    'error',
    'code',
    'diagnostic',
    'description',
    'classification',
  ],
];
/** Results that leave the address valid: delivered, in transit, or bounced for another reason. */
const TEMPORARY_OUTCOME =
  /^(?:deliver(?:ed|y)|sent|accepted|relayed|expanded|processed|opened?|click(?:ed)?|deferred|delayed|pending|getting ?status|soft|soft[ _-]?bounced?|transient|temporary|blocked|quarantined|filteredasspam|autoresponder|complaint|complained|spam\w{0,16}|unsubscribed?|group_\w{1,16})$/iu;

/** Word or reply code (RFC 5321) for a permanent bounce. */
const PERMANENT_OUTCOME =
  /^(?:(?:hard|permanent)(?:[_-]?(?:bounced?|fail(?:ed|ure)?))?|bounced?|fail(?:ed|ure)?|reject(?:ed)?|undeliver(?:ed|able)|returned|unknown|inactive|\d{3})$/iu;

/** Whether a word next to an address is a delivery result, not a name or address. */
export const isDeliveryStatus = (word: string): boolean =>
  PERMANENT_OUTCOME.test(word) || TEMPORARY_OUTCOME.test(word);

/** Text values of a notification or row, by the name in lower case. */
export type Fields = ReadonlyMap<string, string>;

/** Finds the name of the recipient's value; null without it, or without a name for the result. */
export function addressFieldName(names: readonly string[]): string | null {
  if (!names.some((name) => OUTCOME_FIELDS.includes(name))) return null;
  return ADDRESS_FIELDS.find((name) => names.includes(name)) ?? null;
}

export function isPermanentBounce(fields: Fields): boolean {
  return OUTCOME_FIELDS.every((name) => !TEMPORARY_OUTCOME.test(fields.get(name)?.trim() ?? ''));
}
