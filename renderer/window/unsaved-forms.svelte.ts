import type { FormKey } from '../../shared/contract/forms.ts';
import { activity } from './activity.svelte.ts';
import { onClosing } from './closing.ts';
import { api, on } from './desk.ts';

/**
 * Delay of a save (ms). It groups the characters of a word, and stays below one second, within
 * which edits must be stored.
 */
const FORM_SAVE_DELAY_MS = 400;

/**
 * Text typed into forms that were neither saved nor cancelled. It is stored in the encrypted data,
 * so that it survives another screen, a closed window and a crash.
 */
class UnsavedForms {
  /** JSON of each form's values. */
  readonly #contents = new Map<FormKey, string>();
  readonly #changed = new Set<FormKey>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #loading: Promise<unknown> = Promise.resolve();
  #isWatching = false;

  /** Reads the stored forms; called each time data is opened. */
  load(): Promise<unknown> {
    this.#watch();
    // Text that could not be stored yet is not in the data.
    for (const key of this.#contents.keys()) {
      if (!this.#changed.has(key)) this.#contents.delete(key);
    }
    this.#loading = activity.attempt(async () => {
      for (const { key, content } of await api['forms.list']({})) {
        if (!this.#changed.has(key)) this.#contents.set(key, content);
      }
    });
    return this.#loading;
  }

  /**
   * Forms that were left are stored when the window closes, too. Forgetting a person removes stored
   * texts, so that they are read again.
   */
  #watch(): void {
    if (this.#isWatching) return;
    this.#isWatching = true;
    onClosing(() => this.flush());
    on('people.changed', () => void this.load());
  }

  /** Resolves once the stored forms are read. */
  get loaded(): Promise<unknown> {
    return this.#loading;
  }

  get(key: FormKey): string | null {
    return this.#contents.get(key) ?? null;
  }

  /** Sets the values of a form (JSON), or forgets them (null). */
  set(key: FormKey, content: string | null): void {
    if (this.get(key) === content) return;
    if (content === null) this.#contents.delete(key);
    else this.#contents.set(key, content);
    this.#changed.add(key);
    // Further typing does not postpone the save, so that the first character is stored in time.
    this.#timer ??= setTimeout(() => this.flush(), FORM_SAVE_DELAY_MS);
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const changed = [...this.#changed];
    this.#changed.clear();
    for (const key of changed) void this.#store(key);
  }

  async #store(key: FormKey): Promise<void> {
    const content = this.get(key);
    const isStored = await activity.attempt(() => api['forms.keep']({ key, content }));
    // The next change stores it again.
    if (!isStored) this.#changed.add(key);
  }
}

export const unsavedForms = new UnsavedForms();

interface FormToKeep<Content> {
  readonly key: FormKey;
  /** Schema of the contract that validates kept values. */
  readonly schema: { parse(values: unknown): Content };
  /** Values to keep; null if the user typed nothing. */
  readonly read: () => Content | null;
  /** Shows values that were kept earlier. */
  readonly show: (content: Content) => void;
}

type FieldTexts = Readonly<Record<string, string>>;

/**
 * Returns the fields that differ from `before`; null if there are none. Only these are kept, so that
 * a later change of the others is not undone.
 */
export function changedFields(before: FieldTexts, now: FieldTexts): FieldTexts | null {
  const changed = Object.entries(now).filter(([field, text]) => text !== before[field]);
  return changed.length === 0 ? null : Object.fromEntries(changed);
}

/**
 * Shows the kept values of a form, and keeps the values that the user types. Called while the form’s
 * component starts. The returned function ends this after the form was saved or cancelled.
 */
export function keepUnsaved<Content>(form: FormToKeep<Content>): () => void {
  const { key, schema, read, show } = form;
  let isEnded = false;
  const write = (): void => {
    if (isEnded) return;
    const content = read();
    unsavedForms.set(key, content === null ? null : JSON.stringify(content));
  };
  const restore = (): boolean => {
    const kept = unsavedForms.get(key);
    if (kept === null) return false;
    try {
      show(schema.parse(JSON.parse(kept)));
      return true;
    } catch {
      // Another version of the program kept other values.
      return false;
    }
  };
  // A form that opens with the window may come before the stored forms.
  if (!restore()) {
    void unsavedForms.loaded.then(() => {
      if (!isEnded && read() === null) restore();
    });
  }
  $effect(write);
  $effect(() =>
    onClosing(() => {
      write();
      unsavedForms.flush();
    }),
  );
  return () => {
    isEnded = true;
    unsavedForms.set(key, null);
    unsavedForms.flush();
  };
}
