import type { Json } from '../../../../shared/rules/evidence/canonical-json.ts';
import type { Content, Shape } from '../../../../shared/rules/office/merge.ts';
import type { Emit } from '../../../../shared/contract/index.ts';
import type { OfficeUserId } from '../../../../shared/contract/office/office.ts';
import type { OutboxTransitions } from '../../outbox/transitions.ts';
import type { Chance, Clock, Stores } from '../../ports.ts';

export interface ItemKeeper {
  readonly shape: Shape;
  /** Returns all items of this computer with their IDs. A long list is read in portions. */
  list(): Iterable<readonly [id: string, content: Json]>;
  read(id: string): Content;
  /**
   * Writes an item; undefined content removes it. `files` (by hash) are those that the item needs
   * and this computer does not have. Returns false, without writing, if this computer cannot store
   * the item yet, for example because it has no connection to the item's service.
   */
  write(id: string, content: Content, files: ReadonlyMap<string, Uint8Array>): boolean;
  /** Time of the item's last change on this computer (epoch ms); null if it is unknown. */
  changedAt?(id: string): number | null;
  /**
   * Time (epoch ms) at which the item's person was erased on this computer, or the item was removed
   * together with an erased person; null if neither happened.
   */
  forgottenAt?(id: string): number | null;
  filesOf?(content: Content): readonly string[];
  /** Returns the file as stored on this computer; null if it has another file or none. */
  readFile?(id: string, sha256: string): Uint8Array | null;
  /** Whether the item cannot be written, because this computer is sending it or has sent it. */
  isClosed?(id: string): boolean;
  /** Whether the item is not sent to the office, even if it was changed on this computer. */
  isWithheld?(id: string): boolean;
  /**
   * If this computer has a matching item that the office does not have, gives that item this ID:
   * the two were written separately, before they were shared.
   */
  adopt?(id: string, content: Json, isKnown: (id: string) => boolean): void;
  /**
   * Resolves a conflict without a question: copies this computer's item to a separate item, before
   * the version of the user `seat` replaces it.
   */
  keepBoth?(id: string, seat: OfficeUserId): void;
  /**
   * Whether the item still exists on this computer, because the user took it out of the office but
   * did not remove it.
   */
  isKept?(id: string): boolean;
  titleOf(id: string, content: Json): string;
  /** Text of a field, for a question to the user; null if the field is empty. */
  textOf(content: Content): string | null;
}

export const asContent = (content: Json | null): Content => content ?? undefined;

export interface KeeperPorts {
  readonly stores: Pick<
    Stores,
    | 'people'
    | 'settings'
    | 'connections'
    | 'templates'
    | 'reminders'
    | 'drafts'
    | 'office'
    | 'privacy'
    | 'outbox'
  >;
  readonly transitions: Pick<OutboxTransitions, 'postpone'>;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly emit: Emit;
}
