import * as z from 'zod';
import type { FormerDesk, OfficeMark } from '../../core/mark-ports.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Statements } from './statements.ts';
import type { Transactions } from './server.ts';

interface MarkOwner {
  readonly desk: string;
  readonly seat: string;
}

const MarkCheckRow = z.object({
  mark: z.number().nullable(),
  isSame: z.boolean(),
  isAwaited: z.boolean(),
});
const EarlierMarkRow = z.object({ mark: z.number(), isSame: z.boolean() });
const VisitRow = z.object({ mark: z.number() });
const FormerMarkRow = z.object({ desk: z.string(), mark: z.number() });

const sql = {
  raise: `
    WITH raised AS (
      UPDATE desk SET mark = mark + 1 WHERE id = $1 AND mark >= $2 RETURNING mark)
    SELECT (SELECT mark FROM raised) AS mark, is_same_database() AS "isSame",
      is_someone_awaited() AS "isAwaited"`,
  before: `
    SELECT coalesce((SELECT mark FROM desk WHERE id = $1), 0) AS mark,
      is_same_database() AS "isSame"`,
  finishRemovals: 'SELECT finish_removals()',
  noticeOther: 'SELECT notice_other_database($1)',
  notice: 'SELECT notice_put_back($1, $2)',
  reached: 'SELECT id AS desk, mark FROM desk WHERE id = ANY ($1::uuid[])',
  // The lost computer had answered every earlier restore, so the notice that follows is about a new
  // restore.
  toldBefore: `
    UPDATE desk SET brought_back = (SELECT id FROM put_back ORDER BY number DESC LIMIT 1)
    WHERE id = $1`,
  make: `
    INSERT INTO desk (id, seat, version) VALUES ($1, $2, $3) ON CONFLICT (id) DO NOTHING`,
  visit: `
    UPDATE desk SET version = $2, seen_at = clock_timestamp(), mark = greatest(mark, $3) + 1
    WHERE id = $1 RETURNING mark`,
};

/**
 * Raises and returns this computer's mark within the transaction of its writes. Throws 'offline'
 * with 'office-put-back' if the office is older than what this computer wrote to it. For claims,
 * also throws while other computers have not reported what they know.
 */
export async function raiseMark(
  within: Statements,
  { desk }: Pick<MarkOwner, 'desk'>,
  mark: OfficeMark,
  isClaim: boolean,
): Promise<number> {
  const [raised] = await within.query(sql.raise, [desk, mark.read()], MarkCheckRow);
  const isOlder = raised?.isSame !== true || raised.mark === null;
  if (isOlder || (isClaim && raised.isAwaited)) throw officeRestoredError();
  return raised.mark ?? 0;
}

/**
 * Records that this computer uses the office. Detects for all computers that the office was
 * restored.
 */
export async function visitOffice(
  server: Transactions,
  { desk, seat, version }: MarkOwner & { readonly version: string },
  mark: OfficeMark,
): Promise<void> {
  const [least, former] = [mark.read(), mark.former()];
  const reached = await server.transaction(async (within) => {
    const [before] = await within.query(sql.before, [desk], EarlierMarkRow);
    const isSame = before?.isSame === true;
    await within.command(sql.finishRemovals);
    await within.command(sql.make, [desk, seat, version]);
    if (isSame && before.mark < least) await within.command(sql.notice, [desk, least]);
    if (!isSame) await within.command(sql.noticeOther, [desk]);
    else await detectOlderOffice(within, { seat, version }, former);
    const [visited] = await within.query(sql.visit, [desk, version, least], VisitRow);
    return visited?.mark ?? 0;
  });
  mark.reached(reached);
  if (former.length > 0) mark.compared(former);
}

/**
 * Detects that the office is older than the data of this computer, because the office was restored
 * or copied.
 */
async function detectOlderOffice(
  { query, command }: Statements,
  { seat, version }: { readonly seat: string; readonly version: string },
  former: readonly FormerDesk[],
): Promise<void> {
  if (former.length === 0) return;
  const found = await query(sql.reached, [former.map((one) => one.desk)], FormerMarkRow);
  const reached = new Map(found.map((one) => [one.desk, one.mark]));
  for (const one of former.filter((each) => (reached.get(each.desk) ?? 0) < each.mark)) {
    await command(sql.make, [one.desk, seat, version]);
    if (!reached.has(one.desk)) await command(sql.toldBefore, [one.desk]);
    await command(sql.notice, [one.desk, one.mark]);
  }
}

const officeRestoredError = (): AppError =>
  new AppError(
    'offline',
    'The office’s database was restored from a backup. Sending waits until every computer has reported what it sent since then',
    { reason: 'office-put-back' },
  );
