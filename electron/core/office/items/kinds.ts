import type { OfficeItemKind, OfficeSet } from '../../../../shared/contract/office-items.ts';
import type { EventName } from '../../../../shared/contract/index.ts';
import type { ItemKeeper, KeeperPorts } from './keeper.ts';
import { createGroupItems } from './groups.ts';
import { createNumberItems, createPersonItems } from './people.ts';
import { createViewItems } from './views.ts';

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
