import * as z from 'zod';
import { EvidenceDocument, EvidencePerson } from '../../contract/evidence.ts';
import { AgreementId } from '../../model/ids.ts';

/** What a seat asks another one to approve, as it leaves its desk. */
export const ApprovalRequest = z.object({
  title: z.string(),
  /** As every desk of the office names it. */
  service: z.string(),
  agreementId: AgreementId,
  /** The number of the review in the evidence of whoever asks. */
  review: z.int(),
  documents: z.array(EvidenceDocument),
  note: z.string(),
});
export type ApprovalRequest = z.infer<typeof ApprovalRequest>;

export const ApprovalDecision = z.object({
  isApproved: z.boolean(),
  /** Who decided, as their own desk knows them; the number is masked. */
  person: EvidencePerson,
  reason: z.string(),
});
export type ApprovalDecision = z.infer<typeof ApprovalDecision>;

/** Whether two persons read the very same documents, in whatever order. */
export function areSameDocuments(
  one: readonly EvidenceDocument[],
  other: readonly EvidenceDocument[],
): boolean {
  const named = ({ id, sha256 }: EvidenceDocument): string => `${id ?? ''} ${sha256}`;
  const known = new Set(other.map(named));
  return one.length === other.length && one.every((document) => known.has(named(document)));
}
