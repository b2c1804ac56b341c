import * as z from 'zod';

/**
 * What a data folder lies on, as the system tells it; none of it is moved by restoring a backup.
 * Null where a system does not tell.
 */
export const Place = z.object({
  /** Of the computer, or of the container, hashed. */
  computer: z.string().nullable(),
  volume: z.string().nullable(),
  /** The data file's number on its volume. */
  file: z.string().nullable(),
  /** Nanoseconds since 1970: when that file was made. A copy is made later. */
  made: z.string().nullable(),
});
export type Place = z.infer<typeof Place>;

/**
 * What this account of this computer keeps about a data folder, outside of it: a backup that is put
 * back does not bring it along. Every method throws 'storage' with 'state-folder' when that cannot
 * be read or written.
 */
export interface Witness {
  /** Where the data lies now. */
  place(): Promise<Place>;
  read(name: string): Promise<string | null>;
  /** On disk when it returns. */
  write(name: string, text: string): Promise<void>;
}

/** Whether two looks at the place may have been at the same one. */
export function isSamePlace(one: Place, other: Place): boolean {
  const same = (a: string | null, b: string | null) => a === null || b === null || a === b;
  return (
    same(one.computer, other.computer) &&
    same(one.volume, other.volume) &&
    same(one.file, other.file) &&
    same(one.made, other.made)
  );
}
