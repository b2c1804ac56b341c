import type { AgreementFilter, AgreementView } from '../../shared/contract/agreement-query.ts';
import type { Agreement, AgreementDetails } from '../../shared/contract/agreements.ts';
import { AgreementId, type AgreementKey, type ConnectionId } from '../../shared/contract/ids.ts';
import { AppError } from '../../shared/errors.ts';
import {
  AgreementState,
  closedStates,
  type RemoteAgreement,
} from '../../shared/model/agreement.ts';
import type { AgreementStore } from '../../electron/core/ports.ts';
import type { ToldCopy } from './memory-sync-store.ts';

type Find = (key: AgreementKey) => { readonly file: string; readonly at: number } | undefined;
type View = AgreementFilter & Pick<AgreementView, 'sort' | 'direction'>;

/**
 * The agreements without a file: every filter but words of e-mail addresses, ungrouped. How lists
 * are grouped, counted and kept fast is for the tests of the real store.
 */
export function createMemoryAgreements(
  archived: Find,
  rows: Map<string, ToldCopy>,
): AgreementStore {
  const forgotten = new Map<string, RemoteAgreement>();
  const all = () => [...rows.values()];
  const of = (id: ConnectionId | undefined) =>
    all().filter(({ key }) => id === undefined || key.connectionId === id);
  const get = (key: AgreementKey) => rows.get(nameOf(key)) ?? missing();
  const row = (copy: ToldCopy) => rowOf(copy, archived);
  const matching = (view: View) =>
    all()
      .map((copy) => ({ ...row(copy), tags: copy.remote.tags ?? {} }))
      .filter((one) => matches(one, view))
      .toSorted(orderOf(view))
      .map(({ tags: _, ...one }) => one);
  const keyOf = ({ connectionId, id }: AgreementKey) => ({ connectionId, id });
  const forget = (keys: readonly AgreementKey[]) =>
    keys.filter((key) => {
      const copy = rows.get(nameOf(key));
      if (copy !== undefined) forgotten.set(nameOf(key), copy.remote);
      return rows.delete(nameOf(key));
    }).length;

  return {
    put(connectionId, api, remote, readAt) {
      return remote.filter((one) => {
        const key = { connectionId, id: AgreementId.parse(one.id) };
        const known = rows.get(nameOf(key));
        const was = forgotten.get(nameOf(key));
        if (known === undefined && was?.nativeState === one.nativeState) return false;
        const merged = merge(known?.remote, one);
        rows.set(nameOf(key), { key, api, remote: merged, readAt, gone: null });
        return JSON.stringify(known?.remote) !== JSON.stringify(merged) || known?.gone !== null;
      }).length;
    },
    beginBulk: () => {},
    endBulk: () => {},
    buildIndex: () => true,
    list: (query) => {
      const items = matching(query);
      return { items: items.slice(0, query.limit), total: items.length, next: null };
    },
    window({ from, limit, ...view }) {
      const items = matching(view);
      return { items: items.slice(from, from + limit), from, total: items.length };
    },
    groups: () => [],
    position(view, key) {
      const index = matching(view).findIndex((one) => nameOf(one) === nameOf(key));
      return index < 0 ? null : index;
    },
    keys({ from, limit, ...view }) {
      const items = matching(view);
      return { keys: items.slice(from, from + limit).map(keyOf), total: items.length };
    },
    count: (filter, most) => Math.min(matching({ ...filter, sort: 'updated' }).length, most + 1),
    counts(connectionId) {
      const found = of(connectionId).map(row);
      const inState = (state: AgreementState) =>
        found.filter((one) => one.state === state && one.gone === null).length;
      return {
        all: found.length,
        byState: {
          draft: inState('draft'),
          waiting: inState('waiting'),
          'part-signed': inState('part-signed'),
          signed: inState('signed'),
          rejected: inState('rejected'),
          revoked: inState('revoked'),
          expired: inState('expired'),
          unknown: inState('unknown'),
        },
        attention: 0,
        expiring: 0,
        myTurn: found.filter(({ myTurn }) => myTurn).length,
        notArchived: found.filter((one) => one.state === 'signed' && one.archivedAt === null)
          .length,
      };
    },
    details: (key) => detailsOf(get(key), archived),
    find: (id) => all().flatMap(({ key }) => (key.id === id ? key : [])),
    withRef: (connectionId, ref) =>
      of(connectionId).flatMap(({ key, remote }) =>
        remote.tags?.['desk.ref'] === ref ? key.id : [],
      ),
    markGone(key, gone) {
      rows.set(nameOf(key), { ...get(key), gone });
    },
    setTemplate: () => {},
    concluded: (connectionId) =>
      of(connectionId)
        .filter(({ remote, gone }) => remote.state === 'signed' && gone === null)
        .map(row),
    signable: (connectionId) =>
      of(connectionId)
        .filter(({ remote, gone }) => !closedStates.includes(remote.state) && gone === null)
        .filter(({ remote }) => remote.parties?.some(({ apiSigning }) => apiSigning !== null))
        .map((copy) => detailsOf(copy, archived)),
    forget,
    retire({ before, limit }) {
      const due = all().filter(
        ({ key, remote: { state, closedAt } }) =>
          closedStates.includes(state) &&
          closedAt !== null &&
          closedAt < before &&
          (state !== 'signed' || archived(key) !== undefined),
      );
      return forget(due.slice(0, limit).map(({ key }) => key));
    },
    storage: () => ({ fileBytes: 0, connections: [] }),
  };
}

type Row = Agreement & { readonly tags: Readonly<Record<string, string>> };

function matches(row: Row, filter: AgreementFilter): boolean {
  const { states, tag, search = '' } = filter;
  const tagged = Object.entries(row.tags).flatMap(([key, value]) => [key, `${key}=${value}`]);
  const text = [row.title, row.id, ...(row.parties ?? [])].join(' ').toLowerCase();
  const within = (time: number | null, from: number | undefined, to: number | undefined) =>
    (from === undefined && to === undefined) ||
    (time !== null && time >= (from ?? 0) && time < (to ?? Infinity));
  return (
    (filter.connectionId === undefined || row.connectionId === filter.connectionId) &&
    (states === undefined || states.includes(row.state)) &&
    (filter.myTurn === undefined || row.myTurn === filter.myTurn) &&
    (filter.archived === undefined || (row.archivedAt !== null) === filter.archived) &&
    (filter.gone === undefined || (row.gone !== null) === filter.gone) &&
    (tag === undefined || tagged.includes(tag)) &&
    search.split(' ').every((word) => text.includes(word.toLowerCase())) &&
    within(row.updatedAt, filter.updatedFrom, filter.updatedTo) &&
    within(row.closedAt, filter.closedFrom, filter.closedTo) &&
    within(row.expiresAt, filter.expiresFrom, filter.expiresTo)
  );
}

function orderOf({ sort, direction }: View): (one: Row, other: Row) => number {
  const sign =
    (direction ?? (sort === 'title' ? 'ascending' : 'descending')) === 'ascending' ? 1 : -1;
  if (sort === 'title') return (one, other) => sign * one.title.localeCompare(other.title, 'sv');
  const time = (row: Row) => row[`${sort}At`] ?? 0;
  return (one, other) => sign * (time(one) - time(other));
}

function merge(known: RemoteAgreement | undefined, told: RemoteAgreement): RemoteAgreement {
  return {
    ...told,
    parties: told.parties ?? known?.parties ?? null,
    documents: told.documents ?? known?.documents ?? null,
    tags: told.tags ?? known?.tags ?? null,
  };
}

function rowOf({ key, api, remote, gone }: ToldCopy, archived: Find): Agreement {
  const { title, state, nativeState, updatedAt, closedAt, expiresAt, deletesAt, parties } = remote;
  return {
    ...key,
    ...{ api, title, state, nativeState, updatedAt, closedAt, expiresAt, deletesAt, gone },
    parties: parties?.map(({ name }) => name) ?? null,
    signedCount: parties?.filter((party) => party.state === 'signed').length ?? null,
    partyCount: parties?.length ?? null,
    perhapsExpired: false,
    myTurn: false,
    archivedAt: archived(key)?.at ?? null,
  };
}

function detailsOf(copy: ToldCopy, archived: Find): AgreementDetails {
  const { parties: _, ...row } = rowOf(copy, archived);
  const { createdAt, sentAt, parties, documents, tags, timeline, access, native } = copy.remote;
  const archivedFile = archived(copy.key)?.file ?? null;
  const told = { createdAt, sentAt, parties, documents, tags, timeline, access, native };
  return { ...row, ...told, archivedFile, readAt: copy.readAt };
}

const nameOf = ({ connectionId, id }: AgreementKey) => `${connectionId} ${id}`;

function missing(): never {
  throw new AppError('not-found', 'There is no such agreement');
}
