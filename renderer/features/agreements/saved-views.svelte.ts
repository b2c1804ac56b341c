import { MAX_SAVED_VIEWS, type SavedView } from '../../../shared/contract/agreement-views.ts';
import { layout } from './layout.svelte.ts';
import { agreements } from './state.svelte.ts';
import { settings } from '../../window/settings.svelte.ts';

class SavedViews {
  asksName = $state(false);
  readonly all: readonly SavedView[] = $derived(settings.stored.value?.agreementViews ?? []);
  readonly isFull = $derived(this.all.length >= MAX_SAVED_VIEWS);
  /** The saved view that equals the list's current filter and layout; null if there is none. */
  readonly current: SavedView | null = $derived(
    this.all.find(
      ({ filter, layout: saved }) =>
        isSame(filter, agreements.narrowed) && isSame(saved, layout.now),
    ) ?? null,
  );

  open({ filter, layout: saved }: SavedView): void {
    const { search = '', ...rest } = filter;
    layout.change(saved);
    agreements.search = search;
    void agreements.narrow(rest);
  }

  /** Saves the current list under a name; a view with that name is replaced. */
  async save(name: string): Promise<void> {
    const taken = this.all.find((view) => view.name === name);
    const view = {
      id: taken?.id ?? crypto.randomUUID(),
      name,
      filter: agreements.narrowed,
      layout: layout.now,
    };
    const others = this.all.filter(({ id }) => id !== view.id);
    await this.#write([...others, view]);
  }

  async rename(id: string, name: string): Promise<void> {
    await this.#write(this.all.map((view) => (view.id === id ? { ...view, name } : view)));
  }

  async remove(id: string): Promise<void> {
    await this.#write(this.all.filter((view) => view.id !== id));
  }

  async #write(views: readonly SavedView[]): Promise<void> {
    await settings.write({ agreementViews: [...views] });
  }
}

/** Whether two objects are equal, with their keys in any order. */
const isSame = (one: object, other: object): boolean => canonical(one) === canonical(other);

const canonical = (value: object): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => a.localeCompare(b)))
      : part,
  );

export const savedViews = new SavedViews();
