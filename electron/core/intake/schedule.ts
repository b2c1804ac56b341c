import type { JobQueue } from '../job-queue.ts';
import type { Clock } from '../ports.ts';
import type { ToFailure } from '../../../shared/wire.ts';
import type { IntakeWork } from './work.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

/** Drives on the network tell of no changes, so folders are looked at. */
const CHECK_EVERY_MS = MINUTE;

interface SchedulePorts {
  readonly intakeWork: IntakeWork;
  readonly jobs: JobQueue;
  readonly clock: Clock;
  readonly toFailure: ToFailure;
}

/** While the window is open: takes what came into the folders of rules. */
export function scheduleIntake({ intakeWork, jobs, clock, toFailure }: SchedulePorts) {
  let isBusy = false;
  let callOff: () => void = () => {};
  const running = new Set<string>();

  const look = async (): Promise<void> => {
    for (const { id } of await intakeWork.due()) {
      if (running.has(id)) continue;
      running.add(id);
      jobs.start('take-in-files', (signal, report) =>
        intakeWork.runRule(id, signal, report).finally(() => running.delete(id)),
      );
    }
  };
  const check = (): void => {
    callOff = clock.after(CHECK_EVERY_MS, check);
    // A drive on the network may take long to answer.
    if (isBusy) return;
    isBusy = true;
    look()
      .catch((error: unknown) => void toFailure(error, 'intake.look'))
      .finally(() => {
        isBusy = false;
      });
  };
  return { begin: check, end: () => callOff() };
}
