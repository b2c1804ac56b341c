import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFiles } from '../../../electron/adapters/files/files.ts';
import { assertWholePdf } from '../../../shared/rules/files/pdf-shape.ts';
import { downloadOf } from '../../support/fakes/fake-service.ts';
import { handlePrototype } from '../../support/file-handles.ts';
import { pdfOf } from '../../support/small-pdf.ts';

/* Repeats for any user the tests of files.test.ts that need a small disk, which only root may
   mount. */

const NOBODY = 65_534;
const files = createFiles();
const never = new AbortController().signal;

let folder: string;
const at = (name: string) => path.join(folder, name);

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'desk-refusing-'));
  writeFileSync(at('index.csv'), 'as it was');
});
afterEach(() => {
  vi.restoreAllMocks();
  chmodSync(folder, 0o700);
  rmSync(folder, { recursive: true, force: true });
});

const savePdf = () => files.saveNew(at('a.pdf'), downloadOf(pdfOf('a')), assertWholePdf, never);
const refusal = (reason: string) => ({ failure: { code: 'storage', reason } });

/** Asserts that no file was added, removed or left incomplete. */
function expectUntouched(): void {
  expect(readdirSync(folder)).toEqual(['index.csv']);
  expect(readFileSync(at('index.csv'), 'utf8')).toBe('as it was');
}

describe('a full disk', () => {
  // A network share may report a full disk only when a file is flushed.
  it.each([
    ['writeFile', 'ENOSPC'],
    ['sync', 'ENOSPC'],
    ['writeFile', 'EDQUOT'],
    ['sync', 'EDQUOT'],
  ] as const)(
    'is reported if the call %s fails with %s, and leaves the folder unchanged (TX-43)',
    async (call, code) => {
      const error = Object.assign(new Error(code), { code });
      vi.spyOn(await handlePrototype(), call).mockRejectedValue(error);
      await expect(savePdf()).rejects.toMatchObject(refusal('disk-full'));
      await expect(files.replaceText(at('index.csv'), 'new')).rejects.toMatchObject(
        refusal('disk-full'),
      );
      expectUntouched();
    },
  );
});

/** Runs `work` as an unprivileged user, because root may write anywhere. */
async function withoutRights(work: () => Promise<void>): Promise<void> {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(NOBODY);
  try {
    await work();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

describe('a folder without write permission', () => {
  it('is reported, and unchanged (TX-43)', async (context) => {
    if (process.geteuid === undefined) context.skip('Windows has access lists instead of modes');
    chmodSync(folder, 0o555);
    await withoutRights(async () => {
      const readOnly = refusal('folder-read-only');
      await expect(savePdf()).rejects.toMatchObject(readOnly);
      await expect(files.replaceText(at('index.csv'), 'new')).rejects.toMatchObject(readOnly);
    });
    expectUntouched();
  });
});
