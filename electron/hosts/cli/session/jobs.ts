import type { JobId } from '../../../../shared/model/ids.ts';
import type { Job } from '../../../../shared/contract/jobs.ts';
import { AppError } from '../../../../shared/errors.ts';
import { type Exit, exitOf, exits } from '../output/exit-codes.ts';
import type { Session } from './session.ts';

/**
 * Follows a job to its end and draws its progress. Ctrl+C stops the job after the requests in
 * flight; the job then ends as `cancelled`, with its partial result.
 * @throws AppError if the job failed, or was stopped before it had a result.
 */
export async function followJob(session: Session, jobId: JobId, title: string): Promise<Job> {
  const progress = session.report.progress(title);
  session.onStop(() => {
    session.report.note('Stopping after the requests that are already running…');
    // The job reports its own end; a late cancel changes nothing.
    void session.api['jobs.cancel']({ jobId }).catch(() => undefined);
  });
  try {
    const job = await waitForJobEnd(session, jobId, (now) => progress.show(now));
    if (job.result !== null) {
      if (job.failure !== null) session.report.note(job.failure.message);
      return job;
    }
    throw AppError.from(job.failure ?? { code: 'cancelled', message: 'Stopped by you' });
  } finally {
    session.onStop(null);
    progress.end();
  }
}

/** Returns the exit code for the end of a job; `otherwise` if it ended normally. */
export function exitOfJob({ state, failure }: Job, otherwise: Exit): Exit {
  if (state === 'cancelled') return exits.stopped;
  return failure === null ? otherwise : exitOf(failure);
}

function waitForJobEnd({ api, on }: Session, jobId: JobId, show: (job: Job) => void): Promise<Job> {
  return new Promise((resolve, reject) => {
    const check = (): void => {
      api['jobs.show']({ jobId }).then((job) => {
        if (job.state === 'running') return show(job);
        stopListening();
        resolve(job);
      }, reject);
    };
    const stopListening = on('jobs.changed', (changed) => {
      if (changed.jobId === jobId) check();
    });
    // The job may have ended before the listener was added.
    check();
  });
}
