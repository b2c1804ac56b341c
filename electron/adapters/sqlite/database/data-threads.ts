import { AppError } from '../../../../shared/errors.ts';
import { OneCallThreads } from '../../threads/once.ts';

/**
 * Threads that work on a data file, one for each task.
 * @param file calls `serveData`
 * @param work English; what a stopped task and a failure of the thread itself are called
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
