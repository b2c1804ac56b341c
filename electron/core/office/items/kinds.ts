import { type OfficeItemKind, SharedItemSet } from '../../../../shared/contract/office/items.ts';
import { AppError } from '../../../../shared/errors.ts';
import { DraftId, TemplateId } from '../../../../shared/model/ids.ts';
import type { Emit, EventName } from '../../../../shared/contract/index.ts';
import type { ItemKeeper, KeeperPorts } from './keeper.ts';
import { createDraftItems } from './drafts.ts';
import { createGroupItems } from './groups.ts';
import { createNumberItems, createPersonItems } from './people.ts';
import { createReminderRuleItems } from './reminder-rules.ts';
import { createTemplateItems } from './templates.ts';
import { createViewItems } from './views.ts';

/** Item kinds of each set, in the order of writing: an item is written after those it refers to. */
export const kindsOf = {
  'address-book': ['person', 'number', 'group'],
  views: ['view'],
  templates: ['template'],
  'reminder-rules': ['reminder-rule'],
  drafts: ['draft'],
} as const satisfies Readonly<Record<SharedItemSet, readonly OfficeItemKind[]>>;

export function announce(emit: Emit, set: SharedItemSet, ids: readonly string[]): void {
  if (set === 'address-book') emit('people.changed', {});
  else if (set === 'views') emit('settings.changed', {});
  else if (set === 'reminder-rules') emit('reminders.changed', {});
  else if (set === 'drafts') {
    for (const id of ids) emit('drafts.changed', { id: DraftId.parse(id) });
  } else for (const id of ids) emit('templates.changed', { id: TemplateId.parse(id) });
}

export type ItemKeepers = Readonly<Record<OfficeItemKind, ItemKeeper>>;

export function createItemKeepers(ports: KeeperPorts): ItemKeepers {
  return {
    person: createPersonItems(ports),
    number: createNumberItems(ports),
    group: createGroupItems(ports),
    view: createViewItems(ports),
    template: createTemplateItems(ports),
    'reminder-rule': createReminderRuleItems(ports),
    draft: createDraftItems(ports),
  };
}

/**
 * Returns the sets to exchange again after the event: it may have changed their items on this
 * computer, or items that could not be stored before may now be storable.
 */
export function officeSetsForEvent(name: EventName): readonly SharedItemSet[] {
  switch (name) {
    case 'people.changed':
      return ['address-book'];
    case 'settings.changed':
      return ['views'];
    case 'templates.changed':
      return ['templates'];
    case 'reminders.changed':
      return ['reminder-rules'];
    case 'drafts.changed':
      return ['drafts'];
    case 'connections.changed':
      return ['views', 'reminder-rules', 'drafts'];
    default:
      return [];
  }
}

export function setOf(kind: OfficeItemKind): SharedItemSet {
  const found = SharedItemSet.options.find((set) => {
    const kinds: readonly OfficeItemKind[] = kindsOf[set];
    return kinds.includes(kind);
  });
  if (found === undefined)
    throw new AppError('unexpected', `Items of the kind ${kind} cannot be shared`);
  return found;
}
