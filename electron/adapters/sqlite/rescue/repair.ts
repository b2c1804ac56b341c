import type Sqlite from 'better-sqlite3';
import * as z from 'zod';
import { hasColumn } from './had-columns.ts';
import { nameLostConnections } from './lost-connections.ts';
import { keepFilesOfLostDrafts } from './lost-drafts.ts';
import { restoreLostSends } from './lost-sends.ts';
import type { TableLoss } from './losses.ts';

/** Numbers of placeholders for lost rows that other rows require. */
export interface RepairResult {
  readonly nameless: number;
  readonly bareDrafts: number;
  readonly bareSends: number;
  /**
   * Titles of agreements of which only the list row was left; they are read from the service again.
   */
  readonly unreadAgreements: readonly string[];
}

/**
 * Makes the recovered rows consistent, without triggers: restores referenced rows as far as their
 * values are known, deletes orphans, and recomputes derived data.
 */
export function repairData(
  raw: Sqlite.Database,
  losses: readonly TableLoss[],
  now: number,
): RepairResult {
  const loss = (name: string) => losses.find(({ table }) => table.name === name);
  const nameless = nameLostConnections(raw, loss('connection'));
  const bareDrafts = keepFilesOfLostDrafts(raw, now);
  const bareSends = restoreLostSends(raw, loss('outbox'), now);
  const hasLostCopies = ['agreement', 'agreement_content'].some((name) => loss(name) !== undefined);
  const unreadAgreements = hasLostCopies ? readAgreementsAgain(raw) : [];
  deleteOrphans(raw);
  recompute(raw);
  return { nameless, bareDrafts, bareSends, unreadAgreements };
}

const OrphanRow = z.object({ table: z.string(), rowid: z.number().nullable() });

/** Deletes rows that refer to lost rows; repeats, since a deletion can create new orphans. */
function deleteOrphans(raw: Sqlite.Database): void {
  for (;;) {
    const orphans = z.array(OrphanRow).parse(raw.pragma('foreign_key_check'));
    const rows = new Set(orphans.map(({ table, rowid }) => `${table} ${String(rowid)}`));
    if (rows.size === 0) return;
    for (const row of rows) {
      const [table = '', rowid] = row.split(' ');
      raw.prepare(`DELETE FROM ${table} WHERE rowid = ?`).run(Number(rowid));
    }
  }
}

/** Marks all agreements to be read again, since they are copies of the service's. */
function readAgreementsAgain(raw: Sqlite.Database): readonly string[] {
  raw.exec('UPDATE connection SET checked_until = NULL, checked_at = NULL');
  if (hasColumn(raw, 'sync_state', 'connection_id')) raw.exec('DELETE FROM sync_state');
  if (!hasColumn(raw, 'agreement_content', 'number')) return [];
  const bare = 'FROM agreement WHERE number NOT IN (SELECT number FROM agreement_content)';
  const titles = z.array(z.string()).parse(raw.prepare(`SELECT title ${bare}`).pluck().all());
  raw.exec(`DELETE ${bare}`);
  return titles;
}

function recompute(raw: Sqlite.Database): void {
  if (hasColumn(raw, 'agreement', 'place')) {
    const undamaged = hasColumn(raw, 'archive', 'finding')
      ? "AND (saved.finding IN ('changed', 'missing')) IS NOT TRUE"
      : '';
    // When the application window is open, it adds rows without a place to the search index.
    raw.exec(`
      UPDATE agreement SET place = NULL, archived = EXISTS (SELECT 1 FROM archive AS saved
        WHERE saved.connection_id = agreement.connection_id AND saved.id = agreement.id ${undamaged});
      DELETE FROM agreement_tally;
      INSERT INTO agreement_tally (facets, number)
        SELECT facets, count(*) FROM agreement GROUP BY facets;
      INSERT OR REPLACE INTO search_state VALUES (1, NULL)`);
  }
  if (hasColumn(raw, 'agreement_tally', 'bytes')) {
    raw.exec(`
      UPDATE agreement_tally SET bytes = (SELECT sum(bytes) FROM agreement
        WHERE agreement.facets = agreement_tally.facets)`);
  }
  if (hasColumn(raw, 'person', 'words')) {
    raw.exec('INSERT INTO person_words (rowid, words) SELECT number, words FROM person');
  }
}
