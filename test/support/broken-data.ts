import { closeSync, openSync, readFileSync, statSync, truncateSync, writeSync } from 'node:fs';
import path from 'node:path';
import { connect } from '../../electron/adapters/sqlite/database/cipher.ts';
import { dataKey } from '../../electron/adapters/vault/data-key.ts';
import { createVault } from '../../electron/adapters/vault/vault.ts';

const PAGE = 4096;

/** The data file of a folder that no process has open, and ways to damage it. */
export async function brokenData({
  data,
  keyfile,
}: {
  readonly data: string;
  readonly keyfile: string;
}) {
  const file = path.join(data, 'desk.db');
  const vault = createVault({ store: 'keyfile', path: keyfile, dataDir: data });
  const key = await dataKey(vault, { databaseExists: true });
  const write = (at: number, bytes: Uint8Array): void => {
    const descriptor = openSync(file, 'r+');
    writeSync(descriptor, bytes, 0, bytes.length, at);
    closeSync(descriptor);
  };
  return {
    file,
    content: () => readFileSync(file),
    /** The pages of a table. */
    pagesOf(name: string): readonly number[] {
      const raw = connect(file, key, 'write');
      raw.pragma('wal_checkpoint(TRUNCATE)');
      const pages = raw.prepare('SELECT pageno FROM dbstat WHERE name = ?').pluck().all(name);
      raw.close();
      return pages as number[];
    },
    zero(...pages: readonly number[]): void {
      for (const page of pages) write((page - 1) * PAGE, Buffer.alloc(PAGE));
    },
    flip(at: number): void {
      write(at, Buffer.from([readFileSync(file).readUInt8(at) ^ 1]));
    },
    cut(share: number): void {
      truncateSync(file, Math.floor((statSync(file).size / PAGE) * share) * PAGE);
    },
  };
}
