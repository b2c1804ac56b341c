import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { EvidenceStore } from '../../../../electron/core/evidence/ports.ts';
import type { EvidenceFact } from '../../../../shared/contract/evidence.ts';
import type { AgreementKey } from '../../../../shared/model/ids.ts';
import { reviewed } from '../../../support/evidence-facts.ts';
import { createMemoryStores } from '../../../support/fakes/memory-stores.ts';
import { idOf, newConnection } from '../samples.ts';
import { NOW } from '../temp-database.ts';

let evidence: EvidenceStore;

beforeEach(() => {
  ({ evidence } = createMemoryStores());
});

const [a, b] = [newConnection().id, newConnection().id];
const ax: AgreementKey = { connectionId: a, id: idOf('x') };

/** Writes an entry about an agreement. Returns the number of the entry. */
function append(
  { connectionId, id }: AgreementKey = ax,
  change: { readonly at?: number; readonly ref?: string; readonly fact?: EvidenceFact } = {},
): number {
  const { connection, agreement, fact, ...rest } = reviewed(id);
  const { number } = evidence.append((last) => {
    const entry = {
      ...rest,
      number: (last?.number ?? 0) + 1,
      at: change.at ?? NOW,
      ref: change.ref ?? null,
      connection: Object.assign(connection, { id: connectionId }),
      agreement,
      by: { user: 'maria', computer: 'desk', person: null },
      program: 'Signing Desk',
      fact: change.fact ?? fact,
      previous: last?.hash ?? '',
    };
    return { number: entry.number, text: JSON.stringify(entry), hash: `hash ${entry.number}` };
  });
  return number;
}

const intended: EvidenceFact = {
  kind: 'intended',
  act: 'sign',
  party: { id: 'p', name: 'Berg', orgNo: null },
  parties: [],
  documents: [],
  review: null,
  approval: null,
  requestSha256: 'ab',
  signedAt: null,
};
const ended = (intent: number, outcome: 'done' | 'unknown'): EvidenceFact => ({
  kind: 'ended',
  act: 'sign',
  intent,
  outcome,
  known: 'answer',
  state: null,
  failure: null,
});

const numbers = (entries: readonly { readonly number: number }[]) =>
  entries.map(({ number }) => number);

describe('entries of the evidence log', () => {
  it('are listed for one agreement of one connection, or for all, newest first', () => {
    const keys = [a, b].flatMap((connectionId) =>
      ['x', 'y'].map((id) => ({ connectionId, id: idOf(id) })),
    );
    for (const key of [...keys, ax]) append(key);
    expect(numbers(evidence.list({ limit: 9 }))).toEqual([5, 4, 3, 2, 1]);
    expect(numbers(evidence.list({ key: ax, limit: 9 }))).toEqual([5, 1]);
    expect(numbers(evidence.list({ key: ax, limit: 1 }))).toEqual([5]);
    expect([evidence.count({}), evidence.count({ key: ax })]).toEqual([5, 2]);
    expect(evidence.connectionsOf(idOf('x')).toSorted()).toEqual([a, b].toSorted());
    expect(evidence.connectionsOf(idOf('z'))).toEqual([]);
  });

  it('are filtered by time, including the start and excluding the end, and by number', () => {
    for (const at of [NOW, NOW + 1, NOW + 2, NOW + 3]) append(ax, { at });
    const within = (query: object) => numbers(evidence.list({ limit: 9, ...query }));
    expect(within({ from: NOW + 1, to: NOW + 3 })).toEqual([3, 2]);
    expect(evidence.count({ from: NOW + 1, to: NOW + 3 })).toBe(2);
    expect(within({ from: NOW + 3 })).toEqual([4]);
    expect(within({ to: NOW + 1 })).toEqual([1]);
    expect(within({ before: 3 })).toEqual([2, 1]);
    expect(within({ before: 3, from: NOW + 1 })).toEqual([2]);
  });

  it('are found by their number and by their outbox row, oldest first', () => {
    const [ref, other] = [randomUUID(), randomUUID()];
    append(ax, { ref });
    append(ax, { ref: other });
    append(ax, { ref });
    expect(numbers(evidence.ofRef(ref))).toEqual([1, 3]);
    expect([evidence.at(2)?.hash, evidence.at(4)]).toEqual(['hash 2', null]);
    expect(evidence.last()?.number).toBe(3);
  });

  it('are omitted from lists if they cannot be read, but are still checked in the walk', () => {
    append();
    evidence.append(() => ({ number: 2, text: 'not JSON', hash: 'hash 2' }));
    append();
    expect(numbers(evidence.list({ limit: 9 }))).toEqual([3, 1]);
    expect(numbers([...evidence.walk()])).toEqual([1, 2, 3]);
  });

  it('are read one after the other for checking, each once, however many there are', () => {
    for (let count = 0; count < 1001; count += 1) append();
    const walked = numbers([...evidence.walk()]);
    expect(walked).toEqual(Array.from({ length: 1001 }, (_, at) => at + 1));
  });
});

describe('an intent in the evidence log', () => {
  it('is open until its last outcome is known', () => {
    const first = append(ax, { fact: intended });
    append();
    const second = append(ax, { fact: intended });
    const open = () => numbers(evidence.openIntents());
    expect(open()).toEqual([first, second]);
    append(ax, { fact: ended(first, 'unknown') });
    expect(open()).toEqual([first, second]);
    append(ax, { fact: ended(first, 'done') });
    expect(open()).toEqual([second]);
    append(ax, { fact: ended(second, 'done') });
    append(ax, { fact: ended(second, 'unknown') });
    expect(open()).toEqual([second]);
  });
});

it('only the last checked position of the evidence log is stored', () => {
  expect(evidence.noted()).toBeNull();
  for (const entries of [0, 2]) evidence.setNoted({ entries, hash: `hash ${String(entries)}` });
  expect(evidence.noted()).toEqual({ entries: 2, hash: 'hash 2' });
});
