import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { createVault } from '../../../../electron/adapters/vault/vault.ts';

/**
 * Writes a secret, but stops before the new file replaces the old one. Reports that, and runs
 * until it is killed.
 */
const [, , dataDir = '', keyFile = ''] = process.argv;
fs.rename = () => {
  process.send?.('in the middle');
  return new Promise(() => undefined);
};
syncBuiltinESMExports();
process.on('message', () => undefined);
await createVault({ store: 'keyfile', path: keyFile, dataDir }).write('late', 'never stored');
