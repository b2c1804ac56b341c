import type { Bounce } from './bounce-kinds.ts';

/** Lines of an RFC 3464 report that name the recipients whose delivery failed. */
const FAILED_RECIPIENT_LINE = /^(?:final|x-actual)-recipient:/iu;
/** Line with the original recipient, used if a server names no other recipient. */
const ORIGINAL_RECIPIENT_LINE = /^original-recipient:/iu;
/** Header in which Exim and Gmail name all failed recipients. */
const FAILED_RECIPIENTS_HEADER = /^x-failed-recipients:/iu;
const ACTION_LINE = /^action:\s{0,64}(?<word>[a-z]{1,32})/iu;
const REPORT_LINE_PATTERN = /^(?:(?:final|original)-recipient|x-failed-recipients):/imu;
/**
 * Address, matched only from the first character of a word: trying every position of a long word
 * would take 64 times as long.
 */
const REPORT_ADDRESS_PATTERN =
  /(?<![^\s<>"(),;:[\]])[^\s<>"(),;:[\]]{1,64}@[^\s<>"(),;:[\]@]{1,255}/u;
const ALL_ADDRESSES_PATTERN = new RegExp(REPORT_ADDRESS_PATTERN.source, 'gu');

/** Reads all reports of mail servers in the text; null if there are none. */
export function bouncesInReports(text: string): readonly Bounce[] | null {
  if (!REPORT_LINE_PATTERN.test(text)) return null;
  const bounces: Bounce[] = [];
  let waiting: Bounce | null = null;
  const settle = (): void => {
    if (waiting !== null) bounces.push(waiting);
    waiting = null;
  };
  for (const { line, raw } of unfoldHeaders(text)) {
    const action = ACTION_LINE.exec(raw)?.groups?.['word'];
    if (raw.trim() === '') settle();
    else if (
      FAILED_RECIPIENT_LINE.test(raw) ||
      (waiting === null && ORIGINAL_RECIPIENT_LINE.test(raw))
    ) {
      const [address] = REPORT_ADDRESS_PATTERN.exec(raw) ?? [];
      if (address !== undefined) waiting = { line, address };
    } else if (FAILED_RECIPIENTS_HEADER.test(raw)) {
      bounces.push(
        ...[...raw.matchAll(ALL_ADDRESSES_PATTERN)].map(([address]) => ({ line, address })),
      );
    } else if (action !== undefined && action.toLowerCase() !== 'failed') waiting = null;
  }
  settle();
  return bounces;
}

const MAIL_HEADER_PATTERN =
  /^(?:from|to|subject|date|message-id|received|return-path|delivered-to):/iu;

/** Whether the text is an email: its addresses are not a list that the user wrote. */
export function isMail(text: string): boolean {
  const head = text
    .trimStart()
    .slice(0, 16_384)
    .split(/\r\n|\r|\n/u);
  const end = head.findIndex((line) => line.trim() === '');
  const headers = head
    .slice(0, end < 0 ? head.length : end)
    .filter((line) => MAIL_HEADER_PATTERN.test(line));
  return headers.length >= 2 && /^(?:from |[a-z][\w-]{0,64}:)/iu.test(head[0] ?? '');
}

/** Returns the unfolded header lines, each with the number of its first line. */
function unfoldHeaders(text: string): readonly { readonly line: number; readonly raw: string }[] {
  const lines: { line: number; raw: string }[] = [];
  for (const [at, raw] of text.split(/\r\n|\r|\n/u).entries()) {
    const before = lines.at(-1);
    if (before !== undefined && /^[ \t]+\S/u.test(raw) && /^[\w-]{1,64}:/u.test(before.raw)) {
      before.raw += ` ${raw.trim()}`;
    } else lines.push({ line: at + 1, raw });
  }
  return lines;
}

/**
 * Bounce texts that a user copied from an email: the identifying words, and the format of the
 * address.
 */
const BOUNCE_TEXTS: readonly { readonly isOf: RegExp; readonly address: RegExp }[] = [
  {
    isOf: /your message (?:wasn['’]t|couldn['’]t be) delivered to/iu,
    address: /delivered to (?<address>[^\s<>]{1,320}@[^\s<>]{1,255}) because/iu,
  },
  {
    // Exchange: a name or the address, followed by a link if the mail program added one.
    isOf: /delivery has failed to these recipients or groups/iu,
    address:
      /^\s{0,16}(?:[^<>(@]{0,128}[(<])?(?<address>[^\s<>()@]{1,64}@[^\s<>()@]{1,255})[)>]?(?:<mailto:[^>]{1,320}>)?\s{0,16}$/iu,
  },
  {
    // Postfix.
    isOf: /this is the mail system at host/iu,
    address: /^<(?<address>[^<>\s]{1,320}@[^<>\s]{1,255})>(?: \(expanded from [^)]{1,320}\))?: /iu,
  },
  {
    // Exim, and GMX without the space before it.
    isOf: /a message that you sent could not be delivered/iu,
    address: /^\s{0,8}["<]?(?<address>[^<>"\s]{1,64}@[^<>"\s:]{1,255})[">]?:?\s{0,16}$/iu,
  },
];
/** Line before the original message, whose addresses are skipped: one is the sender's. */
const ORIGINAL_MESSAGE_LINE =
  /^(?:original message headers|diagnostic information for administrators|-{2,} ?(?:this is a copy|the header))/iu;

/** Reads a bounce text without a machine-readable report; null if no known format matches. */
export function bouncesInWords(text: string): readonly Bounce[] | null {
  const form = BOUNCE_TEXTS.find(({ isOf }) => isOf.test(text));
  if (form === undefined) return null;
  const lines = text.split(/\r\n|\r|\n/u);
  const end = lines.findIndex((line) => ORIGINAL_MESSAGE_LINE.test(line.trim()));
  const found = lines.slice(0, end < 0 ? lines.length : end).flatMap((line, at): Bounce[] => {
    const address = form.address.exec(line.slice(0, 4096))?.groups?.['address'];
    return address === undefined ? [] : [{ line: at + 1, address }];
  });
  return found.length === 0 ? null : found;
}
