import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { storageError } from '../../../electron/adapters/files/durable.ts';
import { createFiles } from '../../../electron/adapters/files/files.ts';
import type { AcceptBytes } from '../../../electron/core/ports.ts';
import { AppError } from '../../../shared/errors.ts';
import { downloadOf } from '../../support/fakes/fake-service.ts';
import { pdfOf } from '../../support/small-pdf.ts';

/* A file gets its name by a hard link, which never overwrites another file. FAT, exFAT and some
   network shares have no hard links, and each reports this with another error code. */

const files = createFiles();
const never = new AbortController().signal;

let folder: string;
const at = (name: string) => path.join(folder, name);

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'desk-no-links-'));
});
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  rmSync(folder, { recursive: true, force: true });
});

function linksFailWith(code: string): void {
  vi.spyOn(fs, 'link').mockRejectedValue(Object.assign(new Error(code), { code }));
  syncBuiltinESMExports();
}

const save = (accept: AcceptBytes = () => {}) =>
  files.saveNew(at('a.pdf'), downloadOf(pdfOf('a')), accept, never);

describe.each(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])(
  'a disk that answers a hard link with %s',
  (code) => {
    it('stores the complete file, under one name', async () => {
      linksFailWith(code);
      await save();
      expect(readdirSync(folder)).toEqual(['a.pdf']);
      expect(readFileSync(at('a.pdf'), 'utf8')).toBe(pdfOf('a'));
    });

    it('keeps the file of another process that took the name', async () => {
      linksFailWith(code);
      const saving = save(() => writeFileSync(at('a.pdf'), 'mine'));
      const message = 'a.pdf already exists and was not overwritten';
      await expect(saving).rejects.toMatchObject({ failure: { code: 'conflict', message } });
      expect(readFileSync(at('a.pdf'), 'utf8')).toBe('mine');
      expect(readdirSync(folder)).toEqual(['a.pdf']);
    });
  },
);

it('a disk on which a hard link fails with EIO stores no file', async () => {
  linksFailWith('EIO');
  const message = 'Saving a.pdf failed: EIO';
  await expect(save()).rejects.toMatchObject({ failure: { code: 'storage', message } });
  expect(readdirSync(folder)).toEqual([]);
});

describe('the system error for a file that cannot be written', () => {
  it.each([
    ['ENOSPC', 'disk-full'],
    ['EDQUOT', 'disk-full'],
    ['EACCES', 'folder-read-only'],
    ['EPERM', 'folder-read-only'],
    ['EROFS', 'folder-read-only'],
    ['ENOENT', 'folder-missing'],
    ['ENOTDIR', 'folder-missing'],
  ])('%s is reported as %s', (code, reason) => {
    const { failure, cause } = storageError(Object.assign(new Error(), { code }), 'Saving');
    expect(failure).toMatchObject({ code: 'storage', reason, message: `Saving failed: ${code}` });
    expect(cause).toMatchObject({ code });
  });

  it.each([new Error('odd'), 'odd', Object.assign(new Error('odd'), { code: 7 })])(
    'is reported as unknown if it has no code: %s',
    (error) => {
      const { failure } = storageError(error, 'Saving');
      expect(failure.message).toBe('Saving failed: unknown reason');
      expect(failure.reason).toBeUndefined();
    },
  );

  it('is not translated a second time', () => {
    const error = new AppError('conflict', 'There is already something');
    expect(storageError(error, 'Saving')).toBe(error);
  });
});
