import type { UndoWay } from './undo.svelte.ts';

/** Input types with an editable text and the browser's own undo. */
const TEXT_INPUT_TYPES = /^(text|email|tel|number|search|url|password)$/;

type TextField = HTMLInputElement | HTMLTextAreaElement;

/**
 * Undo by key while a text field is focused: first in the field's own history, then in that of the
 * draft or template around it. A field whose value equals the value on focus has no history left.
 */
class TextUndo {
  #field: TextField | null = null;
  #start = '';
  /** The field's last value by the user; if the field has another value, the program has set it. */
  #seen = '';
  /** Number of the field's own edits that can be redone. */
  #undone = 0;

  enter(target: EventTarget | null): void {
    this.#field = isTextField(target) ? target : null;
    this.#begin();
  }

  /** Called before each input; after it, a value set by the program could not be recognised. */
  noteChange(): void {
    if (this.#field?.value !== this.#seen) this.#begin();
  }

  typed(event: Event): void {
    this.#seen = this.#field?.value ?? '';
    if (!(event instanceof InputEvent)) return;
    if (event.inputType === 'historyUndo') this.#undone += 1;
    else if (event.inputType === 'historyRedo') this.#undone -= 1;
    else this.#undone = 0;
  }

  /**
   * Step of the history around the field that a key requests; null for other keys, and if the field
   * handles the key.
   */
  wanted(event: KeyboardEvent): UndoWay | null {
    const { target } = event;
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return null;
    const isField = target instanceof HTMLElement && target.matches('input, textarea');
    const key = event.key.toLowerCase();
    if (!isField || (key !== 'z' && key !== 'y')) return null;
    const isBack = key === 'z' && !event.shiftKey;
    this.noteChange();
    if (target === this.#field) {
      if (isBack && this.#field.value !== this.#start) return null;
      if (!isBack && this.#undone > 0) return null;
    }
    return isBack ? 'undo' : 'redo';
  }

  #begin(): void {
    this.#start = this.#seen = this.#field?.value ?? '';
    this.#undone = 0;
  }
}

/**
 * Handles Ctrl+Z and Ctrl+Shift+Z while a text field inside `root` is focused; outside `root`, the
 * program's shortcuts apply. Returns the cleanup function, as attachments do.
 */
export function undoByKey(root: HTMLElement, go: (by: UndoWay) => void): () => void {
  const texts = new TextUndo();
  const until = new AbortController();
  const { signal } = until;
  root.addEventListener('focusin', ({ target }) => texts.enter(target), { signal });
  root.addEventListener('beforeinput', () => texts.noteChange(), { signal });
  root.addEventListener('input', (event) => texts.typed(event), { signal });
  const press = (event: KeyboardEvent): void => {
    const wanted = texts.wanted(event);
    if (wanted === null) return;
    event.preventDefault();
    event.stopPropagation();
    go(wanted);
  };
  root.addEventListener('keydown', press, { signal });
  return () => until.abort();
}

export function isTextField(target: EventTarget | null): target is TextField {
  if (target instanceof HTMLTextAreaElement) return true;
  return target instanceof HTMLInputElement && TEXT_INPUT_TYPES.test(target.type);
}
