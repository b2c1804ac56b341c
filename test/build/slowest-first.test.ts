import { existsSync } from 'node:fs';
import { expect, it, onTestFinished, vi } from 'vitest';
import { BaseSequencer, type TestSpecification, type Vitest } from 'vitest/node';
import { place } from '../../build/places.ts';
import { SLOWEST, SlowestFirst } from '../../build/test/slowest-first.ts';

it('the list of slow test files names existing files', () => {
  expect(SLOWEST.filter((file) => !existsSync(place(file)))).toEqual([]);
  expect(new Set(SLOWEST).size).toBe(SLOWEST.length);
});

it('the slowest test files of each project run first, and the others keep their order', async () => {
  const usual = vi.spyOn(BaseSequencer.prototype, 'sort').mockImplementation(async (all) => all);
  onTestFinished(() => usual.mockRestore());
  const [slowest = '', , third = ''] = SLOWEST;
  const files = [
    ...['test/a.test.ts', third, 'test/b.test.ts', slowest].map((name) => ['app', name] as const),
    ...['test/c.test.ts', slowest].map((name) => ['node', name] as const),
  ];
  const given = files.map(([name, file]) => ({ moduleId: place(file), project: { name } }));
  const sorted = await new SlowestFirst({} as Vitest).sort(given as TestSpecification[]);
  expect(sorted.map(({ project, moduleId }) => [project.name, moduleId])).toEqual(
    [
      ...[slowest, third, 'test/a.test.ts', 'test/b.test.ts'].map((file) => ['app', file] as const),
      ...[slowest, 'test/c.test.ts'].map((file) => ['node', file] as const),
    ].map(([name, file]) => [name, place(file)]),
  );
});
