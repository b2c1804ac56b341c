import type { JobQueue } from '../job-queue.ts';
import type { Clock } from '../ports.ts';
import type { ToFailure } from '../../../shared/wire.ts';
import type { ReminderWork } from './work.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

/** Office hours have no seconds. */
const CHECK_EVERY_MS = MINUTE;
/** What is new is judged at least so often; between, nothing is read. */
const LOOK_EVERY_MS = 15 * MINUTE;

interface SchedulePorts {
  readonly reminderWork: ReminderWork;
  readonly jobs: JobQueue;
  readonly clock: Clock;
  readonly toFailure: ToFailure;
}

/**
 * While the window is open: reminds those whose time has come, at the first check after a sleep, too.
 * The returned functions begin and end it, and make it look at the next check.
 */
export function scheduleReminders({ reminderWork, jobs, clock, toFailure }: SchedulePorts) {
  let lookAt = Number.NEGATIVE_INFINITY;
  let isBusy = false;
  let callOff: () => void = () => {};

  const look = async (): Promise<void> => {
    const now = clock.now();
    lookAt = now + LOOK_EVERY_MS;
    if (reminderWork.rules().length === 0) return;
    const { due, nextAt } = await reminderWork.look();
    if (nextAt !== null) lookAt = Math.min(lookAt, nextAt);
    if (due === 0) return;
    jobs.start('remind-by-rule', (signal, report) => reminderWork.run(signal, report));
  };
  const check = (): void => {
    callOff = clock.after(CHECK_EVERY_MS, check);
    const now = clock.now();
    // A clock that was put back would leave it waiting for what is long past.
    if (isBusy || (now < lookAt && lookAt - now <= LOOK_EVERY_MS)) return;
    isBusy = true;
    look()
      .catch((error: unknown) => void toFailure(error, 'reminders.look'))
      .finally(() => {
        isBusy = false;
      });
  };
  return { begin: check, end: () => callOff() };
}
