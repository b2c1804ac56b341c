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
import { keepPrivate } from '../../../electron/adapters/files/private-folder.ts';

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
  ])('that others may use at $told is taken away from them', async ({ mode, told }) => {
    chmodSync(folder, mode);
    expect(await keepPrivate(folder)).toEqual({ kind: 'tightened', mode: told });
    expect(modeNow()).toBe(0o700);
    expect(await keepPrivate(folder)).toEqual({ kind: 'private' });
  });

  it.each([0o700, 0o500])('that is its owner’s alone keeps its mode %o', async (mode) => {
    chmodSync(folder, mode);
    expect(await keepPrivate(folder)).toEqual({ kind: 'private' });
    expect(modeNow()).toBe(mode);
  });

  it.each(['vault.json', 'desk.db'])('that holds %s beside other things is ours', async (name) => {
    for (const one of ['notes.txt', name]) writeFileSync(path.join(folder, one), '');
    chmodSync(folder, 0o755);
    expect(await keepPrivate(folder)).toEqual({ kind: 'tightened', mode: '0755' });
    expect(modeNow()).toBe(0o700);
  });

  it('that holds other things only is left as it is, and told of', async () => {
    writeFileSync(path.join(folder, 'notes.txt'), '');
    chmodSync(folder, 0o755);
    expect(await keepPrivate(folder)).toEqual({ kind: 'shared', mode: '0755', why: 'content' });
    expect(modeNow()).toBe(0o755);
  });

  it('of somebody else is left as it is, though our data lies in it', async () => {
    writeFileSync(path.join(folder, 'desk.db'), '');
    chmodSync(folder, 0o755);
    const { uid } = statSync(folder);
    vi.spyOn(process, 'getuid').mockReturnValue(uid + 1);
    expect(await keepPrivate(folder)).toEqual({ kind: 'shared', mode: '0755', why: 'owner' });
    expect(modeNow()).toBe(0o755);
  });

  it('that is not there yet, or is a link, is made private by whoever makes it', async () => {
    expect(await keepPrivate(path.join(parent, 'missing'))).toEqual({ kind: 'private' });
    chmodSync(folder, 0o755);
    const link = path.join(parent, 'link');
    symlinkSync(folder, link);
    expect(await keepPrivate(link)).toEqual({ kind: 'private' });
    expect(modeNow()).toBe(0o755);
  });

  it('on Windows, where access lists say who may use it, is left as it is', async () => {
    chmodSync(folder, 0o755);
    expect(await keepPrivate(folder, 'win32')).toEqual({ kind: 'private' });
    expect(modeNow()).toBe(0o755);
  });

  it('that cannot be looked at is told of', async () => {
    const file = path.join(parent, 'file');
    writeFileSync(file, '');
    await expect(keepPrivate(path.join(file, 'data'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  });
});
