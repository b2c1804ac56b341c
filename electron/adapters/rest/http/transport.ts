import type { Failure } from '../../../../shared/errors.ts';
import type { Network } from '../../../core/network/ports.ts';
import type { AtKillPoint } from '../../../core/outbox/ports.ts';
import type { Chance, Clock, OnServiceTime, Log } from '../../../core/ports.ts';
import type { Answer } from './answer.ts';
import type { Method } from './endpoint.ts';
import { MINUTE } from '../../../../shared/rules/time/units.ts';

/**
 * One request as it is sent. `route` is its name for texts in which the address must not appear.
 */
export interface WireRequest {
  readonly route: string;
  readonly method: Method;
  readonly origin: string;
  /** Path with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
}

/** Time limits of exchanges (ms). */
export interface Deadlines {
  /** Time limit of a read including all retries. */
  readonly read: number;
  /** Time limits of a whole download, and of the gap between two chunks; also for links. */
  readonly download: number;
  readonly downloadIdle: number;
  /**
   * Time limits of a change: without the time for its body, and the maximum including that time.
   */
  readonly write: number;
  readonly writeMost: number;
}

export const DEFAULT_DEADLINES: Deadlines = {
  read: MINUTE / 2,
  download: 15 * MINUTE,
  downloadIdle: MINUTE / 2,
  write: MINUTE,
  writeMost: 15 * MINUTE,
};

/** Result of one attempt. It always shows whether the request left this computer. */
export type AttemptResult<Result> =
  | { readonly kind: 'answered'; readonly result: Result }
  | { readonly kind: 'not-sent' | 'lost'; readonly failure: Failure };

export type UseAnswer<Result> = (answer: Answer) => Promise<Result>;

export interface Transport {
  /** Returns the number of requests whose first byte was sent. */
  requestCount(): number;
  /**
   * Sends a read, and retries up to twice after a temporary failure of `use` or the network. A
   * `link` is an address from the service; see `createLinkGuard` for the allowed targets.
   * @throws AppError
   */
  read<Result>(
    request: WireRequest,
    kind: 'read' | 'download' | 'link',
    signal: AbortSignal,
    use: UseAnswer<Result>,
  ): Promise<Result>;
  /**
   * Sends the request exactly once, on a separate connection. Failures are returned, not thrown.
   */
  once<Result>(
    request: WireRequest,
    signal: AbortSignal,
    use: UseAnswer<Result>,
  ): Promise<AttemptResult<Result>>;
}

export interface TransportPorts {
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  readonly hearClock?: OnServiceTime | undefined;
  /** Network settings; without them, all connections are direct. */
  readonly network?: Network | undefined;
  /** Called at points of a change that is sent; only tests pass one. */
  readonly atKillPoint?: AtKillPoint;
}
