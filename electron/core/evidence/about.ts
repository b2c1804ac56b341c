import type { Connection } from '../../../shared/contract/connections.ts';
import type { EvidenceEntry, EvidencePerson } from '../../../shared/contract/evidence.ts';
import type { Identity } from '../../../shared/contract/signing.ts';

/** Returns a connection for an entry, without user ID and path, which may contain a credential. */
export function connectionEvidence(connection: Connection): EvidenceEntry['connection'] {
  const { id, name, api, environment, url } = connection;
  return { id, name, api, environment, origin: originOf(url) };
}

/** Returns a person for an entry; the personal number is always masked. */
export function personEvidence(identity: Identity): EvidencePerson {
  const { id, firstName, lastName, role, personNumberMasked, email } = identity;
  return { id, name: `${firstName} ${lastName}`, role, personNumberMasked, email };
}

/** Returns the scheme and the host of an address; `demo:v1` is unchanged. */
function originOf(url: string): string {
  return /^(?:[a-z][a-z0-9+.-]*:\/\/)?[^/?#@]+/iu.exec(url)?.[0] ?? '';
}
