import type { ToFailure } from '../../../shared/wire.ts';
import type { JobQueue } from '../job-queue.ts';
import type { Clock } from '../ports.ts';
import { runEveryMinute, type Schedule } from '../rules/every-minute.ts';
import type { BackupWork } from './work.ts';

interface SchedulePorts {
  readonly backupWork: BackupWork;
  readonly jobs: JobQueue;
  readonly clock: Clock;
  readonly toFailure: ToFailure;
}

export function scheduleBackups({ backupWork, jobs, clock, toFailure }: SchedulePorts): Schedule {
  let isMaking = false;
  const check = (): undefined => {
    if (isMaking || !backupWork.isDue()) return;
    isMaking = true;
    jobs.start('make-backup', (signal, report) =>
      backupWork.run(signal, report, true).finally(() => {
        isMaking = false;
      }),
    );
  };
  return runEveryMinute(clock, check, (error) => void toFailure(error, 'backup.look'));
}
