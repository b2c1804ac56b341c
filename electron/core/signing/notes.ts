import type { AgreementDetails } from '../../../shared/contract/agreements.ts';
import type {
  EvidenceDocument,
  EvidenceEntry,
  EvidenceFact,
} from '../../../shared/contract/evidence.ts';
import type { AgreementKey } from '../../../shared/model/ids.ts';
import type { SigningNote, SigningReview } from '../../../shared/contract/signing.ts';
import type { Stores } from '../ports.ts';

type ReviewedFact = Extract<EvidenceFact, { kind: 'reviewed' }>;

/** Evidence about the review of an agreement that waits for our signature. */
export interface SigningNotes {
  readonly review: SigningReview | null;
  /**
   * Approval of this review; an approval of an older review does not count. If only another
   * computer may approve, an approval given on this computer does not count either.
   */
  readonly approval: SigningNote | null;
  /** Documents of the review; empty if they were not read on this computer. */
  readonly documents: readonly EvidenceDocument[];
}

/** Maximum number of evidence entries to read: more than any agreement has before it is signed. */
const MAX_ENTRIES = 200;

export function notesOf(
  { evidence, settings }: Pick<Stores, 'evidence' | 'settings'>,
  key: AgreementKey,
  documents: AgreementDetails['documents'],
): SigningNotes {
  const entries = evidence.list({ key, limit: MAX_ENTRIES });
  const entry = entries.find(({ fact }) => fact.kind === 'reviewed');
  if (entry?.fact.kind !== 'reviewed') return { review: null, approval: null, documents: [] };
  const { fourEyes, fourEyesElsewhere } = settings.read();
  const isElsewhere = fourEyes && fourEyesElsewhere;
  const approval = entries.find(
    ({ fact }) =>
      // An approval for another computer does not allow signing on this one.
      fact.kind === 'approved' &&
      fact.review === entry.number &&
      fact.office?.for === undefined &&
      (!isElsewhere || fact.office?.by !== undefined),
  );
  const isCurrent = isSame(entry.fact, documents);
  return {
    review: { ...noteOf(entry), how: entry.fact.how, isCurrent },
    approval: approval === undefined ? null : noteOf(approval),
    documents: entry.fact.documents,
  };
}

function noteOf({ number, at, by, fact }: EvidenceEntry): SigningNote {
  const seat = fact.kind === 'approved' ? (fact.office?.by ?? null) : null;
  return { number, at, person: by.person?.name ?? by.user, personId: by.person?.id ?? null, seat };
}

/** Whether the service still lists the documents that were read. Their bytes are compared later. */
function isSame(fact: ReviewedFact, now: AgreementDetails['documents']): boolean {
  // The program had no documents that it could compare.
  if (fact.how === 'elsewhere' && fact.documents.length === 0) return true;
  const present = (now ?? []).filter(({ id }) => id !== null);
  return (
    present.length === fact.documents.length &&
    present.every((one) =>
      fact.documents.some(
        ({ id, name, bytes }) =>
          id === one.id && name === one.name && (one.bytes === null || bytes === one.bytes),
      ),
    )
  );
}
