import type { HandlersOf } from '../../../shared/contract/index.ts';
import type { CompactionResult } from '../../../shared/contract/privacy.ts';
import { AppError } from '../../../shared/errors.ts';
import { MIN_FREE_DISK_BYTES } from '../disk-space.ts';
import type { JobOutcome, JobQueue, Progress } from '../job-queue.ts';
import type { DeferredCompaction } from './later.ts';
import type { DataSpace, LogFiles } from './ports.ts';
import type { Retention } from './retention.ts';

interface PrivacyPorts {
  readonly retention: Retention;
  readonly space: DataSpace;
  readonly later: DeferredCompaction;
  readonly logFiles: LogFiles;
  readonly jobs: JobQueue;
  /** Blocks all other writing processes while `work` runs. */
  readonly holding: <Result>(work: () => Promise<Result>) => Promise<Result>;
  readonly freeDisk?: () => number | null;
}

export function createPrivacyHandlers(ports: PrivacyPorts): HandlersOf<'privacy'> {
  const { retention, space, logFiles, jobs } = ports;
  return {
    'privacy.limits': async () => retention.limits(),
    'privacy.preview': async ({ limits }) => retention.preview(limits),
    'privacy.setLimits': async ({ limits }) => retention.setLimits(limits),
    'privacy.apply': async ({ kinds }) => ({
      jobId: jobs.start('apply-retention', (signal, report) =>
        retention.run(kinds, signal, report),
      ),
    }),
    'privacy.sizes': async () => ({
      ...(await space.measure()),
      diskBytes: ports.freeDisk?.() ?? null,
      logBytes: logFiles.bytes(),
    }),
    'privacy.compact': async () => ({
      jobId: jobs.start('compact-data', (signal, report) => compactData(ports, signal, report)),
    }),
  };
}

async function compactData(
  { space, later, holding, freeDisk }: PrivacyPorts,
  signal: AbortSignal,
  report: (progress: Progress) => void,
): Promise<JobOutcome<CompactionResult>> {
  const { fileBytes: before, freeBytes, inSteps } = await space.measure();
  const done = async (isLater: boolean): Promise<JobOutcome<CompactionResult>> => {
    const after = isLater ? before : (await space.measure()).fileBytes;
    return { result: { before, after, later: isLater }, failure: null };
  };
  if (inSteps) {
    await space.compactInSteps((freed, total) => report({ done: freed, total }), signal);
    return done(false);
  }
  const free = freeDisk?.() ?? null;
  // SQLite writes the new pages to its log first, so log and data file both need space.
  if (free !== null && free < before - freeBytes + MIN_FREE_DISK_BYTES) {
    const message = 'The disk has too little free space to rewrite the data file. Free some space';
    throw new AppError('storage', message, { reason: 'disk-full' });
  }
  if (later.ask()) return done(true);
  await holding(() => space.compactWhole());
  return done(false);
}
