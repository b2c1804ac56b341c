import { describe, expect, it } from 'vitest';
import { recipeFor, SCHEDULERS } from '../../../electron/hosts/schedule/recipes.ts';

const DUE = ['/usr/bin/signing-desk', 'run-due', '--data'];

describe.each(SCHEDULERS)('a recipe for %s', (scheduler) => {
  it.each([
    ['a line break', '/home/anna/desk\n* * * * * touch /tmp/planted'],
    ['a carriage return', '/home/anna/desk\rExecStartPre=/tmp/planted'],
    ['a zero', '/home/anna/desk\0'],
  ])('is refused if a path contains %s, and names the path (SR-L3)', (_, path) => {
    expect(() => recipeFor(scheduler, [...DUE, path])).toThrow(JSON.stringify(path));
  });

  it('is written for a path with spaces and characters of any language (SR-L3)', () => {
    const { files } = recipeFor(scheduler, [...DUE, '/home/åsa öberg/avtal 契約']);
    expect(files[0]?.text).toContain('avtal 契約');
  });
});
