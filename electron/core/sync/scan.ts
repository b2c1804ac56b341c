import { AppError } from '../../../shared/errors.ts';
import type { RemoteAgreement } from '../../../shared/model/agreement.ts';
import type { ChangePage } from '../ports.ts';
import type { PagePlace } from './ports.ts';

/** A list that still moves after so many readings is left for another time. */
const MAX_ROUNDS = 3;
/** Each step back costs a page or two; a list that shrinks more often is read again as a whole. */
const MAX_STEPS_BACK = 50;

/** Where an earlier reading of the same listing was cut short. */
export interface ResumePoint {
  /** The page stored last. */
  readonly place: PagePlace;
  /** How many there were when it began; null where the service does not count. */
  readonly total: number | null;
  /** How many were taken since it began. */
  readonly taken: () => number;
}

export interface Listing {
  /** The pages from a place on; from the first when there is none. */
  readonly pages: (place: PagePlace | undefined) => AsyncIterable<ChangePage>;
  readonly left: ResumePoint | null;
  /** Stores a page. The same page may come again. */
  readonly take: (page: ChangePage) => Promise<void> | void;
  /** Resolves once all that was taken is stored; absent where `take` waits for that itself. */
  readonly settle?: () => Promise<void>;
  /** When it came into the list, the server's time; null when that is not known. */
  readonly enteredAt: (agreement: RemoteAgreement) => number | null;
}

/** What is known after a listing was read to its end. */
export interface Scan {
  /** The server's time at the first page read. */
  readonly serverTime: number | null;
  /** The total given by the last page. */
  readonly total: number | null;
  /** Pages of which it consists. */
  readonly pages: number;
}

/**
 * Reads a listing until all that stood in it at the beginning was received, though it moves meanwhile
 * (both APIs page by number, and name no snapshot). Where the total falls, what follows has moved up
 * into a page that was read, so the page before is read again; where fewer were received than were
 * counted at the beginning, all are. The same number missing twice is the service's way of counting.
 * What comes into the list later is not counted: the next list of changes has it.
 * @throws AppError 'service' when it does not come to rest.
 */
export async function scanListing(listing: Listing, signal: AbortSignal): Promise<Scan> {
  let serverTime: number | null = null;
  let missingBefore: number | null = null;
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    const left = round === 1 ? listing.left : null;
    const read = await new Round(listing, left, signal).read();
    await listing.settle?.();
    if (round === 1) serverTime = read.serverTime;
    const missing = read.missing();
    const isExplained = round === MAX_ROUNDS && missing <= read.unsure;
    if (missing <= 0 || missing === missingBefore || isExplained) {
      return { serverTime, total: read.total, pages: read.pages };
    }
    missingBefore = missing;
  }
  throw new AppError('service', 'The list of the service kept changing while it was read');
}

/** One reading of a listing from its beginning, or from where it was left, to its end. */
class Round {
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

  /** How many of those that stood in the list at the beginning were not received. */
  missing(): number {
    const counted = this.#left?.total ?? this.#counted;
    if (counted === null) return 0;
    return counted - (this.#left?.taken() ?? this.#old.size);
  }

  /** How many may have been deleted before they were read, or came in twice. */
  get unsure(): number {
    return this.#fallen + this.#new.size;
  }

  /** Null at the end, otherwise where to go on. */
  async #readFrom(start: PagePlace | undefined, mayStepBack: boolean) {
    let before: ChangePage | null = null;
    for await (const page of this.#listing.pages(start)) {
      await this.#take(page);
      this.#signal.throwIfAborted();
      const fallen = Math.max(0, (before?.total ?? 0) - (page.total ?? before?.total ?? 0));
      this.#fallen += fallen;
      // It ends before the page it was left at.
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
