// tier: all
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { describe, expect, it, vi } from 'vitest';
import { connect } from '../../../electron/adapters/sqlite/database/cipher.ts';
import { openDatabase } from '../../../electron/adapters/sqlite/open/open.ts';
import { createStores } from '../../../electron/adapters/sqlite/stores.ts';
import { createVault } from '../../../electron/adapters/vault/vault.ts';
import { dataKey, DATA_KEY } from '../../../electron/adapters/vault/data-key.ts';
import type { PackParameters } from '../../../electron/core/backup/ports.ts';
import { OfficeSession } from '../../../electron/core/office/session.ts';
import { createServices } from '../../../electron/core/services/services.ts';
import { unconfirmedReaches } from '../../../electron/core/backup/reaches.ts';
import {
  confirmReach,
  EVIDENCE_REACH_ID,
  OFFICE_REACH_ID,
} from '../../../electron/core/unconfirmed.ts';
import { LookId } from '../../../shared/contract/backup.ts';
import { OfficeUserId } from '../../../shared/contract/office/office.ts';
import { createHandClock, createMemoryVault } from '../../support/fakes/memory-ports.ts';
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

const saved = (order: PackParameters): PackParameters => ({
  ...order,
  secrets: { ...order.secrets, credentials },
});

const restore = ({ handlers, opening }: Reader) =>
  handlers['backup.restore']({ ...opening(), folder: null });
const vaultOf = ({ keyfile, data }: Reader) =>
  createVault({ store: 'keyfile', path: keyfile, dataDir: data });

describe('a backup made by another person', () => {
  it('adds only the entries of its own connections to the credential store (SR-H2)', async () => {
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

  it('adds no API key when it states that it holds none (SR-H2)', async () => {
    using reader = await createReader({
      prepare: ({ place }) => place.stores.connections.save(connection),
      forge: saved,
    });
    expect(await restore(reader)).toMatchObject({ withCredentials: false });
    expect(await vaultOf(reader).read(own)).toBeNull();
  });

  it('leaves the credential store unchanged when its restore is stopped (SR-H2)', async () => {
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
  ])(
    'is refused when its data has %s that this program does not create (SR-H2)',
    async (_, sql) => {
      using reader = await createReader({ forge: (order) => changed(order, sql) });
      const refused = { failure: { code: 'storage', reason: 'backup-damaged' } };
      await expect(restore(reader)).rejects.toMatchObject(refused);
      await expect(reader.handlers['backup.check'](reader.opening())).rejects.toMatchObject(
        refused,
      );
    },
  );
});

const ADMINISTRATOR = await identityToRecipient(await generateX25519Identity());
const feed = { url: 'https://maker.example/updates', key: 'the key of the maker', daily: true };
const membership = {
  office: '0b6c7f0a-6f0e-4a53-8f0e-1c1b7f9a0001',
  seat: OfficeUserId.parse('0b6c7f0a-6f0e-4a53-8f0e-1c1b7f9a0002'),
  desk: '0b6c7f0a-6f0e-4a53-8f0e-1c1b7f9a0003',
  name: 'The maker',
  address: { host: 'maker.example', port: 5432, database: 'desk', trust: null, role: 'seat' },
  goesOnWithout: true,
};
const nothing = { checkedAt: null, offered: null, highest: null };

/** A backup with every address and folder that its maker can set. */
const withReaches = () =>
  createReader({
    prepare({ place: { stores } }) {
      stores.connections.save(connection);
      stores.office.join(membership);
      stores.updates.write({ feed, ...nothing });
    },
  });

/** The stores of the restored data. */
async function restoredStores(reader: Reader) {
  const key = await dataKey(vaultOf(reader), { databaseExists: true });
  const database = openDatabase({ file: path.join(reader.data, 'desk.db'), key, now: 0 });
  return Object.assign(createStores(database), { [Symbol.dispose]: () => database.close() });
}

describe('an address or folder set in a backup', () => {
  it('is listed when the backup is checked, previewed and restored (SR-H2)', async () => {
    using reader = await withReaches();
    const reaches = expect.arrayContaining([
      expect.objectContaining({ kind: 'connection', name: connection.name, where: connection.url }),
      expect.objectContaining({ kind: 'office', where: 'maker.example:5432/desk' }),
      expect.objectContaining({ kind: 'updates', name: feed.key, where: feed.url }),
    ]);
    expect(await reader.handlers['backup.check'](reader.opening())).toMatchObject({ reaches });
    const looked = await reader.handlers['backup.look'](reader.opening());
    expect(looked).toMatchObject({ reaches });
    await reader.handlers['backup.endLook']({ id: LookId.parse(looked.id) });
    expect(await restore(reader)).toMatchObject({ reaches });
  });

  it('receives no request for newer versions of the program (SR-H2)', async () => {
    using reader = await withReaches();
    await restore(reader);
    using stores = await restoredStores(reader);
    expect(stores.updates.read().feed).toBeNull();
  });

  it('receives no evidence notes if it is a network folder (SR-H2)', async () => {
    using reader = await createReader({
      prepare: ({ place: { stores } }) =>
        void stores.settings.write({ evidenceFolder: String.raw`\\maker.example\share` }),
    });
    await restore(reader);
    using stores = await restoredStores(reader);
    expect(stores.settings.read().evidenceFolder).toBeNull();
  });

  it('is listed with backup and archive folders, and with each key of the backups (SR-O9)', async () => {
    using reader = await createReader({
      plan: { administrator: ADMINISTRATOR },
      prepare: ({ place: { stores } }) =>
        void stores.settings.write({ archiveFolder: '/archive of the maker' }),
    });
    const { folder, place } = reader.office;
    const recipient = place.stores.backup.read()?.recipient;
    const reaches = expect.arrayContaining([
      expect.objectContaining({ kind: 'backups', where: folder }),
      expect.objectContaining({ kind: 'recipient', where: recipient }),
      expect.objectContaining({ kind: 'administrator', where: ADMINISTRATOR }),
      expect.objectContaining({ kind: 'archive', where: '/archive of the maker' }),
    ]);
    expect(await reader.handlers['backup.check'](reader.opening())).toMatchObject({ reaches });
    const looked = await reader.handlers['backup.look'](reader.opening());
    expect(looked).toMatchObject({ reaches });
    await reader.handlers['backup.endLook']({ id: LookId.parse(looked.id) });
    expect(await restore(reader)).toMatchObject({ reaches });
    using stores = await restoredStores(reader);
    expect(stores.settings.read()).toMatchObject({ archiveFolder: '/archive of the maker' });
    expect(stores.backup.read()?.plan.folder).toBe(folder);
  });

  it('receives no backups or archived agreements if it is a network folder (SR-O9)', async () => {
    const share = String.raw`\\maker.example\share`;
    using reader = await createReader({
      forge: (order) =>
        changed(order, `UPDATE backup SET plan = json_set(plan, '$.folder', '${share}')`),
      prepare: ({ place: { stores } }) => void stores.settings.write({ archiveFolder: share }),
    });
    const { reaches } = await restore(reader);
    expect(reaches).toContainEqual(expect.objectContaining({ kind: 'backups', where: share }));
    using stores = await restoredStores(reader);
    expect(stores.settings.read().archiveFolder).toBeNull();
    expect(stores.backup.read()).toBeNull();
  });

  it('does not replace the update feed that is set on this computer (SR-H2)', async () => {
    using reader = await withReaches();
    const here = { feed: { ...feed, url: 'https://here.example' }, ...nothing };
    const key = await dataKey(vaultOf(reader), { databaseExists: false });
    const database = openDatabase({ file: path.join(reader.data, 'desk.db'), key, now: 0 });
    createStores(database).updates.write(here);
    database.close();
    await restore(reader);
    using stores = await restoredStores(reader);
    expect(stores.drafts.list()).toHaveLength(1);
    expect(stores.updates.read()).toEqual(here);
  });

  it('is listed as its real address, even if the backup calls it a demo (SR-P3) (SR-P6)', async () => {
    const cyrillic = 'https://\u0430pi.example.com/v1';
    using reader = await createReader({
      prepare: ({ place: { stores } }) => stores.connections.save(connection),
      forge: (order) =>
        changed(order, `UPDATE connection SET environment = 'demo', url = '${cyrillic}'`),
    });
    const reached = { kind: 'connection', where: 'https://xn--pi-6kc.example.com/v1' };
    const { reaches } = await restore(reader);
    expect(reaches).toContainEqual(expect.objectContaining(reached));
    using stores = await restoredStores(reader);
    expect(unconfirmedReaches(stores)).toContainEqual(expect.objectContaining(reached));
  });

  it('receives no evidence notes before a person confirms the folder (SR-P7)', async () => {
    using reader = await createReader({
      prepare: ({ place: { stores } }) =>
        void stores.settings.write({ evidenceFolder: '/folder of the maker' }),
    });
    await restore(reader);
    using stores = await restoredStores(reader);
    const folder = { id: EVIDENCE_REACH_ID, kind: 'evidence', where: '/folder of the maker' };
    expect(unconfirmedReaches(stores)).toContainEqual(expect.objectContaining(folder));
  });

  it('receives no request through a connection before a person confirms the address (SR-H2)', async () => {
    using reader = await withReaches();
    await restore(reader);
    using stores = await restoredStores(reader);
    const vault = createMemoryVault();
    await vault.write(own, 'a credential that lay on this computer');
    const opened: string[] = [];
    const services = createServices({
      vault,
      connections: stores.connections,
      settings: stores.settings,
      openService: ({ url }) => {
        opened.push(url);
        throw new Error('Opened');
      },
      openActions: () => {
        throw new Error('Opened');
      },
      demo: { urls: () => Promise.reject(new Error('No demo')) },
      hearClock: () => undefined,
    });
    await expect(services.open(connection.id)).rejects.toMatchObject(notConfirmed);
    expect(opened).toEqual([]);
    confirmReach(stores, own);
    await expect(services.open(connection.id)).rejects.toThrow('Opened');
    expect(opened).toEqual([connection.url]);
  });

  it('receives no request as an office before a person confirms the address (SR-H2)', async () => {
    using reader = await withReaches();
    await restore(reader);
    using stores = await restoredStores(reader);
    const vault = createMemoryVault();
    await vault.write('office', 'the password of a seat that this computer had');
    const offices = vi.fn(() => Promise.reject(new Error('Asked')));
    const room = new OfficeSession({
      stores,
      vault,
      offices,
      version: '1.0.0',
      clock: createHandClock(),
      emit: () => undefined,
      toFailure: () => ({ code: 'unexpected', message: '' }),
      trusted: async () => undefined,
      reached: async () => undefined,
    });
    await expect(room.open()).rejects.toMatchObject(notConfirmed);
    await expect(room.joined()).rejects.toMatchObject(notConfirmed);
    expect(offices).not.toHaveBeenCalled();
    confirmReach(stores, OFFICE_REACH_ID);
    await expect(room.open()).rejects.toThrow('Asked');
  });
});

const notConfirmed = { failure: { code: 'signed-out', reason: 'not-confirmed' } };

/** The same backup with other data, and with a manifest that matches that data. */
function changed(order: PackParameters, sql: string): PackParameters {
  const raw = connect(order.database, Buffer.from(order.secrets.dataKey, 'hex'), 'write');
  raw.exec(sql);
  raw.close();
  const data = readFileSync(path.resolve(order.database));
  const sha256 = createHash('sha256').update(data).digest('hex');
  return { ...order, manifest: { ...order.manifest, database: { bytes: data.length, sha256 } } };
}
