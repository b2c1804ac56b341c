import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { inThread } from '../../../../electron/adapters/sqlite/database/task-thread.ts';

const worker = new URL('../children/slow-task.ts', import.meta.url);

// Ending it sooner aborts the whole process: the addon expects an environment that is whole.
it('a thread that is stopped ends once SQLite is loaded in it, and not before', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'task-'));
  const reached = path.join(folder, 'reached');
  try {
    const signal = AbortSignal.timeout(50);
    const task = inThread({ worker, task: reached, name: 'Waiting', signal });
    await expect(task).rejects.toMatchObject({ failure: { code: 'cancelled' } });
    expect(existsSync(reached)).toBe(true);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
