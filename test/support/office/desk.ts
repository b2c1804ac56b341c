import path from 'node:path';
import { createDesk, type Desk } from '../../../electron/compose/compose.ts';
import type { Chance, Clock } from '../../../electron/core/ports.ts';
import type { Job } from '../../../shared/contract/jobs.ts';
import { AppError } from '../../../shared/errors.ts';
import type { JobId } from '../../../shared/model/ids.ts';
import { type Client, connectDirectly } from '../../../shared/wire.ts';
import { noHostFeatures, offersNothing } from '../fakes/no-host-features.ts';
import { createSeeded } from '../seeded.ts';

/** Maximum wait between two attempts of a reading (ms), which moves no clock. */
const SHORT = 10_000;
/** Time that is waited instead (real ms). */
const POLL = 5;

/** Data paths of one computer in the layout of `createHome`, so that commands find them. */
export interface Place {
  readonly folder: string;
  readonly seed: number;
}

/** Clock that the test moves; `tick` runs the timers that are due. */
export interface DeskClock extends Clock {
  tick(): void;
}

export function createDeskClock(now: () => number): DeskClock {
  const waiting = new Set<{ readonly at: number; readonly run: () => void }>();
  return {
    now,
    after(milliseconds, run) {
      if (milliseconds <= SHORT) {
        const timer = setTimeout(run, POLL);
        return () => {
          clearTimeout(timer);
        };
      }
      const alarm = { at: now() + milliseconds, run };
      waiting.add(alarm);
      return () => void waiting.delete(alarm);
    },
    tick() {
      const due = [...waiting].filter(({ at }) => at <= now()).toSorted((a, b) => a.at - b.at);
      for (const alarm of due) if (waiting.delete(alarm)) alarm.run();
    },
  };
}

export interface OfficeDesk {
  readonly desk: Desk;
  readonly api: Client['api'];
  readonly clock: DeskClock;
  /** Resolves with the result of the job. Rejects with its error. */
  finish(started: { readonly jobId: JobId }): Promise<Job>;
  close(): Promise<void>;
}

/** Opens the whole program on a data folder; the test moves its time. */
export async function openOfficeDesk(
  { folder, seed }: Place,
  now: () => number,
  interactive = false,
): Promise<OfficeDesk> {
  const clock = createDeskClock(now);
  const desk = createDesk(
    {
      dataDir: path.join(folder, 'data'),
      stateDir: path.join(folder, '.local/state/signing-desk'),
      vault: { keyfile: path.join(folder, 'desk.key') },
      version: '0',
      locale: 'en',
      platform: 'linux',
      documentsFolder: folder,
      interactive,
      features: { describe: offersNothing, ...noHostFeatures },
    },
    { clock, chance: seededChance(seed ^ Math.floor(now() / 1000)) },
  );
  const access = await desk.open();
  if (!access.open) throw new Error(`The data stays closed: ${access.vault}`);
  const { api, on, emit } = connectDirectly(desk.handlers, desk.toFailure);
  desk.setEmit(emit);
  const finish = async ({ jobId }: { readonly jobId: JobId }): Promise<Job> => {
    for (;;) {
      const changed = new Promise<void>((resolve) => {
        const end = on('jobs.changed', () => {
          end();
          resolve();
        });
      });
      const job = await api['jobs.show']({ jobId });
      if (job.state === 'running') await changed;
      else if (job.failure === null) return job;
      else throw AppError.from(job.failure);
    }
  };
  return { desk, api, clock, finish, close: () => desk.close() };
}

/** Random IDs that differ in each start of a computer, and are the same in each test run. */
function seededChance(seed: number): Chance {
  const { whole } = createSeeded(seed);
  const hex = (length: number) => Array.from({ length }, () => whole(0, 15).toString(16)).join('');
  return {
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`,
    fraction: () => whole(0, 999_999) / 1_000_000,
  };
}
