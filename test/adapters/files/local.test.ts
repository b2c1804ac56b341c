import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { kindOf, resolveLocal } from '../../../electron/adapters/files/local.ts';

describe('the local file that a text names', () => {
  it.each([
    ['/home/maria/a.pdf', '/home/maria/a.pdf'],
    ['/home/maria/../per/./a.pdf', '/home/per/a.pdf'],
    ['/development/a.pdf', '/development/a.pdf'],
    ['/system', '/system'],
  ])('for %s is %s', (text, file) => {
    expect(resolveLocal(text, 'linux')).toBe(file);
  });

  it.each([
    'a.pdf',
    './a.pdf',
    '',
    '/dev',
    '/dev/null',
    '/proc/self/exe',
    '/sys/power/state',
    '/home/../dev/null',
    '//server/share/a.pdf',
    String.raw`\\server\share\a.pdf`,
    '/home/a\nb.pdf',
    '/home/a\u0000b.pdf',
    String.raw`C:\a.pdf`,
  ])('is none for %j on systems whose paths begin with a slash', (text) => {
    expect(resolveLocal(text, 'linux')).toBeNull();
  });

  it.each([
    [String.raw`C:\Users\maria\a.pdf`, String.raw`C:\Users\maria\a.pdf`],
    ['d:/deals/a.pdf', String.raw`d:\deals\a.pdf`],
    [String.raw`C:\Users\..\a.b.pdf`, String.raw`C:\a.b.pdf`],
    [String.raw`C:\contract\a.pdf`, String.raw`C:\contract\a.pdf`],
    [String.raw`C:\com10\a.pdf`, String.raw`C:\com10\a.pdf`],
  ])('for %s on Windows is %s', (text, file) => {
    expect(resolveLocal(text, 'win32')).toBe(file);
  });

  it.each([
    'a.pdf',
    '/home/a.pdf',
    'C:a.pdf',
    String.raw`\a.pdf`,
    String.raw`\\server\share\a.pdf`,
    String.raw`\\?\C:\a.pdf`,
    String.raw`C:\a.pdf:stream`,
    String.raw`C:\folder.\a.pdf`,
    String.raw`C:\folder \a.pdf`,
    String.raw`C:\con`,
    String.raw`C:\NUL.pdf`,
    String.raw`C:\aux\a.pdf`,
    String.raw`C:\lpt1.a.pdf`,
    'C:\\a\tb.pdf',
  ])('is none for %j on Windows', (text) => {
    expect(resolveLocal(text, 'win32')).toBeNull();
  });
});

describe('the kind of a file', () => {
  let folder = '';
  const at = (name: string) => path.join(folder, name);

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'desk-local-'));
    writeFileSync(at('file'), '');
    mkdirSync(at('folder'));
    mkdirSync(path.join(at('Some.app'), 'Contents'), { recursive: true });
    for (const name of ['file', 'folder', 'Some.app', 'missing']) {
      symlinkSync(at(name), at(`to ${name}`));
    }
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it.each([
    ['file', 'file'],
    ['folder', 'folder'],
    ['to folder', 'folder'],
    // On macOS, a folder named `….app` is a program, and opening the folder starts it.
    ['Some.app', 'program'],
    ['to Some.app', 'program'],
    // The user sees the name of the link, not of its target.
    ['to file', 'other'],
    ['missing', 'nothing'],
    ['file/below', 'nothing'],
    ['to missing', 'nothing'],
  ])('for %s is %s', async (name, kind) => {
    expect(await kindOf(at(name))).toBe(kind);
  });

  it('is "other" if it cannot be determined', async () => {
    expect(await kindOf('/dev/null')).toBe('other');
    expect(await kindOf(at('x'.repeat(300)))).toBe('other');
  });
});
