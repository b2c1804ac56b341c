import type { AtKillPoint } from '../../core/outbox/ports.ts';
import type { Stores } from '../../core/ports.ts';
import { createActionStore } from './actions/store.ts';
import { createAgreementStore } from './agreements/store.ts';
import { createArchiveStore } from './archive/store.ts';
import { createBackupStore } from './backup/store.ts';
import { createBatchStore } from './batches/store.ts';
import { createBoardStore } from './board/store.ts';
import { createConnectionStore } from './connections/store.ts';
import { createCorrectionStore } from './corrections/store.ts';
import type { Database } from './database/database.ts';
import { createDigestStore } from './digest/store.ts';
import { createDraftStore } from './drafts/store.ts';
import { createEvidenceStore } from './evidence/store.ts';
import { createFormStore } from './forms/store.ts';
import { createIdentityStore } from './identities/store.ts';
import { createIntakeStore } from './intake/store.ts';
import { createOfficeStore } from './office/store.ts';
import { createOutboxStore } from './outbox/store.ts';
import { createOwnUserStore } from './connections/own-user-store.ts';
import { createPeopleStore } from './people/store.ts';
import { createPrivacyStore } from './privacy/store.ts';
import { createReminderStore } from './reminders/store.ts';
import { createSettingStore } from './settings/store.ts';
import { createSyncStore } from './sync/store.ts';
import { createTemplateStore } from './templates/store.ts';
import { createUpdateStore } from './updates/store.ts';

export function createStores(database: Database, atKillPoint?: AtKillPoint): Stores {
  return {
    transaction: (work) => database.transaction(work),
    quickTransaction: (work) => database.quickTransaction(work),
    actions: createActionStore(database),
    connections: createConnectionStore(database),
    agreements: createAgreementStore(database),
    ownUsers: createOwnUserStore(database),
    sync: createSyncStore(database),
    drafts: createDraftStore(database),
    people: createPeopleStore(database),
    templates: createTemplateStore(database),
    batches: createBatchStore(database),
    outbox: createOutboxStore(database, atKillPoint),
    evidence: createEvidenceStore(database),
    identities: createIdentityStore(database),
    settings: createSettingStore(database),
    forms: createFormStore(database),
    archive: createArchiveStore(database),
    updates: createUpdateStore(database),
    reminders: createReminderStore(database),
    corrections: createCorrectionStore(database),
    digest: createDigestStore(database),
    board: createBoardStore(database),
    intake: createIntakeStore(database),
    backup: createBackupStore(database),
    privacy: createPrivacyStore(database),
    office: createOfficeStore(database),
  };
}
