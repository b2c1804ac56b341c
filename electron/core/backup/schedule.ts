import type { JobQueue } from '../job-queue.ts';
import type { Clock } from '../ports.ts';
import type { BackupWork } from './work.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

/** Times of day have no seconds. */
const CHECK_EVERY_MS = MINUTE;

interface SchedulePorts {
  readonly backupWork: BackupWork;
  readonly jobs: JobQueue;
  readonly clock: Clock;
}

/**
 * While the window is open: makes a backup when its time has come, at the first check after a sleep,
 * too. The returned functions begin and end it.
 */
export function scheduleBackups({ backupWork, jobs, clock }: SchedulePorts) {
  let callOff: () => void = () => {};
  let isBusy = false;
  const check = (): void => {
    callOff = clock.after(CHECK_EVERY_MS, check);
    if (isBusy || !backupWork.isDue()) return;
    isBusy = true;
    jobs.start('make-backup', (signal, report) =>
      backupWork.run(signal, report, true).finally(() => {
        isBusy = false;
      }),
    );
  };
  return { begin: check, end: () => callOff() };
}
