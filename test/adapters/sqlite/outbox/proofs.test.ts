import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { OutboxStore } from '../../../../electron/core/outbox/ports.ts';
import type { Connection } from '../../../../shared/contract/connections.ts';
import { OutboxRef } from '../../../../shared/model/ids.ts';
import { createMemoryStores } from '../../../support/fakes/memory-stores.ts';
import { claimAt, idOf, newConnection, outboxEntry } from '../samples.ts';
import { NOW } from '../temp-database.ts';

let outbox: OutboxStore;
let one: Connection;
let two: Connection;

beforeEach(() => {
  const stores = createMemoryStores();
  ({ outbox } = stores);
  [one, two] = [newConnection({ name: 'One' }), newConnection({ name: 'Two' })];
  for (const connection of [one, two]) stores.connections.save(connection);
});

/** Adds a row that was sent at `at`, and whose answer was lost. */
function lost(connection: Connection, at: number): OutboxRef {
  const entry = outboxEntry(connection);
  const { ref } = entry.item;
  outbox.insert(entry, at - 1);
  outbox.claim(ref, claimAt(at));
  outbox.move(ref, ['sending'], { to: 'unknown', cause: 'answer' }, at + 1);
  return ref;
}

describe('a circuit breaker of a connection', () => {
  const gate = (connectionId: Connection['id'], since: number, until: number | null) => ({
    connectionId,
    kind: 'breaker' as const,
    until,
    reason: null,
    since,
  });

  it('is open for one connection only, and keeps its first time if it is opened again', () => {
    outbox.closeGate(gate(one.id, NOW + 1, null));
    outbox.closeGate(gate(two.id, NOW, null));
    outbox.closeGate({
      ...gate(one.id, NOW + 9, NOW + 20),
      reason: { code: 'offline', message: 'No' },
    });
    expect(outbox.gates().map(({ connectionId }) => connectionId)).toEqual([two.id, one.id]);
    expect(outbox.gates(one.id)).toEqual([
      { ...gate(one.id, NOW + 1, NOW + 20), reason: { code: 'offline', message: 'No' } },
    ]);
    expect(outbox.openGate(one.id, 'user')).toBe(false);
    expect(outbox.openGate(one.id, 'breaker')).toBe(true);
    expect(outbox.gates()).toEqual([gate(two.id, NOW, null)]);
  });

  it('delays due rows of its connection until its end time', () => {
    const entries = [one, two].map((connection) => outboxEntry(connection));
    for (const entry of entries) outbox.insert(entry, NOW);
    const due = (now: number) => outbox.due(now, 9).map(({ connectionId }) => connectionId);
    outbox.closeGate(gate(one.id, NOW, NOW + 10));
    expect(due(NOW - 1)).toEqual([]);
    expect(due(NOW)).toEqual([two.id]);
    expect(due(NOW + 9)).toEqual([two.id]);
    expect(due(NOW + 10).toSorted()).toEqual([one.id, two.id].toSorted());
    expect(outbox.nextDue(NOW)).toBe(NOW + 10);
    outbox.closeGate(gate(one.id, NOW, null));
    expect(due(NOW + 99)).toEqual([two.id]);
    expect(outbox.nextDue(NOW)).toBeNull();
  });
});

describe('scans of sent rows', () => {
  const scan = (connection: Connection, endedAt: number) => ({
    connectionId: connection.id,
    credential: 'credential-1',
    from: NOW - 10,
    startedAt: endedAt - 1,
    endedAt,
    serverAt: endedAt,
    pages: 1,
    agreements: 2,
    canary: null,
    isComplete: true,
    lack: null,
    hits: new Map(),
  });

  it('are counted for a row from its first attempt on, for its connection only', () => {
    const ref = lost(one, NOW);
    for (const endedAt of [NOW - 1, NOW, NOW + 5]) outbox.recordScan(scan(one, endedAt));
    outbox.recordScan(scan(two, NOW + 5));
    outbox.recordScan({ ...scan(one, NOW + 6), isComplete: false, lack: 'no-canary' });
    expect(outbox.scans(ref)).toMatchObject([
      { endedAt: NOW, isComplete: true, lack: null },
      { endedAt: NOW + 5, isComplete: true },
      { endedAt: NOW + 6, isComplete: false, lack: 'no-canary' },
    ]);
    expect(outbox.scans(OutboxRef.parse(randomUUID()))).toEqual([]);
  });

  it('return the matches of each row, marked matches first, with the status seen last', () => {
    const [ref, other] = [lost(one, NOW), lost(one, NOW)];
    const hit = (id: string, isMarked: boolean, state: string) => ({
      remoteId: idOf(id),
      title: 'Lease',
      sentAt: NOW,
      state,
      isMarked,
    });
    const found = [hit('alike', false, 'waiting'), hit('marked', true, 'waiting')];
    outbox.recordScan({ ...scan(one, NOW + 5), hits: new Map([[ref, found]]) });
    expect(outbox.hits(ref)).toEqual([found[1], found[0]]);
    expect(outbox.hits(other)).toEqual([]);
    const again = hit('marked', true, 'signed');
    outbox.recordScan({ ...scan(one, NOW + 6), hits: new Map([[ref, [again]]]) });
    expect(outbox.hits(ref)).toEqual([again, found[0]]);
  });
});

describe('the results of sends to a connection', () => {
  it('are listed latest first, without unsent rows, and with settled rows as settled', () => {
    const settled = lost(one, NOW);
    for (const at of [NOW + 10, NOW + 20, NOW + 30]) lost(one, at);
    lost(two, NOW);
    const entry = outboxEntry(one);
    const { ref } = entry.item;
    outbox.insert(entry, NOW);
    outbox.claim(ref, claimAt(NOW + 40));
    outbox.move(ref, ['sending'], { to: 'queued', cause: 'answer', isUncounted: true }, NOW + 41);
    const found = { to: 'sent', cause: 'scan', remoteId: idOf('a') } as const;
    outbox.move(settled, ['unknown'], found, NOW + 42);
    expect(outbox.lastOutcomes(one.id, 9)).toEqual(['unknown', 'unknown', 'unknown', 'settled']);
    expect(outbox.lastOutcomes(one.id, 2)).toEqual(['unknown', 'unknown']);
    expect(outbox.lastOutcomes(two.id, 9)).toEqual(['unknown']);
    expect([outbox.countUnknown(one.id), outbox.countUnknown(two.id)]).toEqual([3, 1]);
  });
});
