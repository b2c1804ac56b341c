import path from 'node:path';
import { connect } from '../../electron/adapters/sqlite/database/cipher.ts';
import { dataKey } from '../../electron/adapters/vault/data-key.ts';
import { createVault } from '../../electron/adapters/vault/vault.ts';

/** Marks a data folder as written by a later version of the program. */
export async function makeNewer(home: {
  readonly data: string;
  readonly keyfile: string;
}): Promise<void> {
  const vault = createVault({ store: 'keyfile', path: home.keyfile, dataDir: home.data });
  const key = await dataKey(vault, { databaseExists: true });
  const raw = connect(path.join(home.data, 'desk.db'), key, 'write');
  raw.pragma('user_version = 1000');
  raw.pragma('wal_checkpoint(TRUNCATE)');
  raw.close();
}
