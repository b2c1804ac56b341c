import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { BatchId } from '../../../../shared/model/ids.ts';
import { m } from '../../../../renderer/ui/language.svelte.ts';

const id = BatchId.parse('0b5f6f0e-5b0d-4c51-9a51-6c1f5c1f7a02');

vi.mock('../../../../renderer/window/desk.ts', () => ({
  api: { 'batches.reread': async () => ({ stage: 'open' }) },
  failureOf: (error: unknown) => error,
  on: () => () => undefined,
}));

const { OpenBatch } = await import('../../../../renderer/features/batches/open-batch.svelte.ts');
const { activity } = await import('../../../../renderer/window/activity.svelte.ts');

// The activity bar hides messages after some seconds.
beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  activity.close();
  vi.useRealTimers();
});

/** The message after the file of a batch was read again. */
async function messageAfterReading(lost: number) {
  await new OpenBatch(id).reread({}, lost);
  return { text: activity.notice?.words(), stays: activity.notice?.stays };
}

it('a batch whose file is read again without changed rows reports no lost changes', async () => {
  expect(await messageAfterReading(0)).toEqual({ text: 'The file was read again.', stays: false });
});

it.each([1, 2, 14])(
  'a batch whose file is read again reports the number of rows whose changes are lost: %i',
  async (count) => {
    const { text, stays } = await messageAfterReading(count);
    expect(stays).toBe(true);
    expect(text).toBe(m.batch_file_edits_lost({ count }));
    expect(text).toContain(count === 1 ? '1 row are' : `${String(count)} rows are`);
  },
);
