import { AppError, type Failure } from '../../../shared/errors.ts';
import type { ToFailure } from '../../../shared/wire.ts';
import type { Clock } from '../ports.ts';
import { withOfficeErrors } from './offline.ts';
import type { Lease } from '../turn-ports.ts';
import type { HeldLease, JoinedOffice, TaskKind } from './ports.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

/** Length of a lease: a computer that crashes during a task blocks the others for this long. */
const LEASE_LENGTH_MS = 5 * MINUTE;
const LEASE_RENEWAL_MS = MINUTE;

interface TaskPorts {
  readonly joined: () => Promise<JoinedOffice> | null;
  readonly clock: Clock;
  readonly toFailure: ToFailure;
}

interface TaskRequest {
  readonly kind: TaskKind;
  /** Parts that identify the task on every computer. They reveal nothing to the server. */
  readonly parts: readonly string[];
  /** Title shown to users. */
  readonly title: string;
  /** Highest number seen where the work is done; the new number is higher. */
  readonly above?: number;
}

export interface HeldTask {
  readonly lease: Lease;
  /** Time at which the task was taken, by the office's clock. */
  readonly takenAt: number;
  /** Signal that is aborted when another computer takes over the task. */
  readonly signal: AbortSignal;
  /** Releases the task. If the office is unreachable, the lease expires. */
  end(): Promise<void>;
}

/** Error thrown if another computer holds the task. */
export class TaskElsewhereError extends AppError {
  readonly held: HeldLease;

  constructor(held: HeldLease) {
    const who = held.seat === '' ? 'Another user' : held.seat;
    const message = `${who} is doing this job now, for all computers in the office`;
    super('conflict', message, { reason: 'task-elsewhere' });
    this.held = held;
  }
}

export const leaseLostFailure: Failure = {
  code: 'conflict',
  message: 'Another computer in the office has taken over this job',
  reason: 'lease-lost',
};

export class OfficeTasks {
  readonly #ports: TaskPorts;

  constructor(ports: TaskPorts) {
    this.#ports = ports;
  }

  /**
   * Takes a task and holds it until `end`. Returns null outside of an office. Throws
   * `TaskElsewhereError`, and 'offline' with 'office-away' if the office is unreachable.
   */
  async take({ kind, parts, title, above = 0 }: TaskRequest): Promise<HeldTask | null> {
    return withOfficeErrors(async () => {
      const office = await this.#ports.joined();
      if (office === null) return null;
      const task = { kind, key: office.claimKey(['task', kind, ...parts]), title };
      const taken = await office.leases.take(task, LEASE_LENGTH_MS, above);
      if (!taken.ok) throw new TaskElsewhereError(taken.held);
      return this.#keep(office, taken.lease, taken.now);
    });
  }

  #keep({ leases }: JoinedOffice, lease: Lease, takenAt: number): HeldTask {
    const { clock, toFailure } = this.#ports;
    const lost = new AbortController();
    let callOff = (): void => undefined;
    let isOver = false;
    const renew = async (): Promise<void> => {
      try {
        if (!(await leases.renew(lease, LEASE_LENGTH_MS))) lost.abort();
      } catch (error) {
        // A computer that takes over raises the number, which is checked wherever the work has
        // effects.
        toFailure(error, 'office.task');
      }
      again();
    };
    const again = (): void => {
      if (isOver || lost.signal.aborted) return;
      callOff = clock.after(LEASE_RENEWAL_MS, () => void renew());
    };
    again();
    return {
      lease,
      takenAt,
      signal: lost.signal,
      async end() {
        if (isOver) return;
        isOver = true;
        callOff();
        await leases
          .giveBack(lease)
          .catch((error: unknown) => void toFailure(error, 'office.task'));
      },
    };
  }
}
