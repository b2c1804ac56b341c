import { bouncesInJson } from './bounce-json.ts';
import type { Bounce } from './bounce-kinds.ts';
import { bouncesInTable } from './bounce-table.ts';
import { bouncesInReports, bouncesInWords, isMail } from './bounce-report.ts';
import { bouncesInLogs } from './bounce-log.ts';

/**
 * Reads bounce information of other programs: reports of mail servers (RFC 3464) and their texts,
 * their logs, and exports of mail services. Only permanent bounces count, not delayed or delivered
 * messages. Null if the text has none of these formats; 'unreadable' if it cannot be read;
 * 'no-report' if it is an email without a report.
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
