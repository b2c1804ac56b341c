import type { Connection } from '../../../shared/contract/connections.ts';
import type { EvidenceEntry, EvidencePerson } from '../../../shared/contract/evidence.ts';
import type { Identity } from '../../../shared/contract/signing.ts';

/** The connection as an entry names it: no user id and no path, which may hold a credential. */
export function aboutConnection(connection: Connection): EvidenceEntry['connection'] {
  const { id, name, api, environment, url } = connection;
  return { id, name, api, environment, origin: originOf(url) };
}

/** The person as an entry names them; their number stays masked for good. */
export function aboutPerson(identity: Identity): EvidencePerson {
  const { id, firstName, lastName, role, personNumberMasked, email } = identity;
  return { id, name: `${firstName} ${lastName}`, role, personNumberMasked, email };
}

/** Scheme and host of an address; `demo:v1` stays as it is. */
function originOf(url: string): string {
  return /^(?:[a-z][a-z0-9+.-]*:\/\/)?[^/?#@]+/iu.exec(url)?.[0] ?? '';
}
