import type { AgreementId, ConnectionId, OutboxRef } from '../../../shared/model/ids.ts';
import type { Emit } from '../../../shared/contract/index.ts';
import type { IncompleteReason } from '../../../shared/contract/outbox.ts';
import { AppError, type Failure } from '../../../shared/errors.ts';
import type { ToFailure } from '../../../shared/wire.ts';
import { notListed, type OutboxTransitions } from './transitions.ts';
import { mismatch } from './freeze.ts';
import type { OutboxGates } from './gates.ts';
import { findHits, floorOf, isDatedWithin } from './hits.ts';
import type { ScanFindings } from './machine.ts';
import type { Hashing } from './marks.ts';
import type { Hit, AtKillPoint, ScanReading, Seen, StoredItem } from './ports.ts';
import { reconcileSigning } from './sign.ts';
import { CANARY_AGE, WATCH_ABANDONED } from './times.ts';
import { isUnused } from './uploads.ts';
import type { Clock, Stores } from '../ports.ts';
import { keepCopy } from '../services/fresh-copy.ts';
import type { Services } from '../services/services.ts';

/** More than one, since a colleague may have removed the newest. */
const CANARIES = 3;

export interface ScanPorts extends Hashing {
  readonly stores: Stores;
  readonly services: Services;
  readonly transitions: OutboxTransitions;
  readonly gates: OutboxGates;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly toFailure: ToFailure;
  readonly atKillPoint: AtKillPoint;
}

/** A scan as it was read, and by whom; null while the service was not reached. */
interface Scan {
  readonly from: number;
  readonly startedAt: number;
  readonly reading: ScanReading | null;
  readonly credential: string;
  readonly canary: OutboxRef | null;
  /** There is something sent that a complete scan would have to show. */
  readonly hasCanaries: boolean;
  readonly failure: Failure | null;
}

/**
 * Reconciles everything of a connection that is in doubt with the service: one scan serves all
 * its rows. Nothing is sent. Gives why the service was not reached; null when it was.
 */
export async function reconcile(
  ports: ScanPorts,
  connectionId: ConnectionId,
  signal: AbortSignal,
): Promise<Failure | null> {
  const since = ports.clock.now() - WATCH_ABANDONED;
  const sought = ports.stores.outbox.inDoubt(connectionId).filter((item) => isSought(item, since));
  for (const item of sought.filter(({ kind }) => kind === 'sign')) {
    await reconcileSigning(ports, item, signal);
  }
  const creates = sought.filter(({ kind }) => kind === 'create');
  return reconcileRows(ports, connectionId, creates, signal);
}

/**
 * Whether a scan reads the service for this row. A row whose scan is due always is, or that scan would stay due. A row
 * that ended is looked for beside others for a while: each one of long ago would have the list read from its time on. A
 * signature that was refused is read by itself, and has been.
 */
function isSought({ kind, state, track, updatedAt }: StoredItem, since: number): boolean {
  if (track.lookAt !== null || (state !== 'rejected' && state !== 'abandoned')) return true;
  const isRead = kind === 'sign' && state === 'rejected' && track.inconclusiveScans === 0;
  return updatedAt >= since && !isRead;
}

/** One reading of the service's list for these creates; gives why it was not reached. */
export async function reconcileRows(
  ports: ScanPorts,
  connectionId: ConnectionId,
  creates: readonly StoredItem[],
  signal: AbortSignal,
): Promise<Failure | null> {
  if (creates.length === 0) return null;
  const scan = await runScan(ports, connectionId, creates, signal);
  const hits = findHits(ports, creates, scan.reading);
  const settled = new Map(creates.map(({ ref }) => [ref, settledDoubles(ports, ref)]));
  record(ports, connectionId, scan, hits);
  for (const item of creates) {
    const found = hits.get(item.ref) ?? [];
    if (item.state === 'sent') reportDouble(ports, item, found, settled.get(item.ref) ?? []);
    else await judgeHits(ports, item, scan, found, signal);
  }
  ports.gates.updateBreaker(connectionId);
  ports.emit('agreements.changed', { connectionId, added: 0, changed: 1 });
  return scan.failure;
}

async function runScan(
  ports: ScanPorts,
  connectionId: ConnectionId,
  creates: readonly StoredItem[],
  signal: AbortSignal,
): Promise<Scan> {
  const { stores, services, gates, clock, toFailure, atKillPoint } = ports;
  const { outbox } = stores;
  const startedAt = clock.now();
  const canaries = outbox.canaries(connectionId, startedAt - CANARY_AGE, CANARIES);
  const from = Math.min(
    ...creates.map((item) => floorOf(stores, item)),
    ...canaries.slice(0, 1).map((item) => floorOf(stores, item)),
  );
  const templates = creates.flatMap(({ mark }) => (mark.by === 'field' ? mark.templateId : []));
  const hasCanaries = canaries.length > 0;
  const begun = { from, startedAt, hasCanaries };
  try {
    return await services.use(connectionId, async (service) => {
      const query = { from, templates: [...new Set(templates)] };
      const reading = await service.scan(query, () => atKillPoint('in-pass'), signal);
      const canary = canaries.find((item) => isShown(item, reading.seen))?.ref ?? null;
      return { ...begun, reading, credential: service.credential, canary, failure: null };
    });
  } catch (error) {
    const failure = toFailure(error, 'outbox.look');
    if (failure.code === 'limited') gates.limit(connectionId, failure);
    return { ...begun, reading: null, credential: '', canary: null, failure };
  }
}

function isShown({ remoteId, mark, ref }: StoredItem, seen: readonly Seen[]): boolean {
  return seen.some((one) => one.id === remoteId && (mark.by !== 'tag' || one.ref === ref));
}

function record(
  { stores, clock, gates }: ScanPorts,
  connectionId: ConnectionId,
  scan: Scan,
  hits: ReadonlyMap<OutboxRef, readonly Hit[]>,
): void {
  const { from, startedAt, reading, credential, canary } = scan;
  const incompleteReason = incompleteReasonOf(scan);
  stores.outbox.recordScan({
    connectionId,
    credential,
    from,
    startedAt,
    canary,
    lack: incompleteReason,
    hits,
    endedAt: clock.now(),
    serverAt: reading?.serverTime ?? gates.serverTime(connectionId),
    pages: reading?.pages ?? 0,
    agreements: reading?.seen.length ?? 0,
    isComplete: incompleteReason === null,
  });
}

/** Why the scan proves nothing for anybody; null when it does. */
function incompleteReasonOf({ reading, canary }: Scan): IncompleteReason | null {
  if (reading === null) return 'not-reached';
  if (reading.incompleteReason !== null) return reading.incompleteReason;
  return canary === null ? 'no-canary' : null;
}

/** Doubles of a row that a person was shown when they kept one of them (T19). */
export function settledDoubles(
  { stores }: { readonly stores: Pick<Stores, 'outbox'> },
  ref: OutboxRef,
): readonly AgreementId[] {
  const { outbox } = stores;
  if (outbox.journal(ref).every(({ to }) => to !== 'duplicate')) return [];
  return outbox.hits(ref).map(({ remoteId }) => remoteId);
}

/**
 * T20: what carries the mark of a sent row beside its own agreement is a double. Without a mark of
 * its own the same name and parties are, once the row was on the wire more than once.
 */
function reportDouble(
  { transitions }: ScanPorts,
  item: StoredItem,
  found: readonly Hit[],
  settled: readonly AgreementId[],
): void {
  const hits = found
    .filter(({ isMarked }) => isMarked || (isWeak(item) && item.attempts > 1))
    .map(({ remoteId }) => remoteId)
    .filter((id) => !settled.includes(id));
  const seen = { hits, lookalikes: 0, incompleteReason: null, serverAt: 0 } as const;
  transitions.apply(item.ref, { kind: 'pass', seen }, { cause: 'look' });
}

const isWeak = ({ mark }: StoredItem) => mark.by === 'token' || mark.by === 'nothing';

async function judgeHits(
  ports: ScanPorts,
  item: StoredItem,
  scan: Scan,
  found: readonly Hit[],
  signal: AbortSignal,
): Promise<void> {
  const { transitions, gates, atKillPoint } = ports;
  const serverAt = gates.timeOf(item.connectionId, scan.reading?.serverTime);
  const marked = found.filter(({ isMarked }) => isMarked).map(({ remoteId }) => remoteId);
  const alike = found.length - marked.length;
  // Without a hit, what became of the files changes nothing: each of many refused rows would ask for its own.
  const isOnce =
    item.mark.by === 'token' && found.length > 0 ? await tokenSays(ports, item, found) : null;
  const seen: ScanFindings = isOnce ?? {
    lookalikes: alike,
    incompleteReason: incompleteReasonFor(ports, item, scan),
    serverAt,
    ...(await confirmed(ports, item, marked, alike, signal)),
  };
  const unused = seen.hits.length === 0 && (await isKnownUnused(ports, item));
  atKillPoint('before-link');
  const judged =
    isOnce === null
      ? seen
      : {
          ...seen,
          incompleteReason: isOnce.incompleteReason ?? incompleteReasonFor(ports, item, scan),
          serverAt,
        };
  const after = transitions.apply(
    item.ref,
    { kind: 'pass', seen: judged },
    unused ? { cause: 'look', reason: nothingCreated } : aboutScan(item, scan, found, judged),
  );
  if (after === null) return;
  if (after.state === 'unknown' && after.track.cleanPasses === 1) atKillPoint('between-passes');
  if (after.state !== 'absent') return;
  const isOpen = gates.closed(item.connectionId).every(({ kind }) => kind === 'breaker');
  // A colleague may have revoked or deleted it by now: no list shows that, a file that still waits does.
  const absent = { kind: 'absent', mayResend: isOpen, isNeverMade: unused } as const;
  const reason = unused ? nothingCreated : notListed;
  transitions.apply(item.ref, absent, { cause: 'policy', reason });
}

type Confirmed = Pick<ScanFindings, 'hits'> &
  Partial<Pick<ScanFindings, 'lookalikes' | 'incompleteReason'>>;

/**
 * One hit is read by itself before it counts. What differs from what was sent is for a
 * person to judge; while it cannot be read, the scan proves nothing for this row.
 */
async function confirmed(
  { stores, services, clock }: ScanPorts,
  item: StoredItem,
  marked: readonly AgreementId[],
  alike: number,
  signal: AbortSignal,
): Promise<Confirmed> {
  const [only, ...others] = marked;
  if (only === undefined || others.length > 0 || item.remoteId === only) return { hits: marked };
  const { connectionId } = item;
  try {
    const remote = await services.use(connectionId, (service) => service.read(only, signal));
    keepCopy({ stores, clock }, connectionId, remote);
    const isIt = mismatch(stores, item, remote, only) === null;
    return isIt ? { hits: marked } : { hits: [], lookalikes: alike + 1 };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // Also where the list has it and it cannot be read yet: the next scan looks at it again.
    return { hits: [], incompleteReason: 'not-reached' };
  }
}

/** An unused token proves that nothing was made so far; a used one makes the one that fits it. */
async function tokenSays(
  ports: ScanPorts,
  item: StoredItem,
  found: readonly Hit[],
): Promise<(Pick<ScanFindings, 'hits' | 'lookalikes'> & Omit<ScanFindings, 'hits'>) | null> {
  const nothing = { lookalikes: 0, incompleteReason: null, serverAt: 0 } as const;
  try {
    if (await isUnused(ports, item)) return { hits: [], ...nothing };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { hits: [], ...nothing, incompleteReason: 'not-reached' };
  }
  const [only, ...others] = found;
  if (only === undefined || others.length > 0) return null;
  // The file may also be gone because it waited too long: an agreement of another time is for a person to judge.
  if (!isDatedWithin(ports, item, only)) return null;
  return { hits: [only.remoteId], ...nothing };
}

/**
 * Why the scan proves nothing for this row. A changed credential may belong to somebody else, who
 * sees other agreements. A service that said no needs no canary as long as there is none.
 */
function incompleteReasonFor(
  { stores }: ScanPorts,
  item: StoredItem,
  scan: Scan,
): IncompleteReason | null {
  const incompleteReason = incompleteReasonOf(scan);
  if (
    incompleteReason === 'not-reached' ||
    incompleteReason === 'unstable' ||
    incompleteReason === 'no-tags'
  )
    return incompleteReason;
  const last = stores.outbox.attempts(item.ref).at(-1);
  const isOther = last !== undefined && last.credential !== scan.credential;
  const isRefused = item.verify || item.state === 'rejected';
  if (isRefused) {
    if (incompleteReason === null || !scan.hasCanaries) return null;
    return isOther ? 'other-user' : incompleteReason;
  }
  return isOther ? 'other-user' : incompleteReason;
}

function aboutScan(
  { state, reason }: StoredItem,
  { failure }: Scan,
  found: readonly Hit[],
  { incompleteReason, hits, lookalikes }: ScanFindings,
) {
  const cause = 'look';
  if (hits.length === 1) return { cause };
  // What the service said of it stays said, unless a person has to compare.
  if (state !== 'unknown' && lookalikes === 0) return { cause, reason };
  const why = whyNot(found, failure, incompleteReason);
  const said = reason?.said;
  return { cause, reason: said === undefined ? why : { ...why, said } };
}

/** Files that were sent up for it still wait: nothing was made so far. */
async function isKnownUnused(ports: ScanPorts, item: StoredItem): Promise<boolean> {
  if (item.state !== 'unknown' || ports.stores.connections.get(item.connectionId).api === 'v1') {
    return false;
  }
  try {
    return await isUnused(ports, item);
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

const nothingCreated: Failure = {
  code: 'conflict',
  message: 'The service has not created the agreement so far: its uploaded files are still unused',
  reason: 'nothing-created',
};

function whyNot(
  found: readonly Hit[],
  failure: Failure | null,
  incompleteReason: IncompleteReason | null,
): Failure {
  const code = 'conflict';
  const reason = 'outcome-unknown';
  if (failure !== null) return { ...failure, reason };
  if (found.length > 0) {
    const ids = found.map(({ remoteId }) => remoteId).join(', ');
    const message = `It could be ${ids}. Check the agreement and decide whether it is this one`;
    return { code, reason, message };
  }
  return { code, reason, message: incompleteSentence(incompleteReason) };
}

function incompleteSentence(incompleteReason: IncompleteReason | null): string {
  switch (incompleteReason) {
    case 'no-canary':
      return 'The list of the service does not show earlier sends either, so it proves nothing';
    case 'other-user':
      return 'It was sent with another API key, and the list may not show agreements of that key. A person must decide';
    case 'unstable':
      return 'The list of the service kept changing while it was read';
    case 'no-tags':
      return 'The list of the service does not show the marks by which sends are recognised';
    case 'not-reached':
      return 'The service could not be reached';
    case 'too-early':
    case null:
      return 'The service does not show it. It may still appear';
  }
}
