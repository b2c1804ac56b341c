/**
 * Location of a data folder as the system reports it. A backup does not contain it, so restored
 * data has a different one. A property is null if the system does not report it.
 */
export interface Place {
  /** Hash of the ID of the computer or container. */
  readonly computer: string | null;
  readonly volume: string | null;
  /** File number (inode) of the data file on its volume. */
  readonly file: string | null;
  /** Creation time of the data file (nanoseconds since 1970). A copy has a later one. */
  readonly made: string | null;
}

/**
 * External state: facts about a data folder that are stored outside of it, for this account on this
 * computer, so that a restored backup does not bring them along. Every method throws 'storage' with
 * 'state-folder' when the state cannot be read or written.
 */
export interface ExternalState {
  place(): Promise<Place>;
  read(name: string): Promise<string | null>;
  /** Writes the text, and returns only when it is on disk. */
  write(name: string, text: string): Promise<void>;
}
