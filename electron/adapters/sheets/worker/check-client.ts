import type { RowChecks } from '../../../core/batches/ports.ts';
import { AppError } from '../../../../shared/errors.ts';
import { OneCallThreads } from '../../threads/once.ts';
import { HEAP_MAX, TIME_MAX } from '../read/limits.ts';
import { workerFile } from './file.ts';
import type { SheetTasks } from './worker.ts';

const failed = (cause: Error): AppError =>
  new AppError('unexpected', 'The rows could not be checked', { cause });

/** Validates rows in a separate thread. */
export function createRowChecks(): RowChecks {
  const threads = new OneCallThreads<SheetTasks>({
    file: workerFile,
    work: 'Checking rows',
    milliseconds: TIME_MAX,
    heapMegabytes: HEAP_MAX,
    refusals: {
      stopped: () => new AppError('cancelled', 'The check was stopped'),
      time: () => new AppError('unexpected', 'The rows took too long to check'),
      memory: failed,
      failed,
    },
  });
  return {
    check: (spec, rows) => threads.call('check', [spec, rows]),
    close: () => threads.close(),
  };
}
