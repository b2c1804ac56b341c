import * as z from 'zod';
import { EvidenceDocument, EvidencePerson } from '../../contract/evidence.ts';
import { AgreementId } from '../../model/ids.ts';

/** A user's request for approval, as sent by their computer. */
export const ApprovalRequest = z.object({
  title: z.string(),
  /** Normalised name of the service, equal on every computer of the office. */
  service: z.string(),
  agreementId: AgreementId,
  /** Entry number of the review in the evidence log of the user who requests the approval. */
  review: z.int(),
  documents: z.array(EvidenceDocument),
  note: z.string(),
});
export type ApprovalRequest = z.infer<typeof ApprovalRequest>;

export const ApprovalDecision = z.object({
  isApproved: z.boolean(),
  /** Person who decided, as known on that person's computer; the personal number is masked. */
  person: EvidencePerson,
  reason: z.string(),
});
export type ApprovalDecision = z.infer<typeof ApprovalDecision>;

/** Whether two persons read exactly the same documents, in any order. */
export function areSameDocuments(
  one: readonly EvidenceDocument[],
  other: readonly EvidenceDocument[],
): boolean {
  const named = ({ id, sha256 }: EvidenceDocument): string => `${id ?? ''} ${sha256}`;
  const known = new Set(other.map(named));
  return one.length === other.length && one.every((document) => known.has(named(document)));
}
