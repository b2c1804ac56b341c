import type { EvidenceDocument, EvidenceFact } from '../../contract/evidence.ts';

type ReviewFact = Extract<EvidenceFact, { kind: 'reviewed' }>;

/** Where the documents of a review were read, by the program or by the person's statement. */
export function placeOfReading({
  how,
  documents,
  elsewhere,
}: ReviewFact): 'here' | 'partly' | 'elsewhere' {
  if (how === 'here') return 'here';
  const isPartly = elsewhere !== undefined && elsewhere.length < documents.length;
  return isPartly ? 'partly' : 'elsewhere';
}

/** Whether the person states that they read this document outside the program. */
export const isReadElsewhere = (fact: EvidenceFact, { id }: EvidenceDocument): boolean =>
  fact.kind === 'reviewed' && id !== null && fact.elsewhere?.includes(id) === true;
