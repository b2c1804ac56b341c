import { beforeEach, expect, it, vi } from 'vitest';
import { AppError } from '../../../../shared/errors.ts';

const PHRASE = 'first second third';
/** Failure of the next move; null if it starts. */
const core = vi.hoisted((): { refusal: Error | null } => ({ refusal: null }));

vi.mock('../../../../renderer/window/desk.ts', () => ({
  api: {
    'backup.newPhrase': async () => ({ phrase: PHRASE }),
    'backup.setUp': async () => ({}),
    'backup.read': async () => ({ plan: null }),
    'backup.move': async () => {
      if (core.refusal !== null) throw core.refusal;
    },
  },
  failureOf: (error: unknown) => (error instanceof AppError ? error.failure : error),
  on: () => () => undefined,
}));

const { backups } = await import('../../../../renderer/features/backup/state.svelte.ts');
const { moving } = await import('../../../../renderer/features/backup/move.svelte.ts');

beforeEach(() => {
  core.refusal = null;
  backups.form = null;
  backups.left = null;
});

it('new backup words that were shown are kept until the user decides to discard them', async () => {
  await backups.begin();
  backups.close();
  expect(backups.form).toBeNull();
  expect(backups.left?.phrase).toBe(PHRASE);
  backups.goBack();
  expect(backups.form).toMatchObject({ phrase: PHRASE });
  expect(backups.left).toBeNull();
});

it('a backup form without new words closes without a question, also after it was saved', async () => {
  await backups.begin();
  if (backups.form !== null) backups.form.typed = PHRASE;
  expect(await backups.save()).toBeNull();
  backups.close();
  expect(backups.left).toBeNull();
});

it('a refused move to another computer keeps its dialog, which shows the reason', async () => {
  const typed = { folder: '/backups', withCredentials: false, words: 'wrong words' };
  moving.form = { ...typed };
  core.refusal = new AppError('invalid', 'Wrong words', { reason: 'phrase-wrong' });
  expect(await moving.move()).toMatch(/\S/);
  expect(moving.form).toEqual(typed);
  core.refusal = null;
  expect(await moving.move()).toBeNull();
  expect(moving.form).toBeNull();
});
