import { tick } from 'svelte';

interface MovableItem {
  /** Kind of the item, which can be dropped only among items of the same kind. */
  readonly kind: 'file' | 'party';
  readonly place: number;
  readonly isLocked: boolean;
  /** Called when the keyboard moves the item by one position. */
  readonly onstep: (by: 1 | -1) => void;
  /** Called when the item at position `from` was dropped on this one. */
  readonly onplace: (from: number) => void;
}

/** Makes an item movable: with Alt and the arrow keys, or by its handle with a mouse. */
export function movable({ kind, place, isLocked, onstep, onplace }: MovableItem) {
  const type = `application/x-desk-${kind}`;
  const isDragged = (event: DragEvent): boolean =>
    event.dataTransfer?.types.includes(type) === true && !isLocked;
  return {
    handle: {
      draggable: !isLocked,
      ondragstart: (event: DragEvent) => event.dataTransfer?.setData(type, String(place)),
    },
    whole: {
      onkeydown(event: KeyboardEvent): void {
        if (!event.altKey || event.ctrlKey || event.metaKey) return;
        if (event.key === 'ArrowUp') onstep(-1);
        else if (event.key === 'ArrowDown') onstep(1);
        else return;
        event.preventDefault();
      },
      ondragover(event: DragEvent): void {
        if (isDragged(event)) event.preventDefault();
      },
      ondrop(event: DragEvent): void {
        if (!isDragged(event)) return;
        event.preventDefault();
        onplace(Number(event.dataTransfer?.getData(type)));
      },
    },
  };
}

/** Runs `work` and restores the focus, which an element loses when it moves in the page. */
export async function restoreFocusAfter(work: () => void): Promise<void> {
  const { activeElement } = document;
  work();
  await tick();
  if (activeElement instanceof HTMLElement) activeElement.focus();
}
