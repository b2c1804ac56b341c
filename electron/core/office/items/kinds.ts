import type { OfficeItemKind, OfficeSet } from '../../../../shared/contract/office-items.ts';
import { TemplateId } from '../../../../shared/model/ids.ts';
import type { Emit, EventName } from '../../../../shared/contract/index.ts';
import type { ItemKeeper, KeeperPorts } from './keeper.ts';
import { createGroupItems } from './groups.ts';
import { createNumberItems, createPersonItems } from './people.ts';
import { createTemplateItems } from './templates.ts';
import { createViewItems } from './views.ts';

/** In the order in which they are written: what names another comes after it. */
export const kindsOf = {
  'address-book': ['person', 'number', 'group'],
  views: ['view'],
  templates: ['template'],
} as const satisfies Readonly<Record<OfficeSet, readonly OfficeItemKind[]>>;

/** Says that items were received. */
export function announce(emit: Emit, set: OfficeSet, ids: readonly string[]): void {
  if (set === 'address-book') emit('people.changed', {});
  else if (set === 'views') emit('settings.changed', {});
  else for (const id of ids) emit('templates.changed', { id: TemplateId.parse(id) });
}

export type ItemKeepers = Readonly<Record<OfficeItemKind, ItemKeeper>>;

export function createItemKeepers(ports: KeeperPorts): ItemKeepers {
  return {
    person: createPersonItems(ports),
    number: createNumberItems(ports),
    group: createGroupItems(ports),
    view: createViewItems(ports),
    template: createTemplateItems(ports),
  };
}

/** What may have been changed here, or may have a place here now, where this was said. */
export function setBehind(name: EventName): OfficeSet | null {
  if (name === 'people.changed') return 'address-book';
  if (name === 'settings.changed' || name === 'connections.changed') return 'views';
  return name === 'templates.changed' ? 'templates' : null;
}

export function setOf(kind: OfficeItemKind): OfficeSet {
  if (kind === 'view') return 'views';
  return kind === 'template' ? 'templates' : 'address-book';
}
