import type { Bounce } from './bounce-kinds.ts';

/** Start of the log lines in which Postfix reports the delivery result for one recipient. */
const POSTFIX_LINE_PATTERN = /\bpostfix[\w/-]{0,64}\[\d{1,10}\]: /u;
/** Bounce in a line of Postfix, where the address before its rewriting follows the address. */
const POSTFIX_BOUNCE_PATTERN = /\bto=<(?<address>[^>]{1,320})>.*\bstatus=(?:bounced|expired)\b/u;
const SENDMAIL_LINE_PATTERN = /\b(?:sendmail|sm-mta|sm-msp\w{0,8})\[\d{1,10}\]: /u;
const SENDMAIL_BOUNCE_PATTERN = /\bto=<?(?<address>[^\s<>,]{1,320})>?,.*\bdsn=5\.\d/u;
const EXIM_LINE_PATTERN =
  /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?(?: [+-]\d{4})? (?:\[\d{1,10}\] )?[\dA-Za-z]{6}-[\dA-Za-z]{6,11}-[\dA-Za-z]{2,4} /u;
/**
 * Bounce in a line of Exim (`**`; `=>` is delivered, `==` is deferred). A mailbox without a domain
 * is followed by its address.
 */
const EXIM_BOUNCE_PATTERN =
  /^[^*]{1,80} \*\* (?:[^\s<>@]{1,64} <)?(?<address>[^\s<>:@]{1,64}@[^\s<>:@]{1,255})/u;
const MAX_LOG_LINE_LENGTH = 4096;

const logFormats = [
  { isOf: POSTFIX_LINE_PATTERN, back: POSTFIX_BOUNCE_PATTERN },
  { isOf: SENDMAIL_LINE_PATTERN, back: SENDMAIL_BOUNCE_PATTERN },
  { isOf: EXIM_LINE_PATTERN, back: EXIM_BOUNCE_PATTERN },
];

/** Reads log lines of Postfix, Sendmail and Exim; null if there are none. */
export function bouncesInLogs(text: string): readonly Bounce[] | null {
  let isLog = false;
  const found = text.split(/\r\n|\r|\n/u).flatMap((whole, at): Bounce[] => {
    const raw = whole.slice(0, MAX_LOG_LINE_LENGTH);
    const log = logFormats.find(({ isOf }) => isOf.test(raw));
    if (log === undefined) return [];
    isLog = true;
    const address = log.back.exec(raw)?.groups?.['address'];
    return address === undefined ? [] : [{ line: at + 1, address }];
  });
  return isLog ? found : null;
}
