import { existsSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import type { Database } from '../../electron/adapters/sqlite/database/database.ts';
import { openDatabase } from '../../electron/adapters/sqlite/open/open.ts';
import { createStores } from '../../electron/adapters/sqlite/stores.ts';
import { dataKey } from '../../electron/adapters/vault/data-key.ts';
import { createVault } from '../../electron/adapters/vault/vault.ts';
import { databaseFile } from '../../electron/compose/data.ts';
import type { Demo } from '../../electron/demo/start.ts';
import { SendMark } from '../../shared/contract/outbox.ts';
import { tidiedName } from '../../shared/rules/text/tidied-name.ts';
import type { TakenBack } from './weather.ts';

/** Outcome of every row, according to the service and the program. */
export interface ValidationResult {
  readonly rows: number;
  readonly states: ReadonlyMap<string, number>;
  /** Agreements beyond one for each row and each recorded decision to send again. */
  readonly duplicates: number;
  /**
   * Number of further duplicates that a colleague revoked or deleted before a scan could show them.
   * The service had denied their requests but carried them out, and its answer cannot be
   * distinguished from a true one.
   */
  readonly deniedAndTakenBack: number;
  /** Timeline of each row with a duplicate, in seconds of the program's time. */
  readonly twice: readonly string[];
  readonly resent: number;
  readonly stuck: number;
  /** Faults, each with the number of the broken invariant (I2 to I12 below). */
  readonly wrong: readonly string[];
  readonly posts: number;
  readonly mostInDoubt: number;
}

/** Maximum concurrency plus the unknown rows that the circuit breaker allows. */
const MAX_IN_DOUBT = 8;
/** Status codes after which a row is sent again automatically, once a scan shows no match. */
const TURNED_AWAY: ReadonlySet<number> = new Set([401, 429]);
const ENDS = ['sent', 'rejected', 'cancelled', 'abandoned', 'human', 'duplicate'];

const Row = z.object({
  ref: z.string(),
  state: z.string(),
  remoteId: z.string().nullable(),
  attempts: z.number(),
  sha256: z.string(),
  mark: z.string(),
});
type Row = z.infer<typeof Row>;

const Step = z.object({
  at: z.number(),
  ref: z.string(),
  from: z.string().nullable(),
  to: z.string(),
  actor: z.string(),
  cause: z.string(),
});
type Step = z.infer<typeof Step>;

const sql = {
  rows: `SELECT ref, state, remote_id AS remoteId, n_wire AS attempts, body_sha256 AS sha256, mark
    FROM outbox WHERE state <> 'staged'`,
  journal: `SELECT at, ref, from_state AS "from", to_state AS "to", actor, cause
    FROM journal ORDER BY number`,
};

const ScanEnd = z.object({ endedAt: z.number() });
type ScanEnd = z.infer<typeof ScanEnd>;

/** Facts about a run that are not in its data file. */
interface Facts {
  readonly demo: Demo;
  readonly api: 'v1' | 'v2';
  readonly lost: Ledger;
  readonly takenBack: ReadonlyMap<string, TakenBack>;
}

/** Checks the service's log and the data file together. */
export async function checkAll(of: DataFolder & Facts): Promise<ValidationResult> {
  const database = await openLeft(of);
  try {
    return judge(of, database);
  } finally {
    database.close();
  }
}

/** Attempts of each row, and resends that a person decided. */
export type Ledger = ReadonlyMap<string, { readonly attempts: number; readonly again: number }>;

/** Rows in the data file. Empty before they are armed, because none can be sent before that. */
export async function readLedger(of: DataFolder): Promise<Ledger> {
  if (!existsSync(databaseFile(path.join(of.folder, 'data')))) return new Map();
  const database = await openLeft(of);
  try {
    const again = sentAgain(database.query(sql.journal, Step).all());
    const rows = database.query(sql.rows, Row).all();
    return new Map(
      rows.map(({ ref, attempts }) => [ref, { attempts, again: again.get(ref) ?? 0 }]),
    );
  } finally {
    database.close();
  }
}

/** Number of decisions of a person to send a row again. */
const sentAgain = (journal: readonly Step[]) =>
  count(
    journal.filter(
      ({ from, to, actor }) => from === 'human' && to === 'queued' && actor === 'person',
    ),
    ({ ref }) => ref,
  );

/** Remaining work of a program that does not settle, for the person who looks for the fault. */
export async function whatIsLeft(of: DataFolder): Promise<string> {
  const database = await openLeft(of);
  try {
    const { outbox } = createStores(database);
    const open = ['queued', 'sending', 'unknown', 'absent', 'human'] as const;
    const rows = open.flatMap((state) =>
      outbox.inState(state).map(({ ref, verify, attempts, nextAt, track, reason }) => ({
        ref,
        state,
        verify,
        attempts,
        nextAt,
        track,
        reason: reason?.reason,
      })),
    );
    return JSON.stringify({ gates: outbox.gates(), batches: outbox.batches(0), rows }, null, 1);
  } finally {
    database.close();
  }
}

export interface DataFolder {
  readonly folder: string;
  readonly keyfile: string;
}

export async function openLeft({ folder, keyfile }: DataFolder): Promise<Database> {
  const dataDir = path.join(folder, 'data');
  const vault = createVault({ store: 'keyfile', path: keyfile, dataDir });
  const key = await dataKey(vault, { databaseExists: true });
  return openDatabase({ file: databaseFile(dataDir), key, now: 0 });
}

function judge({ demo, api, lost, takenBack }: Facts, database: Database): ValidationResult {
  const rows = database.query(sql.rows, Row).all();
  const journal = database.query(sql.journal, Step).all();
  const scans = database
    .query('SELECT ended_at AS endedAt FROM pass WHERE is_complete = 1', ScanEnd)
    .all();
  const agreements = everMade({ demo, api, takenBack });
  const made = agreementsByRow(agreements, rows);
  const posts = demo.requests.filter(
    ({ method, url }) => method === 'POST' && url.endsWith('/agreements'),
  );
  const kept = sentAgain(journal);
  const again = new Map(
    rows.map(({ ref }) => [ref, (kept.get(ref) ?? 0) + (lost.get(ref)?.again ?? 0)]),
  );
  const beyond = rows.map(({ ref }) =>
    Math.max(0, (made.get(ref)?.length ?? 0) - 1 - (again.get(ref) ?? 0)),
  );
  const unseen = rows.map(({ ref, sha256 }, index) => {
    const gone = (made.get(ref) ?? []).filter((id) => takenBack.has(id)).length;
    const denied = posts.filter(
      ({ bodySha256, status }) => bodySha256 === sha256 && TURNED_AWAY.has(status),
    ).length;
    return Math.min(beyond[index] ?? 0, gone, denied);
  });
  const excess = beyond.map((one, index) => one - (unseen[index] ?? 0));
  const mostInDoubt = inDoubt(journal);
  return {
    rows: rows.length,
    states: count(rows, ({ state }) => state),
    duplicates: sum(excess),
    deniedAndTakenBack: sum(unseen),
    twice: rows.flatMap((row, index) =>
      beyond[index] === 0 ? [] : [storyOf(row, { journal, posts, scans })],
    ),
    resent: [...again.values()].reduce((sum, one) => sum + one, 0),
    stuck: rows.filter(({ state }) => !ENDS.includes(state)).length,
    wrong: [
      ...rows.flatMap((row) => wrongOf(row, made.get(row.ref) ?? [], takenBack)),
      ...wrongPosts(
        rows.map((row) => ({
          ...row,
          attempts: row.attempts + (lost.get(row.ref)?.attempts ?? 0),
        })),
        posts.map(({ bodySha256 }) => bodySha256),
      ),
      ...wrongResends(journal, scans),
      ...journal.flatMap(({ ref, from, to }) =>
        from === 'sent' && to !== 'sent' && to !== 'duplicate' ? `I5: ${ref} left sent` : [],
      ),
      ...(createStores(database).outbox.journalBreak() === null ? [] : ['I11: the journal breaks']),
      ...(mostInDoubt > MAX_IN_DOUBT ? [`I9: ${String(mostInDoubt)} rows in doubt`] : []),
      ...wrongCounts(shownCounts(database), rows, { made, takenBack, existing: agreements.length }),
    ],
    posts: posts.length,
    mostInDoubt,
  };
}

/**
 * Times of a row's requests, state changes and complete scans, by the program's clock if possible.
 */
function storyOf(
  { ref, sha256 }: Row,
  facts: {
    readonly journal: readonly Step[];
    readonly posts: Demo['requests'];
    readonly scans: readonly ScanEnd[];
  },
): string {
  const steps = facts.journal.filter((step) => step.ref === ref);
  const [first, last] = [steps[0]?.at ?? 0, steps.at(-1)?.at ?? 0];
  const all = [
    ...steps.map(({ at, to, cause }) => ({ at, what: `${to} (${cause})` })),
    ...facts.posts
      .filter(({ bodySha256 }) => bodySha256 === sha256)
      .map(({ at, status }) => ({ at, what: `request (${String(status)})` })),
    ...facts.scans
      .filter(({ endedAt }) => endedAt >= first && endedAt <= last)
      .map(({ endedAt }) => ({ at: endedAt, what: 'scan' })),
  ].toSorted((one, other) => one.at - other.at);
  const told = all.map(({ at, what }) => `${String(Math.round((at - first) / 1000))} ${what}`);
  return `${ref} is there twice: ${told.join(', ')}`;
}

/** Number of rows in each state on the outbox's screen. */
function shownCounts(database: Database): ReadonlyMap<string, number> {
  const batches = createStores(database).outbox.batches(0);
  const states = batches.flatMap(({ counts }) => Object.entries(counts));
  const shown = new Map<string, number>();
  for (const [state, rows] of states) shown.set(state, (shown.get(state) ?? 0) + rows);
  return shown;
}

/**
 * I12: the screen, the data file and the service have the same numbers. An agreement that a
 * colleague revoked or deleted may have been reported as sent before.
 */
function wrongCounts(
  shown: ReadonlyMap<string, number>,
  rows: readonly Row[],
  service: {
    readonly made: ReadonlyMap<string, readonly string[]>;
    readonly takenBack: Facts['takenBack'];
    readonly existing: number;
  },
): readonly string[] {
  const kept = count(rows, ({ state }) => state);
  const differing = [...new Set([...shown.keys(), ...kept.keys()])].filter(
    (state) => (shown.get(state) ?? 0) !== (kept.get(state) ?? 0),
  );
  const ids = [...service.made.values()];
  const withOne = ids.filter((one) => one.length > 0).length;
  const least = ids.filter((one) => one.some((id) => !service.takenBack.has(id))).length;
  const reported = (shown.get('sent') ?? 0) + (shown.get('duplicate') ?? 0);
  const compare = (what: string, is: number, from: number, to = from) =>
    is >= from && is <= to
      ? []
      : [`I12: ${what}: ${String(is)}, not ${String(from)} to ${String(to)}`];
  return [
    ...differing.flatMap((state) =>
      compare(`shown as ${state}`, shown.get(state) ?? 0, kept.get(state) ?? 0),
    ),
    ...compare('rows told as sent', reported, least, withOne),
    ...compare('agreements at the service', service.existing, ids.flat().length),
  ];
}

interface Made {
  readonly id: string;
  readonly title: string;
  readonly tags: Readonly<Record<string, unknown>>;
}

/** Agreements that the service has, or had until they were deleted. */
function everMade({ demo, api, takenBack }: Omit<Facts, 'lost'>): readonly Made[] {
  const deleted = [...takenBack].flatMap(([id, { title, tags, isDeleted }]) =>
    isDeleted ? [{ id, title, tags }] : [],
  );
  if (api === 'v1') return [...demo.agreements.v1(), ...deleted];
  const now = demo.agreements.v2().map(({ referenceNumber, name }) => {
    return { id: referenceNumber, title: name, tags: {} };
  });
  return [...now, ...deleted];
}

/** Ids on the service by row: a v1 agreement has a tag, a v2 agreement a name with a code. */
function agreementsByRow(
  agreements: readonly Made[],
  rows: readonly Row[],
): ReadonlyMap<string, readonly string[]> {
  const byName = new Map(rows.map(({ ref, mark }) => [tidiedName(nameIn(mark)), ref]));
  const made = new Map<string, string[]>();
  for (const { id, title, tags } of agreements) {
    const tag = tags['desk.ref'];
    const ref = typeof tag === 'string' ? tag : byName.get(tidiedName(title));
    if (ref !== undefined) made.set(ref, [...(made.get(ref) ?? []), id]);
  }
  return made;
}

function nameIn(mark: string): string {
  const parsed = SendMark.parse(JSON.parse(mark));
  return parsed.by === 'name' ? parsed.name : '';
}

function wrongOf(
  { ref, state, remoteId }: Row,
  made: readonly string[],
  takenBack: Facts['takenBack'],
): readonly string[] {
  if (state === 'sent' && (remoteId === null || !made.includes(remoteId))) {
    return [`I7: ${ref} is sent, and the service has ${String(made.length)}`];
  }
  const isNone = state === 'rejected' || state === 'cancelled';
  if (isNone && made.some((id) => !takenBack.has(id)))
    return [`I8: ${ref} is ${state}, and the service has it`];
  return [];
}

/** I2 and I4: only frozen bytes arrive, and not more often than was recorded before. */
function wrongPosts(rows: readonly Row[], hashes: readonly string[]): readonly string[] {
  const known = new Map(rows.map((row) => [row.sha256, row]));
  const wrong: string[] = [];
  for (const [hash, times] of count(hashes, (one) => one)) {
    const row = known.get(hash);
    if (row === undefined) wrong.push(`I4: a request that nobody froze`);
    else if (times > row.attempts) {
      wrong.push(
        `I2: ${row.ref} came ${String(times)} times, written down ${String(row.attempts)}`,
      );
    }
  }
  return wrong;
}

/**
 * I3: after a request was sent, the program repeats it automatically only after two complete scans
 * without a match; otherwise a person must decide.
 */
function wrongResends(journal: readonly Step[], scans: readonly ScanEnd[]): readonly string[] {
  const ended = new Map<string, number>();
  const wrong: string[] = [];
  for (const { at, ref, from, to, actor } of journal) {
    if (from === 'sending') ended.set(ref, at);
    if (to !== 'queued' || from === null || from === 'queued' || from === 'sending') continue;
    const since = ended.get(ref) ?? 0;
    const clean = scans.filter(({ endedAt }) => endedAt >= since && endedAt <= at).length;
    const isProven = from === 'absent' && clean >= 2;
    if (!isProven && actor !== 'person') {
      wrong.push(`I3: ${ref} went again from ${from} after ${String(clean)} clean passes`);
    }
  }
  return wrong;
}

/**
 * I9: returns the maximum number of rows with an unknown outcome at a time, without restored rows.
 */
function inDoubt(journal: readonly Step[]): number {
  const doubtful = new Set<string>();
  const restored = new Set<string>();
  let most = 0;
  for (const { ref, to, cause } of journal) {
    if (cause === 'restored') restored.add(ref);
    else if (to !== 'unknown') restored.delete(ref);
    if ((to === 'sending' || to === 'unknown') && !restored.has(ref)) doubtful.add(ref);
    else doubtful.delete(ref);
    most = Math.max(most, doubtful.size);
  }
  return most;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

function count<Value>(
  values: readonly Value[],
  keyOf: (value: Value) => string,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(keyOf(value), (counts.get(keyOf(value)) ?? 0) + 1);
  return counts;
}
