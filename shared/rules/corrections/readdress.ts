import type { CopyRow } from '../../contract/corrections.ts';
import type { DraftContent } from '../../contract/drafts.ts';
import type { AgreementKey } from '../../model/ids.ts';
import { folded } from './list.ts';

export interface AddressChange {
  /** Old address, or the name of a person. */
  readonly from: string;
  readonly address: string;
}

interface AgreementCopy {
  readonly key: AgreementKey;
  readonly title: string;
  readonly changes: AddressChange[];
}

interface AddressedPerson {
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly email?: string | undefined;
}

/** Whether a change is for the person with this address and name. */
function isChangedContact({ from }: Pick<AddressChange, 'from'>, one: AddressedPerson): boolean {
  const name = [one.firstName ?? '', one.lastName ?? ''].join(' ');
  return [one.email ?? '', name].some((known) => known !== '' && folded(known) === folded(from));
}

/** Returns a draft of API v2 with the new addresses; other people are unchanged. */
export function withChangedAddresses(
  content: DraftContent,
  changes: readonly AddressChange[],
): DraftContent {
  if (content.api !== 'v2') return content;
  const change = <One extends AddressedPerson>(one: One): One => {
    const found = changes.find((each) => isChangedContact(each, one));
    return found === undefined ? one : Object.assign({}, one, { email: found.address });
  };
  const { privates, companies } = content.body.parties;
  const parties = { privates: privates.map(change), companies: companies.map(change) };
  return { api: 'v2', body: { ...content.body, parties } };
}

/**
 * Returns the agreements to copy, each once with all its changes. People without a new address are
 * skipped.
 */
export function copiesByAgreement(rows: readonly CopyRow[]): readonly AgreementCopy[] {
  const byKey = new Map<string, AgreementCopy>();
  for (const { key, title, from, partyName, to } of rows) {
    const means = from ?? partyName;
    if (to === null || means === null) continue;
    const place = `${key.connectionId} ${key.id}`;
    const copy = byKey.get(place) ?? { key, title, changes: [] };
    copy.changes.push({ from: means, address: to });
    byKey.set(place, copy);
  }
  return [...byKey.values()];
}
