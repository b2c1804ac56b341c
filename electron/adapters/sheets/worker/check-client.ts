import { Worker } from 'node:worker_threads';
import type { RowChecks } from '../../../core/batches/ports.ts';
import type { CheckedRow, CheckSpec } from '../../../../shared/rules/batches/check.ts';
import type { SheetRow } from '../../../../shared/contract/sheets.ts';
import { AppError } from '../../../../shared/errors.ts';
import { HEAP_MAX, TIME_MAX } from '../read/limits.ts';
import { limitThread } from '../../system/thread-time.ts';
import { workerFile } from './file.ts';

/** Judges rows in a thread of their own, which ends with the last of them. */
export function createRowChecks(): RowChecks {
  const running = new Set<Worker>();
  return {
    async check(spec, rows) {
      const worker = new Worker(workerFile, {
        resourceLimits: { maxOldGenerationSizeMb: HEAP_MAX },
        env: {},
        argv: [],
      });
      running.add(worker);
      try {
        return await answerOf(worker, spec, rows);
      } finally {
        running.delete(worker);
        await worker.terminate();
      }
    },
    async close() {
      await Promise.all([...running].map((worker) => worker.terminate()));
    },
  };
}

function answerOf(
  worker: Worker,
  spec: CheckSpec,
  rows: readonly SheetRow[],
): Promise<readonly CheckedRow[]> {
  return new Promise((resolve, reject) => {
    const endLimit = limitThread(worker, TIME_MAX, () => {
      reject(new AppError('unexpected', 'The rows took too long to check'));
    });
    worker.once('message', (checked: readonly CheckedRow[]) => {
      endLimit();
      // Our own thread made it of our own rows, by the same source.
      resolve(checked);
    });
    worker.once('error', (cause) => {
      endLimit();
      reject(new AppError('unexpected', 'The rows could not be checked', { cause }));
    });
    worker.once('exit', () => {
      endLimit();
      reject(new AppError('cancelled', 'The check was stopped'));
    });
    worker.postMessage({ task: 'check', spec, rows });
  });
}
