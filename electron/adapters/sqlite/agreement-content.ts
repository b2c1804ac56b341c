import {
  closedStates,
  type Party,
  type RemoteAgreement,
  type TimelineEntry,
} from '../../../shared/model/agreement.ts';
import { foldText, titleKey } from './text-keys.ts';

/** API v1, "Tags": on what the outbox sent, this tag holds the row's reference. */
const REF_TAG = 'desk.ref';

/**
 * The newer answer over what is stored. What an answer does not carry (null) keeps its older value;
 * an answer without parties is a list row, whose timeline and own object are poorer than stored.
 */
export function mergeRemote(stored: RemoteAgreement, told: RemoteAgreement): RemoteAgreement {
  const isListRow = told.parties === null && stored.parties !== null;
  return {
    id: told.id,
    title: told.title,
    state: told.state,
    nativeState: told.nativeState,
    createdAt: told.createdAt ?? stored.createdAt,
    sentAt: told.sentAt ?? stored.sentAt,
    updatedAt: told.updatedAt ?? stored.updatedAt,
    closedAt: told.closedAt ?? stored.closedAt,
    expiresAt: told.expiresAt ?? stored.expiresAt,
    deletesAt: told.deletesAt ?? stored.deletesAt,
    parties: told.parties ?? stored.parties,
    documents: told.documents ?? stored.documents,
    tags: told.tags ?? stored.tags,
    timeline: isListRow ? mergeTimelines(stored.timeline, told.timeline) : told.timeline,
    etag: told.etag ?? stored.etag,
    native: isListRow ? stored.native : told.native,
  };
}

/** The columns lists, searches and counters read, derived from what is known. */
export function listColumns(remote: RemoteAgreement) {
  const { parties, tags } = remote;
  return {
    id: remote.id,
    title: remote.title,
    state: remote.state,
    nativeState: remote.nativeState,
    partyNames: parties === null ? null : JSON.stringify(parties.map(({ name }) => name)),
    partyCount: parties?.length ?? null,
    signedCount: parties?.filter(({ state }) => state === 'signed').length ?? null,
    myTurn: isMyTurn(remote) ? 1 : 0,
    updatedAt: remote.updatedAt,
    closedAt: remote.closedAt,
    expiresAt: remote.expiresAt,
    deletesAt: remote.deletesAt,
    ref: tags?.[REF_TAG] ?? null,
    searchText: searchText(remote),
    titleKey: titleKey(remote.title),
  };
}

function isMyTurn({ state, parties }: RemoteAgreement): boolean {
  if (closedStates.includes(state) || parties === null) return false;
  return parties.some((party) => party.apiSigning !== null && party.state === 'turn');
}

function searchText({ title, id, parties, tags }: RemoteAgreement): string {
  const people = (parties ?? []).flatMap((party: Party) => [party.name, party.email ?? '']);
  const words = [title, id, ...people, ...Object.entries(tags ?? {}).flat()];
  return foldText(words.filter((word) => word !== '').join('\n'));
}

/** Of general activity only the newest entry says anything. */
function mergeTimelines(
  stored: readonly TimelineEntry[],
  told: readonly TimelineEntry[],
): TimelineEntry[] {
  const key = ({ at, what, party }: TimelineEntry) => JSON.stringify([at, what, party]);
  const known = new Set(told.map(key));
  const kept = stored.filter((entry) => entry.what !== 'activity' && !known.has(key(entry)));
  return [...kept, ...told].toSorted((a, b) => a.at - b.at);
}
