import type { ActionState } from '../../shared/contract/actions.ts';
import type { Agreement, AgreementDetails } from '../../shared/contract/agreements.ts';
import type { Connection } from '../../shared/contract/connections.ts';
import type { Draft } from '../../shared/contract/drafts.ts';
import { AgreementId, type AgreementKey, type ConnectionId } from '../../shared/contract/ids.ts';
import type { OutboxItem, OutboxState } from '../../shared/contract/outbox.ts';
import type { Settings } from '../../shared/contract/settings.ts';
import { AppError } from '../../shared/errors.ts';
import { closedStates, type RemoteAgreement } from '../../shared/model/agreement.ts';
import { maskPersonNumber } from '../../shared/rules/mask.ts';
import type { ActionStore, StoredAction } from '../../electron/core/action-record.ts';
import type {
  AgreementStore,
  ArchiveStore,
  ConnectionStore,
  DraftStore,
  FrozenRequest,
  IdentityStore,
  OutboxUpload,
  OutgoingFile,
  OutboxMove,
  OutboxStore,
  SettingStore,
  StoredIdentity,
  Stores,
} from '../../electron/core/ports.ts';
import type { SavedFile } from '../../shared/contract/agreements.ts';

/** A move of an outbox row as the journal keeps it. */
export interface Journalled {
  readonly ref: string;
  readonly from: OutboxState;
  readonly to: OutboxState;
  readonly cause: string;
}

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
  const agreements = createAgreementStore(archive);
  const journal: Journalled[] = [];
  const actionJournal: ActionStep[] = [];
  return {
    connections,
    archive: archive.over(agreements),
    agreements,
    drafts: createDraftStore(),
    outbox: createOutboxStore(journal),
    identities: createIdentityStore(),
    settings: createSettingStore(),
    actions: createActionStore(actionJournal),
    journal,
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

interface Copy {
  readonly key: AgreementKey;
  readonly api: 'v1' | 'v2';
  readonly remote: RemoteAgreement;
  readonly readAt: number;
  readonly gone: 'deleted' | 'no-access' | null;
}

type SavedFiles = ReturnType<typeof createArchiveStore>;

function createAgreementStore(archive: SavedFiles): AgreementStore {
  const rows = new Map<string, Copy>();
  const all = () => [...rows.values()];
  const of = (id: ConnectionId | undefined) =>
    all().filter(({ key }) => id === undefined || key.connectionId === id);
  const isOpen = ({ remote, gone }: Copy) => !closedStates.includes(remote.state) && gone === null;
  return {
    put(connectionId, api, remote, readAt) {
      return remote.filter((one) => {
        const key = { connectionId, id: AgreementId.parse(one.id) };
        const known = rows.get(textOf(key));
        const merged = merge(known?.remote, one);
        rows.set(textOf(key), { key, api, remote: merged, readAt, gone: null });
        return JSON.stringify(known?.remote) !== JSON.stringify(merged) || known?.gone !== null;
      }).length;
    },
    list: ({ connectionId }) => {
      const items = of(connectionId).map((copy) => rowOf(copy, archive));
      return { items, total: items.length, next: null };
    },
    counts: () => missing('counts in memory'),
    details: (key) => detailsOf(rows.get(textOf(key)) ?? missing('agreement'), archive),
    find: (id) => all().flatMap(({ key }) => (key.id === id ? key : [])),
    unseenOpen(connectionId, before, expiredBy) {
      const open = of(connectionId).filter(isOpen);
      const hasExpired = ({ remote: { expiresAt }, readAt }: Copy) =>
        expiresAt !== null && expiresAt < expiredBy && readAt < expiresAt;
      const expired = open.filter(hasExpired);
      const unseen = open.filter((copy) => !hasExpired(copy) && copy.readAt < before);
      return [...expired, ...unseen].map(({ key }) => key.id);
    },
    withRef: (connectionId, ref) =>
      of(connectionId).flatMap(({ key, remote }) =>
        remote.tags?.['desk.ref'] === ref ? key.id : [],
      ),
    markGone(key, gone) {
      const copy = rows.get(textOf(key)) ?? missing('agreement');
      rows.set(textOf(key), { ...copy, gone });
    },
    concluded: (connectionId) =>
      of(connectionId)
        .filter(({ remote, gone }) => remote.state === 'signed' && gone === null)
        .map((copy) => rowOf(copy, archive)),
    signable: (connectionId) =>
      of(connectionId)
        .filter((copy) => isOpen(copy))
        .filter(({ remote }) => remote.parties?.some(({ apiSigning }) => apiSigning !== null))
        .map((copy) => detailsOf(copy, archive)),
  };
}

function merge(known: RemoteAgreement | undefined, told: RemoteAgreement): RemoteAgreement {
  return {
    ...told,
    parties: told.parties ?? known?.parties ?? null,
    documents: told.documents ?? known?.documents ?? null,
    tags: told.tags ?? known?.tags ?? null,
  };
}

function rowOf({ key, api, remote, gone }: Copy, archive: SavedFiles): Agreement {
  const { title, state, nativeState, updatedAt, closedAt, expiresAt, deletesAt, parties } = remote;
  return {
    ...key,
    ...{ api, title, state, nativeState, updatedAt, closedAt, expiresAt, deletesAt, gone },
    parties: parties?.map(({ name }) => name) ?? null,
    signedCount: parties?.filter((party) => party.state === 'signed').length ?? null,
    partyCount: parties?.length ?? null,
    myTurn: false,
    archivedAt: archive.find(key)?.at ?? null,
  };
}

function detailsOf(copy: Copy, archive: SavedFiles): AgreementDetails {
  const { parties: _, ...row } = rowOf(copy, archive);
  const { createdAt, sentAt, parties, documents, tags, timeline, native } = copy.remote;
  const archivedFile = archive.find(copy.key)?.file.file ?? null;
  const told = { createdAt, sentAt, parties, documents, tags, timeline, native };
  return { ...row, ...told, archivedFile, readAt: copy.readAt };
}

function createDraftStore(): DraftStore {
  const rows = new Map<string, Draft>();
  const data = new Map<string, OutgoingFile>();
  const get = (id: string) => rows.get(id) ?? missing('draft');
  return {
    list: () => [...rows.values()],
    get,
    insert: (draft) => void rows.set(draft.id, draft),
    save(id, revision, content, connectionId, at) {
      const draft = get(id);
      if (draft.sending !== null) {
        throw new AppError('conflict', 'Being sent', { reason: 'draft-locked' });
      }
      if (draft.revision !== revision) throw new AppError('conflict', 'Changed meanwhile');
      rows.set(id, { ...draft, content, connectionId, revision: revision + 1, updatedAt: at });
      return get(id);
    },
    remove: (id) => void (rows.delete(id) || missing('draft')),
    addFile(id, file, bytes, modifiedAt) {
      rows.set(id, { ...get(id), files: [...get(id).files, file] });
      data.set(file.id, { name: file.name, data: bytes, modifiedAt });
    },
    removeFile(id, file) {
      rows.set(id, { ...get(id), files: get(id).files.filter((one) => one.id !== file) });
    },
    fileData: (_, file) => data.get(file) ?? missing('file'),
    setSending: (id, ref) => void rows.set(id, { ...get(id), sending: ref }),
  };
}

function createOutboxStore(journal: Journalled[]): OutboxStore {
  const rows = new Map<string, OutboxItem>();
  const requests = new Map<string, FrozenRequest>();
  const files = new Map<string, (OutboxUpload & { readonly data: Uint8Array })[]>();
  const whole = new Set<string>();
  const uploadsOf = (ref: string) => files.get(ref) ?? [];
  const row = (ref: string) => rows.get(ref) ?? missing('outbox row');
  const get = (ref: string): OutboxItem => {
    const total = uploadsOf(ref).length;
    const done = uploadsOf(ref).filter(({ token }) => token !== null).length;
    return whole.has(ref) ? row(ref) : { ...row(ref), progress: { done, total } };
  };
  const all = () => [...rows.values()].map(({ ref }) => get(ref));
  const write = (item: OutboxItem, change: OutboxMove, at: number, attempts = item.attempts) => {
    const { to, cause, remoteId = item.remoteId, nextAt = item.nextAt } = change;
    const { reason = item.reason } = change;
    journal.push({ ref: item.ref, from: item.state, to, cause });
    const { progress: _, ...kept } = item;
    rows.set(item.ref, { ...kept, state: to, remoteId, nextAt, reason, attempts, updatedAt: at });
  };
  return {
    list: all,
    get,
    request: (ref) => requests.get(ref) ?? missing('request'),
    insert({ item, request, uploads }) {
      rows.set(item.ref, item);
      requests.set(item.ref, request);
      files.set(
        item.ref,
        uploads.map(({ name, data }, place) => ({ place, name, data, token: null })),
      );
      if (uploads.length === 0) whole.add(item.ref);
    },
    uploads: (ref) => uploadsOf(ref).map(({ place, name, token }) => ({ place, name, token })),
    uploadData: (ref, place) => uploadsOf(ref)[place]?.data ?? missing('file'),
    setToken(ref, place, token) {
      const change = uploadsOf(ref).map((one) => (one.place === place ? { ...one, token } : one));
      files.set(ref, change);
    },
    complete(ref, body) {
      if (get(ref).state !== 'queued' || whole.has(ref)) return false;
      const request = requests.get(ref) ?? missing('request');
      requests.set(ref, { ...request, body });
      whole.add(ref);
      return true;
    },
    claim(ref, at) {
      const item = get(ref);
      if (item.state !== 'queued' || !whole.has(ref)) return false;
      const claimed = { to: 'sending', cause: 'claim', nextAt: null, reason: null } as const;
      write(item, claimed, at, item.attempts + 1);
      return true;
    },
    unclaim: (ref, at, change) => write(get(ref), change, at, get(ref).attempts - 1),
    move(ref, from, change, at) {
      if (!from.includes(get(ref).state)) return false;
      write(get(ref), change, at);
      return true;
    },
    inState: (state) => all().filter((item) => item.state === state),
  };
}

function createIdentityStore(): IdentityStore {
  const rows = new Map<string, StoredIdentity>();
  return {
    list: () => [...rows.values()],
    get: (id) => rows.get(id) ?? missing('identity'),
    insert(id, { name, firstName, lastName, personNumber = null, country = null, ...rest }) {
      const { orgNo = null, email = null, mobile = null } = rest;
      const personNumberMasked = personNumber === null ? null : maskPersonNumber(personNumber);
      const known = { id, name, firstName, lastName, personNumber, personNumberMasked };
      const identity = { ...known, country, orgNo, email, mobile };
      rows.set(id, identity);
      return identity;
    },
    remove: (id) => void rows.delete(id),
  };
}

function createSettingStore(): SettingStore {
  let settings: Settings = {
    theme: 'system',
    density: 'cosy',
    language: null,
    holdSeconds: 10,
    archiveFolder: null,
    archivePattern: '{title}_{id8}',
    signingIdentity: null,
    connection: null,
  };
  return {
    read: () => settings,
    write: (change) => (settings = { ...settings, ...change }),
  };
}

function createActionStore(journal: ActionStep[]): ActionStore {
  const rows = new Map<string, StoredAction>();
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
    },
    move(id, from, { to, cause, ...told }, at) {
      const action = get(id);
      if (!from.includes(action.state)) return false;
      journal.push({ from: action.state, to, cause });
      rows.set(id, { ...action, ...told, state: to, updatedAt: at });
      return true;
    },
    inState: (state) => [...rows.values()].filter((one) => one.state === state),
  };
}

const isActionOpen = (state: ActionState) => state !== 'done' && state !== 'refused';

function createArchiveStore() {
  const files = new Map<string, { key: AgreementKey; file: SavedFile; at: number }>();
  const find = (key: AgreementKey) => files.get(textOf(key));
  const over = (agreements: AgreementStore): ArchiveStore => ({
    list: () =>
      [...files.values()].map(({ key, file, at }) => {
        const { title, parties, closedAt, deletesAt } = agreements.details(key);
        const names = parties?.map(({ name }) => name) ?? null;
        const saved = { file: file.file, sha256: file.sha256, savedAt: at };
        return { ...key, title, parties: names, closedAt, deletesAt, state: 'archived', ...saved };
      }),
    saved: (key) => find(key)?.file ?? null,
    record: ({ connectionId, id }, file, at) => {
      const key = { connectionId, id };
      files.set(textOf(key), { key, file, at });
    },
  });
  return { find, over };
}

function textOf({ connectionId, id }: AgreementKey): string {
  return `${connectionId} ${id}`;
}

function missing(what: string): never {
  throw new AppError('not-found', `There is no such ${what}`);
}
