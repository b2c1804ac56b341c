import { AppError, type Failure } from '../../../shared/errors.ts';
import type { ToFailure } from '../../../shared/wire.ts';
import type { Clock } from '../ports.ts';
import { withOfficeErrors } from './offline.ts';
import type { Lease } from '../turn-ports.ts';
import type { HeldLease, JoinedOffice, TaskKind } from './ports.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

/** A desk that ended in the middle of a task keeps others from it for so long. */
const LENGTH = 5 * MINUTE;
const RENEW_EVERY = MINUTE;

interface TaskPorts {
  readonly joined: () => Promise<JoinedOffice> | null;
  readonly clock: Clock;
  readonly toFailure: ToFailure;
}

/** What is asked for. */
interface TaskOrder {
  readonly kind: TaskKind;
  /** What makes it the same at every desk; they say nothing to the server. */
  readonly parts: readonly string[];
  /** For people. */
  readonly title: string;
  /** The number that was seen where the work is done; what is taken has a higher one. */
  readonly above?: number;
}

/** A task that this desk does now. */
export interface HeldTask {
  readonly lease: Lease;
  /** By the office's clock, when it was taken. */
  readonly takenAt: number;
  /** Aborted once another desk has it. */
  readonly signal: AbortSignal;
  /** Others may take it; what could not be said now runs out by itself. */
  end(): Promise<void>;
}

/** The office let another desk do it. */
export class TaskElsewhere extends AppError {
  readonly held: HeldLease;

  constructor(held: HeldLease) {
    const who = held.seat === '' ? 'Another user' : held.seat;
    const message = `${who} is doing this now, for all computers in the office`;
    super('conflict', message, { reason: 'task-elsewhere' });
    this.held = held;
  }
}

export const leaseLost: Failure = {
  code: 'conflict',
  message: 'Another computer in the office has taken this over',
  reason: 'lease-lost',
};

/** What one desk does for all of its office. */
export class OfficeTasks {
  readonly #ports: TaskPorts;

  constructor(ports: TaskPorts) {
    this.#ports = ports;
  }

  /**
   * Takes a task and keeps it until `end`. Null for a desk in no office. Throws `TaskElsewhere`, and 'offline'
   * with 'office-away' where the office cannot be reached.
   */
  async take({ kind, parts, title, above = 0 }: TaskOrder): Promise<HeldTask | null> {
    return withOfficeErrors(async () => {
      const office = await this.#ports.joined();
      if (office === null) return null;
      const task = { kind, key: office.claimKey(['task', kind, ...parts]), title };
      const taken = await office.leases.take(task, LENGTH, above);
      if (!taken.ok) throw new TaskElsewhere(taken.held);
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
        if (!(await leases.renew(lease, LENGTH))) lost.abort();
      } catch (error) {
        // Whoever takes it meanwhile raises its number, which is asked for where the work has effect.
        toFailure(error, 'office.task');
      }
      again();
    };
    const again = (): void => {
      if (isOver || lost.signal.aborted) return;
      callOff = clock.after(RENEW_EVERY, () => void renew());
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
