import type { Release, UpdateFeed, UpdateWay } from '../../../shared/contract/updates.ts';

/** What is kept between two starts. */
export interface UpdateRecord {
  readonly feed: UpdateFeed | null;
  /** Epoch milliseconds. */
  readonly checkedAt: number | null;
  readonly offered: Release | null;
  /** The highest version that this feed ever offered: what is below it is older. */
  readonly highest: string | null;
}

export interface UpdateStore {
  read(): UpdateRecord;
  write(record: UpdateRecord): void;
}

/** A release with its files, as the feed's key signed them. */
export interface SignedRelease extends Release {
  /** The feed's folder, in which files without an address of their own lie. */
  readonly address: string;
  /** Of the key that signed it. */
  readonly fingerprint: string;
  readonly files: readonly {
    readonly url: string;
    /** Base64. */
    readonly sha512: string;
    readonly size?: number | undefined;
    /** An installation for everybody on Windows. */
    readonly isAdminRightsRequired?: boolean | undefined;
  }[];
}

/** Asks feeds. */
export interface UpdateSource {
  /** The feed as it is kept. Throws 'invalid' with the field, `url` or `key`. */
  check(feed: UpdateFeed): UpdateFeed;
  /** Throws `AppError`; what it gives is signed. */
  read(feed: UpdateFeed, signal: AbortSignal): Promise<SignedRelease>;
}

/** What this installation can do with a release. */
export type Updater =
  | { readonly way: Exclude<UpdateWay, 'here'> }
  | {
      readonly way: 'here';
      /**
       * Asks the person, outside of the page; then downloads and verifies. From then on it is
       * installed when the program ends. Throws `AppError`; 'cancelled' when the person said no.
       */
      prepare(
        release: SignedRelease,
        report: (bytes: number, total: number | null) => void,
        signal: AbortSignal,
      ): Promise<void>;
      /** Whether what was prepared can be taken back; macOS takes it over at once. */
      readonly canWithdraw: boolean;
      /** What was prepared is not installed after all, and is removed. */
      withdraw(): void;
    };
