import * as commands from './commands.svelte.ts';
import type { FieldDrawing } from './state.svelte.ts';

/** Distance per press of an arrow key, and per press with Shift (points). */
const ARROW_STEP_POINTS = 1;
const SHIFT_ARROW_STEP_POINTS = 10;

const arrowDirections: Readonly<Record<string, readonly [dx: number, dy: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Handles keys on a place of the page; returns whether it did something. */
export function pressOnPlace(drawing: FieldDrawing, event: KeyboardEvent): boolean {
  const way = arrowDirections[event.key];
  if (way === undefined || event.ctrlKey || event.metaKey) return pressOnField(drawing, event);
  const far = event.shiftKey ? SHIFT_ARROW_STEP_POINTS : ARROW_STEP_POINTS;
  const by = event.altKey ? commands.resizeBy : commands.moveBy;
  by(drawing, way[0] * far, way[1] * far);
  return true;
}

/** Handles keys on a field, on the page and in the list next to it. */
export function pressOnField(drawing: FieldDrawing, event: KeyboardEvent): boolean {
  const { key, altKey } = event;
  if (altKey) return false;
  if (event.ctrlKey || event.metaKey) return pressWithControl(drawing, key.toLowerCase());
  switch (key) {
    case 'Delete':
    case 'Backspace':
      commands.remove(drawing);
      return true;
    case ' ':
      if (drawing.current !== null) toggle(drawing);
      return true;
    case 'Escape':
      return cancelStep(drawing);
    default:
      return false;
  }
}

function pressWithControl(drawing: FieldDrawing, key: string): boolean {
  switch (key) {
    case 'd':
      commands.duplicate(drawing);
      return true;
    case 'c':
      commands.copy(drawing);
      return true;
    case 'v':
      commands.paste(drawing);
      return true;
    case 'a':
      for (const { id, places } of drawing.drawing.fields) {
        if (places.some(({ page }) => page === drawing.page)) drawing.marked.add(id);
      }
      return true;
    default:
      return false;
  }
}

function toggle({ marked, current }: FieldDrawing): void {
  if (current === null) return;
  if (marked.has(current.id)) marked.delete(current.id);
  else marked.add(current.id);
}

/**
 * Cancels one thing per press of Escape: first the tool, then the selection. Returns whether there
 * was one.
 */
function cancelStep(drawing: FieldDrawing): boolean {
  if (drawing.tool !== null) drawing.tool = null;
  else if (drawing.marked.size > 0) drawing.marked.clear();
  else return false;
  return true;
}

/** Handles keys on a found place; returns whether it did something. */
export function pressOnFound(drawing: FieldDrawing, id: string, event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, altKey } = event;
  if (ctrlKey || metaKey || altKey) return false;
  const pressed = key.length === 1 ? key.toLowerCase() : key;
  if (pressed === 'y' || pressed === 'Enter') commands.decide(drawing, id, true);
  else if (pressed === 'n' || pressed === 'Delete') commands.decide(drawing, id, false);
  else return false;
  return true;
}
