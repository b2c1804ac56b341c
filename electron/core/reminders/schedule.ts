import type { ToFailure } from '../../../shared/wire.ts';
import type { JobQueue } from '../job-queue.ts';
import type { Clock } from '../ports.ts';
import { runEveryMinute, type Schedule } from '../rules/every-minute.ts';
import type { ReminderWork } from './work.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

/** Maximum time until new agreements are checked; the data is not read in between. */
const LOOK_EVERY_MS = 15 * MINUTE;

interface SchedulePorts {
  readonly reminderWork: ReminderWork;
  readonly jobs: JobQueue;
  readonly clock: Clock;
  readonly toFailure: ToFailure;
}

/** Sends due reminders while the window is open. */
export function scheduleReminders({
  reminderWork,
  jobs,
  clock,
  toFailure,
}: SchedulePorts): Schedule {
  let lookAt = Number.NEGATIVE_INFINITY;
  const check = async (): Promise<void> => {
    const now = clock.now();
    // A clock that was set back does not prolong the wait.
    if (now < lookAt && lookAt - now <= LOOK_EVERY_MS) return;
    lookAt = now + LOOK_EVERY_MS;
    if (reminderWork.rules().length === 0) return;
    const { due, nextAt } = await reminderWork.look();
    if (nextAt !== null) lookAt = Math.min(lookAt, nextAt);
    if (due === 0) return;
    jobs.start('remind-by-rule', (signal, report) => reminderWork.run(signal, report));
  };
  return runEveryMinute(clock, check, (error) => void toFailure(error, 'reminders.look'));
}
