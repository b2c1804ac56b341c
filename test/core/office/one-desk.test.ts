import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OfficeBatches } from '../../../electron/core/office/batches.ts';
import { ServiceHints } from '../../../electron/core/office/hints.ts';
import { OfficeSession } from '../../../electron/core/office/session.ts';
import { sendFiles } from '../../../electron/core/office/items/files.ts';
import { OfficeExchange } from '../../../electron/core/office/items/exchange.ts';
import { createItemKeepers } from '../../../electron/core/office/items/kinds.ts';
import { AppError } from '../../../shared/errors.ts';
import { type ConnectionId, DraftId } from '../../../shared/model/ids.ts';
import type { Json } from '../../../shared/rules/evidence/canonical-json.ts';
import { GroupId, type Person, PersonId } from '../../../shared/contract/people.ts';
import { addBatch, addLease, people, realForms } from '../../support/desks/batch-desk.ts';
import {
  addConnection,
  bodyV1,
  createWorld,
  type MemoryDesk,
  startMemoryDesk,
  type World,
} from '../../support/fakes/memory-desk.ts';
import { insertRow } from '../../support/outbox-rows.ts';
import { ANNA, BO, createMemoryOffice, join, type MemoryOffice } from './memory-office.ts';
import { HOUR, MINUTE } from '../../../shared/rules/time/units.ts';

const QUIET_MS = 100;
const IDLE_MS = 120_000;
const REPORT_EVERY_MS = 5000;
const PERSON = PersonId.parse('7a0c9d0e-0000-4000-8000-00000000000a');

describe('a computer in an office', () => {
  let office: MemoryOffice;
  let world: World;
  let desk: MemoryDesk;

  beforeEach(async () => {
    office = createMemoryOffice();
    world = { ...createWorld(), offices: office.offices, pdf: realForms() };
    await join(world);
    desk = startMemoryDesk(world);
  });
  afterEach(() => desk.desk.stop());

  const keepPerson = (person: Omit<Person, 'kind'>, changedAt = 1): void => {
    const row = { times: 1, usedAt: 1, addedAt: 1, changedAt };
    world.stores.people.put({ id: PERSON, person: { kind: 'person', ...person }, ...row });
  };
  const share = (isShared = true) => desk.api['office.share']({ set: 'address-book', isShared });
  const item = () => office.item('person', PERSON);

  const newRoom = ({ offices }: Pick<MemoryOffice, 'offices'> = office) =>
    new OfficeSession({
      ...desk,
      offices,
      version: '1.0.0',
      emit: () => undefined,
      trusted: async () => undefined,
      reached: async () => undefined,
    });

  const transitions = { postpone: () => false };

  const newExchange = (room: OfficeSession) =>
    new OfficeExchange({
      ...desk,
      room,
      transitions,
      emit: () => undefined,
      hinted: () => undefined,
    });

  it('keeps the keys that its office renewed, and uses them for later readings', async () => {
    office.renewed = 'renewed keys';
    const room = newRoom();
    room.begin(async () => undefined);
    await expect.poll(() => world.vault.entries.get('office')).toBe('renewed keys');
    await room.end(async () => undefined);
  });

  it('claims nothing before a send once it has left the office', async () => {
    await desk.api['office.leave']({});
    const room = newRoom();
    expect(room.joined()).toBeNull();
  });

  it('leaves its previous office when it joins another one', async () => {
    const room = newRoom();
    await room.open();
    world.stores.office.leave(() => undefined);
    world.stores.office.join({ ...ANNA, office: BO });
    await room.open();
    await expect.poll(() => office.count.closed).toBe(1);
  });

  it('uploads the files of a shared item once, however often the item changes', async () => {
    const { keepers } = newExchange(newRoom());
    const put: string[] = [];
    const files = {
      put: async (_owner: unknown, sha: string) => void put.push(sha),
      read: async () => new Uint8Array(),
    };
    Object.assign(keepers.template, {
      filesOf: (content: unknown) => (content === undefined ? [] : ['a'.repeat(64)]),
      readFile: () => new Uint8Array([1]),
    });
    const known = { kind: 'template', id: PERSON, content: {} } as const;
    const item = () => ({ ...known, seat: BO, version: 1, open: [], isHere: true });
    await sendFiles(keepers, { item: () => null }, { ...known, version: 1 }, files);
    await sendFiles(keepers, { item }, { ...known, version: 2 }, files);
    expect(put).toEqual(['a'.repeat(64)]);
  });

  it('lists the batches of a user whose name it cannot read', async () => {
    const { batches } = { batches: { list: async () => [{ seat: ANNA.seat, desk: ANNA.desk }] } };
    const { offices } = office;
    const without: typeof offices = async () => {
      const all = await offices();
      return {
        ...all,
        open: async (...given) => ({ ...(await all.open(...given)), batches }) as never,
      };
    };
    const reports = new OfficeBatches({ ...desk, room: newRoom({ offices: without }) });
    expect(await reports.handlers['office.batches']({})).toMatchObject([
      { seat: '', isThisDesk: true },
    ]);
  });

  it('shows in the window that it shares a set, and that it stopped', async () => {
    for (const isShared of [true, false]) {
      const before = desk.emitted.length;
      await share(isShared);
      expect(desk.emitted.slice(before)).toContain('office.exchanged');
    }
  });

  it('receives the valid items when others have a shape that no computer writes (SR-M3)', async () => {
    const seats = [
      ['person', 'address-book'],
      ['group', 'address-book'],
    ] as const;
    const rest = [
      ['template', 'templates'],
      ['view', 'views'],
      ['draft', 'drafts'],
    ] as const;
    for (const [kind, set] of [...seats, ...rest]) {
      await desk.api['office.share']({ set, isShared: true });
      for (const content of [42, {}, { kind: 7, name: [] }]) {
        office.put({ kind, id: randomUUID(), version: 1, content });
      }
    }
    const content = { kind: 'person', firstName: 'Åsa', email: 'asa@example.com' };
    office.put({ kind: 'person', id: PERSON, version: 1, content });
    await desk.api['office.exchange']({});
    expect(world.stores.people.get(PERSON).person).toEqual(content);
  });

  it('asks the office once for changes that follow each other within a moment', async () => {
    await share();
    const { read } = office.count;
    for (const name of ['Tenants', 'Buyers', 'Owners']) {
      await desk.api['people.saveGroup']({ name, content: null });
    }
    world.clock.advance(QUIET_MS);
    await expect.poll(() => office.count.read).toBe(read + 1);
    world.clock.advance(QUIET_MS);
    await desk.api['office.read']({});
    expect(office.count.read).toBe(read + 1);
  });

  it('does not ask the office again after all its sent changes were written', async () => {
    await share();
    keepPerson({ firstName: 'Åsa' });
    await desk.api['people.saveGroup']({ name: 'Tenants', content: null });
    const { read, written } = office.count;
    await desk.api['office.exchange']({});
    expect(office.count.written).toBe(written + 2);
    expect(office.count.read).toBe(read + 1);
  });

  it('downloads each file of received items once, and none that it already has', async () => {
    const exchange = newExchange(newRoom());
    const [here, there] = ['a'.repeat(64), 'b'.repeat(64)];
    const asked: string[] = [];
    const files = {
      put: async () => undefined,
      read: async (_owner: unknown, sha256: string) => {
        asked.push(sha256);
        return new Uint8Array([1]);
      },
    };
    Object.assign(exchange.keepers.template, {
      filesOf: () => [here, there],
      readFile: (_id: string, sha256: string) => (sha256 === here ? new Uint8Array([2]) : null),
    });
    const item = { kind: 'template', id: PERSON, content: {} } as const;
    const fetched = await exchange.fetchFiles([item, { ...item, id: BO }], files);
    expect([asked, [...fetched.keys()]]).toEqual([[there], [there]]);
    await exchange.end();
  });

  it('shares a change of the address book within a moment, and writes it once', async () => {
    await share();
    keepPerson({ firstName: 'Åsa' });
    await desk.api['people.saveGroup']({ name: 'Tenants', content: null });
    world.clock.advance(QUIET_MS);
    await expect.poll(() => item()?.content).toEqual({ kind: 'person', firstName: 'Åsa' });
    expect(world.stores.office.item('person', PERSON)).toMatchObject({ version: 1, isHere: true });
    const { written } = office.count;
    await share(false);
    await share();
    expect(office.count.written).toBe(written);
  });

  const forget = () => desk.api['people.forget']({ id: PERSON, drafts: [], copies: false });

  it('forgets a person although it has just written their entry to the office (DL-U3)', async () => {
    await share();
    keepPerson({ firstName: 'Åsa', lastName: 'Öberg', email: 'asa@example.com' });
    await desk.api['people.saveGroup']({ name: 'Tenants', content: null });
    await desk.api['office.exchange']({});
    expect(item()?.content).toMatchObject({ firstName: 'Åsa' });
    await forget();
    await desk.api['office.exchange']({});
    expect(item()?.content).toBeNull();
  });

  it('reads again an item that was erased with a person before the item had an entry on this computer (DL-U2)', async () => {
    await desk.api['office.share']({ set: 'views', isShared: true });
    keepPerson({ firstName: 'Åsa', lastName: 'Öberg', email: 'asa@example.com' });
    const { agreementLayout: layout } = await desk.api['settings.read']({});
    const named = { kind: 'view', id: ANNA.desk } as const;
    const content = { name: 'asa@example.com', filter: {}, layout, service: 'https://elsewhere' };
    office.put({ ...named, version: 1, content });
    await desk.api['office.exchange']({});
    const known = () => world.stores.office.item('view', ANNA.desk);
    expect(known()).toMatchObject({ content, isHere: false });
    await forget();
    expect(known()).toMatchObject({ content: 'erased', isHere: false });
    for (let times = 0; times < 2; times += 1) {
      await desk.api['office.exchange']({});
      expect(known()).toMatchObject({ version: 1, content, isHere: false });
    }
  });

  it('receives the other drafts when the office lost the file of one, which can be removed (DL-U1)', async () => {
    await desk.api['office.share']({ set: 'drafts', isShared: true });
    const [lost, whole] = [ANNA.office, ANNA.desk];
    const about = { mimeType: 'application/pdf', pages: 1, fieldCount: 0, notices: [] };
    const file = { id: randomUUID(), name: 'Lease.pdf', bytes: 1, sha256: 'a'.repeat(64) };
    const contentOf = (title: string, files: readonly Json[]): Json => {
      const content = { api: 'v1', body: JSON.parse(JSON.stringify(bodyV1(title))) };
      return { content, service: null, files, sendingAt: null };
    };
    const named = { kind: 'draft', version: 1 } as const;
    office.put({ ...named, id: lost, content: contentOf('Lost', [{ ...file, ...about }]) });
    office.put({ ...named, id: whole, content: contentOf('Whole', []) });
    await desk.api['office.exchange']({});
    const titles = async () => (await desk.api['drafts.list']({})).map(({ title }) => title);
    expect(await titles()).toEqual(['Whole']);
    const failure = async () => (await desk.api['office.sharing']({})).failure;
    expect(await failure()).toMatchObject({ code: 'storage', reason: 'data-damaged' });
    office.put({ ...named, id: lost, version: 2, content: null });
    await desk.api['office.exchange']({});
    expect([await titles(), await failure()]).toEqual([['Whole'], null]);
  });

  it('finishes an exchange before the program ends', async () => {
    await share();
    const answer = Promise.withResolvers<undefined>();
    office.beforeRead = () => answer.promise;
    const { read } = office.count;
    const exchange = desk.api['office.exchange']({});
    await expect.poll(() => office.count.read).toBeGreaterThan(read);
    let hasEnded = false;
    const ended = desk.desk.stop().then(() => (hasEnded = true));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(hasEnded).toBe(false);
    answer.resolve(undefined);
    await Promise.all([exchange, ended]);
  });

  it('reports why an exchange failed', async () => {
    await share();
    const lost = { code: 'offline', message: 'Lost', reason: 'connection-lost' } as const;
    office.beforeRead = () => Promise.reject(AppError.from(lost));
    const exchange = desk.api['office.exchange']({});
    await expect(exchange).rejects.toMatchObject({ failure: { code: 'offline' } });
  });

  it('reports its batches once, however many rows were sent since its last report', async () => {
    let looks = 0;
    const batches = (): [] => {
      looks += 1;
      return [];
    };
    const stores = { ...world.stores, outbox: { ...world.stores.outbox, batches } };
    const reports = new OfficeBatches({ ...desk, stores, room: newRoom() });
    for (let sent = 0; sent < 5; sent += 1) reports.noticed('outbox.changed');
    world.clock.advance(REPORT_EVERY_MS);
    await expect.poll(() => looks).toBeGreaterThan(0);
    await reports.quietly();
    expect(looks).toBe(2);
    await reports.end();
    reports.noticed('outbox.changed');
    world.clock.advance(REPORT_EVERY_MS);
    await reports.quietly();
    expect(looks).toBe(3);
  });

  it('shows which computers claim the content of a row, except those that released it', async () => {
    const { id: connectionId } = await addConnection(desk);
    const ref = insertRow(world, connectionId, { fingerprint: 'lease' });
    const about = { key: 'a', generation: 1, desk: 'another', seat: BO, startedAt: 1 };
    const settled = { settledAt: 1, age: 1 };
    office.held = [
      { ...about, ...settled, id: ANNA.office, state: 'done' },
      { ...about, ...settled, id: ANNA.desk, state: 'released' },
    ];
    expect(await desk.api['office.holders']({ ref })).toMatchObject([
      { id: ANNA.office, seat: 'Bo', state: 'done' },
    ]);
  });

  it('gives other computers no hint about sends in its own demo', async () => {
    const { id } = await addConnection(desk);
    const ports = { ...desk, room: newRoom(), readSoon: () => undefined };
    const hints = new ServiceHints(ports);
    hints.changed(id);
    await expect.poll(() => office.count.hinted).toBe(1);
    for (const demo of await desk.api['connections.addDemo']({})) hints.changed(demo.id);
    world.clock.advance(MINUTE);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(office.count.hinted).toBe(1);
    hints.end();
  });

  it('sends a shared item again to a restored office that has lost it', async () => {
    keepPerson({ firstName: 'Åsa' });
    await share();
    expect(item()?.version).toBe(1);
    const older = createMemoryOffice();
    const room = newRoom(older);
    const exchange = newExchange(room);
    await exchange.rebase(await room.require(), { last: 0, hasMissed: false });
    await exchange.run();
    expect(older.item('person', PERSON)).toMatchObject({
      version: 1,
      content: { kind: 'person', firstName: 'Åsa' },
    });
    await exchange.end();
  });

  it('sends its change again to an office that was restored to an earlier state', async () => {
    keepPerson({ firstName: 'Åsa' });
    await share();
    keepPerson({ firstName: 'Åsa', lastName: 'Öberg' }, 2);
    await desk.api['people.saveGroup']({ name: 'Tenants', content: null });
    await desk.api['office.exchange']({});
    expect(item()?.version).toBe(2);
    const older = createMemoryOffice();
    const first = { kind: 'person', version: 1 } as const;
    older.put({ ...first, id: BO, content: { kind: 'person', firstName: 'Bo' } });
    older.put({ ...first, id: PERSON, content: { kind: 'person', firstName: 'Åsa' } });
    const room = newRoom(older);
    const exchange = newExchange(room);
    await exchange.rebase(await room.require(), { last: 2, hasMissed: false });
    await exchange.run();
    expect(older.item('person', PERSON)).toMatchObject({
      version: 2,
      content: { kind: 'person', firstName: 'Åsa', lastName: 'Öberg' },
    });
    expect(world.stores.people.get(PersonId.parse(BO)).person).toMatchObject({ firstName: 'Bo' });
    await exchange.end();
  });

  it('merges an entry that the office also has, without a question', async () => {
    keepPerson({ firstName: 'Åsa', mobile: '+46701234567' });
    const content = { kind: 'person', firstName: 'Åsa', email: 'asa@example.com' };
    office.put({ kind: 'person', id: PERSON, version: 1, content });
    await share();
    const both = { ...content, mobile: '+46701234567' };
    expect(world.stores.people.get(PERSON).person).toEqual(both);
    expect(item()?.content).toEqual(both);
    expect(await desk.api['office.questions']({})).toEqual([]);
  });

  it('takes over the office’s ID for its own group of the same name, and changes no other group', () => {
    const { group } = createItemKeepers({ ...world, transitions, emit: () => undefined });
    const [buyers, tenants, theirs] = [
      GroupId.parse(PERSON),
      GroupId.parse(ANNA.seat),
      GroupId.parse(BO),
    ];
    world.stores.people.addGroup(buyers, 'Buyers', 1);
    world.stores.people.addGroup(tenants, 'Tenants', 1);
    group.adopt?.(theirs, { name: 'tenants', members: [] }, () => false);
    const named = new Map(world.stores.people.groups().map(({ id, name }) => [id, name]));
    expect(named).toEqual(
      new Map([
        [buyers, 'Buyers'],
        [theirs, 'Tenants'],
      ]),
    );
    group.adopt?.(tenants, { name: 'tenants', members: [] }, (id) => id === theirs);
    expect(world.stores.people.groups().map(({ id }) => id)).toContain(theirs);
  });

  it('shows the services, states and tag of a reminder rule when two versions differ', () => {
    const { 'reminder-rule': rule } = createItemKeepers({
      ...world,
      transitions,
      emit: () => undefined,
    });
    const whom = { services: ['Service'], states: ['waiting'], tag: 'lease', ownOnly: false };
    expect(rule.textOf(whom)).toBe('Service · waiting · lease');
    expect(rule.textOf({ services: null, ownOnly: false })).toBe('');
  });

  describe('with a draft that other computers edit too', () => {
    let id: DraftId;
    const by = (seat: string) => {
      const task = { id: 'a', kind: 'draft', title: 'Lease', since: 1 } as const;
      return { ...task, seat, desk: 'another', number: 1 };
    };

    beforeEach(async () => {
      const content = { api: 'v1' as const, body: bodyV1('Lease') };
      ({ id } = await desk.api['drafts.create']({ content, connectionId: null }));
      await desk.api['office.together']({ draft: id, isTogether: true });
    });

    const save = async () => {
      const { revision, connectionId } = await desk.api['drafts.show']({ id });
      const content = { api: 'v1' as const, body: bodyV1(`Lease ${String(revision)}`) };
      return desk.api['drafts.save']({ id, revision, connectionId, content });
    };
    const calls: Record<string, () => Promise<unknown>> = {
      'drafts.save': save,
      'drafts.attach': () =>
        desk.api['drafts.attach']({ id, name: 'A.pdf', bytes: desk.bytes.put(new Uint8Array(9)) }),
      'drafts.undo': () => desk.api['drafts.undo']({ id, revision: 1 }),
      'drafts.redo': () => desk.api['drafts.redo']({ id, revision: 1 }),
      'drafts.delete': () => desk.api['drafts.delete']({ id }),
      'drafts.send': async () => {
        const { id: connectionId } = await addConnection(desk);
        return desk.api['drafts.send']({ id, connectionId, holdSeconds: 0, confirm: 1 });
      },
    };

    it.each(Object.keys(calls))(
      'refuses %s while another computer edits the draft',
      async (name) => {
        office.holder = by('Bo');
        await expect(calls[name]?.()).rejects.toMatchObject({
          failure: { reason: 'draft-elsewhere' },
        });
      },
    );

    it('changes nothing before it has read the latest change of another computer', async () => {
      const before = await desk.api['drafts.show']({ id });
      const shared = office.item('draft', id);
      const content = JSON.parse(JSON.stringify(shared?.content ?? null).replace('Lease', 'Rent'));
      office.put({ kind: 'draft', id, version: 2, content });
      const { revision, connectionId } = before;
      const saving = desk.api['drafts.save']({
        id,
        revision,
        connectionId,
        content: before.content,
      });
      await expect(saving).rejects.toMatchObject({ failure: { code: 'conflict' } });
      expect((await desk.api['drafts.show']({ id })).content.body).toMatchObject(bodyV1('Rent'));
    });

    it('continues its own edit without asking the office again', async () => {
      await save();
      await desk.api['office.exchange']({});
      office.holder = by('Bo');
      await save();
      await desk.api['office.exchange']({});
      await expect(save()).resolves.toMatchObject({ id });
    });

    it('keeps the service that another computer chose even if this computer cannot reach it', async () => {
      const content = z.record(z.string(), z.json()).parse(office.item('draft', id)?.content);
      const service = 'https://elsewhere.example/ 1';
      office.put({ kind: 'draft', id, version: 2, content: { ...content, service } });
      await desk.api['office.exchange']({});
      const { revision, connectionId } = await desk.api['drafts.show']({ id });
      const changed = { api: 'v1' as const, body: bodyV1('Rent') };
      await desk.api['drafts.save']({ id, revision, connectionId, content: changed });
      await desk.api['office.exchange']({});
      expect(office.item('draft', id)).toMatchObject({ version: 3, content: { service } });
    });

    it('lets another computer edit the draft some time after its own last change, and then waits for it', async () => {
      await save();
      const { freed } = office;
      world.clock.advance(IDLE_MS);
      await expect.poll(() => office.freed).toBe(freed + 1);
      office.holder = by('Bo');
      await expect(save()).rejects.toMatchObject({ failure: { reason: 'draft-elsewhere' } });
    });
  });

  describe('that hands over a batch', () => {
    const waiting = async () => (await desk.api['office.handovers']({})).map(({ id }) => id);
    const batches = async () => (await desk.api['batches.list']({})).map(({ name }) => name);

    let connectionId: ConnectionId;
    let lease: Awaited<ReturnType<typeof addLease>>;
    const given = () => world.stores.office.given().map(({ id }) => id);

    beforeEach(async () => {
      ({ id: connectionId } = await addConnection(desk));
      lease = await addLease(desk);
      await addBatch({ desk, connectionId }, lease, people(1));
    });
    const give = async () => {
      const [batch] = await desk.api['batches.list']({});
      if (batch === undefined) throw new Error('There is no batch');
      const what = { kind: 'batch', id: batch.id } as const;
      return desk.api['office.handOver']({ what, seat: BO, note: '' });
    };

    it('no longer has the batch until the handover is undone', async () => {
      const before = desk.emitted.length;
      await give();
      expect(desk.emitted.slice(before)).toContain('batches.changed');
      expect(await batches()).toEqual([]);
      const [id = ''] = await waiting();
      await desk.api['office.take']({ id });
      expect(await batches()).toEqual(['Autumn']);
    });

    it('has no part of the batch when another computer of the user took it first', async () => {
      await give();
      office.isTaken = true;
      const [id = ''] = await waiting();
      await expect(desk.api['office.take']({ id })).rejects.toMatchObject({
        failure: { code: 'not-found' },
      });
      expect(await batches()).toEqual([]);
    });

    it('forgets the batch that another member has taken, and no other', async () => {
      await give();
      const [taken = ''] = await waiting();
      await addBatch({ desk, connectionId }, lease, people(2));
      await give();
      const [, left] = await waiting();
      office.taken.add(taken);
      await waiting();
      expect(given()).toEqual([left]);
    });

    it('keeps one copy of a batch that already waits in the office', async () => {
      office.waitsAs = '7a0c9d0e-0000-4000-8000-00000000000f';
      await give();
      expect(given()).toEqual([office.waitsAs]);
    });

    it('keeps no copy of the batch when the office refuses the handover', async () => {
      office.refusal = { code: 'conflict', message: 'It waits for somebody' };
      await expect(give()).rejects.toMatchObject({ failure: { code: 'conflict' } });
      expect(world.stores.office.given()).toEqual([]);
      office.refusal = { code: 'offline', message: 'Lost', reason: 'connection-lost' };
      await expect(give()).rejects.toMatchObject({ failure: { code: 'offline' } });
      expect(world.stores.office.given()).toHaveLength(1);
    });
  });

  it('sends an overdue row without the office when a person decides so', async () => {
    const { id: connectionId } = await addConnection(desk);
    const nextAt = world.clock.now();
    const ref = insertRow(world, connectionId, { nextAt, isScheduled: true });
    world.clock.leap(24 * HOUR);
    await desk.api['office.goWithout']({ ref });
    expect(world.stores.outbox.get(ref)).toMatchObject({ state: 'queued', chosenAt: null });
  });
});
