import { expect, it } from 'vitest';
import { processIo } from '../../../electron/hosts/cli/output/io.ts';

it('a program that can read nothing says how it takes a secret, and reads no empty one (PK-15)', async () => {
  const { readSecret } = processIo(['signing-desk'], 'checkout', false);
  await expect(readSecret('Secret: ')).rejects.toMatchObject({
    failure: { code: 'invalid', message: expect.stringContaining('-env; --help shows it') },
  });
});
