import type { DataFacts } from './copy-ports.ts';
import type { Stores, Vault } from './ports.ts';
import type { Witness } from './witness-ports.ts';

/** A data file that was taken out of a backup, as it lies in a folder of its own. */
export interface TakenOut {
  readonly file: string;
  /** The raw key, in hex. */
  readonly key: string;
}

/** A private folder that is removed again. */
export interface Workplace {
  readonly file: string;
  remove(): Promise<void>;
}

/** A data folder that takes what a backup held. */
export interface RestoreTarget {
  readonly folder: string;
  readonly vault: Vault;
  /** Where the copy is prepared, within the folder: emptied of what a stopped restore left. */
  prepare(): Promise<Workplace>;
  /** Of the copy that is being prepared. */
  witness(file: string): Witness;
  /** The key that the folder's data has or will have, in hex. */
  dataKey(): Promise<string>;
  /** The prepared file gets its name; never over data that holds anything. */
  adopt(file: string): Promise<void>;
}

/** Opens copies that lie outside of any data folder. */
export interface RestorePlaces {
  /** Reads every page. Throws 'storage' with 'backup-damaged', or 'newer-data'. */
  inspect(copy: TakenOut): Promise<DataFacts>;
  /** Encrypts it anew. */
  changeKey(copy: TakenOut, key: string): Promise<void>;
  /** Brought to this program's version. */
  open(copy: TakenOut): { readonly stores: Stores; close(): void };
  /** For a look: outside of every data folder. */
  workplace(): Promise<Workplace>;
  /** Null: the data folder of this program. Throws 'conflict' with 'folder-has-data'. */
  target(folder: string | null): Promise<RestoreTarget>;
}
