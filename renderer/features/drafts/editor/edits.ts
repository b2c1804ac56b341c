import type { DraftContent } from '../../../../shared/contract/drafts.ts';

/** One edit that is not stored yet: what the draft is after it. */
export interface PendingEdit {
  /** Typing on in one field is one edit; null is one by itself. */
  readonly edit: string | null;
  readonly content: DraftContent;
}

/**
 * The edits since the last save, in order; each becomes a step that can be taken back. Steps of a
 * draft are the core's, in the data file, since they last beyond the screen and the program; what
 * lasts as long as a screen is `window/steps.svelte.ts`.
 */
export class DraftEdits {
  #waiting: PendingEdit[] = [];
  #text = '';

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** What is stored now; nothing waits after this. */
  reset(content: DraftContent): void {
    this.#waiting = [];
    this.#text = JSON.stringify(content);
  }

  /** Takes note of an edit; one that changed nothing is none. */
  add(content: DraftContent, edit: string | null): void {
    const text = JSON.stringify(content);
    if (text === this.#text) return;
    this.#text = text;
    const last = this.#waiting.at(-1);
    if (edit !== null && last?.edit === edit) this.#waiting.pop();
    this.#waiting.push({ edit, content });
  }

  first(): PendingEdit | undefined {
    return this.#waiting[0];
  }

  /** The first one is stored. */
  done(edit: PendingEdit): void {
    this.#waiting = this.#waiting.filter((one) => one !== edit);
  }
}
