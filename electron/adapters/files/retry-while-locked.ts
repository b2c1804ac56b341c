import { setTimeout as wait } from 'node:timers/promises';
import { systemCode } from './durable.ts';

/** A scanner or a viewer lets go of a file within seconds; nobody waits longer. */
const TIMEOUT_MS = 10_000;
const STEP_MS = 250;

/** What Windows answers while another program holds a file; elsewhere only EBUSY means that. */
const HELD = {
  win32: new Set<string | undefined>(['EBUSY', 'EPERM', 'EACCES']),
  other: new Set<string | undefined>(['EBUSY']),
} as const;

interface Patience {
  readonly platform: NodeJS.Platform;
  readonly now: () => number;
  readonly pause: (milliseconds: number) => Promise<unknown>;
}

const usual: Patience = { platform: process.platform, now: () => performance.now(), pause: wait };

/** Does it again while another program holds the file, for up to ten seconds. */
export async function whileHeld<T>(
  run: () => Promise<T>,
  { platform, now, pause }: Patience = usual,
): Promise<T> {
  const held = platform === 'win32' ? HELD.win32 : HELD.other;
  const until = now() + TIMEOUT_MS;
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!held.has(systemCode(error)) || now() >= until) throw error;
      await pause(STEP_MS);
    }
  }
}
