import { expect, it, vi } from 'vitest';
import { AppError } from '../../../../shared/errors.ts';

vi.mock('../../../../renderer/window/desk.ts', () => ({
  api: {
    'evidence.export': async ({ file }: { file: string }) => {
      if (!file.startsWith('/')) throw new AppError('invalid', 'No', { reason: 'path-not-local' });
    },
  },
  failureOf: (error: unknown) => (error instanceof AppError ? error.failure : error),
  on: () => () => undefined,
}));

const { evidence } = await import('../../../../renderer/features/evidence/state.svelte.ts');

it('a refused export of the evidence returns its reason, so that the dialog keeps the path', async () => {
  expect(await evidence.write('somewhere.csv', null)).toMatch(/\S/);
  expect(await evidence.write('/tmp/evidence.csv', null)).toBeNull();
});
