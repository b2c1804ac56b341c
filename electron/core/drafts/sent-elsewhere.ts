import type { DraftContent, EarlierSend } from '../../../shared/contract/drafts.ts';
import type { AgreementDetails } from '../../../shared/contract/agreements.ts';
import type { ConnectionId } from '../../../shared/model/ids.ts';
import { partyNames, titleOf } from '../../../shared/rules/drafts/check.ts';
import { partyKey } from '../../../shared/rules/identifiers/party-key.ts';
import { withoutPersonNumbers } from '../../../shared/rules/text/mask.ts';
import { tidiedName } from '../../../shared/rules/text/tidied-name.ts';
import { codesIn, endsInCode, KEY_TAG, ownCode, SOURCE_TAG } from '../outbox/marks.ts';
import type { Stores } from '../ports.ts';
import { EXCESS_COMBINING_MARKS } from '../../../shared/rules/text/long-marks.ts';

interface SearchedSend {
  readonly content: DraftContent;
  readonly fingerprints: readonly string[];
  readonly connectionId: ConnectionId;
  /** Earliest time at which the agreement can have been sent (epoch ms). */
  readonly since: number;
}

/**
 * Returns agreements in the local copies that match a draft and have no outbox row on this
 * computer: sent by another computer, or by this one before its data was restored. API v1
 * identifies them by a tag; agreements of older versions, of batches and of API v2 are identified
 * by title and parties.
 */
export function sentElsewhere(
  { agreements, outbox }: Pick<Stores, 'agreements' | 'outbox'>,
  asked: SearchedSend,
): EarlierSend[] {
  const { content, connectionId, since } = asked;
  const title = titleOf(content);
  const names = namesOf(content);
  const isCoded = content.api === 'v2';
  // The row of a send with unknown outcome reports the result itself.
  const codes = (['unknown', 'absent', 'human'] as const)
    .flatMap((state) => outbox.inState(state))
    .flatMap(({ mark }) => (mark.by === 'name' ? [ownCode(mark)] : []));
  const isInDoubtHere = (name: string) => codes.some((code) => endsInCode(name, code));
  const query = { connectionId, title, isCoded, since, partyCount: names.length };
  return agreements
    .sentElsewhere(query)
    .filter((one) => isTitled(one.title, title, isCoded) && !isInDoubtHere(one.title))
    .filter(({ parties }) => parties === null || mayBeNamed(names, parties))
    .map(({ id }) => agreements.details({ connectionId, id }))
    .filter((found) => isSame(asked, found))
    .map(({ id: remoteId, title: theirs, sentAt, createdAt, updatedAt, parties }) => ({
      key: remoteId,
      ref: null,
      remoteId,
      connectionId,
      title: withoutPersonNumbers(theirs),
      people: (parties ?? []).map(({ name }) => withoutPersonNumbers(name)),
      at: sentAt ?? createdAt ?? updatedAt ?? since,
      isSent: true,
    }))
    .toSorted((a, b) => b.at - a.at);
}

function isSame(
  { content, fingerprints }: SearchedSend,
  { tags, parties }: AgreementDetails,
): boolean {
  if (content.api === 'v2') return parties === null || hasCompanies(content, parties);
  if (tags?.['desk.ref'] === undefined) return false;
  const key = tags[KEY_TAG];
  // The key of a batch row does not identify a draft.
  return key === undefined || SOURCE_TAG in tags || fingerprints.includes(key);
}

/**
 * Whether an agreement matches a draft as far as both are known: title and parties by names,
 * company numbers and email addresses. False if the parties are unknown.
 */
export function matchesDraft(
  content: DraftContent,
  { title, parties }: Pick<AgreementDetails, 'title' | 'parties'>,
): boolean {
  const isCoded = content.api === 'v2';
  if (parties === null || !isTitled(title, titleOf(content), isCoded)) return false;
  const names = parties.map(({ name }) => name);
  if (!mayBeNamed(namesOf(content), names)) return false;
  return content.api === 'v2' ? hasCompanies(content, parties) : hasAddresses(content, parties);
}

/**
 * Whether the parties have the addresses of the draft. Only for API v1: API v2 does not return the
 * addresses of an agreement.
 */
function hasAddresses(
  { body }: Extract<DraftContent, { readonly api: 'v1' }>,
  parties: NonNullable<AgreementDetails['parties']>,
): boolean {
  const listed = (all: readonly { readonly email?: string | null | undefined }[]) =>
    all.flatMap(({ email }) => email?.trim().toLowerCase() || []).toSorted();
  return JSON.stringify(listed(body.parties)) === JSON.stringify(listed(parties));
}

/** API v2: whether a name is the title, or the title plus a code. */
function isTitled(theirs: string, title: string, isCoded: boolean): boolean {
  const [name, wanted] = [tidiedName(theirs), tidiedName(title)];
  if (name === wanted) return true;
  const code = codesIn(name).at(-1);
  if (!isCoded || code === undefined || !endsInCode(name, code)) return false;
  return name.startsWith(`${wanted} `) && codesIn(name.slice(wanted.length)).length === 1;
}

/**
 * Returns the party names at the service, as far as the draft shows them; null for a company of
 * ours (API v1 does not send its name) and for names that API v2 takes from a register.
 */
function namesOf(content: DraftContent): readonly (string | null)[] {
  if (content.api === 'v1') {
    const { parties } = content.body;
    return partyNames(content).map((name, at) =>
      parties[at]?.type === 'MY_COMPANY' || name === '' ? null : name,
    );
  }
  const { privates, companies } = content.body.parties;
  const persons = partyNames(content).slice(0, privates.length);
  return [...persons.map((name) => (name === '' ? null : name)), ...companies.map(() => null)];
}

/** Whether the parties may be the same: each named one is found in the other list. */
function mayBeNamed(names: readonly (string | null)[], theirs: readonly string[]): boolean {
  if (names.length !== theirs.length) return false;
  const left = theirs.map(wordsOf);
  return names.every((name) => {
    if (name === null) return true;
    const wanted = wordsOf(name);
    const at = left.findIndex((words) => isPartOf(wanted, words) || isPartOf(words, wanted));
    if (at === -1) return false;
    left.splice(at, 1);
    return true;
  });
}

/**
 * Whether all words of one name are in the other: a register has more first names than people
 * write.
 */
const isPartOf = (some: readonly string[], all: readonly string[]): boolean =>
  some.every((word) => all.includes(word));

const wordsOf = (name: string): readonly string[] =>
  tidiedName(name)
    .toLowerCase()
    .replaceAll(EXCESS_COMBINING_MARKS, '')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** Whether all companies have the same numbers; the copies have no personal numbers. */
function hasCompanies(
  { body }: Extract<DraftContent, { readonly api: 'v2' }>,
  parties: NonNullable<AgreementDetails['parties']>,
): boolean {
  const keys = (numbers: readonly (string | null | undefined)[]) =>
    numbers.map((number) => partyKey('company', number ?? '')).toSorted();
  const ours = keys(body.parties.companies.map(({ orgNo }) => orgNo));
  const theirs = keys(parties.flatMap(({ kind, orgNo }) => (kind === 'company' ? [orgNo] : [])));
  return JSON.stringify(ours) === JSON.stringify(theirs);
}
