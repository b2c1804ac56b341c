import * as z from 'zod';
import { OfficeUserId } from '../../../shared/contract/office/office.ts';
import { OfficeItemKind } from '../../../shared/contract/office/items.ts';

import type { NewItemVersion, SharedItem, SharedItems } from '../../core/office/items/ports.ts';
import { MAX_ANSWER_BYTES } from './answers.ts';
import type { ClaimContext } from './claims.ts';
import { epochMillisSql } from './columns.ts';
import { raiseMark } from './marks.ts';
import {
  type FileNames,
  type FileNamesByItem,
  isForNumbers,
  openItem,
  readFileNames,
  sealItem,
} from './sealed-item.ts';
import type { Transactions } from './server.ts';
import type { Statements } from './statements.ts';

/**
 * Maximum number of versions per transaction. Other computers that write wait for the whole
 * transaction.
 */
const MAX_ITEMS_AT_ONCE = 500;
/** ID of the advisory lock: an arbitrary number, unique in this database. */
const LOCK = 5_471_902_357;

const sql = {
  changes: `
    WITH page AS (
      SELECT *, CASE WHEN octet_length(sealed) <= longest_item(kind) THEN octet_length(sealed) END
        AS bytes
      FROM shared_item WHERE number > $1 AND kind = ANY ($2::text[]) ORDER BY number LIMIT $3),
    sized AS (
      SELECT *, count(*) OVER () AS found, row_number() OVER (ORDER BY number) AS place,
        sum(bytes) OVER (ORDER BY number) AS upto
      FROM page)
    SELECT kind, id, version, CASE WHEN bytes IS NOT NULL THEN sealed END AS sealed,
      key_version AS "keyVersion", seat, number, found,
      ${epochMillisSql('statement_timestamp() - changed_at')} AS age
    FROM sized WHERE place = 1 OR coalesce(upto, 0) <= ${String(MAX_ANSWER_BYTES)} ORDER BY number`,
  // Writing runs one transaction at a time: two writers of the same items in different orders would
  // deadlock.
  alone: 'SELECT pg_advisory_xact_lock($1)',
  write: `
    WITH given AS (
      SELECT * FROM unnest($1::text[], $2::uuid[], $3::bigint[], $4::bytea[])
        AS g (kind, id, version, sealed)),
    changed AS (
      UPDATE shared_item i SET version = g.version, sealed = g.sealed, key_version = $5,
        desk = $6, seat = $7
      FROM given g WHERE i.kind = g.kind AND i.id = g.id AND i.version = g.version - 1
      RETURNING i.kind, i.id),
    added AS (
      INSERT INTO shared_item (kind, id, version, sealed, key_version, desk, seat)
      SELECT kind, id, version, sealed, $5, $6, $7 FROM given WHERE version = 1
      ON CONFLICT (kind, id) DO NOTHING RETURNING kind, id)
    SELECT kind, id FROM changed UNION ALL SELECT kind, id FROM added`,
  removeFiles: 'DELETE FROM draft_file WHERE draft = ANY ($1::uuid[])',
  kinds: `
    SELECT kind, signing_desk.seat_may_write(kind) AS "mayWrite"
    FROM unnest($1::text[]) AS kind WHERE signing_desk.seat_may_read(kind)`,
};

const Key = z.object({ kind: OfficeItemKind, id: z.uuid() });
const Row = Key.extend({
  version: z.number(),
  /** Sealed content; null if it is longer than the program writes. */
  sealed: z.instanceof(Uint8Array).nullable(),
  keyVersion: z.number(),
  seat: OfficeUserId,
  /** Number of rows within the limit; an answer contains only as many of them as fit. */
  found: z.number(),
  number: z.number(),
  age: z.number(),
});
const AllowedKindRow = z.object({ kind: OfficeItemKind, mayWrite: z.boolean() });

interface ItemContext extends ClaimContext {
  /** Collects unreadable items, with the user who wrote them. */
  readonly unreadable?: Map<string, OfficeUserId>;
  /** Names that this computer gave to files of the items that it writes next. */
  readonly givenNames?: FileNamesByItem | undefined;
}

export function createSharedItems(server: Transactions, context: ItemContext): SharedItems {
  const { office, newestKey, keyOf, unreadable = new Map<string, OfficeUserId>() } = context;
  return {
    async kinds() {
      const rows = await server.query(sql.kinds, [OfficeItemKind.options], AllowedKindRow);
      // The database defines what a user may do; the user's keys define what the user can do.
      return rows.filter(({ kind }) => !isForNumbers(kind) || newestKey().numbers !== null);
    },
    async changes(kinds, after, limit) {
      const rows = await server.query(sql.changes, [after, kinds, limit], Row);
      const items: SharedItem[] = [];
      for (const { sealed, keyVersion, found: _found, ...row } of rows) {
        const opened =
          sealed === null ? null : await openItem({ office, keyOf }, row, { sealed, keyVersion });
        if (opened === null) {
          unreadable.set(`${row.kind} ${row.id}`, row.seat);
          items.push({ ...row, content: null, isUnreadable: true });
          continue;
        }
        unreadable.delete(`${row.kind} ${row.id}`);
        const { content, isRemoved } = opened;
        items.push({ ...row, content, ...(isRemoved && { isRemoved }) });
      }
      const found = rows[0]?.found ?? 0;
      return { items, hasMore: found === limit || rows.length < found };
    },
    write: (versions) => writeItems(server, context, versions),
  };
}

async function writeItems(
  server: Transactions,
  context: ItemContext,
  versions: readonly NewItemVersion[],
): Promise<ReadonlySet<NewItemVersion>> {
  const { office, desk, seat, newestKey, mark } = context;
  const key = newestKey();
  const written = new Set<NewItemVersion>();
  for (let at = 0; at < versions.length; at += MAX_ITEMS_AT_ONCE) {
    const some = versions.slice(at, at + MAX_ITEMS_AT_ONCE);
    const { rows, raised } = await server.transaction(async (within) => {
      const { command, query } = within;
      await command(sql.alone, [LOCK]);
      const raised = await raiseMark(within, { desk }, mark, false);
      const sealed: Uint8Array[] = [];
      for (const one of some) {
        sealed.push(sealItem(office, key, one, await fileNames(within, context, one)));
      }
      const columns = [
        some.map(({ kind }) => kind),
        some.map(({ id }) => id),
        some.map(({ version }) => version),
        sealed,
      ];
      const rows = await query(sql.write, [...columns, key.version, desk, seat], Key);
      const gone = some.filter(({ kind, content }) => kind === 'draft' && content === null);
      const drafts = gone.map(({ id }) => id).filter((id) => rows.some((row) => row.id === id));
      if (drafts.length > 0) await command(sql.removeFiles, [drafts]);
      return { rows, raised };
    });
    mark.reached(raised);
    for (const one of some) {
      if (rows.some(({ kind, id }) => kind === one.kind && id === one.id)) written.add(one);
    }
  }
  return written;
}

/**
 * Returns the names of the files. Existing files have their names in the previous version of the
 * item; this computer chose the names of new files.
 */
async function fileNames(
  within: Statements,
  { office, keyOf, givenNames }: Pick<ItemContext, 'office' | 'keyOf' | 'givenNames'>,
  { kind, id, version, content }: NewItemVersion,
): Promise<FileNames> {
  if ((kind !== 'template' && kind !== 'draft') || content === null) return {};
  const before = version === 1 ? {} : await readFileNames(within, { office, keyOf }, { kind, id });
  const text = JSON.stringify(content);
  const all = Object.entries({ ...before, ...givenNames?.of({ kind, id }) });
  return Object.fromEntries(all.filter(([sha256]) => text.includes(sha256)));
}
