import {
  closedStates,
  type Party,
  type PartyState,
  type RemoteAgreement,
  type TimelineEntry,
} from '../../../../shared/model/agreement.ts';
import type { ApiName } from '../../../../shared/model/ids.ts';
import { tagMarks } from './marks.ts';
import { titleKey, wordsOf } from '../database/text-keys.ts';

/** Tag with the outbox reference, on agreements sent by the outbox (API v1, "Tags"). */
const REF_TAG = 'desk.ref';

/**
 * Prefix of this program's own tags. Every agreement that the program sent has them, so their keys
 * are useless for search.
 */
const OUR_TAGS = 'desk.';

/**
 * Merges a newer answer into the stored agreement. Fields missing in the answer (null) keep their
 * stored value. An answer without parties is a list row, whose timeline and native object are
 * poorer than the stored ones.
 */
export function mergeRemote(stored: RemoteAgreement, received: RemoteAgreement): RemoteAgreement {
  const isListRow = received.parties === null && stored.parties !== null;
  return {
    id: received.id,
    title: received.title,
    state: received.state,
    nativeState: received.nativeState,
    createdAt: received.createdAt ?? stored.createdAt,
    sentAt: received.sentAt ?? stored.sentAt,
    updatedAt: received.updatedAt ?? stored.updatedAt,
    closedAt: received.closedAt ?? stored.closedAt,
    expiresAt: received.expiresAt ?? stored.expiresAt,
    deletesAt: received.deletesAt ?? stored.deletesAt,
    parties: received.parties ?? stored.parties,
    documents: received.documents ?? stored.documents,
    tags: received.tags ?? stored.tags,
    timeline: isListRow
      ? mergeTimelines(stored.timeline, received.timeline)
      : withSent(stored.timeline, received.timeline),
    access: received.access ?? stored.access,
    etag: received.etag ?? stored.etag,
    native: isListRow ? stored.native : received.native,
  };
}

export function columnsOf(remote: RemoteAgreement, api: ApiName) {
  const { parties, tags } = remote;
  return {
    id: remote.id,
    title: remote.title,
    state: remote.state,
    nativeState: remote.nativeState,
    partyNames: parties === null ? null : JSON.stringify(parties.map(({ name }) => name)),
    partyCount: parties?.length ?? null,
    signedCount: parties?.filter(({ state }) => state === 'signed').length ?? null,
    myTurn: isOurs(remote, ['turn']) ? 1 : 0,
    sentAt: remote.sentAt,
    updatedAt: remote.updatedAt,
    closedAt: remote.closedAt,
    expiresAt: remote.expiresAt,
    deletesAt: remote.deletesAt,
    ref: tags?.[REF_TAG] ?? null,
    ...searchColumns(remote, api),
  };
}

export function searchColumns(remote: RemoteAgreement, api: ApiName) {
  return {
    searchText: searchText(remote),
    titleKey: titleKey(remote.title),
    tagMarks: tagMarks(remote.tags ?? {}),
    signable: isOurs(remote, ['turn', 'waiting']) ? 1 : 0,
    perhapsExpired: api === 'v2' && isRejectedByNobody(remote) ? 1 : 0,
  };
}

/**
 * Whether no party rejected the agreement: API v2 has one state for rejected by a party and for
 * expired ("States and transitions").
 */
function isRejectedByNobody({ state, parties }: RemoteAgreement): boolean {
  if (state !== 'rejected' || parties === null || parties.length === 0) return false;
  return parties.every((party) => party.state !== 'rejected');
}

/**
 * Whether a party of the user's own company that signs through the API is in one of these states.
 */
function isOurs({ state, parties }: RemoteAgreement, states: readonly PartyState[]): boolean {
  if (closedStates.includes(state) || parties === null) return false;
  return parties.some((party) => party.apiSigning !== null && states.includes(party.state));
}

/**
 * Returns each word once, with a space before and after it, so that ` word` matches word starts.
 */
function searchText({ title, id, parties, tags }: RemoteAgreement): string {
  const people = (parties ?? []).flatMap((party: Party) => [party.name, party.email ?? '']);
  const tagged = Object.entries(tags ?? {}).flatMap(([key, value]) =>
    key.startsWith(OUR_TAGS) ? value : [key, value],
  );
  // Reference numbers are often quoted without leading zeros.
  const reference = /^0+\d/.test(id) ? [id, id.replace(/^0+/, '')] : [id];
  const words = new Set(wordsOf([title, ...reference, ...people, ...tagged].join('\n')));
  return ` ${[...words].join(' ')} `;
}

/**
 * Keeps the stored time of sending: API v1 reports it only in lists, so a single agreement lacks
 * it.
 */
function withSent(
  stored: readonly TimelineEntry[],
  received: readonly TimelineEntry[],
): TimelineEntry[] {
  const sent = stored.filter(({ what }) => what === 'sent');
  if (sent.length === 0 || received.some(({ what }) => what === 'sent')) return [...received];
  return [...sent, ...received].toSorted((a, b) => a.at - b.at);
}

/** Merges timelines. Of 'activity' entries, only the newest is meaningful. */
function mergeTimelines(
  stored: readonly TimelineEntry[],
  received: readonly TimelineEntry[],
): TimelineEntry[] {
  const key = ({ at, what, party }: TimelineEntry) => JSON.stringify([at, what, party]);
  const known = new Set(received.map(key));
  const kept = stored.filter((entry) => entry.what !== 'activity' && !known.has(key(entry)));
  return [...kept, ...received].toSorted((a, b) => a.at - b.at);
}
