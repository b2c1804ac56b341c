import {
  type AgreementGroup,
  type AgreementView,
  MAX_COUNTED_MATCHES,
} from '../../../shared/contract/agreement-query.ts';
import type { ListFilter } from '../../../shared/contract/agreement-views.ts';
import type { Agreement } from '../../../shared/contract/agreements.ts';
import type { AgreementKey } from '../../../shared/model/ids.ts';
import type { Failure } from '../../../shared/errors.ts';
import { CoalescedTask } from '../../../shared/coalesced.ts';
import { optionalPartsFor } from '../../../shared/rules/agreements/columns.ts';
import { api, failureOf, on } from '../../window/desk.ts';
import { layout } from './layout.svelte.ts';
import { type Line, type Lines, linesOf } from './lines.ts';
import { connections } from '../connections/state.svelte.ts';
import { Loaded } from '../../window/loaded.svelte.ts';
import { RowWindows, type RowRange } from '../../window/row-windows.svelte.ts';

export type CounterFilter = NonNullable<ListFilter['counter']>;

/** Movement of the scroll position when the list shows new data. */
type ScrollChange =
  | { readonly kind: 'shift'; readonly lines: number }
  | { readonly kind: 'reveal'; readonly line: number }
  | { readonly kind: 'top' };

/** Number of rows to read before the visible range is known (a few screens). */
const INITIAL_ROWS = 40;
/** Minimum time between two refreshes during a sync (ms). */
const MIN_REFRESH_INTERVAL_MS = 250;

/** Key of a row across all connections; agreements of two connections may have the same id. */
export const keyOf = (row: Pick<Agreement, 'connectionId' | 'id'>): string =>
  `${row.connectionId}/${encodeURIComponent(row.id)}`;

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Filtered and sorted list of agreements; only the part around the visible rows is loaded. */
class Agreements {
  search = $state('');
  filter = $state.raw<ListFilter>({});
  loadedAt = $state<number | null>(null);
  failure = $state.raw<Failure | null>(null);
  groups = $state.raw<readonly AgreementGroup[]>([]);
  /** The active row: its position (-1 for none) and its data if loaded. */
  cursor = $state.raw<{ readonly place: number; readonly row: Agreement | null }>({
    place: -1,
    row: null,
  });
  motion = $state.raw<ScrollChange | null>(null);
  /** Number of new agreements since the top of the list was last seen. */
  fresh = $state(0);
  readonly counts = new Loaded(() => api['agreements.counts'](connections.scope));
  readonly windows = new RowWindows<Agreement>({
    onfailure: (error) => (this.failure = failureOf(error)),
    onstale: () => void this.refresh(),
  });
  readonly total = $derived(this.windows.total);
  readonly lines: Lines = $derived(linesOf(this.groups, this.windows.total));
  readonly narrowed: ListFilter = $derived.by(() => {
    const search = this.search.trim();
    return { ...this.filter, ...(search === '' ? {} : { search }) };
  });
  readonly isNarrowed = $derived(Object.keys(this.narrowed).length > 0);
  readonly view: AgreementView = $derived.by(() => {
    const { sort, direction, group, columns } = layout.now;
    const order = { sort, group, ...(direction === null ? {} : { direction }) };
    // The status names the awaited parties; if its column is hidden now, it can be shown at any time.
    const more = [...optionalPartsFor(columns), 'awaited' as const];
    return { ...this.narrowed, ...connections.scope, ...order, more };
  });
  /** The row to which the user jumped before it was read, once it has been read; null otherwise. */
  readonly arrived: Agreement | null = $derived(
    this.cursor.row === null && this.cursor.place >= 0
      ? (this.windows.at(this.cursor.place) ?? null)
      : null,
  );
  /** The query of the rows in memory. */
  shown = $state.raw<AgreementView | null>(null);
  #seen = { first: 0, last: INITIAL_ROWS };
  #next: 'stay' | 'top' | 'reveal' = 'top';
  readonly #readings = new CoalescedTask(() => this.#read());
  readonly #countings = new CoalescedTask(() => this.#countRest());

  readonly #onrestart: (() => void)[] = [];

  constructor() {
    const refresh = (): void => void this.refresh();
    on('agreements.changed', refresh);
    on('archive.changed', refresh);
  }

  lineAt(line: number): Line {
    return this.lines.lineAt(line);
  }

  rowAt(place: number): Agreement | undefined {
    const { cursor } = this;
    return (
      this.windows.at(place) ?? (place === cursor.place ? (cursor.row ?? undefined) : undefined)
    );
  }

  /** Reads the visible rows again. Of several requests, only the last one counts. */
  refresh(): Promise<void> {
    return this.#readings.run();
  }

  find(text: string): Promise<void> {
    this.search = text;
    return this.startOver();
  }

  narrow(filter: ListFilter): Promise<void> {
    this.filter = filter;
    return this.startOver();
  }

  clear(): Promise<void> {
    this.search = '';
    return this.narrow({});
  }

  /**
   * Counts all matches, if they are not counted yet. Returns whether `total` is now their exact
   * number.
   */
  async counted(): Promise<boolean> {
    if (!this.windows.isCounted) await this.#countings.run();
    return this.windows.isCounted;
  }

  startOver(): Promise<void> {
    this.#next = 'top';
    this.fresh = 0;
    for (const hear of this.#onrestart) hear();
    return this.refresh();
  }

  /** Calls `hear` when the list starts over, because a selection refers to the old rows. */
  whenRestarted(hear: () => void): void {
    this.#onrestart.push(hear);
  }

  /** Reads the same rows in another order; the active row stays visible. */
  reorder(): Promise<void> {
    this.#next = 'reveal';
    return this.refresh();
  }

  see(first: number, last: number): void {
    this.#seen = { first, last };
    if (first <= 0) this.fresh = 0;
    const { placeAt, count } = this.lines;
    if (count > 0)
      this.windows.see(placeAt(Math.max(0, first)), placeAt(Math.min(last, count - 1)));
  }

  /** Makes the row at this position active; returns it if it is loaded. */
  moveTo(place: number): Agreement | null {
    const row = this.windows.at(place) ?? null;
    this.cursor = { place, row };
    return row;
  }

  /** Confirms and returns the row that arrived. */
  settle(): Agreement | null {
    const { arrived } = this;
    if (arrived !== null) this.cursor = { ...this.cursor, row: arrived };
    return arrived;
  }

  /** Goes to the newest agreements: the top of the list, sorted by newest first. */
  toNewest(): void {
    this.fresh = 0;
    const { sort, direction, group } = layout.now;
    const isNewestFirst = sort === 'updated' && direction !== 'ascending' && group === 'none';
    if (isNewestFirst) this.motion = { kind: 'top' };
    else {
      layout.change({ sort: 'updated', direction: null, group: 'none' });
      void this.startOver();
    }
  }

  /** Makes the agreement of the address active, wherever it is in the list. */
  async point(key: AgreementKey | null): Promise<void> {
    const { row } = this.cursor;
    if (key === null || (row !== null && keyOf(row) === keyOf(key))) return;
    const here = this.windows.placeOf((one) => keyOf(one) === keyOf(key));
    const place = here >= 0 ? here : await this.#placeOf(key);
    if (place === null) return;
    this.cursor = { place, row: this.windows.at(place) ?? null };
    this.motion = { kind: 'reveal', line: this.lines.lineOf(place) };
  }

  async #placeOf(key: AgreementKey): Promise<number | null> {
    if (this.shown === null) return null;
    const { connectionId, id } = key;
    const asked = { ...this.shown, key: { connectionId, id } };
    return (await api['agreements.position'](asked)).index;
  }

  async #read(): Promise<void> {
    try {
      await Promise.all([this.#readRows(), this.counts.refresh()]);
      this.failure = null;
    } catch (error) {
      this.failure = failureOf(error);
    }
    // A request of the user is served immediately; automatic changes can wait.
    if (this.#readings.isWanted && this.#next === 'stay') await pause(MIN_REFRESH_INTERVAL_MS);
  }

  async #readRows(): Promise<void> {
    const { view } = this;
    const next = this.#next;
    this.#next = 'stay';
    const held = next === 'stay' && this.#seen.first > 0 ? this.#held() : null;
    const [heldAt, cursorAt, groups] = await Promise.all([
      this.#find(view, held?.row),
      this.#find(view, this.cursor.row),
      view.group === 'none' ? [] : api['agreements.groups'](view),
    ]);
    const first = this.#firstPlace(next, heldAt, cursorAt);
    // The first rows of a search arrive long before all matches are counted.
    const upTo = next === 'top' ? { countUpTo: MAX_COUNTED_MATCHES } : {};
    const read = (from: number, limit: number): Promise<RowRange<Agreement>> =>
      api['agreements.window']({ ...view, ...upTo, from, limit });
    const seen = this.#seen.last - this.#seen.first + 1;
    const reading = await this.windows.readAround(read, first, seen);
    this.#count(next, reading.total);
    const before = held === null ? 0 : this.lines.lineOf(held.place);
    this.windows.replace(reading, read);
    this.groups = groups;
    this.shown = view;
    this.loadedAt = Date.now();
    if (!reading.isCounted) void this.#countings.run();
    this.#moveCursor(cursorAt);
    if (next === 'top') this.motion = { kind: 'top' };
    else if (next === 'reveal' && cursorAt !== null) {
      this.motion = { kind: 'reveal', line: this.lines.lineOf(cursorAt) };
    } else if (held !== null && heldAt !== null) {
      const lines = this.lines.lineOf(heldAt) - before;
      if (lines !== 0) this.motion = { kind: 'shift', lines };
    }
  }

  async #countRest(): Promise<void> {
    const view = this.shown;
    if (view === null || this.windows.isCounted) return;
    try {
      const { total } = await api['agreements.count'](view);
      if (this.shown === view) this.windows.count(total);
    } catch (error) {
      this.failure = failureOf(error);
    }
  }

  /** The row that must not move on the screen: the active one, or the first visible one. */
  #held(): { readonly place: number; readonly row: Agreement } | null {
    const { placeAt, lineOf, count } = this.lines;
    const { first, last } = this.#seen;
    const { place, row } = this.cursor;
    const line = place < 0 ? -1 : lineOf(place);
    if (row !== null && line >= first && line <= last) return { place, row };
    if (count === 0) return null;
    const top = placeAt(Math.min(first, count - 1));
    const topRow = this.windows.at(top);
    return topRow === undefined ? null : { place: top, row: topRow };
  }

  async #find(view: AgreementView, row: Agreement | null | undefined): Promise<number | null> {
    if (row === null || row === undefined) return null;
    const { connectionId, id } = row;
    return (await api['agreements.position']({ ...view, key: { connectionId, id } })).index;
  }

  #firstPlace(next: 'stay' | 'top' | 'reveal', held: number | null, cursor: number | null): number {
    if (next === 'top') return 0;
    if (next === 'reveal') return Math.max(0, (cursor ?? 0) - INITIAL_ROWS);
    const { placeAt, count } = this.lines;
    return Math.max(0, held ?? (count === 0 ? 0 : placeAt(Math.min(this.#seen.first, count - 1))));
  }

  #count(next: 'stay' | 'top' | 'reveal', total: number): void {
    const isNews = next === 'stay' && this.loadedAt !== null && this.#seen.first > 0;
    if (isNews) this.fresh += Math.max(0, total - this.windows.total);
  }

  #moveCursor(place: number | null): void {
    const { row } = this.cursor;
    if (row === null) return;
    if (place === null) this.cursor = { place: -1, row };
    else this.cursor = { place, row: this.windows.at(place) ?? row };
  }
}

export const agreements = new Agreements();
