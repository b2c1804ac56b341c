// tier: quick, 40 s, because a restored desk may send nothing twice
// tier: all
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../electron/adapters/sqlite/open/open.ts';
import { createStores } from '../../../electron/adapters/sqlite/stores.ts';
import { dataKey } from '../../../electron/adapters/vault/data-key.ts';
import { createVault } from '../../../electron/adapters/vault/vault.ts';
import { markUnknownAfterCopy } from '../../../electron/core/backup/uncertain.ts';
import type { Stores } from '../../../electron/core/ports.ts';
import { readAfterRestore } from '../../../electron/core/sync/after-restore.ts';
import { OfficeUserId } from '../../../shared/contract/office/office.ts';
import { DAY, HOUR } from '../../../shared/rules/time/units.ts';
import { createHandClock } from '../../support/fakes/memory-ports.ts';
import { createMemoryStores } from '../../support/fakes/memory-stores.ts';
import { idOf, newConnection, remote } from '../../adapters/sqlite/samples.ts';
import { createReader } from './reader.ts';

const connection = newConnection();
const SHARE = String.raw`\\maker.example\share`;
const SERVICES = 'the services of the office';

/** A time that the maker of a backup, or a clock that was ahead, may have written. */
const later = Date.now() + 365 * DAY;

/** Runs `look` with the stores of a data file restored from a backup prepared by `prepare`. */
async function afterRestore(prepare: (stores: Stores) => void, look: (stores: Stores) => unknown) {
  using reader = await createReader({ prepare: ({ place: { stores } }) => prepare(stores) });
  await reader.handlers['backup.restore']({ ...reader.opening(), folder: null });
  const vault = createVault({ store: 'keyfile', path: reader.keyfile, dataDir: reader.data });
  const key = await dataKey(vault, { databaseExists: true });
  const database = openDatabase({ file: path.join(reader.data, 'desk.db'), key, now: 0 });
  try {
    await look(createStores(database));
  } finally {
    database.close();
  }
}

/** Names of the services that are read before a send. */
async function readBeforeSending(stores: Stores): Promise<string[]> {
  const read: string[] = [];
  const runAnew = async (id: string) => {
    read.push(id);
    return { name: '', requests: 0, received: 0, changed: 0, gone: 0, ...nothingElse };
  };
  await readAfterRestore({ stores, sync: { runAnew } }, connection.id);
  return read;
}
const nothingElse = { checkedUntil: null, failure: null } as const;

describe('restored data about other computers', () => {
  it('does not prevent a reading of each service before a send, even if it claims a future reading (SR-R1)', async () => {
    const prepare = ({ connections }: Stores) => {
      connections.save(connection);
      connections.setCheckedUntil(connection.id, later, later);
    };
    await afterRestore(prepare, async (stores) => {
      expect(await readBeforeSending(stores)).toEqual([connection.id]);
    });
  });

  it('does not make a reading of a service skip agreements, by a stored position or a future time (SR-R2)', async () => {
    const prepare = ({ connections, sync }: Stores) => {
      connections.save(connection);
      connections.setCheckedUntil(connection.id, later, later);
      const place = { position: 100_000, pages: 1000 };
      sync.saveFull(connection.id, { startedAt: Date.now(), serverTime: later, total: 1, place });
    };
    await afterRestore(prepare, ({ connections, sync }) => {
      const anew = { startedAt: 0, serverTime: null, total: null, place: null };
      expect(sync.full(connection.id)).toEqual(anew);
      expect(connections.checkedUntil(connection.id)).toBeLessThanOrEqual(Date.now());
    });
  });

  it('lets a service that was read completely be read for later changes only', async () => {
    const until = Date.now() - HOUR;
    const prepare = ({ connections, sync }: Stores) => {
      connections.save(connection);
      connections.setCheckedUntil(connection.id, until, until);
      sync.endFull(connection.id, until);
    };
    await afterRestore(prepare, ({ connections, sync }) => {
      expect(sync.full(connection.id)).toBeNull();
      expect(connections.checkedUntil(connection.id)).toBe(until);
    });
  });

  it('causes the reminders of other computers to be read again from the beginning (SR-R3)', async () => {
    const prepare = ({ office }: Stores) => {
      office.join({
        office: '0b6c7f0a-6f0e-4a53-8f0e-1c1b7f9a0001',
        seat: OfficeUserId.parse('0b6c7f0a-6f0e-4a53-8f0e-1c1b7f9a0002'),
        desk: '0b6c7f0a-6f0e-4a53-8f0e-1c1b7f9a0003',
        name: 'The maker',
        address: { host: 'maker.example', port: 5432, database: 'desk', trust: null, role: 'seat' },
        goesOnWithout: true,
      });
      office.keepReminders({ sent: [], released: [], source: SERVICES, upTo: later });
    };
    await afterRestore(prepare, ({ office }) => {
      expect(office.remindersReadUpTo(SERVICES)).toBe(0);
    });
  });

  it('names no file outside the archive folder that an archive run would overwrite (SR-R6)', async () => {
    const key = { connectionId: connection.id, id: idOf('x') };
    const saved = { bytes: 1, sha256: 'ab', seal: null, changedAt: 0 };
    const prepare = ({ connections, agreements, archive }: Stores) => {
      connections.save(connection);
      agreements.put(connection.id, 'v1', [remote({ id: 'x', state: 'signed', closedAt: 1 })], 1);
      archive.record(key, { ...saved, file: '/home/person/letter.txt' }, 1, '/archive');
    };
    await afterRestore(prepare, ({ archive }) => {
      expect(archive.placed('/archive', key)).toBeNull();
    });
  });

  it('does not make the search for a moved archive open a network folder (SR-R4)', async () => {
    const marks = { turn: null, hashes: { 'manifest-sha256.txt': 'ab' } };
    const prepare = ({ archive }: Stores) => {
      for (const folder of [SHARE, '/here']) {
        archive.holds(folder, 0);
        archive.markLists(folder, marks);
      }
    };
    await afterRestore(prepare, ({ archive }) => {
      expect(archive.listMarks(SHARE)).toBeNull();
      expect(archive.listMarks('/here')).toEqual(marks);
    });
  });
});

describe('data that was copied or moved', () => {
  it('causes a reading of each service before a send, even if the original computer’s clock was ahead (SR-R1)', async () => {
    const stores = createMemoryStores();
    stores.connections.save(connection);
    stores.connections.setCheckedUntil(connection.id, 1, later);
    const chance = { uuid: () => crypto.randomUUID(), fraction: () => 0.5 };
    const ports = { stores, clock: createHandClock(), chance };
    markUnknownAfterCopy({ ...ports, emit: () => undefined });
    expect(await readBeforeSending(stores)).toEqual([connection.id]);
  });
});
