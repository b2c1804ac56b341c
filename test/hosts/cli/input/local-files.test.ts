import { execFile } from 'node:child_process';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBytes, readJson, readText } from '../../../../electron/hosts/cli/input/local-files.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'local-files-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('a file named by a command', () => {
  it('is read completely', async () => {
    const file = path.join(folder, 'lease.json');
    await writeFile(file, '{"title":"Lease"}');
    expect(await readJson(file)).toEqual({ title: 'Lease' });
  });

  it.skipIf(process.platform === 'win32').each([readBytes, readText, readJson])(
    'is refused without waiting if it is a pipe, or a device without end: %o (SR-L4)',
    async (read) => {
      const pipe = path.join(folder, `pipe-${read.name}.signdraft`);
      await promisify(execFile)('mkfifo', [pipe]);
      for (const file of [pipe, '/dev/zero']) {
        await expect(read(file)).rejects.toMatchObject({
          failure: {
            code: 'invalid',
            message: expect.stringContaining('pipe or a device') as string,
          },
        });
      }
    },
  );

  it('is not read if it is larger than any accepted file (SR-L4)', async () => {
    const file = path.join(folder, 'large.signdraft');
    await writeFile(file, '');
    await truncate(file, 64 * 1024 * 1024 + 1);
    await expect(readBytes(file)).rejects.toMatchObject({
      failure: { code: 'invalid', message: expect.stringContaining('larger than 64 MB') as string },
    });
  });

  it('is named in the error if it is a folder or missing', async () => {
    await expect(readBytes(folder)).rejects.toThrow('cannot be read (EISDIR)');
    await expect(readBytes(path.join(folder, 'none'))).rejects.toThrow('cannot be read (ENOENT)');
  });
});
