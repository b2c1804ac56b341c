import type { ConnectionId } from '../../../shared/model/ids.ts';
import type { FailedKind } from '../../../shared/contract/board.ts';

interface Interval {
  readonly from: number;
  readonly to: number;
}

/** What the board asks; instants are epoch milliseconds, and the order is kept in the answer. */
export interface BoardQuestion {
  readonly connectionId: ConnectionId | null;
  readonly now: number;
  readonly ages: readonly Interval[];
  readonly months: readonly Interval[];
  readonly ahead: readonly Interval[];
  /** Refused actions before this are not counted. */
  readonly since: number;
  /** Templates beyond so many are only counted. */
  readonly mostTemplates: number;
}

/** Of so many, what half and what nine in ten took at most, milliseconds. */
interface DurationStats {
  readonly count: number;
  readonly median: number;
  readonly ninety: number;
}

export interface BoardNumbers {
  /** In the order of the ages that were asked for. */
  readonly waiting: { readonly counts: readonly number[]; readonly unknown: number };
  readonly signing: {
    /** `at` is the place among the months that were asked for. */
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
  /** One statement for each plot, all of one moment. */
  board(question: BoardQuestion): BoardNumbers;
}

/** The same, answered beside the loop that asks. */
export interface BoardReader {
  board(question: BoardQuestion): Promise<BoardNumbers>;
}
