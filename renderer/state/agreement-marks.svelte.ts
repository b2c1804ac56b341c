import { SvelteMap } from 'svelte/reactivity';
import type { Agreement } from '../../shared/contract/agreements.ts';
import type { AgreementKey } from '../../shared/contract/ids.ts';
import { agreements, keyOf } from './agreements.svelte.ts';

export type SeveralKind = 'remind' | 'revoke' | 'remove';

/** The agreements marked in the list, to do one thing with all of them. */
class AgreementMarks {
  readonly #marked = new SvelteMap<string, Agreement>();
  /** The dialog about the marked ones; a new one for each asking. */
  asked = $state.raw<{ readonly kind: SeveralKind } | null>(null);
  /** As they are now, where the list still holds them. */
  readonly rows: readonly Agreement[] = $derived(
    [...this.#marked].map(
      ([key, marked]) => agreements.rows.find((row) => keyOf(row) === key) ?? marked,
    ),
  );
  readonly keys: ReadonlySet<string> = $derived(new Set(this.#marked.keys()));
  readonly areSeveral = $derived(this.#marked.size > 1);

  toggle(key: string): void {
    const row = agreements.rows.find((candidate) => keyOf(candidate) === key);
    if (!this.#marked.delete(key) && row !== undefined) this.#marked.set(key, row);
  }

  /** Those that were done; what failed stays marked. */
  drop(done: readonly AgreementKey[]): void {
    for (const key of done) this.#marked.delete(keyOf(key));
  }

  clear(): void {
    this.#marked.clear();
  }
}

export const marks = new AgreementMarks();
