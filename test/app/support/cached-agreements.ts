import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { openDatabase } from '../../../electron/adapters/sqlite/open/open.ts';
import { createStores } from '../../../electron/adapters/sqlite/stores.ts';
import { dataKey } from '../../../electron/adapters/vault/data-key.ts';
import { createVault } from '../../../electron/adapters/vault/vault.ts';
import { databaseFile } from '../../../electron/compose/data.ts';
import { secretName } from '../../../electron/core/services/services.ts';
import type { RemoteAgreement } from '../../../shared/model/agreement.ts';
import { newConnection, party, remote } from '../../adapters/sqlite/samples.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

/** Number of agreements that are written in one step; all together would need too much memory. */
const PORTION = 5_000;

const states = [
  { state: 'waiting', nativeState: 'READY_TO_SIGN' },
  { state: 'signed', nativeState: 'SIGNED_BY_ALL' },
  { state: 'part-signed', nativeState: 'SIGNED' },
  { state: 'rejected', nativeState: 'REJECTED' },
] as const;
const people = ['Åsa Öberg', 'Ola Nordmann', 'Matti Virta', 'Zofia Kowalska'] as const;

/** The agreement at a position of the list, newest first: `Avtal 0`, `Avtal 1` … */
export function agreementAt(at: number, now: number): RemoteAgreement {
  const how = states[at % states.length] ?? states[0];
  const name = people[at % people.length] ?? people[0];
  const updatedAt = now - at * MINUTE;
  return remote({
    ...how,
    title: `Avtal ${String(at)}`,
    updatedAt,
    parties: [party({ name })],
    closedAt: how.state === 'signed' || how.state === 'rejected' ? updatedAt : null,
    expiresAt: updatedAt + 30 * 24 * 60 * MINUTE,
  });
}

/**
 * Creates a data folder as after the first check of a service that is no longer reachable. The key
 * file is next to the folder.
 */
export async function cacheAgreements(
  dataDir: string,
  count: number,
  change: (at: number) => Partial<RemoteAgreement> = () => ({}),
): Promise<void> {
  const keyfile = `${dataDir}.key`;
  await mkdir(dataDir, { recursive: true });
  await writeFile(keyfile, randomBytes(32), { mode: 0o600 });
  const vault = createVault({ store: 'keyfile', path: keyfile, dataDir });
  const key = await dataKey(vault, { databaseExists: false });
  const now = Date.now();
  const database = openDatabase({ file: databaseFile(dataDir), key, now });
  const { connections, agreements } = createStores(database);
  const connection = newConnection({ url: 'http://127.0.0.1:9' });
  connections.save(connection);
  await vault.write(secretName(connection.id), 'secret-of-nobody');
  connections.setCheckedUntil(connection.id, now, now);
  agreements.beginBulk();
  for (let from = 0; from < count; from += PORTION) {
    const length = Math.min(PORTION, count - from);
    const received = Array.from({ length }, (_, place) => {
      const at = from + place;
      return { ...agreementAt(at, now), ...change(at) };
    });
    agreements.put(connection.id, 'v1', received, now);
  }
  agreements.endBulk();
  while (!agreements.buildIndex());
  database.close();
}
