import { SvelteMap, SvelteSet } from 'svelte/reactivity';
import { type AgreementView, MAX_KEYS } from '../../../shared/contract/agreement-query.ts';
import type { Agreement } from '../../../shared/contract/agreements.ts';
import type { AgreementKey } from '../../../shared/model/ids.ts';
import type { ReportOrder } from '../../../shared/contract/reports.ts';
import { api } from '../../window/desk.ts';
import { formatCount } from '../../ui/format.ts';
import { m } from '../../ui/language.svelte.ts';
import { activity } from '../../window/activity.svelte.ts';
import { agreements, keyOf } from './state.svelte.ts';

export type SeveralKind = 'remind' | 'change' | 'revoke' | 'remove';

/** As many as one job on the service takes; a person can still look through them. */
export const MAX_AT_ONCE = 1000;
/** Rows that one call gives. */
const STRETCH = 500;

/** Readings of a range whose ends moved meanwhile; a list that never rests gets none marked. */
const RANGE_TRIES = 3;

/** A place of the list, and what stood there when it was meant; null: that was not read yet. */
interface End {
  readonly place: number;
  readonly row: Agreement | null;
}

/** All that match, known by what they match and not one by one. */
interface WholeView {
  readonly view: AgreementView;
  readonly total: number;
}

/** The agreements marked in the list, to do one thing with all of them. */
class AgreementMarks {
  /** Those marked one by one or as a range. */
  readonly #marked = new SvelteMap<string, Agreement>();
  #whole = $state.raw<WholeView | null>(null);
  /** Taken out of the whole again. */
  readonly #except = new SvelteMap<string, AgreementKey>();
  /** The dialog about the marked ones; a new one for each asking. */
  asked = $state.raw<{ readonly kind: SeveralKind } | null>(null);
  /** Those the dialog is about, read for it where they were not in memory. */
  #resolved = $state.raw<readonly Agreement[] | null>(null);
  busy = $state(false);
  /** From where Shift extends: an agreement, wherever it stands by then. */
  #anchor: End | null = null;
  /** What the last range holds, which the next one from the same anchor takes the place of. */
  readonly #range = new SvelteSet<string>();
  /** Of the range asked for last. */
  #turn = 0;

  readonly isWhole = $derived(this.#whole !== null);
  readonly count = $derived(
    this.#whole === null ? this.#marked.size : Math.max(0, this.#whole.total - this.#except.size),
  );
  readonly areSeveral = $derived(this.count > 1);
  /** As they are now, where the list still holds them. */
  readonly rows: readonly Agreement[] = $derived(this.#resolved ?? [...this.#marked.values()]);
  /** The row Shift+arrow starts from is marked along with the rest. */
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
    this.#anchor = place < 0 ? null : endAt(place);
    this.#range.clear();
    if (this.#whole !== null) {
      if (!this.#except.delete(key) && row !== undefined) this.#except.set(key, row);
      if (this.count === 0) this.clear();
    } else if (!this.#marked.delete(key) && row !== undefined) this.#marked.set(key, row);
  }

  /** The next range starts here. */
  anchorAt(place: number): void {
    this.#anchor = endAt(place);
    this.#range.clear();
  }

  /** Marks everything from the agreement where the range began to the one at this place. */
  async extendTo(place: number): Promise<void> {
    const view = agreements.shown;
    if (view === null || this.#whole !== null) return;
    const { cursor } = agreements;
    this.#anchor ??= { place: Math.max(0, cursor.place), row: cursor.row };
    const turn = ++this.#turn;
    const rows = await this.#between(view, this.#anchor, endAt(place));
    // Keys come faster than answers: an older, shorter range would take its rows away again.
    if (turn !== this.#turn) return;
    if (rows === null)
      return activity.say(() => m.marked_range_most({ count: formatCount(MAX_KEYS) }));
    this.#resolved = null;
    const wanted = new Map(rows.map((row) => [keyOf(row), row]));
    // Only what differs: a long range is extended page by page, and each row is watched.
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

  /** All that match now. */
  async markAll(): Promise<void> {
    const view = agreements.shown;
    if (view === null || agreements.total === 0) return;
    if (!agreements.windows.isCounted && !(await agreements.counted())) return;
    // Somebody looks for something else meanwhile.
    if (agreements.shown !== view) return;
    this.clear();
    this.#whole = { view, total: agreements.total };
    const { total } = agreements;
    activity.say(() => m.marked_all_said({ count: formatCount(total) }));
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

  /** Asks what to do with the marked ones, once all of them are known. */
  async ask(kind: SeveralKind): Promise<void> {
    if (this.count > MAX_AT_ONCE)
      return activity.say(() => m.marked_most({ count: formatCount(MAX_AT_ONCE) }));
    this.busy = true;
    const isRead = await activity.attempt(async () => {
      this.#resolved = await this.resolve(MAX_AT_ONCE);
    });
    this.busy = false;
    if (isRead) this.asked = { kind };
  }

  /** Those that were done; what failed stays marked. */
  drop(done: readonly AgreementKey[]): void {
    if (this.#whole === null) for (const key of done) this.#marked.delete(keyOf(key));
    else {
      // What is left of the whole is what the dialog was about, less what is done.
      const left = new Map(this.rows.map((row) => [keyOf(row), row]));
      for (const key of done) left.delete(keyOf(key));
      this.clear();
      for (const [key, row] of left) this.#marked.set(key, row);
    }
    this.#resolved = null;
  }

  /**
   * Only these stay marked: the ones that failed. Of all that match they are read for it; when more
   * than a range may hold failed, nearly nothing was done, and everything stays marked.
   */
  async keep(keys: ReadonlySet<string>): Promise<void> {
    const whole = this.#whole;
    if (whole === null) {
      for (const key of [...this.#marked.keys()]) if (!keys.has(key)) this.#marked.delete(key);
    } else if (keys.size <= MAX_KEYS) {
      const left = await findRows(whole.view, keys);
      // Somebody marked something else meanwhile.
      if (this.#whole !== whole) return;
      this.clear();
      for (const row of left) this.#marked.set(keyOf(row), row);
    }
  }

  /** Every marked agreement as a row, at most so many. */
  async resolve(most: number): Promise<readonly Agreement[]> {
    if (this.#whole === null) return [...this.#marked.values()].slice(0, most);
    const rows = await readRows(this.#whole.view, 0, most + this.#except.size);
    return rows.filter((row) => !this.#except.has(keyOf(row))).slice(0, most);
  }

  /** The same with what the columns of the list say of them now, however long ago they were marked. */
  async resolveShown(most: number): Promise<readonly Agreement[]> {
    return withMore(await this.resolve(most));
  }

  /** Every marked agreement by name alone, however many. */
  async keys(): Promise<readonly AgreementKey[]> {
    if (this.#whole === null) return [...this.#marked.values()].map(nameOf);
    const keys: AgreementKey[] = [];
    for (let from = 0; ; from += MAX_KEYS) {
      const asked = { ...this.#whole.view, from, limit: MAX_KEYS };
      const page = await api['agreements.keys'](asked);
      keys.push(...page.keys.filter((key) => !this.#except.has(keyOf(key))));
      if (from + MAX_KEYS >= page.total) return keys;
    }
  }

  /** What a report of the marked ones holds. */
  forReport(): ReportOrder['rows'] {
    return this.#whole === null
      ? { kind: 'keys', keys: [...this.#marked.values()].map(nameOf) }
      : { kind: 'view', view: this.#whole.view, except: [...this.#except.values()].map(nameOf) };
  }

  /** What stands between two agreements, with both; null when that is more than a range may hold. */
  async #between(view: AgreementView, one: End, other: End): Promise<readonly Agreement[] | null> {
    let ends = [placeInMemory(one), placeInMemory(other)] as const;
    for (let tried = 0; tried < RANGE_TRIES; tried += 1) {
      const from = Math.min(...ends);
      const count = Math.abs(ends[0] - ends[1]) + 1;
      if (count > MAX_KEYS) return null;
      const rows = this.#inMemory(from, count) ?? (await readRows(view, from, count));
      const isAt = ({ row }: End, place: number): boolean =>
        row === null || isSame(rows[place - from], row);
      if (isAt(one, ends[0]) && isAt(other, ends[1])) return rows;
      ends = await Promise.all([placeNow(view, one), placeNow(view, other)]);
    }
    return [];
  }

  #inMemory(from: number, count: number): readonly Agreement[] | null {
    const rows = Array.from({ length: count }, (_, at) => agreements.windows.at(from + at));
    const known = rows.filter((row) => row !== undefined);
    return known.length === count ? known : null;
  }
}

const nameOf = ({ connectionId, id }: AgreementKey): AgreementKey => ({ connectionId, id });

const endAt = (place: number): End => ({ place, row: agreements.windows.at(place) ?? null });

const isSame = (row: Agreement | undefined, wanted: Agreement): boolean =>
  row !== undefined && keyOf(row) === keyOf(wanted);

function placeInMemory({ place, row }: End): number {
  if (row === null || isSame(agreements.windows.at(place), row)) return place;
  const at = agreements.windows.placeOf((one) => isSame(one, row));
  return at < 0 ? place : at;
}

/** Where it stands now; where it stood, when it is not in the list any more. */
async function placeNow(view: AgreementView, { place, row }: End): Promise<number> {
  if (row === null) return place;
  const key = nameOf(row);
  return (await api['agreements.position']({ ...view, key })).index ?? place;
}

async function readRows(
  view: AgreementView,
  from: number,
  count: number,
): Promise<readonly Agreement[]> {
  const rows: Agreement[] = [];
  while (rows.length < count) {
    const limit = Math.min(STRETCH, count - rows.length);
    const { items } = await api['agreements.window']({ ...view, from: from + rows.length, limit });
    if (items.length === 0) break;
    rows.push(...items);
  }
  return rows;
}

/** Rows with what the columns of the list need beside what stands in every row. */
export async function withMore(rows: readonly Agreement[]): Promise<readonly Agreement[]> {
  const { more = [] } = agreements.view;
  if (more.length === 0) return rows;
  const found: Agreement[] = [];
  for (let from = 0; from < rows.length; from += STRETCH) {
    const keys = rows.slice(from, from + STRETCH).map(nameOf);
    found.push(...(await api['agreements.rows']({ keys, more })));
  }
  return found;
}

/** The rows of a view that are named, as far as they are still in it. */
async function findRows(
  view: AgreementView,
  keys: ReadonlySet<string>,
): Promise<readonly Agreement[]> {
  const rows: Agreement[] = [];
  for (let from = 0; rows.length < keys.size; from += STRETCH) {
    const { items } = await api['agreements.window']({ ...view, from, limit: STRETCH });
    if (items.length === 0) break;
    rows.push(...items.filter((row) => keys.has(keyOf(row))));
  }
  return rows;
}

export const marks = new AgreementMarks();
