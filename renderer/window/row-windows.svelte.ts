/**
 * Number of rows in one window: up to five screens of rows, which one call reads in some
 * milliseconds.
 * @internal
 */
export const WINDOW = 200;
/**
 * Maximum number of windows kept around the visible rows: two thousand rows, however long the list
 * is.
 */
const MAX_KEPT_WINDOWS = 10;
/** Number of rows before the edge of the read part at which the next window is requested. */
const READ_AHEAD_MARGIN_ROWS = 40;
/**
 * Maximum number of parallel reads. While the user drags through a list, more would arrive too
 * late.
 */
const MAX_PARALLEL_READS = 2;

export interface RowRange<Row> {
  readonly items: readonly Row[];
  readonly total: number;
  /** Whether all rows are counted; if false, there are at least `total` rows. */
  readonly isCounted: boolean;
}

type ReadRowPage<Row> = (from: number, limit: number) => Promise<RowRange<Row>>;

type RowsByWindow<Row> = ReadonlyMap<number, readonly Row[]>;

/** A state of the list, as far as it was read. */
export interface Reading<Row> extends Pick<RowRange<Row>, 'total' | 'isCounted'> {
  readonly windows: RowsByWindow<Row>;
}

const windowNumberOf = (place: number): number => Math.floor(place / WINDOW);

/** Numbers of the windows that hold these positions, with a margin on either side. */
function windowNumbersFor(first: number, last: number, total: number): readonly number[] {
  const low = windowNumberOf(Math.max(0, first - READ_AHEAD_MARGIN_ROWS));
  const high = windowNumberOf(Math.max(0, Math.min(total - 1, last + READ_AHEAD_MARGIN_ROWS)));
  return Array.from({ length: Math.max(0, high - low + 1) }, (_, at) => low + at);
}

/**
 * The part of a long list that is in memory. Visible rows are read, distant ones are dropped. A set
 * of windows is replaced as a whole, so that it never mixes two states of the list.
 */
export class RowWindows<Row> {
  total = $state(0);
  isCounted = $state(true);
  #windows = $state.raw<RowsByWindow<Row>>(new Map());
  readonly #reading = new Set<number>();
  /**
   * Generation of the set of windows; answers to requests of an earlier generation are discarded.
   */
  #turn = 0;
  #seen = { first: 0, last: 0 };
  #read: ReadRowPage<Row> | null = null;
  readonly #onfailure: (error: unknown) => void;
  /** Called when the length of the list changed while it was read. */
  readonly #onstale: () => void;

  constructor(events: { onfailure: (error: unknown) => void; onstale: () => void }) {
    this.#onfailure = events.onfailure;
    this.#onstale = events.onstale;
  }

  at(place: number): Row | undefined {
    return this.#windows.get(windowNumberOf(place))?.[place % WINDOW];
  }

  /** Position of a row among the rows in memory; -1 if it is not in memory. */
  placeOf(isWanted: (row: Row) => boolean): number {
    for (const [number, rows] of this.#windows) {
      const at = rows.findIndex(isWanted);
      if (at >= 0) return number * WINDOW + at;
    }
    return -1;
  }

  /** Reads the windows for `count` rows from `first`, for `replace`. */
  async readAround(read: ReadRowPage<Row>, first: number, count: number): Promise<Reading<Row>> {
    const numbers = windowNumbersFor(first, first + count, Number.MAX_SAFE_INTEGER);
    const answers = await Promise.all(numbers.map((one) => read(one * WINDOW, WINDOW)));
    const filled = numbers.map((one, at) => [one, answers[at]?.items ?? []] as const);
    const windows = new Map(filled.filter(([, rows]) => rows.length > 0));
    const counted = answers.find(({ isCounted: isSure }) => isSure) ?? answers[0];
    const { total = 0, isCounted = true } = counted ?? {};
    return { windows, total, isCounted };
  }

  /** Shows another state of the list; later reads use `read`. */
  replace({ windows, total, isCounted }: Reading<Row>, read: ReadRowPage<Row>): void {
    this.#turn += 1;
    this.#reading.clear();
    this.#windows = windows;
    this.total = total;
    this.isCounted = isCounted;
    this.#read = read;
  }

  /** Sets the exact number of rows in the shown list. */
  count(total: number): void {
    this.total = total;
    this.isCounted = true;
    this.#readMissing();
  }

  /** Reports which positions are visible. */
  see(first: number, last: number): void {
    this.#seen = { first, last };
    this.#readMissing();
  }

  #readMissing(): void {
    const { first, last } = this.#seen;
    for (const number of windowNumbersFor(first, last, this.total)) {
      if (this.#reading.size >= MAX_PARALLEL_READS) return;
      if (number * WINDOW >= this.total) return;
      if (!this.#windows.has(number) && !this.#reading.has(number)) void this.#fetch(number);
    }
  }

  async #fetch(number: number): Promise<void> {
    const turn = this.#turn;
    const read = this.#read;
    if (read === null) return;
    this.#reading.add(number);
    try {
      const { items, total, isCounted } = await read(number * WINDOW, WINDOW);
      if (turn !== this.#turn) return;
      this.#windows = new Map([...this.#near(), [number, items]]);
      if (isCounted && this.isCounted && total !== this.total) this.#onstale();
    } catch (error) {
      if (turn === this.#turn) this.#onfailure(error);
      return;
    } finally {
      if (turn === this.#turn) this.#reading.delete(number);
    }
    this.#readMissing();
  }

  /** Windows nearest to the visible rows, one fewer than the maximum. */
  #near(): readonly (readonly [number, readonly Row[]])[] {
    const middle = windowNumberOf((this.#seen.first + this.#seen.last) / 2);
    return [...this.#windows]
      .toSorted(([a], [b]) => Math.abs(a - middle) - Math.abs(b - middle))
      .slice(0, MAX_KEPT_WINDOWS - 1);
  }
}
