import type { Connection } from '../../../shared/contract/connections.ts';
import { AppError } from '../../../shared/errors.ts';
import { MIN_FREE_DISK_BYTES } from '../disk-space.ts';
import type { AgreementService, ChangePage, Clock, CopyWriter, Stores } from '../ports.ts';
import type { SyncNews } from './news.ts';
import { type ResumePoint, scanListing } from './scan.ts';
import type { FullReading, PagePlace } from './ports.ts';
import type { OutboxGates } from '../outbox/gates.ts';
import { InFlight } from './in-flight.ts';
import { HOUR } from '../../../shared/rules/time/units.ts';

/**
 * Maximum age (ms) of an unfinished read that is resumed. An older read is restarted, because too
 * many agreements may have moved to other pages.
 */
const MAX_UNFINISHED_READ_AGE = HOUR;
/** Maximum number of pages being written while the next ones are read. */
const MAX_PAGES_IN_FLIGHT = 4;

/** Context of one sync of one connection. */
export interface SyncReading {
  readonly stores: Pick<Stores, 'connections' | 'agreements' | 'sync' | 'quickTransaction'>;
  readonly copies: CopyWriter;
  readonly clock: Clock;
  readonly gates: Pick<OutboxGates, 'credible'>;
  readonly connection: Connection;
  readonly service: AgreementService;
  readonly news: SyncNews;
  readonly tally: SyncTally;
  /**
   * Returns the free bytes on the disk of the copies, or null if unknown. If this function is
   * absent, the free space is not checked.
   */
  readonly freeDisk?: () => number | null;
  readonly progress: (done: number, total: number | null) => void;
  readonly signal: AbortSignal;
}

export interface SyncTally {
  received: number;
  changed: number;
  gone: number;
}

type PageStorePorts = Pick<
  SyncReading,
  'copies' | 'clock' | 'connection' | 'news' | 'tally' | 'freeDisk'
>;

/**
 * Stores a page, and counts its new and changed copies. `full` is written with the last copy of the
 * page, so that the recorded progress is correct. The same page may be stored again.
 * @throws AppError 'storage' if little disk space is left, which the records of sends still need
 */
export async function storePage(
  { copies, connection, clock, tally, news, freeDisk }: PageStorePorts,
  items: ChangePage['items'],
  full: FullReading | null = null,
): Promise<void> {
  const free = freeDisk?.() ?? null;
  if (free !== null && free < 2 * MIN_FREE_DISK_BYTES) {
    const message = 'The disk is too full for copies of more agreements. Free some space';
    throw new AppError('storage', message, { reason: 'disk-full' });
  }
  const { id: connectionId, api } = connection;
  const page = { connectionId, api, items, readAt: clock.now(), full };
  const { added, changed } = await copies.store(page);
  tally.changed += changed;
  news.changes(added, Math.max(0, changed - added));
}

/**
 * Reads everything, or resumes an interrupted read: the last stored page is read again, because the
 * list may have moved since that page was stored. Returns whether the pages are so far apart in
 * time that changes in between must be read, too.
 */
export async function readEverything(
  reading: SyncReading,
): Promise<{ readonly tookTime: boolean }> {
  const { copies } = reading;
  const underway = new InFlight(MAX_PAGES_IN_FLIGHT);
  // The word index is built once at the end, which is several times faster.
  copies.beginBulk();
  try {
    return await readAllPages(reading, underway);
  } finally {
    await underway.ended();
    copies.endBulk();
  }
}

async function readAllPages(
  reading: SyncReading,
  underway: InFlight,
): Promise<{ readonly tookTime: boolean }> {
  const { stores, clock, connection, progress, signal } = reading;
  const { id } = connection;
  const earlier = toResumableReading(stores.sync.full(id), clock.now());
  let full: FullReading = earlier ?? newFullReading(clock.now());
  const before = earlier === null ? 0 : stores.sync.countSeenSince(id, full.startedAt);
  const seen = new Set<string>();
  const scan = await scanListing(
    {
      pages: (place) => pagesOf(reading, null, place),
      left: resumePointOf(reading, full),
      enteredAt: ({ createdAt, sentAt }) => createdAt ?? sentAt,
      take: async (page) => {
        full = { ...(full.place === null ? withFirstPage(full, page) : full), place: page.place };
        const stored = full;
        await underway.begin(() => storePage(reading, page.items, stored));
        for (const one of page.items) seen.add(one.id);
        reading.tally.received = seen.size;
        const done = before + seen.size;
        progress(page.total === null ? done : Math.min(done, page.total), page.total);
      },
      settle: () => underway.settle(),
    },
    signal,
  );
  const mark = full.serverTime ?? stores.connections.checkedUntil(id) ?? 0;
  const count = stores.sync.countOpenSeenSince(id, full.startedAt);
  stores.quickTransaction(() => {
    stores.sync.endFull(id, full.startedAt);
    stores.sync.saveOpenCount(id, { sweptAt: full.startedAt, count, difference: 0 });
    stores.connections.setCheckedUntil(id, mark, clock.now());
  });
  return { tookTime: earlier !== null || scan.pages > 1 };
}

/**
 * Reads the changes since `since`, the time up to which all changes are known; advances that time
 * once all changes were received.
 */
export async function readChanges(reading: SyncReading, since: number): Promise<void> {
  const { stores, clock, connection, progress, signal } = reading;
  const { id } = connection;
  const before = reading.tally.received;
  const seen = new Set<string>();
  const { serverTime } = await scanListing(
    {
      pages: (place) => pagesOf(reading, since, place),
      left: null,
      enteredAt: ({ updatedAt }) => updatedAt,
      take: async (page) => {
        await storePage(reading, page.items);
        for (const one of page.items) seen.add(one.id);
        reading.tally.received = Math.max(before, seen.size);
        if (before === 0) progress(seen.size, page.total);
      },
    },
    signal,
  );
  // Without the server's time, the stored time stays: reading changes again loses nothing.
  stores.connections.setCheckedUntil(id, serverTime ?? since, clock.now());
}

/**
 * Yields the pages of a listing, from a position on. If a proxy may have set the date of an answer,
 * the server time is null: a time in the future would skip all changes up to it.
 */
async function* pagesOf(
  { service, gates, connection, signal }: SyncReading,
  since: number | null,
  place: PagePlace | undefined,
): AsyncIterable<ChangePage> {
  for await (const page of service.changes(since, signal, place)) {
    const dated = page.serverTime;
    yield { ...page, serverTime: dated === null ? null : gates.credible(connection.id, dated) };
  }
}

const newFullReading = (startedAt: number): FullReading => ({
  startedAt,
  serverTime: null,
  total: null,
  place: null,
});

function withFirstPage(full: FullReading, { serverTime, total }: ChangePage): FullReading {
  return { ...full, serverTime, total };
}

function resumePointOf({ stores, connection }: SyncReading, full: FullReading): ResumePoint | null {
  const { place, total, startedAt } = full;
  if (place === null) return null;
  return { place, total, taken: () => stores.sync.countSeenSince(connection.id, startedAt) };
}

function toResumableReading(full: FullReading | null, now: number): FullReading | null {
  if (full === null) return null;
  const age = now - full.startedAt;
  return age >= 0 && age < MAX_UNFINISHED_READ_AGE ? full : null;
}
