import type { ActionState } from '../../shared/contract/actions.ts';
import type { ArchiveFinding } from '../../shared/contract/archive.ts';
import type { Connection } from '../../shared/contract/connections.ts';
import type { AgreementKey, ConnectionId } from '../../shared/contract/ids.ts';
import { type Settings, usualSettings } from '../../shared/contract/settings.ts';
import { AppError } from '../../shared/errors.ts';
import { maskPersonNumber } from '../../shared/rules/mask.ts';
import type { ActionStore, StoredAction } from '../../electron/core/action-record.ts';
import type {
  AgreementStore,
  ArchiveStore,
  ConnectionStore,
  IdentityStore,
  SettingStore,
  StoredIdentity,
  Stores,
} from '../../electron/core/ports.ts';
import { createEvidenceStore } from './memory-evidence.ts';
import { createMemoryAgreements } from './memory-agreements.ts';
import { createMemoryBatches } from './memory-batches.ts';
import { createMemoryTemplates } from './memory-templates.ts';
import { createDraftStore, createPeopleStore } from './memory-drafts.ts';
import type { ArchivedPdf, StoredArchiveRule } from '../../electron/core/archive-ports.ts';
import { createMemoryOutbox, type Journalled } from './memory-outbox.ts';
import { createMemorySyncStore, type ToldCopy } from './memory-sync-store.ts';

/** A move of an action as its journal keeps it. */
export interface ActionStep {
  readonly from: ActionState | null;
  readonly to: ActionState;
  readonly cause: string;
}

/** The stores without a file; what two processes share when both are given the same ones. */
export interface MemoryStores extends Stores {
  readonly journal: readonly Journalled[];
  readonly actionJournal: readonly ActionStep[];
}

export function createMemoryStores(): MemoryStores {
  const connections = createConnectionStore();
  const archive = createArchiveStore();
  const copies = new Map<string, ToldCopy>();
  const saved = (key: AgreementKey) => {
    const found = archive.find(key);
    return found === undefined ? undefined : { file: found.file.file, at: found.at };
  };
  const agreements = createMemoryAgreements(saved, copies);
  const { outbox, journal } = createMemoryOutbox(undefined, () => [...copies.values()]);
  const actionJournal: ActionStep[] = [];
  return {
    connections,
    archive: archive.over(agreements),
    agreements,
    ownUsers: createOwnUsers(agreements),
    sync: createMemorySyncStore(() => [...copies.values()]),
    drafts: createDraftStore(),
    people: createPeopleStore(),
    templates: createMemoryTemplates(),
    batches: createMemoryBatches(),
    outbox,
    evidence: createEvidenceStore(),
    identities: createIdentityStore(),
    settings: createSettingStore(),
    actions: createActionStore(actionJournal),
    get journal() {
      return journal();
    },
    actionJournal,
  };
}

function createConnectionStore(): ConnectionStore {
  const rows = new Map<ConnectionId, Connection>();
  const checked = new Map<ConnectionId, { until: number; at: number }>();
  return {
    list: () => [...rows.values()],
    get: (id) => rows.get(id) ?? missing('connection'),
    save: (connection) => void rows.set(connection.id, connection),
    remove: (id) => void rows.delete(id),
    checkedUntil: (id) => checked.get(id)?.until ?? null,
    checkedAt: (id) => checked.get(id)?.at ?? null,
    setCheckedUntil: (id, until, at) => void checked.set(id, { until, at }),
  };
}

function createOwnUsers(agreements: AgreementStore): Stores['ownUsers'] {
  return {
    find(connectionId) {
      const { items } = agreements.list({ connectionId, sort: 'updated', limit: 1000 }, 0);
      const own = items
        .map(({ id }) => agreements.details({ connectionId, id }).access)
        .find((access) => access?.sharedWith === 'NONE');
      return own?.owner?.id ?? null;
    },
  };
}

function createIdentityStore(): IdentityStore {
  const rows = new Map<string, StoredIdentity>();
  return {
    list: () => [...rows.values()],
    get: (id) => rows.get(id) ?? missing('identity'),
    insert(id, { name, firstName, lastName, personNumber = null, country = null, ...rest }) {
      const { role = null, company = null, orgNo = null, email = null, mobile = null } = rest;
      const personNumberMasked = personNumber === null ? null : maskPersonNumber(personNumber);
      const known = { id, name, firstName, lastName, personNumber, personNumberMasked };
      const identity = { ...known, role, company, country, orgNo, email, mobile };
      rows.set(id, identity);
      return identity;
    },
    remove: (id) => void rows.delete(id),
  };
}

function createSettingStore(): SettingStore {
  let settings: Settings = { ...usualSettings, archivePattern: '{title}_{id8}' };
  return {
    read: () => settings,
    write: (change) => (settings = { ...settings, ...change }),
  };
}

function createActionStore(journal: ActionStep[]): ActionStore {
  const rows = new Map<string, StoredAction>();
  const causes = new Map<string, string>();
  const get = (id: string) => rows.get(id) ?? missing('action');
  return {
    get,
    list: ({ connectionId, agreementId }, since) =>
      [...rows.values()]
        .filter((one) => connectionId === undefined || one.connectionId === connectionId)
        .filter((one) => agreementId === undefined || one.agreementId === agreementId)
        .filter(({ state, updatedAt }) => isActionOpen(state) || updatedAt >= since)
        .toReversed(),
    insert(action) {
      journal.push({ from: null, to: action.state, cause: 'person' });
      rows.set(action.actionId, action);
      causes.set(action.actionId, 'person');
    },
    move(id, from, { to, cause, ...told }, at) {
      const action = get(id);
      if (!from.includes(action.state)) return false;
      journal.push({ from: action.state, to, cause });
      rows.set(id, { ...action, ...told, state: to, updatedAt: at });
      causes.set(id, cause);
      return true;
    },
    inState: (state) => [...rows.values()].filter((one) => one.state === state),
    lastCause: (id) => causes.get(id) ?? missing('action'),
  };
}

const isActionOpen = (state: ActionState) => state !== 'done' && state !== 'refused';

function createArchiveStore() {
  const files = new Map<string, { key: AgreementKey; file: ArchivedPdf; at: number }>();
  const places = new Map<
    string,
    { folder: string; key: AgreementKey; file: ArchivedPdf; at: number }
  >();
  const extras: (Parameters<ArchiveStore['recordExtra']>[2] & {
    folder: string;
    key: AgreementKey;
  })[] = [];
  const folders = new Set<string>();
  const findings = new Map<string, { checkedAt: number; finding: ArchiveFinding }>();
  const rules = new Map<string, StoredArchiveRule>();
  const find = (key: AgreementKey) => files.get(textOf(key));
  const over = (agreements: AgreementStore): ArchiveStore => {
    const store: ArchiveStore = {
      list: () =>
        [...files.values()].map(({ key, file, at }) => {
          const { title, parties, closedAt, deletesAt } = agreements.details(key);
          const names = parties?.map(({ name }) => name) ?? null;
          const saved = { file: file.file, sha256: file.sha256, savedAt: at };
          const checked = findings.get(file.file) ?? { checkedAt: null, finding: null };
          const about = { title, parties: names, closedAt, deletesAt, ...saved, ...checked };
          return { ...key, ...about, state: 'archived' };
        }),
      saved: (key) => find(key)?.file ?? null,
      placed: (folder, key) => places.get(`${folder} ${textOf(key)}`)?.file ?? null,
      inFolder: (folder) =>
        [...places.values()]
          .filter((one) => one.folder === folder)
          .map(({ key, file, at }) => {
            const { title, parties, closedAt } = agreements.details(key);
            const names = parties?.map(({ name }) => name) ?? null;
            return { key, ...file, title, parties: names, closedAt, savedAt: at };
          }),
      sameContent: (folder, key, sha256) => {
        const other = [...places.values()].find(
          (one) =>
            one.folder === folder && one.file.sha256 === sha256 && textOf(one.key) !== textOf(key),
        );
        return other === undefined
          ? null
          : { ...other.key, title: agreements.details(other.key).title };
      },
      noteFindings: (noted, at) => {
        for (const { file, finding } of noted) findings.set(file, { checkedAt: at, finding });
      },
      record: ({ connectionId, id }, saved, at, folder) => {
        const key = { connectionId, id };
        findings.delete(saved.file);
        const file = { changedAt: null, seal: null, ...saved };
        files.set(textOf(key), { key, file, at });
        if (folder !== undefined) places.set(`${folder} ${textOf(key)}`, { folder, key, file, at });
      },
      recordAll: (files, folder) => {
        for (const { key, savedAt, ...file } of files) store.record(key, file, savedAt, folder);
        return [];
      },
      extras: (folder, key) =>
        extras.filter(
          (one) => one.folder === folder && (key === undefined || textOf(one.key) === textOf(key)),
        ),
      recordExtra: (folder, key, extra) => void extras.push({ folder, key, ...extra }),
      work: { list: () => [], begin: () => {}, whole: () => {}, end: () => {} },
      held: (folder) => folders.has(folder),
      heldFolders: () => [...folders],
      holds: (folder) => void folders.add(folder),
      rules: {
        list: () => [...rules.values()],
        get: (id) => rules.get(id) ?? missing('archive rule'),
        save: (rule) => void rules.set(rule.id, { rule, last: rules.get(rule.id)?.last ?? null }),
        remove: (id) => void (rules.delete(id) || missing('archive rule')),
        noteRun: (id, last) => {
          const { rule } = rules.get(id) ?? missing('archive rule');
          rules.set(id, { rule, last });
        },
      },
    };
    return store;
  };
  return { find, over };
}

function textOf({ connectionId, id }: AgreementKey): string {
  return `${connectionId} ${id}`;
}

function missing(what: string): never {
  throw new AppError('not-found', `There is no such ${what}`);
}
