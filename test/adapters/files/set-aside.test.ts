import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { endSettingAside, setAside } from '../../../electron/adapters/files/set-aside.ts';

const NAMES = ['desk.db', 'desk.db-wal', 'desk.db-shm'];
const intent = { to: 'aside', names: NAMES, next: 'ready/desk.db' };

/** Creates a folder with a data file, its log, and a replacement of the data file. */
function folderOf(names: readonly string[] = NAMES) {
  const folder = mkdtempSync(path.join(tmpdir(), 'desk-aside-'));
  const at = (...parts: string[]) => path.join(folder, ...parts);
  for (const name of names) writeFileSync(at(name), `old ${name}`);
  mkdirSync(at('ready'));
  writeFileSync(at('ready', 'desk.db'), 'new');
  return {
    folder,
    at,
    text: (...parts: string[]) => readFileSync(at(...parts), 'utf8'),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function expectDone({ folder, at, text }: ReturnType<typeof folderOf>): void {
  expect(text('desk.db')).toBe('new');
  for (const name of NAMES) expect(text('aside', name)).toBe(`old ${name}`);
  expect(readdirSync(folder).toSorted()).toEqual(['aside', 'desk.db', 'ready']);
  expect(existsSync(at('ready', 'desk.db'))).toBe(false);
}

describe('data moved aside', () => {
  it('is moved unchanged, with its log, and the replacement gets its name', async () => {
    using place = folderOf();
    await setAside(place.folder, intent);
    expectDone(place);
  });

  it.each([0, 1, 2, 3, 4])(
    'is completely moved at the next start if the process was killed after %i steps',
    async (steps) => {
      using place = folderOf();
      const { at } = place;
      writeFileSync(at('set-aside.json'), JSON.stringify(intent));
      mkdirSync(at('aside'));
      const moves = [
        ...NAMES.map((name) => [at(name), at('aside', name)]),
        [at('ready', 'desk.db'), at('desk.db')],
      ];
      for (const [from = '', to = ''] of moves.slice(0, steps)) renameSync(from, to);
      await endSettingAside(place.folder);
      expectDone(place);
      await endSettingAside(place.folder);
      expectDone(place);
    },
  );

  it('leaves no file under its old name if there is no replacement', async () => {
    using place = folderOf(['desk.db', 'vault.json']);
    await setAside(place.folder, { to: 'aside', names: [...NAMES, 'vault.json'], next: null });
    expect(readdirSync(place.folder).toSorted()).toEqual(['aside', 'ready']);
    expect(place.text('aside', 'vault.json')).toBe('old vault.json');
  });

  it('is not moved by a start of the program if no earlier move was interrupted', async () => {
    using place = folderOf();
    await endSettingAside(place.folder);
    expect(place.text('desk.db')).toBe('old desk.db');
  });
});
