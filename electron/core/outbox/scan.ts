import type { AgreementId, ConnectionId, OutboxRef } from '../../../shared/model/ids.ts';
import type { Emit } from '../../../shared/contract/index.ts';
import type { IncompleteReason } from '../../../shared/contract/outbox.ts';
import { AppError, type Failure } from '../../../shared/errors.ts';
import type { ToFailure } from '../../../shared/wire.ts';
import { notListedFailure, type OutboxTransitions } from './transitions.ts';
import { fingerprintMismatch } from './freeze.ts';
import type { OutboxGates } from './gates.ts';
import { findHits, clockFloorOf, isDatedWithin } from './hits.ts';
import type { ScanFindings } from './machine.ts';
import type { Hashing } from './marks.ts';
import type { SearchHit, AtKillPoint, ScanReading, SeenAgreement, StoredItem } from './ports.ts';
import { reconcileSigning } from './sign.ts';
import { CANARY_AGE, WATCH_ABANDONED } from './times.ts';
import { isUnused } from './uploads.ts';
import type { Clock, Stores } from '../ports.ts';
import { keepCopy } from '../services/fresh-copy.ts';
import type { Services } from '../services/services.ts';

/**
 * Number of control agreements per scan. One would not suffice, because a colleague may have
 * removed the newest.
 */
const CONTROL_AGREEMENTS = 3;

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

/**
 * A scan, and the credential with which the list was read. `reading` is null if the service was not
 * reached.
 */
interface ServiceScan {
  readonly from: number;
  readonly startedAt: number;
  readonly reading: ScanReading | null;
  readonly credential: string;
  readonly canary: OutboxRef | null;
  /** Whether there are sent agreements that a complete scan must show. */
  readonly hasCanaries: boolean;
  readonly failure: Failure | null;
}

/**
 * Reconciles all rows of unknown outcome of a connection with the service. All creates share one
 * scan. Sends nothing. Returns the failure if the service was not reached, otherwise null.
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
 * Whether a scan includes this row. A row with a scheduled scan is always included; otherwise, that
 * scan would stay due. A finished row is included for a limited time only, because the scan reads
 * the list from the time of its oldest row. A rejected signature was already read separately.
 */
function isSought({ kind, state, track, updatedAt }: StoredItem, since: number): boolean {
  if (track.lookAt !== null || (state !== 'rejected' && state !== 'abandoned')) return true;
  const isRead = kind === 'sign' && state === 'rejected' && track.inconclusiveScans === 0;
  return updatedAt >= since && !isRead;
}

/**
 * Reads the service's list once for these creates. Returns the failure if the service was not
 * reached, otherwise null.
 */
export async function reconcileRows(
  ports: ScanPorts,
  connectionId: ConnectionId,
  creates: readonly StoredItem[],
  signal: AbortSignal,
): Promise<Failure | null> {
  if (creates.length === 0) return null;
  const scan = await runScan(ports, connectionId, creates, signal);
  const hits = findHits(ports, creates, scan.reading);
  const settled = new Map(creates.map(({ ref }) => [ref, settledDuplicates(ports, ref)]));
  recordScanResult(ports, connectionId, scan, hits);
  for (const item of creates) {
    const found = hits.get(item.ref) ?? [];
    if (item.state === 'sent') reportDuplicate(ports, item, found, settled.get(item.ref) ?? []);
    else await decideHits(ports, item, scan, found, signal);
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
): Promise<ServiceScan> {
  const { stores, services, gates, clock, toFailure, atKillPoint } = ports;
  const { outbox } = stores;
  const startedAt = clock.now();
  const canaries = outbox.canaries(connectionId, startedAt - CANARY_AGE, CONTROL_AGREEMENTS);
  const from = Math.min(
    ...creates.map((item) => clockFloorOf(stores, item)),
    ...canaries.slice(0, 1).map((item) => clockFloorOf(stores, item)),
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

function isShown({ remoteId, mark, ref }: StoredItem, seen: readonly SeenAgreement[]): boolean {
  return seen.some((one) => one.id === remoteId && (mark.by !== 'tag' || one.ref === ref));
}

function recordScanResult(
  { stores, clock, gates }: ScanPorts,
  connectionId: ConnectionId,
  scan: ServiceScan,
  hits: ReadonlyMap<OutboxRef, readonly SearchHit[]>,
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

/** Returns why the scan is inconclusive for all rows; null if it is conclusive. */
function incompleteReasonOf({ reading, canary }: ServiceScan): IncompleteReason | null {
  if (reading === null) return 'not-reached';
  if (reading.incompleteReason !== null) return reading.incompleteReason;
  return canary === null ? 'no-canary' : null;
}

/** Returns the duplicates of a row that the user saw when keeping one of them (T19). */
export function settledDuplicates(
  { stores }: { readonly stores: Pick<Stores, 'outbox'> },
  ref: OutboxRef,
): readonly AgreementId[] {
  const { outbox } = stores;
  if (outbox.journal(ref).every(({ to }) => to !== 'duplicate')) return [];
  return outbox.hits(ref).map(({ remoteId }) => remoteId);
}

/**
 * Reports a second agreement with the mark of a sent row as a duplicate (T20). If the row has no
 * mark of its own and had several attempts, the same name and parties suffice.
 */
function reportDuplicate(
  { transitions }: ScanPorts,
  item: StoredItem,
  found: readonly SearchHit[],
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

async function decideHits(
  ports: ScanPorts,
  item: StoredItem,
  scan: ServiceScan,
  found: readonly SearchHit[],
  signal: AbortSignal,
): Promise<void> {
  const { transitions, gates, atKillPoint } = ports;
  const serverAt = gates.timeOf(item.connectionId, scan.reading?.serverTime);
  const marked = found.filter(({ isMarked }) => isMarked).map(({ remoteId }) => remoteId);
  const alike = found.length - marked.length;
  // Without a hit, the state of the files changes nothing, and each of many rejected rows would
  // need its own request.
  const isOnce =
    item.mark.by === 'token' && found.length > 0 ? await findingsByToken(ports, item, found) : null;
  const seen: ScanFindings = isOnce ?? {
    lookalikes: alike,
    incompleteReason: incompleteReasonFor(ports, item, scan),
    serverAt,
    ...(await confirmHit(ports, item, marked, alike, signal)),
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
    unused
      ? { cause: 'look', reason: nothingCreatedFailure }
      : aboutScan(item, scan, found, judged),
  );
  if (after === null) return;
  if (after.state === 'unknown' && after.track.cleanPasses === 1) atKillPoint('between-passes');
  if (after.state !== 'absent') return;
  const isOpen = gates.closed(item.connectionId).every(({ kind }) => kind === 'breaker');
  // A colleague may have revoked or deleted the agreement, which no list shows. Only an unused file
  // proves that the agreement was never created.
  const absent = { kind: 'absent', mayResend: isOpen, isNeverMade: unused } as const;
  const reason = unused ? nothingCreatedFailure : notListedFailure;
  transitions.apply(item.ref, absent, { cause: 'policy', reason });
}

type ConfirmedHits = Pick<ScanFindings, 'hits'> &
  Partial<Pick<ScanFindings, 'lookalikes' | 'incompleteReason'>>;

/**
 * Reads the agreement of a single hit before the hit is accepted. If it differs from the sent
 * agreement, the user decides. If it cannot be read, the scan is inconclusive for this row.
 */
async function confirmHit(
  { stores, services, clock }: ScanPorts,
  item: StoredItem,
  marked: readonly AgreementId[],
  alike: number,
  signal: AbortSignal,
): Promise<ConfirmedHits> {
  const [only, ...others] = marked;
  if (only === undefined || others.length > 0 || item.remoteId === only) return { hits: marked };
  const { connectionId } = item;
  try {
    const remote = await services.use(connectionId, (service) => service.read(only, signal));
    keepCopy({ stores, clock }, connectionId, remote);
    const isIt = fingerprintMismatch(stores, item, remote, only) === null;
    return isIt ? { hits: marked } : { hits: [], lookalikes: alike + 1 };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // This includes an agreement that is listed but cannot be read yet. The next scan tries again.
    return { hits: [], incompleteReason: 'not-reached' };
  }
}

/**
 * Returns the findings by the token of an uploaded file, or null if the token decides nothing. An
 * unused token proves that nothing was created so far. A used token confirms the only matching
 * agreement.
 */
async function findingsByToken(
  ports: ScanPorts,
  item: StoredItem,
  found: readonly SearchHit[],
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
  // A file that is not unused may also have expired, so the user decides about an agreement of
  // another time.
  if (!isDatedWithin(ports, item, only)) return null;
  return { hits: [only.remoteId], ...nothing };
}

/**
 * Returns why the scan is inconclusive for this row; null if it is conclusive. A changed credential
 * may belong to another user, who sees other agreements. A rejected row needs no control agreement
 * if the connection has none.
 */
function incompleteReasonFor(
  { stores }: ScanPorts,
  item: StoredItem,
  scan: ServiceScan,
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
  { failure }: ServiceScan,
  found: readonly SearchHit[],
  { incompleteReason, hits, lookalikes }: ScanFindings,
) {
  const cause = 'look';
  if (hits.length === 1) return { cause };
  // The service's reason is kept, unless the user has to compare the agreements.
  if (state !== 'unknown' && lookalikes === 0) return { cause, reason };
  const why = unknownOutcomeFailure(found, failure, incompleteReason);
  const said = reason?.said;
  return { cause, reason: said === undefined ? why : { ...why, said } };
}

/** Whether the row's uploaded files are still unused, so that nothing was created so far. */
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

const nothingCreatedFailure: Failure = {
  code: 'conflict',
  message: 'The service has not created the agreement so far: its uploaded files are still unused',
  reason: 'nothing-created',
};

function unknownOutcomeFailure(
  found: readonly SearchHit[],
  failure: Failure | null,
  incompleteReason: IncompleteReason | null,
): Failure {
  const code = 'conflict';
  const reason = 'outcome-unknown';
  if (failure !== null) return { ...failure, reason };
  if (found.length > 0) {
    const ids = found.map(({ remoteId }) => remoteId).join(', ');
    const message = `The agreement may be ${ids} on the service. Check it, and decide whether it is the agreement of this send`;
    return { code, reason, message };
  }
  return { code, reason, message: incompleteSentence(incompleteReason) };
}

function incompleteSentence(incompleteReason: IncompleteReason | null): string {
  switch (incompleteReason) {
    case 'no-canary':
      return 'The list of the service does not show earlier sends either, so a missing agreement proves nothing';
    case 'other-user':
      return 'The agreement was sent with another API key, and the list may not show agreements of that key. A person must decide';
    case 'unstable':
      return 'The list of the service kept changing while it was read, so the agreement may be missing from it';
    case 'no-tags':
      return 'The list of the service does not show the marks by which sends are recognised';
    case 'not-reached':
      return 'The service could not be reached';
    case 'too-early':
    case null:
      return 'The service does not show the agreement. It may still appear';
  }
}
