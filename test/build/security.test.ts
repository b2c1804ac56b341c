import { readFileSync } from 'node:fs';
import { FuseV1Options } from '@electron/fuses';
import { describe, expect, it } from 'vitest';
import { fuses } from '../../build/package/fuses.ts';
import { place } from '../../build/places.ts';

const page = readFileSync(place('SECURITY.md'), 'utf8');
const manifest: unknown = JSON.parse(readFileSync(place('package.json'), 'utf8'));

/** Returns the cells of each row below a heading of SECURITY.md, without the header. */
function rowsUnder(heading: string): readonly (readonly string[])[] {
  const [, after = ''] = page.split(`## ${heading}\n`);
  const [section = ''] = after.split('\n## ');
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** Returns the tests named in a cell, which has the form: `file` “title”; … */
function testsIn(cell: string): readonly { readonly file: string; readonly title: string }[] {
  return [...cell.matchAll(/`([^`]+\.test\.ts)` “([^”]+)”/g)].map(([, file = '', title = '']) => ({
    file,
    title,
  }));
}

const checklist = rowsUnder('Electron’s checklist');
const fuseRows = rowsUnder('Fuses');

describe('SECURITY.md', () => {
  it('has the twenty items of Electron’s checklist, and its nine fuses', () => {
    const numbers = Array.from({ length: 20 }, (_, index) => String(index + 1));
    expect(checklist.map(([number]) => number)).toEqual(numbers);
    const set = Object.entries(fuses).map(([at, isOn]) => [
      `\`${String(FuseV1Options[Number(at)])}\``,
      isOn ? 'on' : 'off',
    ]);
    expect(fuseRows.map(([name, state]) => [name, state]).toSorted()).toEqual(set.toSorted());
  });

  it.each([...checklist, ...fuseRows].map((row) => [row[0] ?? '', row.at(-1) ?? '']))(
    'names an existing test in row %s',
    (_, cell) => {
      const tests = testsIn(cell);
      expect(tests).not.toEqual([]);
      for (const { file, title } of tests) {
        expect(readFileSync(place(file), 'utf8'), `${file}: ${title}`).toContain(title);
      }
    },
  );

  it('names one version of Electron, so that an update of it is a tested change', () => {
    expect(manifest).toMatchObject({
      devDependencies: { electron: expect.stringMatching(/^\d+\.\d+\.\d+$/) },
    });
  });
});
