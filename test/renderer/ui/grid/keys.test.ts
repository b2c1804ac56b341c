import { describe, expect, it } from 'vitest';
import { gridActionForKey } from '../../../../renderer/ui/grid/keys.ts';

const place = { active: 50, count: 100, page: 10 } as const;
const free = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false } as const;

const asked = (key: string, held: Partial<typeof free> | Record<string, boolean> = {}) =>
  gridActionForKey({ ...free, ...held, key }, place);

describe('the keyboard in a list', () => {
  it('moves by row, by page and to the ends', () => {
    const moves = { ArrowDown: 51, j: 51, ArrowUp: 49, k: 49, PageDown: 60, PageUp: 40 } as const;
    for (const [key, to] of Object.entries({ ...moves, Home: 0, End: 99 })) {
      expect(asked(key), key).toEqual({ do: 'move', to, extends: false });
    }
  });

  it('selects the range in between with Shift', () => {
    expect(asked('PageDown', { shiftKey: true })).toEqual({ do: 'move', to: 60, extends: true });
  });

  it('selects all with Ctrl or Cmd and A, and leaves all other chords to the window', () => {
    expect(asked('a', { ctrlKey: true })).toEqual({ do: 'mark-all' });
    expect(asked('A', { metaKey: true })).toEqual({ do: 'mark-all' });
    expect(asked('a', { ctrlKey: true, shiftKey: true })).toBeNull();
    expect(asked('j', { ctrlKey: true })).toBeNull();
    expect(asked('ArrowDown', { altKey: true })).toBeNull();
    expect(asked('x')).toBeNull();
  });
});
