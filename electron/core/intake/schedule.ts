import type { ToFailure } from '../../../shared/wire.ts';
import type { JobQueue } from '../job-queue.ts';
import type { Clock } from '../ports.ts';
import { runEveryMinute, type Schedule } from '../rules/every-minute.ts';
import { ruleJobs } from '../rules/rule-jobs.ts';
import type { IntakeWork } from './work.ts';

interface SchedulePorts {
  readonly intakeWork: IntakeWork;
  readonly jobs: JobQueue;
  readonly clock: Clock;
  readonly toFailure: ToFailure;
}

/**
 * Imports new files from the folders of rules while the window is open. Network drives report no
 * changes, so the folders are read every minute.
 */
export function scheduleIntake({ intakeWork, jobs, clock, toFailure }: SchedulePorts): Schedule {
  const start = ruleJobs(jobs, 'take-in-files', intakeWork.runRule.bind(intakeWork));
  const check = async (): Promise<void> => start(await intakeWork.due());
  return runEveryMinute(clock, check, (error) => void toFailure(error, 'intake.look'));
}
