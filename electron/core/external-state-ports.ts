/**
 * What a data folder lies on, as the system reports it; none of it is moved by restoring a backup.
 * Null where a system does not say.
 */
export interface Place {
  /** Of the computer, or of the container, hashed. */
  readonly computer: string | null;
  readonly volume: string | null;
  /** The data file's number on its volume. */
  readonly file: string | null;
  /** Nanoseconds since 1970: when that file was made. A copy is made later. */
  readonly made: string | null;
}

/**
 * What this account of this computer keeps about a data folder, outside of it: a backup that is put
 * back does not bring it along. Every method throws 'storage' with 'state-folder' when that cannot
 * be read or written.
 */
export interface ExternalState {
  /** Where the data lies now. */
  place(): Promise<Place>;
  read(name: string): Promise<string | null>;
  /** On disk when it returns. */
  write(name: string, text: string): Promise<void>;
}
