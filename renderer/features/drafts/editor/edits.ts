import type { DraftContent } from '../../../../shared/contract/drafts.ts';

/** An edit that is not stored yet, with the draft after the edit. */
export interface PendingEdit {
  /** Name of the edit: consecutive typing in one field has one name. Null for a separate edit. */
  readonly edit: string | null;
  readonly content: DraftContent;
}

/**
 * Edits since the last save, in order; each becomes an undo step. The undo steps of a draft are in
 * the core's data file, because they outlive the screen and the program. Undo steps that live as
 * long as a screen are in `window/steps.svelte.ts`.
 */
export class DraftEdits {
  #waiting: PendingEdit[] = [];
  #text = '';

  /** Sets the stored content and drops all edits that are not stored. */
  reset(content: DraftContent): void {
    this.#waiting = [];
    this.#text = JSON.stringify(content);
  }

  /** Records an edit, unless it changed nothing. */
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

  /** Returns the edits except `sent`, whose save is in flight. */
  except(sent: PendingEdit | null): readonly PendingEdit[] {
    return this.#waiting.filter((one) => one !== sent);
  }

  /** Removes an edit after it was stored. */
  done(edit: PendingEdit): void {
    this.#waiting = this.#waiting.filter((one) => one !== edit);
  }
}
