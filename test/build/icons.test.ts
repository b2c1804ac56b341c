import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { drawings, iconProblems, modulePictures } from '../../build/icons/drawn.ts';
import { place, root } from '../../build/places.ts';

let copy: string;

beforeAll(async () => {
  copy = await mkdtemp(path.join(tmpdir(), 'desk-icons-'));
  for (const folder of ['build/icons', 'renderer/ui/mark', 'electron/hosts/electron']) {
    await cp(place(folder), path.join(copy, folder), { recursive: true });
  }
});

afterAll(() => rm(copy, { recursive: true, force: true }));

it('the pictures of the icons belong to the drawings', async () => {
  expect(await iconProblems(root)).toEqual([]);
});

it.each(Object.values(drawings))('a change of %s is reported until it is drawn', async (file) => {
  const drawing = path.join(copy, file);
  const before = await readFile(drawing, 'utf8');
  await writeFile(drawing, before.replace('fill="#', 'fill="#f'));
  const [problem, ...more] = await iconProblems(copy);
  expect(problem).toContain(`${file} has changed`);
  expect(more).toEqual([]);
  await writeFile(drawing, before);
});

it('a picture that differs from the one in the program is reported', async () => {
  const file = path.join(copy, 'electron/hosts/electron/icon.ts');
  const before = await readFile(file, 'utf8');
  const picture = await readFile(place(modulePictures.TRAY_ICON));
  await writeFile(file, before.replace(picture.toString('base64'), ''));
  expect(await iconProblems(copy)).toEqual([expect.stringContaining(modulePictures.TRAY_ICON)]);
  await writeFile(file, before);
});
