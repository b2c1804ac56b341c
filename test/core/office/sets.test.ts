import { expect, it } from 'vitest';
import { officeSetsForEvent } from '../../../electron/core/office/items/kinds.ts';

it.each([
  ['people.changed', ['address-book']],
  ['settings.changed', ['views']],
  ['templates.changed', ['templates']],
  ['reminders.changed', ['reminder-rules']],
  ['drafts.changed', ['drafts']],
  // Items that name a service appear with its connection, and disappear with it.
  ['connections.changed', ['views', 'reminder-rules', 'drafts']],
  ['jobs.changed', []],
] as const)(
  'after the event %s, the office and this computer compare the sets %j',
  (name, sets) => {
    expect(officeSetsForEvent(name)).toEqual(sets);
  },
);
