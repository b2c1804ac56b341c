import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { createWorld, startMemoryDesk } from '../../support/fakes/memory-desk.ts';
import { createMemoryOffice, join } from './memory-office.ts';

it('an exchange reads everything from an office that returns fewer items per answer than requested (SR-O1)', async () => {
  const office = createMemoryOffice();
  const world = { ...createWorld(), offices: office.offices };
  await join(world);
  const desk = startMemoryDesk(world);
  for (const name of ['Astrid', 'Bo', 'Cilla']) {
    const content = { kind: 'person', name };
    office.put({ kind: 'person', id: randomUUID(), version: 1, content });
  }
  office.room = 1;
  await desk.api['office.share']({ set: 'address-book', isShared: true });
  await desk.api['office.exchange']({});
  await expect
    .poll(async () => (await desk.api['people.search']({ text: '' })).length)
    .toBeGreaterThan(2);
  await desk.desk.stop();
});
