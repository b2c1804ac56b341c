import { beforeEach, describe, expect, it } from 'vitest';
import { createEncoding } from '../../../electron/adapters/system/encoding.ts';
import { findHits, clockFloorOf } from '../../../electron/core/outbox/hits.ts';
import { hashOfParties } from '../../../electron/core/outbox/marks.ts';
import type { NewRow, SeenAgreement, StoredItem } from '../../../electron/core/outbox/ports.ts';
import { CLOCK_SLACK, ZONES } from '../../../electron/core/outbox/times.ts';
import type { SendMark } from '../../../shared/contract/outbox.ts';
import { AgreementId, type ConnectionId } from '../../../shared/model/ids.ts';
import { wallTime } from '../../../shared/rules/time/days.ts';
import { parseV2Time } from '../../../shared/rules/time/wire-time.ts';
import {
  addConnection,
  createWorld,
  startMemoryDesk,
  type World,
} from '../../support/fakes/memory-desk.ts';
import { sha256 } from '../../support/fakes/memory-ports.ts';
import { insertRow } from '../../support/outbox-rows.ts';
import { HOUR } from '../../../shared/rules/time/units.ts';

const hashing = { sha256, encoding: createEncoding() };
const PARTIES = ['company:5560360793', 'person:9001019802'];
const FIELD: SendMark = { by: 'field', templateId: '7', field: 'ref' };
const NAMED: SendMark = { by: 'name', name: 'Lease ·AB23CD' };

let world: World;
let connectionId: ConnectionId;

beforeEach(async () => {
  world = createWorld();
  connectionId = (await addConnection(startMemoryDesk(world))).id;
});

function rowWith(mark: SendMark, change: Partial<NewRow> = {}): StoredItem {
  const parties = hashOfParties(PARTIES, hashing);
  const ref = insertRow(world, connectionId, { mark, parties, ...change });
  return world.stores.outbox.get(ref);
}

const seenAs = (change: Partial<SeenAgreement> = {}): SeenAgreement => ({
  id: AgreementId.parse('theirs'),
  title: 'Lease',
  sentAt: world.clock.now(),
  state: 'PENDING',
  ref: null,
  parties: PARTIES,
  fields: null,
  ...change,
});

/** Ids of the matches in the list, each with whether the match is certain. */
function found(item: StoredItem, ...seen: readonly SeenAgreement[]) {
  const reading = { seen, pages: 1, incompleteReason: null, serverTime: null };
  const hits = findHits({ ...hashing, stores: world.stores }, [item], reading);
  return (hits.get(item.ref) ?? []).map(({ remoteId, isMarked }) => [remoteId, isMarked]);
}

const SURE = [['theirs', true]];
const ALIKE = [['theirs', false]];

describe('the matches of a send in the list', () => {
  it('are missing if the service was not reached or the list has no matching agreement', () => {
    const item = rowWith({ by: 'tag' });
    const ports = { ...hashing, stores: world.stores };
    expect(findHits(ports, [item], null).size).toBe(0);
    const reading = { seen: [seenAs()], pages: 1, incompleteReason: null, serverTime: null };
    expect(findHits(ports, [item], reading).size).toBe(0);
  });

  it('are reported with the data that the list shows', () => {
    const item = rowWith({ by: 'tag' });
    const seen = seenAs({ ref: item.ref, title: 'Renamed', state: 'SIGNED', sentAt: 5 });
    const reading = { seen: [seen], pages: 1, incompleteReason: null, serverTime: null };
    const hits = findHits({ ...hashing, stores: world.stores }, [item], reading);
    expect(hits.get(item.ref)).toEqual([
      { remoteId: 'theirs', title: 'Renamed', sentAt: 5, state: 'SIGNED', isMarked: true },
    ]);
  });

  it('are all agreements with its tag, under any title, and only those', () => {
    const item = rowWith({ by: 'tag' });
    const other = seenAs({ id: AgreementId.parse('other'), ref: item.ref });
    expect(found(item, seenAs({ ref: item.ref, title: 'Renamed' }))).toEqual(SURE);
    expect(found(item, seenAs({ ref: item.ref }), other)).toEqual([...SURE, ['other', true]]);
    expect(found(item, seenAs({ ref: rowWith({ by: 'tag' }).ref }))).toEqual([]);
    expect(found(item, seenAs())).toEqual([]);
  });

  it('are identified by a hidden field that contains its mark', () => {
    const item = rowWith(FIELD);
    expect(found(item, seenAs({ fields: { ref: item.ref } }))).toEqual(SURE);
    expect(found(item, seenAs({ fields: { ref: 'another' } }))).toEqual([]);
    expect(found(item, seenAs({ fields: { other: item.ref } }))).toEqual([]);
    expect(found(item, seenAs())).toEqual([]);
  });

  it('are the agreements whose name contains its code, unless the parties differ', () => {
    const item = rowWith(NAMED);
    const title = 'Lease ·AB23CD';
    expect(found(item, seenAs({ title }))).toEqual(SURE);
    expect(found(item, seenAs({ title, parties: null }))).toEqual(SURE);
    expect(found(item, seenAs({ title, parties: PARTIES.slice(1) }))).toEqual(ALIKE);
    expect(found(item, seenAs({ title: 'Another' }))).toEqual([]);
  });

  it.each<SendMark>([{ by: 'token' }, { by: 'nothing' }])(
    'are never certain with a mark by $by: only name and parties can match',
    (mark) => {
      const item = rowWith(mark);
      expect(found(item, seenAs())).toEqual(ALIKE);
      expect(found(item, seenAs({ parties: PARTIES.toReversed() }))).toEqual(ALIKE);
      expect(found(item, seenAs({ parties: null }))).toEqual(ALIKE);
      expect(found(item, seenAs({ parties: ['person:1'] }))).toEqual([]);
      expect(found(item, seenAs({ title: 'Another' }))).toEqual([]);
      const listedWithoutParties = rowWith(mark, { parties: null });
      expect(found(listedWithoutParties, seenAs({ parties: ['person:1'] }))).toEqual(ALIKE);
    },
  );

  it('if it has no mark, exclude agreements older than its request by the service’s clock', () => {
    const item = rowWith({ by: 'nothing' });
    const { outbox } = world.stores;
    // The local clock is two days ahead of the service's.
    const floor = item.createdAt - 48 * HOUR;
    outbox.claim(item.ref, { at: item.createdAt, floor, credential: 'key' });
    const earliest = floor - 14 * HOUR;
    expect(found(item, seenAs({ sentAt: earliest }))).toEqual(ALIKE);
    expect(found(item, seenAs({ sentAt: earliest - 1 }))).toEqual([]);
    expect(found(item, seenAs({ sentAt: null }))).toEqual(ALIKE);
  });

  it('may be a day older than its row if it has no attempt on this computer', () => {
    const item = rowWith({ by: 'nothing' });
    const earliest = item.createdAt - 24 * HOUR - CLOCK_SLACK - ZONES;
    expect(found(item, seenAs({ sentAt: earliest }))).toEqual(ALIKE);
    expect(found(item, seenAs({ sentAt: earliest - 1 }))).toEqual([]);
  });

  it('are never taken from a list if the send is a signature', () => {
    const item = rowWith({ by: 'object' });
    expect(found(item, seenAs({ ref: item.ref }))).toEqual([]);
  });

  it('exclude agreements of another send, and include the agreement of the send itself', () => {
    const item = rowWith({ by: 'tag' });
    const { outbox } = world.stores;
    const move = { to: 'sent', cause: 'answer', remoteId: AgreementId.parse('theirs') } as const;
    const other = rowWith({ by: 'tag' });
    outbox.move(other.ref, ['queued'], move, world.clock.now());
    expect(found(item, seenAs({ ref: item.ref }))).toEqual([]);
    expect(found(other, seenAs({ ref: other.ref }))).toEqual(SURE);
  });
});

describe('an agreement whose date or name the service changed', () => {
  /** Times in winter, in summer, and in the repeated hour of October. */
  const days = ['2026-01-15T09:30:00Z', '2026-07-15T09:30:00Z', '2026-10-25T00:30:00Z'];
  const zones = ['Europe/Stockholm', '+01:00', 'UTC', 'Pacific/Honolulu', 'Asia/Tokyo'];

  it.each(days.flatMap((day) => zones.map((zone) => ({ day, zone }))))(
    'is found without a mark if it is dated in $zone on $day (DL-A5)',
    ({ day, zone }) => {
      const made = Date.parse(day);
      const item = rowWith({ by: 'nothing' });
      const claim = { at: item.createdAt, floor: made - CLOCK_SLACK, credential: 'key' };
      world.stores.outbox.claim(item.ref, claim);
      const sentAt = parseV2Time(wallTime(made, zone));
      expect(sentAt).not.toBeNull();
      expect(found(item, seenAs({ sentAt }))).toEqual(ALIKE);
    },
  );

  const decomposed = 'Hyresavtal för Åsa'.normalize('NFD');
  const tidied: readonly (readonly [string, string])[] = [
    [`Lease  of ${decomposed} `, `Lease of ${decomposed} ·AB23CD`.normalize('NFC')],
    ['Lease', 'Lease · AB23CD'],
    ['Lease', 'Lease AB23CD'],
    ['Lease', 'LEASE ·AB23CD '],
    ['A & B', 'A &amp; B &middot;AB23CD'],
    ['Lease', 'Lease\u00A0·AB23CD\u200B'],
  ];

  it.each(tidied)(
    'is certainly "%s" if it is named "%s" and has the code of the send (DL-A6)',
    (name, title) => {
      const item = rowWith({ by: 'name', name: `${name} ·AB23CD` }, { title: name });
      expect(found(item, seenAs({ title }))).toEqual(SURE);
      expect(found(item, seenAs({ title, parties: null }))).toEqual(SURE);
      expect(found(item, seenAs({ title, parties: ['person:1'] }))).toEqual(ALIKE);
    },
  );

  it('is a possible match if its name was cut before the code and the parties are the same (DL-A6)', () => {
    const item = rowWith({ by: 'name', name: 'A very long lease ·AB23CD' });
    expect(found(item, seenAs({ title: 'A very long lea' }))).toEqual(ALIKE);
    expect(found(item, seenAs({ title: 'A very long lease ·AB2' }))).toEqual(ALIKE);
    expect(found(item, seenAs({ title: 'A very long lea', parties: null }))).toEqual([]);
    expect(found(item, seenAs({ title: 'A very long lea', parties: ['person:1'] }))).toEqual([]);
    expect(found(item, seenAs({ title: 'A very long lease ·ZZZZZZ' }))).toEqual([]);
    const before = clockFloorOf(world.stores, item) - ZONES - 1;
    expect(found(item, seenAs({ title: 'A very long lea', sentAt: before }))).toEqual([]);
  });

  it('is a possible match if the code is not at the end of its name, and is reported once (DL-A6)', () => {
    const item = rowWith(NAMED);
    expect(found(item, seenAs({ title: 'Lease ·AB23CD (copy)' }))).toEqual(ALIKE);
  });

  it.each<SendMark>([{ by: 'token' }, { by: 'nothing' }])(
    'is a possible match with a mark by $by if only spaces and forms of Unicode differ (DL-A6)',
    (mark) => {
      const title = `Lease  of ${decomposed}`;
      const item = rowWith(mark, { title });
      expect(found(item, seenAs({ title: `Lease of ${decomposed}`.normalize() }))).toEqual(ALIKE);
    },
  );
});
