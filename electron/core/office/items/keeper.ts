import type { Json } from '../../../../shared/rules/evidence/canonical-json.ts';
import type { Content, Shape } from '../../../../shared/rules/office/merge.ts';
import type { Emit } from '../../../../shared/contract/index.ts';
import type { OfficeUserId } from '../../../../shared/contract/office/office.ts';
import type { OutboxTransitions } from '../../outbox/transitions.ts';
import type { Chance, Clock, Stores } from '../../ports.ts';

export interface ItemKeeper {
  readonly shape: Shape;
  /** All items of this computer with their IDs; read in portions if there may be many. */
  list(): Iterable<readonly [id: string, content: Json]>;
  read(id: string): Content;
  /**
   * Writes an item; undefined content removes it. `files` (by hash) contain what it needs and this
   * computer does not have. False if there is no place for it here yet; then nothing was written.
   */
  write(id: string, content: Content, files: ReadonlyMap<string, Uint8Array>): boolean;
  /** Time of its last change here (epoch ms); null if unknown. */
  changedAt?(id: string): number | null;
  /**
   * Time at which its person was erased here, or it was removed together with one (epoch ms); else
   * null.
   */
  forgottenAt?(id: string): number | null;
  filesOf?(content: Content): readonly string[];
  /** The file as stored here; null if this computer has another file or none. */
  readFile?(id: string, sha256: string): Uint8Array | null;
  /** Whether nothing can be written under this ID because it is being sent from here, or was. */
  isClosed?(id: string): boolean;
  /** Whether the office's version stays, whatever is changed here. */
  isWithheld?(id: string): boolean;
  /**
   * Gives this ID to an identical item here that the office does not have: both were written before
   * they were shared.
   */
  adopt?(id: string, content: Json, isKnown: (id: string) => boolean): void;
  /**
   * Resolves a conflict without a question: the item here becomes a separate one before the version
   * of this user replaces it.
   */
  keepBoth?(id: string, seat: OfficeUserId): void;
  /**
   * Whether the item still exists here, because the user took it out of the office but did not
   * remove it.
   */
  isKept?(id: string): boolean;
  titleOf(id: string, content: Json): string;
  /** Text of a field for a question; null if it is empty. */
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
