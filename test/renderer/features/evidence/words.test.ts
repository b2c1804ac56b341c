import { expect, it } from 'vitest';
import type { EvidenceVerdict } from '../../../../shared/contract/evidence.ts';
import { formatDateTime } from '../../../../renderer/ui/format.ts';
import { m } from '../../../../renderer/ui/language.svelte.ts';
import { gapTexts, verdictText } from '../../../../renderer/features/evidence/words.ts';

const verdict: EvidenceVerdict = {
  entries: 6,
  chain: 'ok',
  firstBroken: null,
  gaps: [],
  anchors: 2,
  head: '',
};
const [BACKUP, RESTORED] = [Date.UTC(2026, 10, 22, 2, 30), Date.UTC(2026, 10, 23, 9)];

it('a log whose note is gone is not called whole on the screen (SEC-M3)', () => {
  expect(verdictText(verdict)).toBe(m.evidence_whole({ entries: 6, anchors: 2 }));
  expect(verdictText({ ...verdict, chain: 'note-missing' })).toBe(m.evidence_note_missing());
  expect(m.evidence_note_missing()).not.toBe(m.evidence_whole({ entries: 6, anchors: 2 }));
});

it('a log that was restored tells what is not in it, by numbers where they are known', () => {
  expect(gapTexts(verdict)).toEqual([]);
  const gap = { after: 3, backupAt: BACKUP, restoredAt: RESTORED };
  const [backup, restored] = [formatDateTime(BACKUP), formatDateTime(RESTORED)];
  const gaps = [
    { ...gap, until: 5 },
    { ...gap, until: null },
  ];
  expect(gapTexts({ ...verdict, gaps })).toEqual([
    m.evidence_gap({ restored, backup, from: 4, until: 5 }),
    m.evidence_gap_unknown({ restored, backup }),
  ]);
});
