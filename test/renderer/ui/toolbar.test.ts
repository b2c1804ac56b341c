import { describe, expect, it } from 'vitest';
import { placeActions, type ToolAction } from '../../../renderer/ui/layout/tool-actions.ts';

const action = (id: string, more: Partial<ToolAction> = {}): ToolAction => ({
  id,
  label: id,
  reason: null,
  run: () => {},
  ...more,
});
const idsOf = (actions: readonly { readonly id: string }[]): string[] =>
  actions.map(({ id }) => id);

describe('a toolbar', () => {
  it('has at most one primary and two plain buttons; the rest is in the menu', () => {
    const all = ['a', 'b', 'c', 'd', 'e'].map((id) => action(id, { primary: id !== 'a' }));
    const { primary, plain, menu } = placeActions(all);
    expect(primary?.id).toBe('b');
    expect(idsOf(plain)).toEqual(['a', 'c']);
    expect(menu.map(idsOf)).toEqual([['d', 'e']]);
  });

  it('has no menu for two actions, and no primary button if none is the usual next step', () => {
    const { primary, plain, menu } = placeActions([action('a'), action('b')]);
    expect(primary).toBeNull();
    expect(idsOf(plain)).toEqual(['a', 'b']);
    expect(menu).toEqual([]);
  });

  it('leaves an unavailable action in its place, with its reason', () => {
    const all = [
      action('a', { primary: true, reason: 'No connection' }),
      action('b', { reason: 'Nothing to undo' }),
      action('c'),
      action('d', { reason: 'No errors' }),
    ];
    const { primary, plain, menu } = placeActions(all);
    expect(primary?.reason).toBe('No connection');
    expect(plain.map(({ reason }) => reason)).toEqual(['Nothing to undo', null]);
    expect(menu.flat().map(({ reason }) => reason)).toEqual(['No errors']);
  });

  it('shows actions that destroy something last in the menu, after the further groups', () => {
    const all = [action('a'), action('b'), action('delete', { danger: true }), action('c')];
    const { menu } = placeActions(all, [[action('x')], []]);
    expect(menu.map(idsOf)).toEqual([['c'], ['x'], ['delete']]);
  });
});
