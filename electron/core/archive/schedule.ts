import type { ToFailure } from '../../../shared/wire.ts';
import type { JobQueue } from '../job-queue.ts';
import type { Clock } from '../ports.ts';
import { runEveryMinute, type Schedule } from '../rules/every-minute.ts';
import { ruleJobs } from '../rules/rule-jobs.ts';
import type { ArchiveWork } from './work.ts';

interface SchedulePorts {
  readonly archiveWork: ArchiveWork;
  readonly jobs: JobQueue;
  readonly clock: Clock;
  readonly toFailure: ToFailure;
}

/**
 * Runs archive rules while the window is open: daily rules when they are due, and rules for
 * completed agreements after each sync.
 */
export function scheduleArchive({
  archiveWork,
  jobs,
  clock,
  toFailure,
}: SchedulePorts): Schedule & { afterReading(): void } {
  const start = ruleJobs(
    jobs,
    'archive-agreements',
    (id: Parameters<ArchiveWork['runRule']>[0], ...job) => archiveWork.runRule(id, false, ...job),
  );
  const check = () => void start(archiveWork.due());
  const complain = (error: unknown): void => void toFailure(error, 'archive.look');
  return {
    ...runEveryMinute(clock, check, complain),
    afterReading: () => start(archiveWork.afterReading()),
  };
}
