import { tick } from 'svelte';

/** One of several things that a person puts in order. */
interface Movable {
  /** What is dragged is dropped among its own kind only. */
  readonly kind: 'file' | 'party';
  readonly place: number;
  readonly isLocked: boolean;
  /** One place up or down, by key. */
  readonly onstep: (by: 1 | -1) => void;
  /** The one that stood at this place was dropped on it. */
  readonly onplace: (from: number) => void;
}

/** By key it is moved with Alt and the arrows; with a mouse it is dragged by its handle. */
export function movable({ kind, place, isLocked, onstep, onplace }: Movable) {
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

/** What is put elsewhere on the page loses the focus that was in it. */
export async function keepingFocus(work: () => void): Promise<void> {
  const { activeElement } = document;
  work();
  await tick();
  if (activeElement instanceof HTMLElement) activeElement.focus();
}
