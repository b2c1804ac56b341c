import { getContext, onDestroy, setContext, untrack } from 'svelte';
import { SvelteMap } from 'svelte/reactivity';

const KEY = Symbol('unread fields');

type UnreadText = () => string | null;

/** The fields of a form whose text cannot be read. */
export class UnreadFields {
  readonly #fields = new SvelteMap<string, UnreadText>();
  readonly #ondrop: (text: string) => void;

  constructor(ondrop: (text: string) => void = () => undefined) {
    this.#ondrop = ondrop;
  }

  get isAny(): boolean {
    return [...this.#fields.values()].some((unreadText) => unreadText() !== null);
  }

  add(field: string, unreadText: UnreadText): void {
    this.#fields.set(field, unreadText);
  }

  /** Removes a field. A text that goes away with it was never stored, and is reported. */
  remove(field: string): void {
    const text = this.#fields.get(field)?.() ?? null;
    this.#fields.delete(field);
    if (text !== null) this.#ondrop(text);
  }
}

/**
 * Collects the unread fields of the components below the caller. `ondrop` is called for each text
 * that goes away with its field; a form that the user cancels needs no call.
 */
export function collectUnread(ondrop?: (text: string) => void): UnreadFields {
  return setContext(KEY, new UnreadFields(ondrop));
}

/** Reports whether a field contains a text that cannot be read: the text, or null. */
export function reportUnread(field: string, unreadText: UnreadText): void {
  const fields = getContext<UnreadFields | undefined>(KEY);
  $effect(() => untrack(() => fields?.add(field, unreadText)));
  onDestroy(() => fields?.remove(field));
}
