/**
 * The number that this desk raises in the office with whatever it writes there. A lower one in the office than
 * here means that the office was put back.
 */
export interface OfficeMark {
  read(): number;
  /** Committed in the office; a lower one than was read is an older reply, and changes nothing. */
  reached(mark: number): void;
  /** What this desk had reached under ids that it had before its data was restored or copied. */
  former(): readonly FormerDesk[];
  /** The office was compared with these. */
  compared(former: readonly FormerDesk[]): void;
}

export interface FormerDesk {
  readonly desk: string;
  readonly mark: number;
}
