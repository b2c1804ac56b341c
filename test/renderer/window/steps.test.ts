import { expect, it } from 'vitest';
import { Steps } from '../../../renderer/window/steps.svelte.ts';

/** Wraps a text in an object of its own, so that each text is a separate step. */
const step = (text: string) => ({ text });

it('an undone step can be redone', () => {
  const steps = new Steps<{ readonly text: string }>(9);
  steps.add(step('a'));
  steps.add(step('b'));
  const last = steps.next('undo');
  expect(last).toEqual(step('b'));
  if (last !== undefined) steps.took('undo', last, step('c'));
  expect([steps.next('undo'), steps.next('redo')]).toEqual([step('a'), step('c')]);
  const on = steps.next('redo');
  if (on !== undefined) steps.took('redo', on, step('b'));
  expect([steps.next('undo'), steps.next('redo')]).toEqual([step('b'), undefined]);
  expect(steps.reach).toEqual({ undo: 2, redo: 0 });
});

it('an undo step that fails stays available', () => {
  const steps = new Steps<{ readonly text: string }>(9);
  steps.add(step('a'));
  expect(steps.next('undo')).toBe(steps.next('undo'));
  expect(steps.reach).toEqual({ undo: 1, redo: 0 });
});

it('an edit during an undo is kept, and only the undone step is removed', () => {
  const steps = new Steps<{ readonly text: string }>(9);
  const first = step('a');
  steps.add(first);
  steps.add(step('b'));
  steps.took('undo', first, step('back'));
  expect([steps.next('undo'), steps.next('redo')]).toEqual([step('b'), step('back')]);
  expect(steps.reach).toEqual({ undo: 1, redo: 1 });
});

it('an edit clears the redo steps, and the oldest steps are dropped at the limit', () => {
  const steps = new Steps<{ readonly text: string }>(2);
  const first = step('a');
  steps.add(first);
  steps.took('undo', first, step('b'));
  steps.add(step('c'));
  expect(steps.reach).toEqual({ undo: 1, redo: 0 });
  steps.add(step('d'));
  steps.add(step('e'));
  expect(steps.reach.undo).toBe(2);
  steps.dropLast();
  expect(steps.next('undo')).toEqual(step('d'));
  steps.clear();
  expect(steps.reach).toEqual({ undo: 0, redo: 0 });
});
