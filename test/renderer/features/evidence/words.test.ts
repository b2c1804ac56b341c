import { expect, it } from 'vitest';
import type { EvidenceVerification } from '../../../../shared/contract/evidence.ts';
import { formatDateTime } from '../../../../renderer/ui/format.ts';
import { m } from '../../../../renderer/ui/language.svelte.ts';
import { gapTexts, verdictText } from '../../../../renderer/features/evidence/words.ts';

const verdict: EvidenceVerification = {
  entries: 6,
  chain: 'ok',
  firstBroken: null,
  gaps: [],
  anchors: 2,
  head: '',
};
const [BACKUP, RESTORED] = [Date.UTC(2026, 10, 22, 2, 30), Date.UTC(2026, 10, 23, 9)];

it('an evidence log whose separately stored head is missing is not shown as complete (SEC-M3)', () => {
  expect(verdictText(verdict)).toBe(m.evidence_whole({ entries: 6, anchors: 2 }));
  expect(verdictText({ ...verdict, chain: 'note-missing' })).toBe(m.evidence_note_missing());
  expect(m.evidence_note_missing()).not.toBe(m.evidence_whole({ entries: 6, anchors: 2 }));
});

it('a restored evidence log lists its missing entries, by number if the numbers are known', () => {
  expect(gapTexts(verdict)).toEqual([]);
  const times = { backupAt: BACKUP, restoredAt: RESTORED };
  const gap = { from: 'backup', after: 3, ...times } as const;
  const [backup, restored] = [formatDateTime(BACKUP), formatDateTime(RESTORED)];
  const gaps = [
    { ...gap, until: 5 },
    { ...gap, until: null },
    { from: 'damaged-file', after: 7, until: 9, ...times } as const,
  ];
  expect(gapTexts({ ...verdict, gaps })).toEqual([
    m.evidence_gap({ restored, backup, from: 4, until: 5 }),
    m.evidence_gap_unknown({ restored, backup }),
    m.evidence_gap_damaged({ restored, from: 8, until: 9 }),
  ]);
});
