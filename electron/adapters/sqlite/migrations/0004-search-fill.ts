import type Sqlite from 'better-sqlite3';
import * as z from 'zod';
import { ApiName } from '../../../../shared/model/ids.ts';
import { RemoteAgreement } from '../../../../shared/model/agreement.ts';
import { searchColumns } from '../agreements/content.ts';
import { jsonColumn } from '../database/columns.ts';

/** Few enough that their JSON takes little memory. */
const AT_ONCE = 500;

const Row = z.object({ number: z.number(), api: ApiName, remote: jsonColumn(RemoteAgreement) });

/** What can only be derived here: words without case and accents, and the order of titles. */
export function fillSearch(raw: Sqlite.Database): void {
  const read = raw.prepare(`
    SELECT a.rowid AS number, a.api, c.remote FROM agreement a
    JOIN agreement_content c ON c.connection_id = a.connection_id AND c.id = a.id
    WHERE a.rowid > ? ORDER BY a.rowid LIMIT ${String(AT_ONCE)}`);
  const write = raw.prepare(`
    UPDATE agreement SET search_text = @searchText, title_key = @titleKey, tag_marks = @tagMarks,
      signable = @signable, perhaps_expired = @perhapsExpired
    WHERE rowid = @number`);
  let after = 0;
  for (;;) {
    const rows: readonly unknown[] = read.all(after);
    if (rows.length === 0) return;
    for (const row of rows) {
      const { number, api, remote } = Row.parse(row);
      write.run({ number, ...searchColumns(remote, api) });
      after = number;
    }
  }
}
