import type { Release, UpdateFeed, UpdateMethod } from '../../../shared/contract/updates.ts';

export interface UpdateRecord {
  readonly feed: UpdateFeed | null;
  /** Epoch milliseconds. */
  readonly checkedAt: number | null;
  readonly offered: Release | null;
  /** Highest version that this feed ever offered; a lower offer is a downgrade. */
  readonly highest: string | null;
}

export interface UpdateStore {
  read(): UpdateRecord;
  write(record: UpdateRecord): void;
}

/** A release with its files, as signed with the feed's key. */
export interface SignedRelease extends Release {
  /** Folder of the feed, for files without their own address. */
  readonly address: string;
  readonly fingerprint: string;
  readonly files: readonly {
    readonly url: string;
    /** Base64. */
    readonly sha512: string;
    readonly size?: number | undefined;
    /** Installation for all users on Windows. */
    readonly isAdminRightsRequired?: boolean | undefined;
  }[];
}

export interface UpdateSource {
  /** Returns the feed in its stored form. Throws 'invalid' with the field, `url` or `key`. */
  check(feed: UpdateFeed): UpdateFeed;
  /** Throws `AppError`; a returned release is signed. */
  read(feed: UpdateFeed, signal: AbortSignal): Promise<SignedRelease>;
}

/** Ability of this installation to install a release. */
export type Updater =
  | { readonly way: Exclude<UpdateMethod, 'here'> }
  | {
      readonly way: 'here';
      /**
       * Asks the user outside of the page, then downloads and verifies. The version is then
       * installed when the program ends. Throws `AppError`; 'cancelled' if the user declined.
       */
      prepare(
        release: SignedRelease,
        report: (bytes: number, total: number | null) => void,
        signal: AbortSignal,
      ): Promise<void>;
      /** Whether a prepared version can be withdrawn; macOS takes it over immediately. */
      readonly canWithdraw: boolean;
      /** Removes the prepared version without installing it. */
      withdraw(): void;
    };
