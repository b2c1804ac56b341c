import type { JobKind } from '../../../shared/contract/jobs.ts';
import type { JobQueue, RunJob } from '../job-queue.ts';

/**
 * Returns a function that starts a job for each given rule, unless its last job is still running.
 */
export function ruleJobs<Kind extends JobKind, Id>(
  jobs: JobQueue,
  kind: Kind,
  run: (id: Id, ...job: Parameters<RunJob<Kind>>) => ReturnType<RunJob<Kind>>,
): (rules: readonly { readonly id: Id }[]) => void {
  const running = new Set<Id>();
  return (rules) => {
    for (const { id } of rules) {
      if (running.has(id)) continue;
      running.add(id);
      jobs.start(kind, (...job) => run(id, ...job).finally(() => running.delete(id)));
    }
  };
}
