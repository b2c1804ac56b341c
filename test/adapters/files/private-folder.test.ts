import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeFolderPrivate } from '../../../electron/adapters/files/private-folder.ts';

let parent = '';
let folder = '';

beforeEach(() => {
  parent = mkdtempSync(path.join(tmpdir(), 'desk-private-'));
  folder = path.join(parent, 'data');
  mkdirSync(folder);
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(parent, { recursive: true, force: true });
});

const modeNow = () => statSync(folder).mode & 0o7777;

describe.skipIf(process.platform === 'win32')('a data folder', () => {
  it.each([
    { mode: 0o777, told: '0777' },
    { mode: 0o750, told: '0750' },
    { mode: 0o701, told: '0701' },
    { mode: 0o1707, told: '1707' },
  ])('with access for others at $told is made private', async ({ mode, told }) => {
    chmodSync(folder, mode);
    expect(await makeFolderPrivate(folder)).toEqual({ kind: 'tightened', mode: told });
    expect(modeNow()).toBe(0o700);
    expect(await makeFolderPrivate(folder)).toEqual({ kind: 'private' });
  });

  it.each([0o700, 0o500])('with access only for its owner keeps its mode %o', async (mode) => {
    chmodSync(folder, mode);
    expect(await makeFolderPrivate(folder)).toEqual({ kind: 'private' });
    expect(modeNow()).toBe(mode);
  });

  it.each(['vault.json', 'desk.db'])(
    'that contains %s among other files is made private',
    async (name) => {
      for (const one of ['notes.txt', name]) writeFileSync(path.join(folder, one), '');
      chmodSync(folder, 0o755);
      expect(await makeFolderPrivate(folder)).toEqual({ kind: 'tightened', mode: '0755' });
      expect(modeNow()).toBe(0o700);
    },
  );

  it('that contains only other files is unchanged, and is reported', async () => {
    writeFileSync(path.join(folder, 'notes.txt'), '');
    chmodSync(folder, 0o755);
    expect(await makeFolderPrivate(folder)).toEqual({
      kind: 'shared',
      mode: '0755',
      why: 'content',
    });
    expect(modeNow()).toBe(0o755);
  });

  it('that another user owns is unchanged, though it contains data of the program', async () => {
    writeFileSync(path.join(folder, 'desk.db'), '');
    chmodSync(folder, 0o755);
    const { uid } = statSync(folder);
    vi.spyOn(process, 'getuid').mockReturnValue(uid + 1);
    expect(await makeFolderPrivate(folder)).toEqual({ kind: 'shared', mode: '0755', why: 'owner' });
    expect(modeNow()).toBe(0o755);
  });

  it('that is missing or is a link is left to the code that creates it', async () => {
    expect(await makeFolderPrivate(path.join(parent, 'missing'))).toEqual({ kind: 'private' });
    chmodSync(folder, 0o755);
    const link = path.join(parent, 'link');
    symlinkSync(folder, link);
    expect(await makeFolderPrivate(link)).toEqual({ kind: 'private' });
    expect(modeNow()).toBe(0o755);
  });

  it('on Windows, where access lists control use, is unchanged', async () => {
    chmodSync(folder, 0o755);
    expect(await makeFolderPrivate(folder, 'win32')).toEqual({ kind: 'private' });
    expect(modeNow()).toBe(0o755);
  });

  it('that cannot be checked is reported', async () => {
    const file = path.join(parent, 'file');
    writeFileSync(file, '');
    await expect(makeFolderPrivate(path.join(file, 'data'))).rejects.toMatchObject({
      code: 'ENOTDIR',
    });
  });
});
