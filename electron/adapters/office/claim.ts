import * as z from 'zod';
import type {
  ClaimResult,
  ClaimHolder,
  Operation,
  OperationKind,
} from '../../core/office/ports.ts';
import { isSeenClaim } from '../../../shared/rules/office/seen-claim.ts';
import { epochMillisSql } from './columns.ts';
import type { Statements } from './statements.ts';

/**
 * Kinds of operations whose outcome no scan of the outbox determines. The next operation of such a
 * kind may follow after a person's decision, or after some time.
 */
const UNSCANNED_KINDS: readonly OperationKind[] = ['remind', 'remove', 'change'];

/** An operation with sealed details, as stored. */
export interface SealedOperation extends Pick<Operation, 'id' | 'kind' | 'keys'> {
  readonly sealed: Uint8Array;
}

interface Claimer {
  readonly desk: string;
  readonly seat: string;
  readonly keyVersion: number;
}

const holderColumnsSince = (startedAt: string): string => `o.id, o.desk, o.seat, o.state,
  ${epochMillisSql(startedAt)} AS "startedAt", ${epochMillisSql('o.settled_at')} AS "settledAt",
  ${epochMillisSql(`clock_timestamp() - coalesce(o.settled_at, ${startedAt})`)} AS age`;
const holderColumns = holderColumnsSince('o.started_at');
// A claim can name an earlier start than the claim before it; the later start counts.
const latestStartSql = `greatest(o.started_at,
  max(o.started_at) FILTER (WHERE o.state <> 'released') OVER (PARTITION BY c.key))`;

const sql = {
  // This lock needs a separate statement: a statement that waited for the lock would still see the
  // earlier state. Other users cannot lock this row, as they could an advisory lock.
  alone: 'SELECT id FROM desk WHERE id = $1 FOR NO KEY UPDATE',
  // Rows are locked until the end of the transaction, so that no other computer settles the
  // operation or takes it over.
  known: `
    SELECT '' AS key, 0 AS generation, ${holderColumns},
      ARRAY(SELECT encode(c.key, 'hex') FROM claim c WHERE c.operation = o.id) AS keys
    FROM operation o WHERE o.id = ANY($1::uuid[]) ORDER BY o.id FOR UPDATE`,
  // Releasing an operation frees only that operation; an earlier one that it followed still counts.
  newest: `
    SELECT DISTINCT ON (c.key) encode(c.key, 'hex') AS key, c.generation,
      max(c.generation) OVER (PARTITION BY c.key) AS last, ${holderColumnsSince(latestStartSql)}
    FROM claim c JOIN operation o ON o.id = c.operation
    WHERE c.key = ANY($1::bytea[])
    ORDER BY c.key, (o.state = 'released'), c.generation DESC`,
  all: `
    SELECT encode(c.key, 'hex') AS key, c.generation, ${holderColumns}
    FROM claim c JOIN operation o ON o.id = c.operation AND o.state <> 'released'
    WHERE c.key = ANY($1::bytea[]) ORDER BY c.key, c.generation DESC`,
  // The details for other computers may have changed, such as the credential.
  again: `
    UPDATE operation o SET state = 'claimed', settled_at = NULL, sealed = a.sealed, key_version = $3
    FROM (SELECT * FROM unnest($1::uuid[], $2::bytea[]) a (id, sealed) ORDER BY a.id) a
    WHERE o.id = a.id`,
  begin: `
    INSERT INTO operation (id, kind, desk, seat, state, sealed, key_version)
    SELECT o.id, o.kind, $4, $5, 'claimed', o.sealed, $6
    FROM unnest($1::uuid[], $2::text[], $3::bytea[]) o (id, kind, sealed) ORDER BY o.id
    ON CONFLICT (id) DO UPDATE SET state = 'claimed', desk = excluded.desk, sealed = excluded.sealed,
      key_version = excluded.key_version, started_at = clock_timestamp(), settled_at = NULL`,
  // Keys are inserted in a fixed order, so that transactions with common keys cannot deadlock.
  claim: `
    INSERT INTO claim (key, generation, operation)
    SELECT k.key, k.generation, k.operation
    FROM unnest($1::bytea[], $2::integer[], $3::uuid[])
      WITH ORDINALITY k (key, generation, operation, place)
    ORDER BY k.key, k.place
    ON CONFLICT (key, generation) DO NOTHING
    RETURNING encode(key, 'hex') AS key, generation, operation`,
  // Deletes only the claims of this attempt. Claims of earlier generations must stay: they show
  // what an operation has released.
  takeBack: `
    DELETE FROM claim c USING unnest($1::bytea[], $2::integer[]) k (key, generation)
    WHERE c.key = k.key AND c.generation = k.generation`,
  // The operation's computer may have learned the outcome in the meantime. Then the operation is
  // not given up, and no other operation follows it.
  giveUp: `
    UPDATE operation SET state = 'given-up', desk = $2, settled_at = clock_timestamp()
    WHERE id = ANY($1::uuid[]) AND state = 'unknown' RETURNING id`,
  release: `
    UPDATE operation SET state = $2, settled_at = clock_timestamp()
    WHERE id = ANY($1::uuid[])`,
};

export const StateColumn = z.enum(['claimed', 'done', 'unknown', 'given-up', 'released']);
const Holder = z.object({
  key: z.string(),
  id: z.string(),
  generation: z.number(),
  desk: z.string(),
  seat: z.string(),
  state: StateColumn,
  startedAt: z.number(),
  settledAt: z.number().nullable(),
  age: z.number(),
}) satisfies z.ZodType<ClaimHolder>;
const Id = z.object({ id: z.string() });
/** Holder of a key; `last` is the highest generation of the key. */
const NewestHolder = Holder.extend({ last: z.number() });
type NewestHolder = z.infer<typeof NewestHolder>;
const KnownHolder = Holder.extend({ keys: z.array(z.string()) });
const WonClaimRow = z.object({ key: z.string(), generation: z.number(), operation: z.string() });

/**
 * Whether the operation was given up at another computer of this user (which had the same data), or
 * by this computer after it took the operation over from another user. A person who has seen this
 * can send the row again.
 */
const isGivenUpByOther = (earlier: ClaimHolder | undefined, who: Claimer): boolean =>
  earlier?.state === 'given-up' && (earlier.seat === who.seat) !== (earlier.desk === who.desk);

/**
 * Whether this computer continues its own operation, which has been waiting or is sent again after
 * an unknown outcome. An operation that this computer gave up was waiting for other computers.
 */
const isOwn = (earlier: ClaimHolder | undefined, { desk, seat }: Claimer): boolean =>
  earlier?.desk === desk &&
  (['claimed', 'unknown'].includes(earlier.state) ||
    (earlier.state === 'given-up' && earlier.seat === seat));

interface NewClaim {
  readonly key: Uint8Array;
  readonly generation: number;
  readonly operation: string;
}

/**
 * Claims each operation with all of its keys or not at all, in the given order, within a
 * transaction. Two attempts may claim the same operation, and so may a request of a killed process
 * that is still in flight. Transactions of one computer run one after the other, so neither attempt
 * blocks the other.
 */
export async function claimAll(
  within: Statements,
  operations: readonly SealedOperation[],
  who: Claimer,
): Promise<readonly ClaimResult[]> {
  await within.command(sql.alone, [who.desk]);
  const known = await within.query(sql.known, [operations.map(({ id }) => id)], KnownHolder);
  const byId = new Map(known.map((one) => [one.id, one]));
  // A computer whose data was restored has operations that it released, or that a person gave up,
  // under its earlier computer ID.
  const fresh = operations.filter(({ id }) => (byId.get(id)?.state ?? 'released') === 'released');
  const left = operations.filter(
    ({ id, kind }) => !UNSCANNED_KINDS.includes(kind) && isGivenUpByOther(byId.get(id), who),
  );
  const held = new Map(await insertAllClaims(within, fresh, who, 'released'));
  for (const [id, holders] of await insertAllClaims(within, left, who, 'given-up'))
    held.set(id, holders);
  const begun = new Set([...fresh, ...left].map(({ id }) => id));
  const open = operations.filter(({ id }) => isOwn(byId.get(id), who));
  // An earlier version of the program claimed fewer keys for the operation, or the draft was shared
  // after the claim.
  const widened = open.flatMap((one): SealedOperation[] => {
    const own = new Set(byId.get(one.id)?.keys);
    const keys = claimedKeys(one).filter(({ key }) => !own.has(hex(key)));
    return keys.length === 0 ? [] : [{ ...one, keys }];
  });
  for (const [id, holders] of await insertAllClaims(within, widened, who, null))
    held.set(id, holders);
  for (const [id, holders] of await claimAfterOthers(within, open, held)) held.set(id, holders);
  // These operations are sent again because a person decided so, or because the agreement is proven
  // absent. If they were not given up, two computers would wait for each other.
  const waits = open.filter(({ id, kind }) => held.has(id) && !UNSCANNED_KINDS.includes(kind));
  if (waits.length > 0) await within.command(sql.giveUp, [waits.map(({ id }) => id), who.desk]);
  const again = open.filter(({ id }) => !held.has(id));
  if (again.length > 0) {
    const columns = [again.map(({ id }) => id), again.map(({ sealed }) => sealed)];
    await within.command(sql.again, [...columns, who.keyVersion]);
  }
  return operations.map(({ id }): ClaimResult => {
    const holders = held.get(id);
    if (holders !== undefined) return { id, ok: false, held: holders };
    const earlier = byId.get(id);
    // The reply to an earlier claim was lost, or the operation was waiting; otherwise the operation
    // was settled by this computer or another one.
    if (earlier === undefined || begun.has(id)) return { id, ok: true };
    return isOwn(earlier, who) ? { id, ok: true } : { id, ok: false, held: [earlier] };
  });
}

/**
 * Returns the operations that hold keys of open operations and that no person at this computer has
 * seen, by ID of the open operation. They exist only after a restore of the database, when two
 * computers may have reported the same send. An open operation that follows others claims its keys
 * again. If two computers do that at the same time, only one succeeds.
 */
async function claimAfterOthers(
  within: Statements,
  open: readonly SealedOperation[],
  before: ReadonlyMap<string, unknown>,
): Promise<ReadonlyMap<string, readonly ClaimHolder[]>> {
  // An act that follows another act of unknown outcome gives the earlier act up.
  const sends = open.filter(({ id, kind }) => !UNSCANNED_KINDS.includes(kind) && !before.has(id));
  if (sends.length === 0) return new Map();
  // The newest claims are read first: a later claim is either found below, or has the generation
  // that this operation needs.
  const newest = await newestHolderOf(within, sends);
  const keys = sends.flatMap((one) => one.keys.map(({ key }) => key));
  const byKey = Map.groupBy(await allHolders(within, keys), ({ key }) => key);
  const othersOf = ({ id }: SealedOperation, key: Uint8Array): readonly ClaimHolder[] =>
    (byKey.get(hex(key)) ?? []).filter((one) => one.id !== id);
  const held = new Map(
    sends
      .map((one) => {
        const others = one.keys.flatMap(({ key, seen }) =>
          othersOf(one, key).filter((other) => !isSeenClaim(other, seen)),
        );
        return [one.id, others] as const;
      })
      .filter(([, others]) => others.length > 0),
  );
  const followed = sends.flatMap((one): SealedOperation[] => {
    const shared = one.keys.filter(({ key }) => othersOf(one, key).length > 0);
    return held.has(one.id) || shared.length === 0 ? [] : [{ ...one, keys: shared }];
  });
  const lost = await insertClaims(within, followed, newest, null);
  for (const { id } of lost) {
    const one = sends.find((send) => send.id === id);
    held.set(id, one?.keys.flatMap(({ key }) => othersOf(one, key)) ?? []);
  }
  return held;
}

/**
 * Claims the keys of the operations, and returns the holders of the keys that could not be claimed.
 * If `before` is set, the operations are also written, and those that were not claimed return to
 * that state.
 */
async function insertAllClaims(
  within: Statements,
  operations: readonly SealedOperation[],
  who: Claimer,
  before: 'released' | 'given-up' | null,
): Promise<ReadonlyMap<string, readonly ClaimHolder[]>> {
  if (operations.length === 0) return new Map();
  const newest = await newestHolderOf(within, operations);
  const held = new Map<string, readonly ClaimHolder[]>();
  for (const one of operations) {
    const holders = holdersOf(one, newest);
    if (holders.length > 0) held.set(one.id, holders);
  }
  for (const [id, holders] of await giveUpSeenOperations(within, operations, newest, held, who)) {
    held.set(id, holders);
  }
  const wanted = operations.filter(({ id }) => !held.has(id));
  if (before !== null) await beginOperation(within, wanted, who);
  const lost = await insertClaims(within, wanted, newest, before);
  if (lost.length > 0) {
    // The faster transaction has committed: the INSERT waited for it.
    const since = await newestHolderOf(within, lost);
    for (const one of lost) held.set(one.id, holdersOf(one, since));
  }
  return held;
}

/**
 * Gives up the acts of unknown outcome that these operations follow. Returns, by operation, the
 * followed acts that were settled in the meantime.
 */
async function giveUpSeenOperations(
  within: Statements,
  operations: readonly SealedOperation[],
  newest: ReadonlyMap<string, NewestHolder>,
  held: ReadonlyMap<string, readonly ClaimHolder[]>,
  { desk }: Claimer,
): Promise<ReadonlyMap<string, readonly ClaimHolder[]>> {
  const followed = operations
    .filter(({ id }) => !held.has(id))
    .map(({ id, keys }) => ({
      id,
      before: keys.flatMap(({ key }) => newest.get(hex(key)) ?? []),
    }))
    .map(({ id, before }) => ({ id, before: before.filter(({ state }) => state === 'unknown') }))
    .filter(({ before }) => before.length > 0);
  if (followed.length === 0) return new Map();
  const ids = followed.flatMap(({ before }) => before.map(({ id }) => id));
  const given = new Set((await within.query(sql.giveUp, [ids, desk], Id)).map(({ id }) => id));
  const settled = followed.filter(({ before }) => before.some(({ id }) => !given.has(id)));
  return new Map(settled.map(({ id, before }) => [id, before]));
}

async function beginOperation(
  { command }: Statements,
  operations: readonly SealedOperation[],
  { desk, seat, keyVersion }: Claimer,
): Promise<void> {
  if (operations.length === 0) return;
  const columns = [
    operations.map(({ id }) => id),
    operations.map(({ kind }) => kind),
    operations.map(({ sealed }) => sealed),
  ];
  await command(sql.begin, [...columns, desk, seat, keyVersion]);
}

/**
 * Inserts claims. Returns the operations of which another one already holds a key; all new claims
 * of these operations are removed.
 */
async function insertClaims(
  within: Statements,
  operations: readonly SealedOperation[],
  newest: ReadonlyMap<string, NewestHolder>,
  before: 'released' | 'given-up' | null,
): Promise<readonly SealedOperation[]> {
  if (operations.length === 0) return [];
  const claims = operations.flatMap((one): NewClaim[] =>
    claimedKeys(one).map(({ key }) => ({
      key,
      generation: (newest.get(hex(key))?.last ?? 0) + 1,
      operation: one.id,
    })),
  );
  const won = await within.query(sql.claim, columnsOf(claims), WonClaimRow);
  const wonBy = Map.groupBy(won, ({ operation }) => operation);
  const lost = operations.filter(
    (one) => (wonBy.get(one.id)?.length ?? 0) < claimedKeys(one).length,
  );
  if (lost.length === 0) return [];
  const back = lost.flatMap(({ id }) => wonBy.get(id) ?? []);
  const keys = back.map(({ key }) => Buffer.from(key, 'hex'));
  await within.command(sql.takeBack, [keys, back.map(({ generation }) => generation)]);
  if (before !== null) {
    await within.command(sql.release, [lost.map(({ id }) => id), before]);
  }
  return lost;
}

/** Returns the keys to claim, without keys that only earlier versions of the program claimed. */
export const claimedKeys = ({ keys }: Pick<Operation, 'keys'>): Operation['keys'] =>
  keys.filter(({ isOlder }) => isOlder !== true);

const columnsOf = (claims: readonly NewClaim[]) => [
  claims.map(({ key }) => key),
  claims.map(({ generation }) => generation),
  claims.map(({ operation }) => operation),
];

async function newestHolderOf(
  within: Statements,
  operations: readonly SealedOperation[],
): Promise<ReadonlyMap<string, NewestHolder>> {
  const keys = operations.flatMap((one) => one.keys.map(({ key }) => key));
  return new Map((await newestHolders(within, keys)).map((row) => [row.key, row]));
}

/**
 * Returns the newest generation of each key that was not released; if all were released, the newest
 * one.
 */
export function newestHolders(
  within: Statements,
  keys: readonly Uint8Array[],
): Promise<readonly NewestHolder[]> {
  return within.query(sql.newest, [keys], NewestHolder);
}

/**
 * Returns every unreleased operation that holds one of these keys, the newest of each key first.
 */
export function allHolders(
  within: Pick<Statements, 'query'>,
  keys: readonly Uint8Array[],
): Promise<readonly ClaimHolder[]> {
  return within.query(sql.all, [keys], Holder);
}

/**
 * Returns the operations that this one may not follow: no person at this computer has seen them, or
 * their outcome is unknown.
 */
function holdersOf(
  { id, kind, keys }: SealedOperation,
  newest: ReadonlyMap<string, NewestHolder>,
): readonly ClaimHolder[] {
  return keys.flatMap(({ key, seen }) => {
    const found = newest.get(hex(key));
    if (found === undefined || found.state === 'released') return [];
    const isOver = found.state === 'done' || found.state === 'given-up';
    const mayFollow = isOver || (found.state === 'unknown' && UNSCANNED_KINDS.includes(kind));
    const isFollowed = mayFollow && isSeenClaim(found, seen);
    if (isFollowed && (found.id !== id || found.state === 'given-up')) return [];
    return [found];
  });
}

export const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
