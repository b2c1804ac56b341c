import type { Stores } from '../../core/ports.ts';
import { createActionStore } from './action-store.ts';
import { createAgreementStore } from './agreement-store.ts';
import { createArchiveStore } from './archive-store.ts';
import { createConnectionStore } from './connection-store.ts';
import type { Database } from './database.ts';
import { createDraftStore } from './draft-store.ts';
import { createIdentityStore } from './identity-store.ts';
import { createOutboxStore } from './outbox-store.ts';
import { createSettingStore } from './setting-store.ts';

/** Every store over one open data file. */
export function createStores(database: Database): Stores {
  return {
    actions: createActionStore(database),
    connections: createConnectionStore(database),
    agreements: createAgreementStore(database),
    drafts: createDraftStore(database),
    outbox: createOutboxStore(database),
    identities: createIdentityStore(database),
    settings: createSettingStore(database),
    archive: createArchiveStore(database),
  };
}
