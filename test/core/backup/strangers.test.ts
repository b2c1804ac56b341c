// tier: all
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { connect } from '../../../electron/adapters/sqlite/database/cipher.ts';
import { createVault } from '../../../electron/adapters/vault/vault.ts';
import { DATA_KEY } from '../../../electron/adapters/vault/data-key.ts';
import type { PackOrder } from '../../../electron/core/backup/ports.ts';
import { newConnection } from '../../adapters/sqlite/samples.ts';
import { createReader } from './reader.ts';

type Reader = Awaited<ReturnType<typeof createReader>>;

const MAKERS_KEY = 'ab'.repeat(32);
const connection = newConnection();
const own = `connection/${connection.id}`;
const credentials = {
  [own]: 'the token',
  'connection/00000000-0000-4000-8000-000000000000': 'of no connection',
  office: '{"password":"of the maker"}',
  'outbox-number': '7',
  [DATA_KEY]: MAKERS_KEY,
};

const saved = (order: PackOrder): PackOrder => ({
  ...order,
  secrets: { ...order.secrets, credentials },
});

const restore = ({ handlers, opening }: Reader) =>
  handlers['backup.restore']({ ...opening(), folder: null });
const vaultOf = ({ keyfile, data }: Reader) =>
  createVault({ store: 'keyfile', path: keyfile, dataDir: data });

describe('a backup that somebody else wrote', () => {
  it('brings no entry into the credential store but those of its own connections (SR-H2)', async () => {
    using reader = await createReader({
      plan: { withCredentials: true },
      prepare: ({ place }) => place.stores.connections.save(connection),
      forge: saved,
    });
    expect(await restore(reader)).toMatchObject({ withCredentials: true });
    const vault = vaultOf(reader);
    expect(await vault.read(own)).toBe('the token');
    for (const name of Object.keys(credentials).filter((one) => one !== own)) {
      const kept = await vault.read(name);
      expect(kept, name).not.toBe(credentials[name as keyof typeof credentials]);
    }
  });

  it('brings no credential at all where it says that it holds none (SR-H2)', async () => {
    using reader = await createReader({
      prepare: ({ place }) => place.stores.connections.save(connection),
      forge: saved,
    });
    expect(await restore(reader)).toMatchObject({ withCredentials: false });
    expect(await vaultOf(reader).read(own)).toBeNull();
  });

  it('leaves the credential store as it was where its restore is stopped (SR-H2)', async () => {
    using reader = await createReader({
      plan: { withCredentials: true },
      prepare: ({ place }) => place.stores.connections.save(connection),
      forge: saved,
    });
    const order = { ...reader.opening(), folder: null };
    reader.heard.listener = ({ step }) => {
      if (step !== 'preparing') return;
      void reader.handlers['backup.stopReading']({ reading: order.reading });
    };
    await expect(reader.handlers['backup.restore'](order)).rejects.toMatchObject({
      failure: { code: 'cancelled' },
    });
    expect(await vaultOf(reader).read(own)).toBeNull();
  });

  it.each([
    [
      'a trigger',
      `CREATE TRIGGER added AFTER INSERT ON draft BEGIN
        UPDATE draft SET content = replace(content, '111', '666') WHERE id = new.id; END`,
    ],
    ['a view', 'CREATE VIEW added AS SELECT * FROM draft'],
    ['a table', 'CREATE TABLE added (id TEXT)'],
    ['an index', 'CREATE INDEX added ON draft (updated_at)'],
    ['a column', 'ALTER TABLE draft ADD COLUMN added TEXT'],
  ])('is refused where its data has %s that this program does not make (SR-H2)', async (_, sql) => {
    using reader = await createReader({ forge: (order) => changed(order, sql) });
    const refused = { failure: { code: 'storage', reason: 'backup-damaged' } };
    await expect(restore(reader)).rejects.toMatchObject(refused);
    await expect(reader.handlers['backup.check'](reader.opening())).rejects.toMatchObject(refused);
  });
});

/** The same with other data, of which the manifest tells the truth. */
function changed(order: PackOrder, sql: string): PackOrder {
  const raw = connect(order.database, Buffer.from(order.secrets.dataKey, 'hex'), 'write');
  raw.exec(sql);
  raw.close();
  const data = readFileSync(path.resolve(order.database));
  const sha256 = createHash('sha256').update(data).digest('hex');
  return { ...order, manifest: { ...order.manifest, database: { bytes: data.length, sha256 } } };
}
