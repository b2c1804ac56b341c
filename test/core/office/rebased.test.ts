import { describe, expect, it } from 'vitest';
import { OfficeExchange } from '../../../electron/core/office/items/exchange.ts';
import { rebaseKnownItem } from '../../../electron/core/office/items/rebased.ts';

import type { KnownItem, SharedItem } from '../../../electron/core/office/items/ports.ts';
import { OfficeSession } from '../../../electron/core/office/session.ts';
import { OfficeUserId } from '../../../shared/contract/office/office.ts';
import { createWorld, startMemoryDesk } from '../../support/fakes/memory-desk.ts';
import { createMemoryOffice, join } from './memory-office.ts';

/** Number of the newest change in the older database. */
const LAST = 40;
const BEFORE = { last: LAST, hasMissed: false };
const ID = '7a0c9d0e-0000-4000-8000-000000000001';
const seat = OfficeUserId.parse('7a0c9d0e-0000-4000-8000-000000000002');

const known = (change: Partial<KnownItem> = {}): KnownItem => ({
  kind: 'person',
  id: ID,
  version: 5,
  content: { lastName: 'Ek' },
  seat,
  open: [],
  isHere: true,
  ...change,
});
const there = (change: Partial<SharedItem> = {}): SharedItem => ({
  kind: 'person',
  id: ID,
  version: 3,
  content: { lastName: 'Old' },
  seat,
  number: LAST,
  age: 0,
  ...change,
});

describe('an item of an office whose database was restored to an older state', () => {
  it('uses the older version as its base, so that this computer sends its own again (DL-B2)', () => {
    const next = rebaseKnownItem(known(), there(), BEFORE);
    expect(next).toEqual(known({ version: 3, content: { lastName: 'Old' } }));
  });

  it('stays unchanged when the older database has the same content (DL-B2)', () => {
    const next = rebaseKnownItem(known(), there({ content: { lastName: 'Ek' } }), BEFORE);
    expect(next).toEqual(known({ version: 3 }));
  });

  it('is removed again when this computer knows that it was removed (DL-B2)', () => {
    expect(rebaseKnownItem(known({ content: null }), there(), BEFORE)).toBeNull();
    expect(
      rebaseKnownItem(known({ content: null }), there({ number: LAST + 1 }), BEFORE),
    ).toBeNull();
  });

  it('leads to a question when another computer changed it after the restore, and no version is lost (DL-B2)', () => {
    const written = there({ version: 4, number: LAST + 1 });
    expect(rebaseKnownItem(known(), written, BEFORE)).toEqual(known({ version: 3, content: null }));
  });

  it('is removed on this computer when another computer removed it after the restore (DL-B2)', () => {
    const removed = there({ version: 4, number: LAST + 1, content: null });
    expect(rebaseKnownItem(known(), removed, BEFORE)).toEqual(known({ version: 3 }));
  });

  it('keeps its version on this computer when the restored one is later, which is then received as usual (SR-P13)', () => {
    const later = there({ version: 6, content: { lastName: 'Berg' } });
    expect(rebaseKnownItem(known(), later, BEFORE)).toEqual(known());
    expect(rebaseKnownItem(known({ content: null }), later, BEFORE)).toEqual(
      known({ content: null }),
    );
  });

  it('leads to a question about a later version if this computer missed changes before, and none is lost (SR-P14)', () => {
    const later = there({ version: 6, content: { lastName: 'Berg' } });
    const missed = { last: LAST, hasMissed: true };
    expect(rebaseKnownItem(known(), later, missed)).toEqual(known({ content: null }));
    expect(rebaseKnownItem(known({ content: null }), later, missed)).toEqual(
      known({ content: null }),
    );
  });
});

it('an item that was removed before an office lost all its data stays removed, and the exchange goes on', async () => {
  const office = createMemoryOffice();
  const world = { ...createWorld(), offices: office.offices };
  await join(world);
  const desk = startMemoryDesk(world);
  await desk.api['office.share']({ set: 'address-book', isShared: true });
  world.stores.office.putItem(known({ content: null }));
  const room = new OfficeSession({
    ...desk,
    version: '1.0.0',
    emit: () => undefined,
    trusted: async () => undefined,
    reached: async () => undefined,
  });
  const exchange = new OfficeExchange({
    ...desk,
    room,
    transitions: { postpone: () => false },
    emit: () => undefined,
    hinted: () => undefined,
  });
  await exchange.rebase(await room.require(), { last: 0, hasMissed: false });
  await exchange.run();
  expect(office.item('person', ID)).toMatchObject({ version: 1, content: null });
  expect(world.stores.office.item('person', ID)).toMatchObject({ version: 1, content: null });
  expect(exchange.last.failure).toBeNull();
  await exchange.end();
  await desk.desk.stop();
});
