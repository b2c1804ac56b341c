import type { ArchiveRule } from '../../../shared/contract/archive.ts';
import type { ArchiveWork } from './work.ts';
import type { JobQueue } from '../job-queue.ts';
import type { Clock } from '../ports.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

/** Times of day have no seconds. */
const CHECK_EVERY_MS = MINUTE;

interface SchedulePorts {
  readonly archiveWork: ArchiveWork;
  readonly jobs: JobQueue;
  readonly clock: Clock;
}

/**
 * While the window is open: starts the rules whose time has come, at the first check after a sleep,
 * too. The returned functions end it, and start the rules that follow a reading.
 */
export function scheduleArchive({ archiveWork, jobs, clock }: SchedulePorts) {
  const running = new Set<string>();
  const start = (rules: readonly ArchiveRule[]): void => {
    for (const { id } of rules) {
      if (running.has(id)) continue;
      running.add(id);
      jobs.start('archive-agreements', (signal, report) =>
        archiveWork.runRule(id, false, signal, report).finally(() => running.delete(id)),
      );
    }
  };
  let callOff: () => void = () => {};
  const check = (): void => {
    start(archiveWork.due());
    callOff = clock.after(CHECK_EVERY_MS, check);
  };
  return {
    begin: check,
    end: () => callOff(),
    afterReading: () => start(archiveWork.afterReading()),
  };
}
