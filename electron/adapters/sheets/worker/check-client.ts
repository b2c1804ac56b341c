import type { RowChecker } from '../../../core/batches/ports.ts';
import { AppError } from '../../../../shared/errors.ts';
import { OneCallThreads } from '../../threads/once.ts';
import { MAX_SHEET_HEAP_MB, MAX_SHEET_READ_MS } from '../read/limits.ts';
import { workerFile } from './file.ts';
import type { SheetTasks } from './worker.ts';

const rowCheckError = (cause: Error): AppError =>
  new AppError('unexpected', 'The rows could not be checked', { cause });

/** Validates rows in a separate thread. */
export function createRowChecks(): RowChecker {
  const threads = new OneCallThreads<SheetTasks>({
    file: workerFile,
    work: 'Checking rows',
    milliseconds: MAX_SHEET_READ_MS,
    heapMegabytes: MAX_SHEET_HEAP_MB,
    refusals: {
      stopped: () => new AppError('cancelled', 'The check was stopped'),
      time: () => new AppError('unexpected', 'The rows took too long to check'),
      memory: rowCheckError,
      failed: rowCheckError,
    },
  });
  return {
    check: (spec, rows) => threads.call('check', [spec, rows]),
    close: () => threads.close(),
  };
}
