type GridAction =
  | { readonly do: 'move'; readonly to: number; readonly extends: boolean }
  | { readonly do: 'open' | 'mark' | 'mark-all' };

interface GridPosition {
  readonly active: number;
  readonly count: number;
  /** Number of rows that Page Down moves. */
  readonly page: number;
}

/** Action of a key in a list; null if the list does not handle the key. */
export function gridActionForKey(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>,
  { active, count, page }: GridPosition,
): GridAction | null {
  if (event.altKey) return null;
  if (event.ctrlKey || event.metaKey) {
    return event.key.toLowerCase() === 'a' && !event.shiftKey ? { do: 'mark-all' } : null;
  }
  const to = (index: number): GridAction => ({ do: 'move', to: index, extends: event.shiftKey });
  switch (event.key) {
    case 'ArrowDown':
    case 'j':
      return to(active + 1);
    case 'ArrowUp':
    case 'k':
      return to(active - 1);
    case 'PageDown':
      return to(active + page);
    case 'PageUp':
      return to(active - page);
    case 'Home':
      return to(0);
    case 'End':
      return to(count - 1);
    case 'Enter':
      return { do: 'open' };
    case ' ':
      return { do: 'mark' };
    default:
      return null;
  }
}
