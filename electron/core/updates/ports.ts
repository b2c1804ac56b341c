import type { Release, UpdateFeed, UpdateMethod } from '../../../shared/contract/updates.ts';

export interface UpdateRecord {
  readonly feed: UpdateFeed | null;
  /** Time of the last successful check (epoch ms); null before it. */
  readonly checkedAt: number | null;
  readonly offered: Release | null;
  /** Highest version that this feed has offered; a lower offer is a downgrade. */
  readonly highest: string | null;
}

export interface UpdateStore {
  read(): UpdateRecord;
  write(record: UpdateRecord): void;
}

/** A release with its files, as signed with the feed's key. */
export interface SignedRelease extends Release {
  /** Address of the feed's folder, for files without their own address. */
  readonly address: string;
  readonly fingerprint: string;
  readonly files: readonly {
    readonly url: string;
    /** Base64. */
    readonly sha512: string;
    readonly size?: number | undefined;
    /** Whether the file installs for all users on Windows, which needs administrator rights. */
    readonly isAdminRightsRequired?: boolean | undefined;
  }[];
}

export interface UpdateSource {
  /**
   * Returns the feed in the form in which it is stored. Throws 'invalid' with the field, `url` or
   * `key`.
   */
  check(feed: UpdateFeed): UpdateFeed;
  /**
   * Reads the release that the feed offers. Throws `AppError`; the signature of a returned release
   * was verified.
   */
  read(feed: UpdateFeed, signal: AbortSignal): Promise<SignedRelease>;
}

/** How this installation can be updated. */
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
      /**
       * Whether a prepared version can be withdrawn; on macOS, the system takes it over
       * immediately.
       */
      readonly canWithdraw: boolean;
      /** Removes the prepared version, so that it is not installed. */
      withdraw(): void;
    };
