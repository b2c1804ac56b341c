import type { NewEvidence } from '../../electron/core/evidence/log.ts';
import { AgreementId, ConnectionId } from '../../shared/model/ids.ts';

/** Evidence about an agreement. */
type AboutAgreement = NewEvidence & {
  readonly connection: NonNullable<NewEvidence['connection']>;
  readonly agreement: NonNullable<NewEvidence['agreement']>;
};

/** Record that a user reviewed the only document of an agreement. */
export const reviewed = (agreement: string): AboutAgreement => ({
  ref: null,
  connection: {
    id: ConnectionId.parse('6f0c1c9e-9b1c-4c50-8ff2-0f5be6f0a001'),
    name: 'Kontoret å ä ö',
    api: 'v1',
    environment: 'test',
    origin: 'https://api.example.com',
  },
  agreement: { id: AgreementId.parse(agreement), title: `Lease ${agreement} “Öberg”` },
  person: null,
  fact: {
    kind: 'reviewed',
    how: 'here',
    documents: [{ id: 'd', name: 'lease.pdf', bytes: 7, sha256: 'ab'.repeat(32) }],
  },
});
