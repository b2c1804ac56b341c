import type { Connection } from '../../../shared/contract/connections.ts';
import type {
  CopyRow,
  CorrectionPreview,
  CorrectionRow,
} from '../../../shared/contract/corrections.ts';
import type { Party } from '../../../shared/model/agreement.ts';
import type { ConnectionId } from '../../../shared/model/ids.ts';
import { actionRejectionReason } from '../../../shared/rules/actions/reasons.ts';
import {
  folded,
  type ListedCorrection,
  readCorrections,
} from '../../../shared/rules/corrections/list.ts';
import { isAllowed } from '../../../shared/rules/identifiers/allowed.ts';
import type { Scheduler, Stores } from '../ports.ts';
import type { OpenAgreement, ReminderStore } from '../reminders/ports.ts';
import type { OpenAgreementV2 } from './ports.ts';

interface PreviewPorts {
  readonly stores: Pick<Stores, 'connections' | 'ownUsers' | 'corrections'> & {
    readonly reminders: Pick<ReminderStore, 'open'>;
  };
  readonly scheduler: Scheduler;
}

/** Values shared by all agreements of a connection. */
interface ConnectionFacts {
  readonly ourUser: string | null;
  readonly allowed: Connection['allowed'];
}

/** Number of agreements read per step; the window is served between steps. */
const AGREEMENTS_READ_PER_STEP = 500;
/** Number of agreements read per step for API v2; smaller, because each request is parsed. */
const V2_AGREEMENTS_PER_STEP = 20;

/**
 * Finds the parties of a list in the copies of open agreements, with the effect of each correction.
 */
export async function preview(ports: PreviewPorts, text: string): Promise<CorrectionPreview> {
  const { stores, scheduler } = ports;
  const { corrections, refused } = readCorrections(text);
  const wanted = new Map(corrections.map((one) => [folded(one.from), one]));
  const rows: CorrectionRow[] = [];
  const known = new Map<ConnectionId, ConnectionFacts>();
  for (let after = 0; wanted.size > 0;) {
    const some = stores.reminders.open(after, AGREEMENTS_READ_PER_STEP);
    const last = some.at(-1);
    if (last === undefined) break;
    for (const agreement of some) {
      const { connectionId } = agreement;
      const of = known.get(connectionId) ?? {
        ourUser: stores.ownUsers.find(connectionId),
        allowed: stores.connections.get(connectionId).allowed,
      };
      known.set(connectionId, of);
      rows.push(...rowsOf(agreement, wanted, of));
    }
    after = last.number;
    await scheduler.yield();
  }
  const { copies, withoutAddresses } = await findOpenInV2(ports, wanted);
  const found = new Set([...rows, ...copies].map(({ line }) => line));
  const byLine = (one: { line: number }, other: { line: number }) => one.line - other.line;
  return {
    rows: rows.toSorted(byLine),
    copies: copies.toSorted(byLine),
    refused,
    unfound: corrections.filter(({ line }) => !found.has(line)).map(({ line }) => ({ line })),
    withoutAddresses,
  };
}

async function findOpenInV2(
  { stores, scheduler }: PreviewPorts,
  wanted: ReadonlyMap<string, ListedCorrection>,
): Promise<Pick<CorrectionPreview, 'copies' | 'withoutAddresses'>> {
  const copies: CopyRow[] = [];
  let withoutAddresses = 0;
  for (let after = 0; wanted.size > 0;) {
    const some = stores.corrections.openOfV2(after, V2_AGREEMENTS_PER_STEP);
    const last = some.at(-1);
    if (last === undefined) break;
    for (const agreement of some) {
      if (agreement.sent === null) withoutAddresses += 1;
      copies.push(...copyRowsOf(agreement, wanted));
    }
    after = last.number;
    await scheduler.yield();
  }
  return { copies, withoutAddresses };
}

function copyRowsOf(
  { connectionId, id, title, parties, sent }: OpenAgreementV2,
  wanted: ReadonlyMap<string, ListedCorrection>,
): readonly CopyRow[] {
  const signed = new Set(
    (parties ?? []).filter(({ state }) => state === 'signed').map(({ name }) => folded(name)),
  );
  const people =
    sent?.map(({ firstName, lastName, email }) => ({
      name: `${firstName} ${lastName}`.trim(),
      email: email === '' ? null : email,
    })) ??
    // For companies the service returns no person, for whom a draft could have an address.
    (parties ?? [])
      .filter(({ kind }) => kind === 'person')
      .map(({ name }) => ({ name, email: null }));
  return people.flatMap(({ name, email }) => {
    const listed = correctionForParty({ name, email, isSigned: signed.has(folded(name)) }, wanted);
    if (listed === null) return [];
    const { line, to } = listed;
    return { line, key: { connectionId, id }, title, partyName: name, from: email, to };
  });
}

function rowsOf(
  { connectionId, id, title, state, access, parties }: OpenAgreement,
  wanted: ReadonlyMap<string, ListedCorrection>,
  { ourUser, allowed }: ConnectionFacts,
): readonly CorrectionRow[] {
  return (parties ?? []).flatMap((party) => {
    const { name, email, kind, state: partyState } = party;
    if (kind === 'my-company') return [];
    const listed = correctionForParty({ name, email, isSigned: partyState === 'signed' }, wanted);
    if (listed === null) return [];
    const { line, to } = listed;
    const against = actionRejectionReason(
      'correctEmail',
      { state, gone: null, access, ourUser },
      'v1',
    );
    return {
      line,
      key: { connectionId, id },
      title,
      partyId: party.id,
      partyName: party.name,
      from: party.email,
      to,
      reason: against ?? (to === null || isAllowed(to, allowed) ? null : 'not-reached'),
    };
  });
}

/**
 * Returns the entry of the list for a party. Compares the address first: it is unique, while
 * several people may have the same name.
 */
function correctionForParty(
  { email, name, isSigned }: Pick<Party, 'email' | 'name'> & { readonly isSigned: boolean },
  wanted: ReadonlyMap<string, ListedCorrection>,
): ListedCorrection | null {
  // A party that has signed needs no correction.
  if (isSigned) return null;
  for (const one of [email, name]) {
    const listed = one === null ? undefined : wanted.get(folded(one));
    if (listed === undefined) continue;
    const isThere = listed.to !== null && email !== null && folded(listed.to) === folded(email);
    return isThere ? null : listed;
  }
  return null;
}
