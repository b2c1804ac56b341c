import type {
  EvidenceEntry,
  EvidenceFact,
  EvidenceVerification,
} from '../../../shared/contract/evidence.ts';
import type { AgreementKey } from '../../../shared/model/ids.ts';
import { placeOfReading } from '../../../shared/rules/evidence/read-elsewhere.ts';
import { formatDateTime } from '../../ui/format.ts';
import { m } from '../../ui/language.svelte.ts';

export function eventText(fact: EvidenceFact): string {
  switch (fact.kind) {
    case 'reviewed':
      return reviewTexts[placeOfReading(fact)]();
    case 'approved':
      return m.evidence_approved();
    case 'intended':
      return fact.act === 'sign' ? m.evidence_about_to_sign() : m.evidence_about_to_reject();
    case 'ended':
      return outcomeTexts[fact.outcome]({ act: fact.act });
    case 'archived':
      return m.evidence_archived();
    case 'restored':
      return fact.from === undefined ? m.evidence_restored() : m.evidence_recovered();
    case 'moving':
      return m.evidence_moving();
    case 'moved':
      return m.evidence_moved();
    case 'woken':
      return fact.because === 'person' ? m.evidence_woken() : m.evidence_not_moved();
  }
}

const reviewTexts = {
  here: m.evidence_reviewed,
  partly: m.evidence_read_partly_elsewhere,
  elsewhere: m.evidence_read_elsewhere,
} as const;

const outcomeTexts = {
  done: ({ act }: { act: string }) =>
    act === 'sign' ? m.evidence_signed() : m.evidence_rejected(),
  refused: () => m.evidence_refused(),
  unknown: () => m.evidence_unknown(),
  'not-done': () => m.evidence_not_done(),
} as const;

interface EvidenceRow {
  readonly name: string;
  readonly value: string;
}

/** Details of an entry except person, time and documents. */
export function factRows(fact: EvidenceFact): EvidenceRow[] {
  switch (fact.kind) {
    case 'reviewed':
    case 'archived':
      return [];
    case 'approved':
      return [
        entryNumberRow(m.evidence_approves(), fact.review),
        ...(fact.office?.by === undefined
          ? []
          : [{ name: m.evidence_office_by(), value: fact.office.by }]),
        ...(fact.office?.for === undefined
          ? []
          : [{ name: m.evidence_office_for(), value: fact.office.for }]),
      ];
    case 'moving':
      return [{ name: m.backup_folder(), value: fact.folder }];
    case 'moved':
      return [
        { name: m.evidence_backup_at(), value: formatDateTime(fact.backupAt) },
        { name: m.evidence_backup_file(), value: fact.file },
      ];
    case 'woken':
      return [];
    case 'restored':
      return [
        {
          name: fact.from === undefined ? m.evidence_backup_at() : m.evidence_file_at(),
          value: formatDateTime(fact.backupAt),
        },
      ];
    case 'intended': {
      const { party, personNumberMasked, signedAt, review, approval, requestSha256 } = fact;
      return [
        { name: m.evidence_for(), value: party.name },
        ...(personNumberMasked === undefined
          ? []
          : [{ name: m.evidence_named(), value: personNumberMasked }]),
        ...(signedAt === null
          ? []
          : [{ name: m.evidence_signed_at(), value: formatDateTime(signedAt) }]),
        ...(review === null ? [] : [entryNumberRow(m.evidence_rests_on(), review)]),
        ...(approval === null ? [] : [entryNumberRow(m.evidence_approved_in(), approval)]),
        { name: m.evidence_request(), value: requestSha256 },
      ];
    }
    case 'ended':
      return [
        entryNumberRow(m.evidence_began_in(), fact.intent),
        ...(typeof fact.serverAt === 'number'
          ? [{ name: m.evidence_server_at(), value: formatDateTime(fact.serverAt) }]
          : []),
        ...(fact.state === null ? [] : [{ name: m.evidence_state(), value: fact.state }]),
        ...(fact.failure === null ? [] : [{ name: m.evidence_told(), value: fact.failure }]),
      ];
  }
}

const entryNumberRow = (name: string, number: number): EvidenceRow => ({
  name,
  value: m.evidence_entry_number({ number }),
});

const chainBreakTexts = {
  changed: m.evidence_break_changed,
  missing: m.evidence_break_missing,
  moved: m.evidence_break_moved,
  unlinked: m.evidence_break_unlinked,
  cut: m.evidence_break_cut,
  replaced: m.evidence_break_replaced,
};

export function verdictText({
  entries,
  chain,
  firstBroken,
  anchors,
}: EvidenceVerification): string {
  if (chain === 'note-missing') return m.evidence_note_missing();
  if (firstBroken === null) return m.evidence_whole({ entries, anchors });
  return m.evidence_broken({
    number: firstBroken.number,
    why: chainBreakTexts[firstBroken.why](),
  });
}

/** One sentence for each gap of a log from a backup or a rescued file. */
export const gapTexts = ({ gaps }: EvidenceVerification): readonly string[] =>
  gaps.map(({ from, after, until, backupAt, restoredAt }) => {
    const [backup, restored] = [formatDateTime(backupAt), formatDateTime(restoredAt)];
    if (from === 'damaged-file' && until !== null) {
      return m.evidence_gap_damaged({ restored, from: after + 1, until });
    }
    return until === null
      ? m.evidence_gap_unknown({ restored, backup })
      : m.evidence_gap({ restored, backup, from: after + 1, until });
  });

export interface AboutAgreement extends AgreementKey {
  readonly title: string;
}

/** Agreement of an entry; null if the entry is about the log itself. */
export function subjectAgreementOf({
  agreement,
  connection,
}: EvidenceEntry): AboutAgreement | null {
  if (agreement === null || connection === null) return null;
  return { id: agreement.id, title: agreement.title, connectionId: connection.id };
}

export const whoText = ({ by }: EvidenceEntry): string => by.person?.name ?? by.user;
