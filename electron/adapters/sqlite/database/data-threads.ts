import { AppError } from '../../../../shared/errors.ts';
import { OneCallThreads } from '../../threads/once.ts';

/**
 * Creates threads for tasks on a data file, one thread per task.
 * @param file main file of the thread, which calls `serveData`
 * @param work English name of the work, for errors
 */
export function dataThreads<Functions extends object>(
  file: URL,
  work: string,
): OneCallThreads<Functions> {
  const failed = (cause: Error): Error => new Error(`${work} failed`, { cause });
  const stopped = (): Error => new AppError('cancelled', `${work} was stopped`);
  return new OneCallThreads({
    file,
    work,
    refusals: { stopped, failed, time: failed, memory: failed },
  });
}
