import { setTimeout as wait } from 'node:timers/promises';
import { systemCode } from './durable.ts';

/** Maximum time of the retries (ms): virus scanners and viewers release a file within seconds. */
const TIMEOUT_MS = 10_000;
const LOCKED_RETRY_MS = 250;

/**
 * Error codes that mean that another program uses the file: on Windows several, on other systems
 * only EBUSY.
 */
const LOCKED_FILE_CODES = {
  win32: new Set<string | undefined>(['EBUSY', 'EPERM', 'EACCES']),
  other: new Set<string | undefined>(['EBUSY']),
} as const;

interface RetryPorts {
  readonly platform: NodeJS.Platform;
  readonly now: () => number;
  readonly pause: (milliseconds: number) => Promise<unknown>;
}

const systemRetryPorts: RetryPorts = {
  platform: process.platform,
  now: () => performance.now(),
  pause: wait,
};

/** Repeats the operation while another program uses the file, for up to 10 seconds. */
export async function retryWhileLocked<T>(
  run: () => Promise<T>,
  { platform, now, pause }: RetryPorts = systemRetryPorts,
): Promise<T> {
  const held = platform === 'win32' ? LOCKED_FILE_CODES.win32 : LOCKED_FILE_CODES.other;
  const until = now() + TIMEOUT_MS;
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!held.has(systemCode(error)) || now() >= until) throw error;
      await pause(LOCKED_RETRY_MS);
    }
  }
}
