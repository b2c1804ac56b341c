import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readOrdinaryFile } from '../../../electron/hosts/cli/commands/batches/bytes.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'desk-sheet-'));
  writeFileSync(path.join(folder, 'leases.csv'), 'Name\nÅsa\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a spreadsheet named on the command line', () => {
  it('is read once and completely', async () => {
    const data = await readOrdinaryFile(path.join(folder, 'leases.csv'));
    writeFileSync(path.join(folder, 'leases.csv'), 'Name\nEva\n');
    expect(Buffer.from(data).toString()).toBe('Name\nÅsa\n');
  });

  it.skipIf(process.platform === 'win32')(
    'is rejected without waiting if it is a link, a folder, a pipe or a device',
    async () => {
      const link = path.join(folder, 'link.csv');
      symlinkSync(path.join(folder, 'leases.csv'), link);
      const pipe = path.join(folder, 'pipe.csv');
      execFileSync('mkfifo', [pipe]);
      for (const file of [link, folder, pipe, '/dev/zero']) {
        await expect(readOrdinaryFile(file)).rejects.toMatchObject({
          failure: { code: 'invalid' },
        });
      }
    },
  );
});
