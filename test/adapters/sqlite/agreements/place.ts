import { createAgreementStore } from '../../../../electron/adapters/sqlite/agreements/store.ts';
import { createArchiveStore } from '../../../../electron/adapters/sqlite/archive/store.ts';
import { createConnectionStore } from '../../../../electron/adapters/sqlite/connections/store.ts';
import type { Database } from '../../../../electron/adapters/sqlite/database/database.ts';
import { openDatabase } from '../../../../electron/adapters/sqlite/open/open.ts';
import { createSyncStore } from '../../../../electron/adapters/sqlite/sync/store.ts';
import type { Connection } from '../../../../shared/contract/connections.ts';
import type { RemoteAgreement } from '../../../../shared/model/agreement.ts';
import { idOf, newConnection } from '../samples.ts';
import { NOW, tempFolder } from '../temp-database.ts';

export const storesOf = (database: Database) => ({
  connections: createConnectionStore(database),
  agreements: createAgreementStore(database),
  archive: createArchiveStore(database),
  sync: createSyncStore(database),
});

/** Returns an empty data file with one connection, and the stores for lists of agreements. */
export function agreementPlace() {
  const folder = tempFolder();
  const database = openDatabase({ ...folder, now: NOW });
  const stores = storesOf(database);
  const connection = newConnection();
  stores.connections.save(connection);
  return {
    ...folder,
    database,
    ...stores,
    connection,
    keyOf: ({ id }: { readonly id: string }, of: Connection = connection) => ({
      connectionId: of.id,
      id: idOf(id),
    }),
    put: (received: readonly RemoteAgreement[], readAt = NOW, of: Connection = connection) =>
      stores.agreements.put(of.id, of.api, received, readAt),
    [Symbol.dispose]: () => {
      database.close();
      folder[Symbol.dispose]();
    },
  };
}
export type AgreementPlace = ReturnType<typeof agreementPlace>;
