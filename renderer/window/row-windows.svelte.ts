/**
 * Rows of one window: what a screen or five can show, and one call of some milliseconds.
 * @internal
 */
export const WINDOW = 200;
/** Windows kept around what is seen: two thousand rows, however many there are. */
const KEPT = 10;
/** Rows before the edge of what was read at which the next ones are asked for. */
const AHEAD = 40;
/** Calls on their way at once; while a list is dragged through, the rest would come too late. */
const MAX_READING = 2;

export interface Stretch<Row> {
  readonly items: readonly Row[];
  readonly total: number;
  /** False: there are at least `total`, and nobody has counted how many. */
  readonly isCounted: boolean;
}

type ReadStretch<Row> = (from: number, limit: number) => Promise<Stretch<Row>>;

type Windows<Row> = ReadonlyMap<number, readonly Row[]>;

/** A state of the list, as far as it was read. */
export interface Reading<Row> extends Pick<Stretch<Row>, 'total' | 'isCounted'> {
  readonly windows: Windows<Row>;
}

const windowOf = (place: number): number => Math.floor(place / WINDOW);

/** The numbers of the windows that hold these places, and a little on either side. */
function numbersFor(first: number, last: number, total: number): readonly number[] {
  const low = windowOf(Math.max(0, first - AHEAD));
  const high = windowOf(Math.max(0, Math.min(total - 1, last + AHEAD)));
  return Array.from({ length: Math.max(0, high - low + 1) }, (_, at) => low + at);
}

/**
 * The part of a long list that is held in memory. What is seen is read, what is far away is
 * dropped, and a set of windows is replaced as a whole, so that it never mixes two states.
 */
export class RowWindows<Row> {
  total = $state(0);
  isCounted = $state(true);
  #windows = $state.raw<Windows<Row>>(new Map());
  readonly #reading = new Set<number>();
  /** Answers to what was asked before the set was replaced are thrown away. */
  #turn = 0;
  #seen = { first: 0, last: 0 };
  #read: ReadStretch<Row> | null = null;
  readonly #onfailure: (error: unknown) => void;
  /** The list became longer or shorter while it was read. */
  readonly #onstale: () => void;

  constructor(events: { onfailure: (error: unknown) => void; onstale: () => void }) {
    this.#onfailure = events.onfailure;
    this.#onstale = events.onstale;
  }

  at(place: number): Row | undefined {
    return this.#windows.get(windowOf(place))?.[place % WINDOW];
  }

  /** The place of a row among those in memory; -1 when it is not among them. */
  placeOf(isWanted: (row: Row) => boolean): number {
    for (const [number, rows] of this.#windows) {
      const at = rows.findIndex(isWanted);
      if (at >= 0) return number * WINDOW + at;
    }
    return -1;
  }

  /** Reads what these places need, for `replace`; `count` rows from `first`. */
  async readAround(read: ReadStretch<Row>, first: number, count: number): Promise<Reading<Row>> {
    const numbers = numbersFor(first, first + count, Number.MAX_SAFE_INTEGER);
    const answers = await Promise.all(numbers.map((one) => read(one * WINDOW, WINDOW)));
    const filled = numbers.map((one, at) => [one, answers[at]?.items ?? []] as const);
    const windows = new Map(filled.filter(([, rows]) => rows.length > 0));
    const counted = answers.find(({ isCounted: isSure }) => isSure) ?? answers[0];
    const { total = 0, isCounted = true } = counted ?? {};
    return { windows, total, isCounted };
  }

  /** Shows another state of the list; from now on `read` reads it. */
  replace({ windows, total, isCounted }: Reading<Row>, read: ReadStretch<Row>): void {
    this.#turn += 1;
    this.#reading.clear();
    this.#windows = windows;
    this.total = total;
    this.isCounted = isCounted;
    this.#read = read;
  }

  /** All of the list that is shown were counted. */
  count(total: number): void {
    this.total = total;
    this.isCounted = true;
    this.#readMissing();
  }

  /** These places are seen now. */
  see(first: number, last: number): void {
    this.#seen = { first, last };
    this.#readMissing();
  }

  #readMissing(): void {
    const { first, last } = this.#seen;
    for (const number of numbersFor(first, last, this.total)) {
      if (this.#reading.size >= MAX_READING) return;
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

  /** The windows nearest to what is seen, with room for one more. */
  #near(): readonly (readonly [number, readonly Row[]])[] {
    const middle = windowOf((this.#seen.first + this.#seen.last) / 2);
    return [...this.#windows]
      .toSorted(([a], [b]) => Math.abs(a - middle) - Math.abs(b - middle))
      .slice(0, KEPT - 1);
  }
}
