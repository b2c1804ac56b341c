import type { Json } from '../../../../shared/rules/evidence/canonical-json.ts';
import type { Content, Shape } from '../../../../shared/rules/office/merge.ts';
import type { Clock, Stores } from '../../ports.ts';

/** How this desk keeps what is shared of one kind. */
export interface ItemKeeper {
  readonly shape: Shape;
  /** All of this desk, by id. */
  list(): ReadonlyMap<string, Json>;
  read(id: string): Content;
  /** Undefined removes it. False: there is no place for it here yet, and nothing was written. */
  write(id: string, content: Content): boolean;
  /**
   * One of this desk that is the same, and that the office does not have, gets this id: both were
   * written before they were shared.
   */
  adopt?(id: string, content: Json, isKnown: (id: string) => boolean): void;
  titleOf(id: string, content: Json): string;
  /** What a question shows of a field; null where there is none. */
  textOf(content: Content): string | null;
}

export interface KeeperPorts {
  readonly stores: Pick<Stores, 'people' | 'settings' | 'connections'>;
  readonly clock: Clock;
}
