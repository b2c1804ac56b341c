import { expect, it } from 'vitest';
import { Steps } from '../../../renderer/window/steps.svelte.ts';

/** Texts that lead back, wrapped so that each is a step of its own. */
const step = (text: string) => ({ text });

it('a step that was taken leads the other way', () => {
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

it('a step that is not taken in the end stays where it was', () => {
  const steps = new Steps<{ readonly text: string }>(9);
  steps.add(step('a'));
  expect(steps.next('undo')).toBe(steps.next('undo'));
  expect(steps.reach).toEqual({ undo: 1, redo: 0 });
});

it('an edit made while a step is taken stays, and only that step goes', () => {
  const steps = new Steps<{ readonly text: string }>(9);
  const first = step('a');
  steps.add(first);
  steps.add(step('b'));
  steps.took('undo', first, step('back'));
  expect([steps.next('undo'), steps.next('redo')]).toEqual([step('b'), step('back')]);
  expect(steps.reach).toEqual({ undo: 1, redo: 1 });
});

it('an edit ends what leads on, and the oldest go when there are too many', () => {
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
