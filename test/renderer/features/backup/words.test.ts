import { expect, it } from 'vitest';
import { backupBadge, backupNotes, nextSteps } from '../../../../renderer/features/backup/words.ts';
import type { BackupState } from '../../../../shared/contract/backup.ts';

const now = new Date(2026, 10, 30, 9).getTime();
const last = new Date(2026, 10, 30, 0, 49).getTime();
const state: BackupState = {
  plan: null,
  last: { at: last, file: 'backup', failure: null, inRow: 0 },
  good: { at: last, file: 'backup', bytes: 1 },
  dueAt: null,
  isPaused: false,
  restoredKeys: [],
  isOverdue: false,
  upgradeAt: null,
  rest: null,
};
const failed = {
  at: now,
  file: null,
  failure: { code: 'storage', message: 'Full', reason: 'disk-full' },
  inRow: 1,
} as const;

it('the last good backup is shown with its time, and with its day if it is older', () => {
  expect(backupBadge(state, now)).toEqual({ tone: 'signed', word: 'Last good backup 00:49' });
  expect(backupBadge(state, new Date(2026, 11, 1, 0, 10).getTime()).word).toBe(
    'Last good backup 30 Nov 2026, 00:49',
  );
});

it('the last good backup is marked if a later one failed, or if it is too old', () => {
  expect(backupBadge({ ...state, last: failed }, now)).toEqual({
    tone: 'attention',
    word: 'Last good backup 00:49',
  });
  expect(backupNotes({ ...state, last: failed })).toHaveLength(1);
  expect(backupBadge({ ...state, isOverdue: true }, now).tone).toBe('attention');
  expect(backupNotes({ ...state, isOverdue: true })).toHaveLength(1);
});

it('backups that have not been made yet, or are paused, are shown as such', () => {
  const fresh = { ...state, last: null, good: null };
  expect(backupBadge(fresh, now)).toEqual({ tone: 'waiting', word: 'No backups yet' });
  expect(backupBadge({ ...fresh, isPaused: true }, now).word).toBe('Paused');
  expect(backupNotes(fresh)).toEqual([]);
});

it('after a restore with paused rules, the steps lead to the rules and to the backups', () => {
  const restored = { doubtful: 0, pausedRules: 2, withCredentials: true, missingEvidence: 0 };
  expect(nextSteps(restored).map(({ place }) => place)).toEqual([
    ['automation'],
    ['settings', 'backups'],
    ['signing', 'evidence'],
  ]);
  expect(nextSteps({ ...restored, pausedRules: 0 })).toHaveLength(1);
});
