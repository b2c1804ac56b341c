import type { UndoWay } from './undo.svelte.ts';

/** Kinds of input that hold a text of their own, with its own undo. */
const TEXT = /^(text|email|tel|number|search|url|password)$/;

type TextField = HTMLInputElement | HTMLTextAreaElement;

/**
 * Undo by key where a text has the focus: first the text's own, as far as it goes, then that of the
 * draft or template around it. A text whose value is what it was when it was entered has nothing of its own left.
 */
class TextUndo {
  #field: TextField | null = null;
  #start = '';
  /** What the person left in the field; another value was put there by the program. */
  #seen = '';
  /** How many of its own edits the text could do again. */
  #undone = 0;

  enter(target: EventTarget | null): void {
    this.#field = isTextField(target) ? target : null;
    this.#begin();
  }

  /** Before each input: only then can a value that the program put there still be told apart. */
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

  /** What the keys ask of what is around; null when they are other keys, or the text's own to answer. */
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
 * Ctrl+Z and Ctrl+Shift+Z where a text of `root` has the focus; elsewhere the program's own table of
 * keys decides. Gives how to end it, as attachments do.
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
  return target instanceof HTMLInputElement && TEXT.test(target.type);
}
