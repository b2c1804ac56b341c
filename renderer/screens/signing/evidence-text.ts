import type {
  EvidenceEntry,
  EvidenceFact,
  EvidenceVerdict,
} from '../../../shared/contract/evidence.ts';
import { m } from '../../language.svelte.ts';

/** What an entry records, in a few words. */
export function eventText(fact: EvidenceFact): string {
  switch (fact.kind) {
    case 'reviewed':
      return fact.how === 'here' ? m.evidence_reviewed() : m.evidence_read_elsewhere();
    case 'approved':
      return m.evidence_approved();
    case 'intended':
      return fact.act === 'sign' ? m.evidence_about_to_sign() : m.evidence_about_to_reject();
    case 'ended':
      return endings[fact.outcome]({ act: fact.act });
    case 'archived':
      return m.evidence_archived();
  }
}

const endings = {
  done: ({ act }: { act: string }) =>
    act === 'sign' ? m.evidence_signed() : m.evidence_rejected(),
  refused: () => m.evidence_refused(),
  unknown: () => m.evidence_unknown(),
  'not-done': () => m.evidence_not_done(),
} as const;

const breaks = {
  changed: m.evidence_break_changed,
  missing: m.evidence_break_missing,
  moved: m.evidence_break_moved,
  unlinked: m.evidence_break_unlinked,
  cut: m.evidence_break_cut,
  replaced: m.evidence_break_replaced,
};

export function verdictText({ entries, firstBroken, anchors }: EvidenceVerdict): string {
  if (firstBroken === null) return m.evidence_whole({ entries, anchors });
  return m.evidence_broken({
    number: firstBroken.number,
    why: breaks[firstBroken.why](),
  });
}

export const whoText = ({ by }: EvidenceEntry): string => by.person?.name ?? by.user;
