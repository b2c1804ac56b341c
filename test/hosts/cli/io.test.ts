import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { processIo } from '../../../electron/hosts/cli/output/io.ts';

it('a command without standard input explains how to pass a secret, and reads no empty one (PK-15)', async () => {
  const { readSecret } = processIo(['signing-desk'], 'checkout', false);
  await expect(readSecret('Secret: ')).rejects.toMatchObject({
    failure: { code: 'invalid', message: expect.stringContaining('-env; --help shows it') },
  });
});

it.runIf(existsSync('/dev/full'))(
  'a command whose output meets a full disk reports it in one line, and ends with an error',
  () => {
    const full = openSync('/dev/full', 'w');
    const main = path.resolve('electron/hosts/cli/main.ts');
    const { status, stderr } = spawnSync(process.execPath, [main, '--help'], {
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });
    closeSync(full);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: 'signing-desk: The output cannot be written (ENOSPC)\n',
    });
  },
);
