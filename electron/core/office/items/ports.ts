import type { OfficeUserId } from '../../../../shared/contract/office/office.ts';
import type { OfficeItemKind } from '../../../../shared/contract/office/items.ts';
import type { Json } from '../../../../shared/rules/evidence/canonical-json.ts';

/** A version of a shared item, as written by this computer. */
export interface NewItemVersion {
  readonly kind: OfficeItemKind;
  readonly id: string;
  /** Version number: one more than that of the previous version; 1 for the first version. */
  readonly version: number;
  /** Null if the item was removed. */
  readonly content: Json | null;
  /**
   * For a draft without content: a user removed the draft for everyone. If the field is absent, the
   * draft may still exist for the user who took it out of the office, or a computer with an older
   * version of the program removed it.
   */
  readonly isRemoved?: true;
}

export interface SharedItem extends NewItemVersion {
  readonly seat: OfficeUserId;
  /** Number of the change. It increases in the order in which versions are committed. */
  readonly number: number;
  /** Milliseconds since the commit, by the office's clock. */
  readonly age: number;
  /**
   * Whether the content was not written by the program or cannot be decrypted. Only `seat`, its
   * writer, is meaningful then.
   */
  readonly isUnreadable?: true;
}

/** Every method throws 'offline' if the office is unreachable. */
export interface SharedItems {
  /** Returns the kinds that this user may see. */
  kinds(): Promise<readonly { readonly kind: OfficeItemKind; readonly mayWrite: boolean }[]>;
  /**
   * Returns the newest versions of items that changed after the number `after`, in ascending order.
   * Unreadable versions are included and have `isUnreadable`. Returns fewer than `limit` versions
   * if they are long.
   */
  changes(
    kinds: readonly OfficeItemKind[],
    after: number,
    limit: number,
  ): Promise<{ readonly items: readonly SharedItem[]; readonly hasMore: boolean }>;
  /**
   * Writes versions and returns those that were written. The others conflict with a version that
   * another computer wrote first. The files of a removed draft are removed in the same transaction.
   */
  write(versions: readonly NewItemVersion[]): Promise<ReadonlySet<NewItemVersion>>;
}

/** Owner of a shared file. Templates share their files. */
export interface FileOwner {
  readonly kind: 'template' | 'draft';
  readonly id: string;
}

/** Files of templates and drafts. Every method throws 'offline' if the office is unreachable. */
export interface SharedFiles {
  /**
   * Stores a file, unless the office has it. If a different file has its name in the office, the
   * file gets a random name, which the next version of the owner contains.
   */
  put(owner: FileOwner, sha256: string, data: Uint8Array): Promise<void>;
  /**
   * Reads a file. Throws 'storage' with 'data-damaged' if the file is missing, incomplete or
   * replaced.
   */
  read(owner: FileOwner, sha256: string): Promise<Uint8Array>;
}

/** An item as in the office when this computer last read or wrote it. */
export interface KnownItem extends NewItemVersion {
  readonly seat: OfficeUserId;
  /** Fields that have an open question to the user of this computer. */
  readonly open: readonly string[];
  /** False if the item is in the office but cannot be stored on this computer yet. */
  readonly isHere: boolean;
}
