import { expect, it } from 'vitest';
import { forecastSentence, lastRunText, runLook } from '../../../renderer/window/rule-words.ts';
import type { Failure } from '../../../shared/errors.ts';

const at = new Date(2026, 10, 30, 2, 30).getTime();
const missing: Failure = {
  code: 'storage',
  message: 'The folder is missing',
  reason: 'folder-missing',
};
const restored: Failure = { code: 'conflict', message: 'Restored', reason: 'data-restored' };
const good = { words: ['4 saved'], isGood: true };

it('a rule that never ran shows that, and no time', () => {
  const shown = { isPaused: false, last: null };
  expect(lastRunText(shown)).toBeNull();
  expect(runLook(shown, good)).toEqual({
    result: { tone: 'waiting', word: 'Has not run yet' },
    note: null,
  });
});

it('a rule shows the counts of its last run, marked if one of them needs attention', () => {
  const shown = { isPaused: false, last: { at, failure: null } };
  expect(lastRunText(shown)).toBe('Last run 30 Nov 2026, 02:30');
  expect(runLook(shown, good).result).toEqual({ tone: 'signed', word: '4 saved' });
  expect(runLook(shown, { words: ['4 saved', '1 failed'], isGood: false }).result).toEqual({
    tone: 'attention',
    word: '4 saved · 1 failed',
  });
});

it('a rule whose last run failed shows the reason below its sentence', () => {
  const look = runLook({ isPaused: false, last: { at, failure: missing } }, good);
  expect(look.result).toEqual({ tone: 'attention', word: 'Failed' });
  expect(look.note).toContain('folder');
});

it('a paused rule shows how it is continued, and the reason of the pause', () => {
  const look = runLook({ isPaused: true, last: { at, failure: missing } }, good);
  expect(look.result).toEqual({ tone: 'attention', word: 'Paused' });
  expect(look.note).toMatch(/^Paused after three failures.*\. .*folder/);
});

it('a rule that is paused because of restored data does not mention failures', () => {
  const look = runLook({ isPaused: true, last: { at, failure: restored } }, good);
  expect(look.note).not.toContain('three failures');
  expect(look.note).toContain('turn it on again');
});

it('the forecast of a rule shows its failure instead of an earlier result', () => {
  const textOf = (count: number): string => `${String(count)} drafts`;
  expect(forecastSentence({ failure: null, value: null }, textOf)).toBeNull();
  expect(forecastSentence({ failure: null, value: 2 }, textOf)).toBe('2 drafts');
  expect(forecastSentence({ failure: missing, value: 2 }, textOf)).toContain('folder');
});
