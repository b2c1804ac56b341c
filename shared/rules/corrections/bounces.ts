import { bouncesInJson } from './bounce-json.ts';
import type { Bounce } from './bounce-kinds.ts';
import { bouncesInTable } from './bounce-table.ts';
import { bouncesInReports, bouncesInWords, isMail } from './bounce-report.ts';
import { bouncesInLogs } from './bounce-log.ts';

/**
 * Reads what other programs write of messages that came back: reports of mail servers (RFC 3464) and
 * their words, their logs, and what services for mail export. Only what is final counts: a message
 * that is late, or was delivered, is none. Null where it is of no such form, 'unreadable' where it is
 * and cannot be read.
 */
export function readBounces(text: string): readonly Bounce[] | 'unreadable' | 'no-report' | null {
  return (
    bouncesInJson(text) ??
    bouncesInReports(text) ??
    bouncesInLogs(text) ??
    bouncesInWords(text) ??
    (isMail(text) ? 'no-report' : bouncesInTable(text))
  );
}
