import type { DraftContent, SentBefore } from '../../../shared/contract/drafts.ts';
import type { AgreementDetails } from '../../../shared/contract/agreements.ts';
import type { ConnectionId } from '../../../shared/model/ids.ts';
import { partyNames, titleOf } from '../../../shared/rules/drafts/check.ts';
import { partyKey } from '../../../shared/rules/identifiers/party-key.ts';
import { withoutPersonNumbers } from '../../../shared/rules/text/mask.ts';
import { tidiedName } from '../../../shared/rules/text/tidied-name.ts';
import { codesIn, endsInCode, KEY_TAG, ownCode, SOURCE_TAG } from '../outbox/marks.ts';
import type { Stores } from '../ports.ts';
import { LONG_MARKS } from '../../../shared/rules/text/long-marks.ts';

interface Asked {
  readonly content: DraftContent;
  readonly fingerprints: readonly string[];
  readonly connectionId: ConnectionId;
  /** Epoch milliseconds. */
  readonly since: number;
}

/**
 * Agreements that the copies here show, that nothing in the outbox here became, and that are what a
 * draft would become: another computer sent them, or this one before it was restored. API v1 tells
 * it by a tag; where that is of an older version or of a batch, and with API v2, by title and parties.
 */
export function sentElsewhere(
  { agreements, outbox }: Pick<Stores, 'agreements' | 'outbox'>,
  asked: Asked,
): SentBefore[] {
  const { content, connectionId, since } = asked;
  const title = titleOf(content);
  const names = namesOf(content);
  const isCoded = content.api === 'v2';
  // What became of a send in doubt is for its own row to tell.
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

function isSame({ content, fingerprints }: Asked, { tags, parties }: AgreementDetails): boolean {
  if (content.api === 'v2') return parties === null || hasCompanies(content, parties);
  if (tags?.['desk.ref'] === undefined) return false;
  const key = tags[KEY_TAG];
  // The key of a row of a batch says nothing about a draft.
  return key === undefined || SOURCE_TAG in tags || fingerprints.includes(key);
}

/**
 * Whether an agreement says what a draft does, as far as both are known: its title and its parties, by their names,
 * numbers of companies and e-mail addresses. False where nobody knows the parties.
 */
export function saysTheSame(
  content: DraftContent,
  { title, parties }: Pick<AgreementDetails, 'title' | 'parties'>,
): boolean {
  const isCoded = content.api === 'v2';
  if (parties === null || !isTitled(title, titleOf(content), isCoded)) return false;
  const names = parties.map(({ name }) => name);
  if (!mayBeNamed(namesOf(content), names)) return false;
  return content.api === 'v2' ? hasCompanies(content, parties) : hasAddresses(content, parties);
}

/** API v2 does not say the addresses of an agreement. */
function hasAddresses(
  { body }: Extract<DraftContent, { readonly api: 'v1' }>,
  parties: NonNullable<AgreementDetails['parties']>,
): boolean {
  const listed = (all: readonly { readonly email?: string | null | undefined }[]) =>
    all.flatMap(({ email }) => email?.trim().toLowerCase() || []).toSorted();
  return JSON.stringify(listed(body.parties)) === JSON.stringify(listed(parties));
}

/** v2: whether a name is the title, or the title and a code behind it. */
function isTitled(theirs: string, title: string, isCoded: boolean): boolean {
  const [name, wanted] = [tidiedName(theirs), tidiedName(title)];
  if (name === wanted) return true;
  const code = codesIn(name).at(-1);
  if (!isCoded || code === undefined || !endsInCode(name, code)) return false;
  return name.startsWith(`${wanted} `) && codesIn(name.slice(wanted.length)).length === 1;
}

/**
 * What the service calls the parties, as far as it is known from the draft; null for a company of
 * ours (v1, whose name is not sent) and for what API v2 takes from a register.
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

/** Whether the parties of both may be the same: each that is named here is found there. */
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

/** A register knows more first names than people write. */
const isPartOf = (some: readonly string[], all: readonly string[]): boolean =>
  some.every((word) => all.includes(word));

const wordsOf = (name: string): readonly string[] =>
  tidiedName(name)
    .toLowerCase()
    .replaceAll(LONG_MARKS, '')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** Whether all companies are the same, by their numbers; the copies have no numbers of persons. */
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
