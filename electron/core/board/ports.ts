import type { ConnectionId } from '../../../shared/model/ids.ts';
import type { FailedKind } from '../../../shared/contract/board.ts';

interface Interval {
  readonly from: number;
  readonly to: number;
}

/**
 * Query of the board; times are epoch ms, and the answer lists its counts in the order of the
 * query.
 */
export interface BoardQuery {
  readonly connectionId: ConnectionId | null;
  readonly now: number;
  readonly ages: readonly Interval[];
  readonly months: readonly Interval[];
  readonly ahead: readonly Interval[];
  /** Refused actions before this time are not counted. */
  readonly since: number;
  /** Maximum number of templates that are listed; further ones are only counted. */
  readonly mostTemplates: number;
}

/** Number of agreements, median and 90th percentile of their durations (ms). */
interface DurationStats {
  readonly count: number;
  readonly median: number;
  readonly ninety: number;
}

export interface BoardNumbers {
  /** Counts in the order of the requested ages. */
  readonly waiting: { readonly counts: readonly number[]; readonly unknown: number };
  readonly signing: {
    /** `at` is the index in the requested months. */
    readonly months: readonly (DurationStats & { readonly at: number })[];
    readonly templates: readonly (DurationStats & { readonly template: string | null })[];
    readonly moreTemplates: number;
    readonly unknown: number;
  };
  readonly expiring: {
    readonly counts: readonly number[];
    readonly unknown: number;
    readonly past: number;
  };
  readonly failed: readonly { readonly kind: FailedKind; readonly count: number }[];
}

export interface BoardStore {
  /** Answers a query with one statement per plot, all from one snapshot. */
  board(question: BoardQuery): BoardNumbers;
}

/** `BoardStore` on another thread. */
export interface BoardReader {
  board(question: BoardQuery): Promise<BoardNumbers>;
}
