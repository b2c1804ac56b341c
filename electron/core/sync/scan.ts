import { AppError } from '../../../shared/errors.ts';
import type { RemoteAgreement } from '../../../shared/model/agreement.ts';
import type { ChangePage } from '../ports.ts';
import type { PagePlace } from './ports.ts';

/** Maximum number of complete reads of a list that keeps changing. */
const MAX_ROUNDS = 3;
/**
 * Maximum number of steps back to a previous page. Each costs a page or two; a list that shrinks
 * more often is read again completely.
 */
const MAX_STEPS_BACK = 50;

/** Resume point of an interrupted read of the same listing. */
export interface ResumePoint {
  readonly place: PagePlace;
  /** Number of agreements at the start of that read; null if the service does not report it. */
  readonly total: number | null;
  /** Returns the number of agreements received since the start of that read. */
  readonly taken: () => number;
}

export interface Listing {
  /** Reads the pages from `place` on, or from the first page if `place` is undefined. */
  readonly pages: (place: PagePlace | undefined) => AsyncIterable<ChangePage>;
  readonly left: ResumePoint | null;
  /** Stores a page. The same page may come again. */
  readonly take: (page: ChangePage) => Promise<void> | void;
  /** Resolves once everything received is stored; absent if `take` waits for that itself. */
  readonly settle?: () => Promise<void>;
  /** Returns the server time at which an agreement entered the list; null if unknown. */
  readonly enteredAt: (agreement: RemoteAgreement) => number | null;
}

export interface ListingScan {
  /** Server time of the first page. */
  readonly serverTime: number | null;
  /** Total number of agreements that the last page reported; null if it reported none. */
  readonly total: number | null;
  readonly pages: number;
}

/**
 * Reads a listing until every agreement that was in it at the start was received, although the
 * listing changes during the read (both APIs page by number, without snapshots). If the total
 * falls, later agreements have moved up into a page already read, so the previous page is read
 * again. If fewer agreements were received than counted at the start, all are read again. If the
 * same number is missing twice, the service counts differently, and the read is complete.
 * Agreements that enter the listing later are not counted: the next list of changes has them.
 * @throws AppError 'service' if the listing keeps changing
 */
export async function scanListing(listing: Listing, signal: AbortSignal): Promise<ListingScan> {
  let serverTime: number | null = null;
  let missingBefore: number | null = null;
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    const left = round === 1 ? listing.left : null;
    const read = await new ListingRound(listing, left, signal).read();
    await listing.settle?.();
    if (round === 1) serverTime = read.serverTime;
    const missing = read.missing();
    const isExplained = round === MAX_ROUNDS && missing <= read.unsure;
    if (missing <= 0 || missing === missingBefore || isExplained) {
      return { serverTime, total: read.total, pages: read.pages };
    }
    missingBefore = missing;
  }
  throw new AppError(
    'service',
    'The list of the service kept changing while it was read. Try again later',
  );
}

/** One read of a listing from its start, or from the resume point, to its end. */
class ListingRound {
  readonly #listing: Listing;
  readonly #left: ResumePoint | null;
  readonly #signal: AbortSignal;
  readonly #old = new Set<string>();
  readonly #new = new Set<string>();
  #counted: number | null = null;
  #fallen = 0;
  #isBegun = false;
  serverTime: number | null = null;
  total: number | null = null;
  pages = 0;

  constructor(listing: Listing, left: ResumePoint | null, signal: AbortSignal) {
    this.#listing = listing;
    this.#left = left;
    this.#signal = signal;
  }

  async read(): Promise<this> {
    let start = this.#left?.place;
    for (let steps = 0; ; steps += 1) {
      const back = await this.#readFrom(start, steps < MAX_STEPS_BACK);
      if (back === null) return this;
      start = back.to;
    }
  }

  /** Number of agreements that were in the list at the start and were not received. */
  missing(): number {
    const counted = this.#left?.total ?? this.#counted;
    if (counted === null) return 0;
    return counted - (this.#left?.taken() ?? this.#old.size);
  }

  /**
   * Number of agreements that may have been deleted before they were read, or were received twice.
   */
  get unsure(): number {
    return this.#fallen + this.#new.size;
  }

  /**
   * Reads pages from `start`. Returns null at the end of the list, otherwise the position from
   * which to read again.
   */
  async #readFrom(start: PagePlace | undefined, mayStepBack: boolean) {
    let before: ChangePage | null = null;
    for await (const page of this.#listing.pages(start)) {
      await this.#take(page);
      this.#signal.throwIfAborted();
      const fallen = Math.max(0, (before?.total ?? 0) - (page.total ?? before?.total ?? 0));
      this.#fallen += fallen;
      // The list now ends before the resume point, so read it from its start.
      const isPastEnd = before === null && start !== undefined && page.items.length === 0;
      if (isPastEnd) return { to: undefined };
      if (before !== null && fallen > 0 && mayStepBack) {
        return { to: fallen <= before.items.length ? before.place : undefined };
      }
      before = page;
    }
    return null;
  }

  async #take(page: ChangePage): Promise<void> {
    if (!this.#isBegun) {
      this.#isBegun = true;
      this.serverTime = page.serverTime;
      this.#counted = page.total;
    }
    this.total = page.total;
    this.pages = page.place.pages;
    await this.#listing.take(page);
    for (const one of page.items) {
      const isNew = (this.#listing.enteredAt(one) ?? 0) > (this.serverTime ?? Infinity);
      (isNew ? this.#new : this.#old).add(one.id);
    }
  }
}
