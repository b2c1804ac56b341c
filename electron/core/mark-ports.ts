/**
 * Counter of this computer's writes in the office. If the office has a lower value than this
 * computer, the office was restored from a backup.
 */
export interface OfficeMark {
  read(): number;
  /**
   * Records that the office has committed this value. A value lower than the last one read comes
   * from an older reply and changes nothing.
   */
  reached(mark: number): void;
  /**
   * Returns the counters of the IDs that this computer had before its data was restored or copied.
   */
  former(): readonly FormerDesk[];
  compared(former: readonly FormerDesk[]): void;
}

export interface FormerDesk {
  readonly desk: string;
  readonly mark: number;
}
