import { SvelteMap, SvelteSet } from 'svelte/reactivity';
import { type AgreementView, MAX_BULK_KEYS } from '../../../shared/contract/agreement-query.ts';
import type { Agreement } from '../../../shared/contract/agreements.ts';
import type { AgreementKey } from '../../../shared/model/ids.ts';
import type { ReportOrder } from '../../../shared/contract/reports.ts';
import { api } from '../../window/desk.ts';
import { formatCount } from '../../ui/format.ts';
import { m } from '../../ui/language.svelte.ts';
import { activity } from '../../window/activity.svelte.ts';
import { agreements, keyOf } from './state.svelte.ts';

export type BulkActionKind = 'remind' | 'change' | 'revoke' | 'remove';

/**
 * Maximum number of agreements in one job on the service; a user can still read a list of this length.
 */
export const MAX_BULK_AGREEMENTS = 1000;
const MARK_READ_SIZE = 500;

/**
 * Maximum number of attempts to read a range whose ends move during the read; after them, nothing
 * is selected.
 */
const MAX_RANGE_ATTEMPTS = 3;

/** A position in the list and the row there when it was selected; null if it was not read yet. */
interface RangeEnd {
  readonly place: number;
  readonly row: Agreement | null;
}

/** A selection of all matches, stored as the view instead of the rows. */
interface WholeView {
  readonly view: AgreementView;
  readonly total: number;
}

class AgreementMarks {
  /** Rows selected one by one or as a range. */
  readonly #marked = new SvelteMap<string, Agreement>();
  #whole = $state.raw<WholeView | null>(null);
  /** Rows excluded from a selection of all matches. */
  readonly #except = new SvelteMap<string, AgreementKey>();
  /** The dialog about the selection; a new one for each request. */
  asked = $state.raw<{ readonly kind: BulkActionKind } | null>(null);
  /** Rows of the dialog; rows that were not in memory were read for it. */
  #resolved = $state.raw<readonly Agreement[] | null>(null);
  busy = $state(false);
  /** Start of a range that Shift extends: an agreement, whose position may change. */
  #anchor: RangeEnd | null = null;
  /** Rows of the last range; the next range from the same anchor replaces them. */
  readonly #range = new SvelteSet<string>();
  /** Number of the last requested range. */
  #turn = 0;

  readonly isWhole = $derived(this.#whole !== null);
  readonly count = $derived(
    this.#whole === null ? this.#marked.size : Math.max(0, this.#whole.total - this.#except.size),
  );
  readonly areSeveral = $derived(this.count > 1);
  /** Current data of the selected rows that the list still contains. */
  readonly rows: readonly Agreement[] = $derived(this.#resolved ?? [...this.#marked.values()]);
  /** Whether no row is selected. Shift+arrow selects the row where it starts too. */
  readonly isEmpty = $derived(this.count === 0);

  constructor() {
    agreements.whenRestarted(() => this.clear());
  }

  isMarked(key: string): boolean {
    return this.#whole === null ? this.#marked.has(key) : !this.#except.has(key);
  }

  toggle(key: string): void {
    this.#turn += 1;
    this.#resolved = null;
    const place = agreements.windows.placeOf((row) => keyOf(row) === key);
    const row = agreements.windows.at(place);
    this.#anchor = place < 0 ? null : rangeEndAt(place);
    this.#range.clear();
    if (this.#whole !== null) {
      if (!this.#except.delete(key) && row !== undefined) this.#except.set(key, row);
      if (this.count === 0) this.clear();
    } else if (!this.#marked.delete(key) && row !== undefined) this.#marked.set(key, row);
  }

  anchorAt(place: number): void {
    this.#anchor = rangeEndAt(place);
    this.#range.clear();
  }

  /** Selects everything from the anchor to the agreement at this position. */
  async extendTo(place: number): Promise<void> {
    const view = agreements.shown;
    if (view === null || this.#whole !== null) return;
    const { cursor } = agreements;
    this.#anchor ??= { place: Math.max(0, cursor.place), row: cursor.row };
    const turn = ++this.#turn;
    const rows = await this.#between(view, this.#anchor, rangeEndAt(place));
    // Keys are faster than responses: an older, shorter range must not remove newer rows.
    if (turn !== this.#turn) return;
    if (rows === null)
      return activity.notify(() => m.marked_range_most({ count: formatCount(MAX_BULK_KEYS) }));
    this.#resolved = null;
    const wanted = new Map(rows.map((row) => [keyOf(row), row]));
    // Change only the difference: a long range grows page by page, and each row is observed.
    for (const key of [...this.#range]) {
      if (wanted.has(key)) continue;
      this.#range.delete(key);
      this.#marked.delete(key);
    }
    for (const [key, row] of wanted) {
      if (this.#marked.has(key)) continue;
      this.#range.add(key);
      this.#marked.set(key, row);
    }
  }

  async markAll(): Promise<void> {
    const view = agreements.shown;
    if (view === null || agreements.total === 0) return;
    if (!agreements.windows.isCounted && !(await agreements.counted())) return;
    // Stop: the user changed the filter while the matches were counted.
    if (agreements.shown !== view) return;
    this.clear();
    this.#whole = { view, total: agreements.total };
    const { total } = agreements;
    activity.notify(() => m.marked_all_said({ count: formatCount(total) }));
  }

  clear(): void {
    this.#turn += 1;
    this.#marked.clear();
    this.#except.clear();
    this.#range.clear();
    this.#whole = null;
    this.#resolved = null;
    this.#anchor = null;
  }

  /** Opens the dialog for an action on the selection, once all rows are loaded. */
  async ask(kind: BulkActionKind): Promise<void> {
    if (this.count > MAX_BULK_AGREEMENTS)
      return activity.notify(() => m.marked_most({ count: formatCount(MAX_BULK_AGREEMENTS) }));
    this.busy = true;
    const isRead = await activity.attempt(async () => {
      this.#resolved = await this.resolve(MAX_BULK_AGREEMENTS);
    });
    this.busy = false;
    if (isRead) this.asked = { kind };
  }

  /** Removes the processed rows from the selection; the failed ones stay. */
  drop(done: readonly AgreementKey[]): void {
    if (this.#whole === null) for (const key of done) this.#marked.delete(keyOf(key));
    else {
      // Keep the rows that the dialog was about, except the processed ones.
      const left = new Map(this.rows.map((row) => [keyOf(row), row]));
      for (const key of done) left.delete(keyOf(key));
      this.clear();
      for (const [key, row] of left) this.#marked.set(key, row);
    }
    this.#resolved = null;
  }

  /**
   * Keeps only these rows (the failed ones) selected. If all matches were selected, the rows are
   * read first. If more rows failed than a range may contain, hardly any were processed, and the
   * whole selection stays.
   */
  async keep(keys: ReadonlySet<string>): Promise<void> {
    const whole = this.#whole;
    if (whole === null) {
      for (const key of [...this.#marked.keys()]) if (!keys.has(key)) this.#marked.delete(key);
    } else if (keys.size <= MAX_BULK_KEYS) {
      const left = await findRows(whole.view, keys);
      // Stop: the user changed the selection during the read.
      if (this.#whole !== whole) return;
      this.clear();
      for (const row of left) this.#marked.set(keyOf(row), row);
    }
  }

  /** All selected agreements as rows, at most `most`. */
  async resolve(most: number): Promise<readonly Agreement[]> {
    if (this.#whole === null) return [...this.#marked.values()].slice(0, most);
    const rows = await readRows(this.#whole.view, 0, most + this.#except.size);
    return rows.filter((row) => !this.#except.has(keyOf(row))).slice(0, most);
  }

  /** All selected agreements with current data for the list's columns, at most `most`. */
  async resolveShown(most: number): Promise<readonly Agreement[]> {
    return withListData(await this.resolve(most));
  }

  /** Keys of all selected agreements, without a limit. */
  async keys(): Promise<readonly AgreementKey[]> {
    if (this.#whole === null) return [...this.#marked.values()].map(agreementKeyOf);
    const keys: AgreementKey[] = [];
    for (let from = 0; ; from += MAX_BULK_KEYS) {
      const asked = { ...this.#whole.view, from, limit: MAX_BULK_KEYS };
      const page = await api['agreements.keys'](asked);
      keys.push(...page.keys.filter((key) => !this.#except.has(keyOf(key))));
      if (from + MAX_BULK_KEYS >= page.total) return keys;
    }
  }

  forReport(): ReportOrder['rows'] {
    return this.#whole === null
      ? { kind: 'keys', keys: [...this.#marked.values()].map(agreementKeyOf) }
      : {
          kind: 'view',
          view: this.#whole.view,
          except: [...this.#except.values()].map(agreementKeyOf),
        };
  }

  /** Rows between two agreements, inclusive; null if there are more than a range may contain. */
  async #between(
    view: AgreementView,
    one: RangeEnd,
    other: RangeEnd,
  ): Promise<readonly Agreement[] | null> {
    let ends = [placeInMemory(one), placeInMemory(other)] as const;
    for (let tried = 0; tried < MAX_RANGE_ATTEMPTS; tried += 1) {
      const from = Math.min(...ends);
      const count = Math.abs(ends[0] - ends[1]) + 1;
      if (count > MAX_BULK_KEYS) return null;
      const rows = this.#inMemory(from, count) ?? (await readRows(view, from, count));
      const isAt = ({ row }: RangeEnd, place: number): boolean =>
        row === null || isSameAgreement(rows[place - from], row);
      if (isAt(one, ends[0]) && isAt(other, ends[1])) return rows;
      ends = await Promise.all([currentPlace(view, one), currentPlace(view, other)]);
    }
    return [];
  }

  #inMemory(from: number, count: number): readonly Agreement[] | null {
    const rows = Array.from({ length: count }, (_, at) => agreements.windows.at(from + at));
    const known = rows.filter((row) => row !== undefined);
    return known.length === count ? known : null;
  }
}

const agreementKeyOf = ({ connectionId, id }: AgreementKey): AgreementKey => ({ connectionId, id });

const rangeEndAt = (place: number): RangeEnd => ({
  place,
  row: agreements.windows.at(place) ?? null,
});

const isSameAgreement = (row: Agreement | undefined, wanted: Agreement): boolean =>
  row !== undefined && keyOf(row) === keyOf(wanted);

function placeInMemory({ place, row }: RangeEnd): number {
  if (row === null || isSameAgreement(agreements.windows.at(place), row)) return place;
  const at = agreements.windows.placeOf((one) => isSameAgreement(one, row));
  return at < 0 ? place : at;
}

/** Current position of the row; its old position if the list no longer has it. */
async function currentPlace(view: AgreementView, { place, row }: RangeEnd): Promise<number> {
  if (row === null) return place;
  const key = agreementKeyOf(row);
  return (await api['agreements.position']({ ...view, key })).index ?? place;
}

async function readRows(
  view: AgreementView,
  from: number,
  count: number,
): Promise<readonly Agreement[]> {
  const rows: Agreement[] = [];
  while (rows.length < count) {
    const limit = Math.min(MARK_READ_SIZE, count - rows.length);
    const { items } = await api['agreements.window']({ ...view, from: from + rows.length, limit });
    if (items.length === 0) break;
    rows.push(...items);
  }
  return rows;
}

/** Adds the data that the list's columns need and that rows lack by default. */
export async function withListData(rows: readonly Agreement[]): Promise<readonly Agreement[]> {
  const { more = [] } = agreements.view;
  if (more.length === 0) return rows;
  const found: Agreement[] = [];
  for (let from = 0; from < rows.length; from += MARK_READ_SIZE) {
    const keys = rows.slice(from, from + MARK_READ_SIZE).map(agreementKeyOf);
    found.push(...(await api['agreements.rows']({ keys, more })));
  }
  return found;
}

/** Rows of a view with these keys; rows that left the view are missing. */
async function findRows(
  view: AgreementView,
  keys: ReadonlySet<string>,
): Promise<readonly Agreement[]> {
  const rows: Agreement[] = [];
  for (let from = 0; rows.length < keys.size; from += MARK_READ_SIZE) {
    const { items } = await api['agreements.window']({ ...view, from, limit: MARK_READ_SIZE });
    if (items.length === 0) break;
    rows.push(...items.filter((row) => keys.has(keyOf(row))));
  }
  return rows;
}

export const marks = new AgreementMarks();
