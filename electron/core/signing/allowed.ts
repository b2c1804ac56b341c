import type { AgreementDetails } from '../../../shared/contract/agreements.ts';
import type { IdentityId } from '../../../shared/model/ids.ts';
import { CreateBodyV2 } from '../../../shared/model/agreement-v2.ts';
import type { Party } from '../../../shared/model/agreement.ts';
import type { Encoding, Stores } from '../ports.ts';

interface AllowedPorts {
  readonly stores: Pick<Stores, 'outbox' | 'identities'>;
  readonly encoding: Encoding;
}

/**
 * Returns which of our people may sign for the company. API v2 does not return this after sending;
 * for agreements sent from this computer it is known from the request. Null if no restriction is
 * known.
 */
export function allowedIdentities(
  { stores, encoding }: AllowedPorts,
  { connectionId, id, api }: AgreementDetails,
  party: Party,
): IdentityId[] | null {
  if (api !== 'v2') return null;
  const row = stores.outbox.boundTo(connectionId, id);
  if (row === null) return null;
  const numbers = numbersIn(
    encoding.text(stores.outbox.request(row.ref).body),
    party.orgNo ?? party.id,
  );
  if (numbers === null) return null;
  return stores.identities
    .list()
    .filter(
      ({ personNumber }) => personNumber !== null && numbers.has(lastTenDigitsOf(personNumber)),
    )
    .map((identity) => identity.id);
}

function numbersIn(body: string, orgNo: string): ReadonlySet<string> | null {
  // This check avoids parsing: a body may contain megabytes of attachments, and the function is
  // called for every row of the queue.
  if (!body.includes('"allowedPersons"')) return null;
  const found = CreateBodyV2.safeParse(JSON.parse(body));
  const company = found.data?.parties.companies.find(
    (one) => digitsOf(one.orgNo ?? '') === digitsOf(orgNo),
  );
  const persons = company?.allowedPersons ?? [];
  if (persons.length === 0) return null;
  return new Set(persons.map(({ personNo }) => lastTenDigitsOf(personNo ?? '')));
}

/** Returns the ten digits that all four notations of a Swedish personal number share. */
const lastTenDigitsOf = (personNo: string): string => digitsOf(personNo).slice(-10);
const digitsOf = (text: string): string => text.replaceAll(/\D/gu, '');
