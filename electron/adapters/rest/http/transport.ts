import type { Failure } from '../../../../shared/errors.ts';
import type { Network } from '../../../core/network/ports.ts';
import type { AtKillPoint } from '../../../core/outbox/ports.ts';
import type { Chance, Clock, HearClock, Log } from '../../../core/ports.ts';
import type { Answer } from './answer.ts';
import type { Method } from './endpoint.ts';
import { MINUTE } from '../../../../shared/rules/time/units.ts';

/** One request as it goes out; `route` stands for it where its address must not. */
export interface WireRequest {
  readonly route: string;
  readonly method: Method;
  readonly origin: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
}

/** Milliseconds after which an exchange is over, whatever it is doing. */
export interface Deadlines {
  /** A read with all its tries. */
  readonly read: number;
  /** The whole of a download, and between two pieces of it; a link's too. */
  readonly download: number;
  readonly downloadIdle: number;
  /** A change, before the time its body takes is added, and at most. */
  readonly write: number;
  readonly writeMost: number;
}

export const DEADLINES: Deadlines = {
  read: MINUTE / 2,
  download: 15 * MINUTE,
  downloadIdle: MINUTE / 2,
  write: MINUTE,
  writeMost: 15 * MINUTE,
};

/** Whether a request left this computer is always known, whatever else is not. */
export type Once<Result> =
  | { readonly kind: 'answered'; readonly result: Result }
  | { readonly kind: 'not-sent' | 'lost'; readonly failure: Failure };

export type Use<Result> = (answer: Answer) => Promise<Result>;

export interface Transport {
  /** Requests whose first byte left. */
  requestCount(): number;
  /**
   * Asks, and asks again up to twice when `use` or the network fails in passing. A `link` is an
   * address that a service gave; see `createLinkGuard` for where none may lead.
   * @throws AppError
   */
  read<Result>(
    request: WireRequest,
    kind: 'read' | 'download' | 'link',
    signal: AbortSignal,
    use: Use<Result>,
  ): Promise<Result>;
  /** Sends exactly once, on a connection of its own. What goes wrong on the way is not thrown. */
  once<Result>(request: WireRequest, signal: AbortSignal, use: Use<Result>): Promise<Once<Result>>;
}

/** What an exchange needs of the program. */
export interface TransportPorts {
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  readonly hearClock?: HearClock | undefined;
  /** Without one, everything is reached directly. */
  readonly network?: Network | undefined;
  /** Called at points of a change that leaves; only tests listen. */
  readonly atKillPoint?: AtKillPoint;
}
