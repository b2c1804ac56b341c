import type { Json } from '../../../../shared/rules/evidence/canonical-json.ts';
import type { Content, Shape } from '../../../../shared/rules/office/merge.ts';
import type { Emit } from '../../../../shared/contract/index.ts';
import type { SeatId } from '../../../../shared/contract/office/office.ts';
import type { OutboxTransitions } from '../../outbox/transitions.ts';
import type { Chance, Clock, Stores } from '../../ports.ts';

/** How this desk keeps what is shared of one kind. */
export interface ItemKeeper {
  readonly shape: Shape;
  /** All of this desk, with their ids; some at a time where there may be many. */
  list(): Iterable<readonly [id: string, content: Json]>;
  read(id: string): Content;
  /**
   * Undefined removes it. `files`, by hash, hold what it needs and this desk does not have. False: there
   * is no place for it here yet, and nothing was written.
   */
  write(id: string, content: Content, files: ReadonlyMap<string, Uint8Array>): boolean;
  /** When it was changed here last (epoch ms); null where that is not known. */
  changedAt?(id: string): number | null;
  /** When its person was forgotten here, or it was removed with one (epoch ms); null for any other. */
  forgottenAt?(id: string): number | null;
  /** The hashes of the files that belong to it. */
  filesOf?(content: Content): readonly string[];
  /** Such a file as this desk has it; null where this desk has another one, or none. */
  readFile?(id: string, sha256: string): Uint8Array | null;
  /** Nothing is written under this id now: it is being sent from here, or was. */
  isClosed?(id: string): boolean;
  /** It stays as the office has it, whatever is changed here. */
  isWithheld?(id: string): boolean;
  /**
   * One of this desk that is the same, and that the office does not have, gets this id: both were
   * written before they were shared.
   */
  adopt?(id: string, content: Json, isKnown: (id: string) => boolean): void;
  /**
   * Both sides changed it, and nobody is asked: what is here becomes an entry of its own, before it is
   * written over by the version of this seat.
   */
  keepBoth?(id: string, seat: SeatId): void;
  /** It is here still: its person took it out of the office, and did not remove it. */
  isKept?(id: string): boolean;
  titleOf(id: string, content: Json): string;
  /** What a question shows of a field; null where there is none. */
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
