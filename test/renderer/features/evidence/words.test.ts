import { expect, it } from 'vitest';
import { m } from '../../../../renderer/ui/language.svelte.ts';
import { verdictText } from '../../../../renderer/features/evidence/words.ts';

const verdict = { entries: 6, chain: 'ok', firstBroken: null, anchors: 2, head: '' } as const;

it('a log whose note is gone is not called whole on the screen (SEC-M3)', () => {
  expect(verdictText(verdict)).toBe(m.evidence_whole({ entries: 6, anchors: 2 }));
  expect(verdictText({ ...verdict, chain: 'note-missing' })).toBe(m.evidence_note_missing());
  expect(m.evidence_note_missing()).not.toBe(m.evidence_whole({ entries: 6, anchors: 2 }));
});
