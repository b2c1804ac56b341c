import type { JobId } from '../../shared/model/ids.ts';
import type { Job } from '../../shared/contract/jobs.ts';
import { api, on } from './desk.ts';
import { activity } from './activity.svelte.ts';
import { Loaded } from './loaded.svelte.ts';

/** Long-running work of the core: running jobs and their results. */
class Jobs {
  readonly list = new Loaded(() => api['jobs.list']({}));
  readonly running = $derived((this.list.value ?? []).filter((job) => job.state === 'running'));

  constructor() {
    on('jobs.changed', () => void this.list.refresh());
  }

  async stop(jobId: JobId): Promise<void> {
    await activity.attempt(() => api['jobs.cancel']({ jobId }));
  }

  /**
   * Resolves with the job when it has ended, successfully or not. Rejects with the error of
   * `jobs.show`.
   */
  async outcome(jobId: JobId): Promise<Job> {
    return new Promise((resolve, reject) => {
      const check = async (): Promise<void> => {
        const job = await api['jobs.show']({ jobId });
        if (job.state === 'running') return;
        stop();
        resolve(job);
      };
      const fail = (error: unknown): void => {
        stop();
        reject(error instanceof Error ? error : new Error(String(error)));
      };
      const stop = on('jobs.changed', (changed) => {
        if (changed.jobId === jobId) check().catch(fail);
      });
      check().catch(fail);
    });
  }
}

export const jobs = new Jobs();
