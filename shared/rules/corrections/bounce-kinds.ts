/*
 * What services for mail call a message that came back, or did not. Their words differ, and so do
 * their columns; what is meant is one of few things.
 */

/** An address from which a message came back, and where the text says so. */
export interface Bounce {
  /** Counted from 1. */
  readonly line: number;
  readonly address: string;
}

/** Columns and keys that hold the receiver, best first: `to` may be the sender's own in some. */
const ADDRESSES = [
  ...['recipient address', 'recipientaddress', 'recipient', 'rcpt_to', 'rcptto', 'emailaddress'],
  ...['email address', 'e-mail address', 'email', 'e-mail', 'address', 'rcpt', 'to'],
];
/** Columns and keys that say what became of it. */
const SAYS = [
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
/** It arrived, is still on its way, or came back for a reason that is none of the address. */
const PASSING =
  /^(?:deliver(?:ed|y)|sent|accepted|relayed|expanded|processed|opened?|click(?:ed)?|deferred|delayed|pending|getting ?status|soft|soft[ _-]?bounced?|transient|temporary|blocked|quarantined|filteredasspam|autoresponder|complaint|complained|spam\w{0,16}|unsubscribed?|group_\w{1,16})$/iu;

/** One word or reply code (RFC 5321) for a message that came back for good. */
const RETURNED =
  /^(?:(?:hard|permanent)(?:[_-]?(?:bounced?|fail(?:ed|ure)?))?|bounced?|fail(?:ed|ure)?|reject(?:ed)?|undeliver(?:ed|able)|returned|unknown|inactive|\d{3})$/iu;

/** Whether a word beside an address says what became of a message, and is no name or address. */
export const isStatus = (word: string): boolean => RETURNED.test(word) || PASSING.test(word);

/** Names in lower case; texts alone. */
export type Fields = ReadonlyMap<string, string>;

/** Which of these names holds the receiver; null where none does, or nothing says what became of it. */
export function addressName(names: readonly string[]): string | null {
  if (!names.some((name) => SAYS.includes(name))) return null;
  return ADDRESSES.find((name) => names.includes(name)) ?? null;
}

/** Whether the message came back for good. */
export function isFinal(fields: Fields): boolean {
  return SAYS.every((name) => !PASSING.test(fields.get(name)?.trim() ?? ''));
}
