import { describe, expect, it } from 'vitest';
import { ContentSteps } from '../../../../../renderer/features/templates/mapper/content-steps.svelte.ts';

/**
 * Returns the steps after these edits; each edit has a content, and optionally a name that joins
 * edits of one text.
 */
function after(...edits: readonly (readonly [content: string, edit?: string])[]) {
  const steps = new ContentSteps('');
  for (const [content, edit = null] of edits) steps.record(content, edit);
  return steps;
}

describe('the undo steps of an open template', () => {
  it('go back one by one, and forward again', () => {
    const steps = after(['a'], ['ab'], ['abc']);
    expect([steps.go('undo'), steps.go('undo'), steps.go('undo')]).toEqual(['ab', 'a', '']);
    expect(steps.go('undo')).toBeNull();
    expect(steps.reach).toEqual({ undo: 0, redo: 3 });
    expect([steps.go('redo'), steps.go('redo'), steps.go('redo')]).toEqual(['a', 'ab', 'abc']);
    expect(steps.go('redo')).toBeNull();
  });

  it('are one step for typing in one text, and none if the text is as before', () => {
    const steps = after(['a', 'title'], ['ab', 'title'], ['abc', 'note']);
    expect([steps.go('undo'), steps.go('undo')]).toEqual(['ab', '']);
    expect(after(['a', 'title'], ['', 'title']).reach).toEqual({ undo: 0, redo: 0 });
  });

  it('lose their redo steps with the next edit, which becomes its own step', () => {
    const steps = after(['a', 'title'], ['b']);
    steps.go('undo');
    steps.record('ac', 'title');
    expect(steps.reach).toEqual({ undo: 2, redo: 0 });
    expect(steps.go('undo')).toBe('a');
  });

  it('keep their redo steps with changed names after the template was saved elsewhere', () => {
    const steps = after(['a'], ['ab'], ['abc']);
    steps.go('undo');
    steps.rebase('AB', (content) => content.toUpperCase());
    expect(steps.reach).toEqual({ undo: 2, redo: 1 });
    expect([steps.go('redo'), steps.go('undo'), steps.go('undo')]).toEqual(['ABC', 'AB', 'A']);
  });

  it('are limited to the last two hundred', () => {
    const steps = new ContentSteps(0);
    for (let edit = 1; edit <= 250; edit += 1) steps.record(edit, null);
    expect(steps.reach.undo).toBe(200);
    let first: number | null = null;
    for (let at = steps.go('undo'); at !== null; at = steps.go('undo')) first = at;
    expect(first).toBe(50);
  });
});
