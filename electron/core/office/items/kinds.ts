import type { OfficeItemKind, OfficeSet } from '../../../../shared/contract/office-items.ts';
import type { Json } from '../../../../shared/rules/evidence/canonical-json.ts';
import type { Content, Shape } from '../../../../shared/rules/office/merge.ts';
import type { EventName } from '../../../../shared/contract/index.ts';
import type { Clock, Stores } from '../../ports.ts';
import { createGroupItems } from './groups.ts';
import { createNumberItems, createPersonItems } from './people.ts';
import { createViewItems } from './views.ts';

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

/** In the order in which they are written: what names another comes after it. */
export const kindsOf = {
  'address-book': ['person', 'number', 'group'],
  views: ['view'],
} as const satisfies Readonly<Record<OfficeSet, readonly OfficeItemKind[]>>;

/** What this desk says when it has received some of them. */
export const changedEvents = {
  'address-book': 'people.changed',
  views: 'settings.changed',
} as const satisfies Readonly<Record<OfficeSet, EventName>>;

export type ItemKeepers = Readonly<Record<OfficeItemKind, ItemKeeper>>;

export interface KeeperPorts {
  readonly stores: Pick<Stores, 'people' | 'settings' | 'connections'>;
  readonly clock: Clock;
}

export function createItemKeepers(ports: KeeperPorts): ItemKeepers {
  return {
    person: createPersonItems(ports),
    number: createNumberItems(ports),
    group: createGroupItems(ports),
    view: createViewItems(ports),
  };
}

/** Whether something that desks share may have been changed here, or may have a place here now. */
export const isShared = (name: EventName): boolean =>
  name === 'connections.changed' || Object.values<EventName>(changedEvents).includes(name);

export function setOf(kind: OfficeItemKind): OfficeSet {
  return kind === 'view' ? 'views' : 'address-book';
}
