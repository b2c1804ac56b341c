/**
 * Counter that this computer raises in the office with each write. A lower value in the office than
 * here means that the office was restored from a backup.
 */
export interface OfficeMark {
  read(): number;
  /**
   * The value was committed in the office. A value lower than the last read comes from an older
   * reply and changes nothing.
   */
  reached(mark: number): void;
  /** Values reached under IDs that this computer had before its data was restored or copied. */
  former(): readonly FormerDesk[];
  compared(former: readonly FormerDesk[]): void;
}

export interface FormerDesk {
  readonly desk: string;
  readonly mark: number;
}
