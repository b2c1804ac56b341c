import type { Agreement, AgreementPage, AgreementQuery } from '../../shared/contract/agreements.ts';
import type { AgreementState } from '../../shared/model/agreement.ts';
import { api, on } from '../desk.ts';
import { connections } from './connections.svelte.ts';
import { Loaded } from './loaded.svelte.ts';

export type Counter = NonNullable<AgreementQuery['counter']>;

interface Filter {
  readonly state?: AgreementState;
  readonly counter?: Counter;
}

/** Rows of the first read: several screens full, however many agreements there are. */
const FIRST = 200;
const MOST_AT_ONCE = 1000;

/** One word for a row over all connections; ids alone may meet in two of them. */
export const keyOf = (row: Pick<Agreement, 'connectionId' | 'id'>): string =>
  `${row.connectionId}/${encodeURIComponent(row.id)}`;

/** The list of agreements as it is filtered now, read page by page. */
class Agreements {
  search = $state('');
  filter = $state.raw<Filter>({});
  readonly page = new Loaded(() => this.#read(this.#wanted));
  readonly counts = new Loaded(() => api['agreements.counts'](connections.scope));
  readonly rows: readonly Agreement[] = $derived(this.page.value?.items ?? []);
  readonly total = $derived(this.page.value?.total ?? 0);
  readonly isNarrowed = $derived(
    this.search.trim() !== '' ||
      this.filter.state !== undefined ||
      this.filter.counter !== undefined,
  );
  #wanted = FIRST;
  #reading = false;

  constructor() {
    on('agreements.changed', () => void this.refresh());
  }

  /** Reads again as much as is shown. */
  async refresh(): Promise<void> {
    await Promise.all([this.page.refresh(), this.counts.refresh()]);
  }

  async find(text: string): Promise<void> {
    this.search = text;
    await this.#startOver();
  }

  async narrow(filter: Filter): Promise<void> {
    this.filter = filter;
    await this.#startOver();
  }

  async clear(): Promise<void> {
    this.search = '';
    await this.narrow({});
  }

  /** Reads the next rows, when there are any. */
  async more(): Promise<void> {
    const shown = this.page.value;
    if (shown === null || shown.next === null || this.#reading) return;
    this.#reading = true;
    try {
      const next = await this.#ask(FIRST, shown.next);
      // A refresh meanwhile has read other rows, to which these do not belong.
      if (this.page.value !== shown) return;
      this.#wanted = shown.items.length + next.items.length;
      this.page.value = { ...next, items: [...shown.items, ...next.items] };
    } finally {
      this.#reading = false;
    }
  }

  async #startOver(): Promise<void> {
    this.#wanted = FIRST;
    await this.page.refresh();
  }

  async #read(wanted: number): Promise<AgreementPage> {
    let page = await this.#ask(wanted);
    while (page.items.length < wanted && page.next !== null) {
      const next = await this.#ask(wanted - page.items.length, page.next);
      page = { ...next, items: [...page.items, ...next.items] };
    }
    return page;
  }

  #ask(limit: number, after?: string): Promise<AgreementPage> {
    const search = this.search.trim();
    return api['agreements.list']({
      ...connections.scope,
      ...this.filter,
      ...(search === '' ? {} : { search }),
      ...(after === undefined ? {} : { after }),
      limit: Math.min(limit, MOST_AT_ONCE),
    });
  }
}

export const agreements = new Agreements();
