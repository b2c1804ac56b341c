import { describe, expect, it } from 'vitest';
import { batchLook } from '../../../../renderer/features/outbox/batch-words.ts';
import {
  gridColumns,
  lineLook,
  shownColumns,
} from '../../../../renderer/features/outbox/columns.ts';
import { outboxLines } from '../../../../renderer/features/outbox/lines.ts';
import { m } from '../../../../renderer/ui/language.svelte.ts';
import { OutboxBatch, OutboxItem, OutboxState } from '../../../../shared/contract/outbox.ts';

const ids = {
  connection: '0b5f6f0e-5b0d-4c51-9a51-6c1f5c1f7a02',
  first: '11111111-1111-4111-8111-111111111111',
  second: '22222222-2222-4222-8222-222222222222',
} as const;

const refOf = (number: number): string =>
  `7f9c24e8-3b12-4d5f-9f51-${String(number).padStart(12, '0')}`;

const item = (number: number, change: object = {}) =>
  OutboxItem.parse({
    ref: refOf(number),
    kind: 'create',
    state: 'sent',
    title: `Avtal ${number}`,
    connectionId: ids.connection,
    remoteId: null,
    draftId: null,
    batchId: null,
    rowNo: null,
    policy: 'ask',
    mark: { by: 'tag' },
    people: ['Åsa Öberg'],
    attempts: 1,
    nextAt: null,
    isScheduled: false,
    chosenAt: null,
    verify: false,
    doubt: null,
    supersedes: null,
    reason: null,
    createdAt: number,
    updatedAt: number,
    ...change,
  });

const batch = (batchId: string, armedAt: number, change: object = {}, counts: object = {}) =>
  OutboxBatch.parse({
    batchId,
    connectionId: ids.connection,
    title: 'Hyror',
    policy: 'ask',
    gate: 'open',
    reason: null,
    stopAfter: null,
    armedAt,
    rows: 3,
    counts: {
      ...Object.fromEntries(OutboxState.options.map((state) => [state, 0])),
      ...counts,
    },
    needsPerson: 0,
    ...change,
  });

describe('the lines of the outbox', () => {
  const rowOf = (number: number) => item(number, { batchId: ids.first, rowNo: number });

  it('are open items and batches first, then ended ones, each newest first', () => {
    const lines = outboxLines({
      items: [item(3, { state: 'queued' }), item(9), item(5)],
      batches: [batch(ids.first, 7), batch(ids.second, 1, {}, { queued: 2 })],
      opened: null,
      rows: [],
    });
    const names = lines.map((one) => (one.kind === 'item' ? one.item.title : one.batch.armedAt));
    expect(names).toEqual(['Avtal 3', 1, 'Avtal 9', 7, 'Avtal 5']);
  });

  it('have the rows of the opened batch below its line only', () => {
    const opened = { batchId: batch(ids.first, 7).batchId, needsPerson: false };
    const batches = [batch(ids.first, 7), batch(ids.second, 6)];
    const rows = [rowOf(1), rowOf(2)];
    const lines = outboxLines({ items: [item(9)], batches, opened, rows });
    expect(lines.map(({ key }) => key)).toEqual([
      refOf(9),
      `batch-${ids.first}`,
      refOf(1),
      refOf(2),
      `batch-${ids.second}`,
    ]);
    expect(lines.map((one) => one.kind === 'batch' && one.isOpened)).toEqual([
      false,
      true,
      false,
      false,
      false,
    ]);
  });

  it('start with the rows of an opened batch that the list of batches excludes', () => {
    const opened = { batchId: batch(ids.first, 7).batchId, needsPerson: true };
    const lines = outboxLines({ items: [item(9)], batches: [], opened, rows: [rowOf(1)] });
    expect(lines.map(({ key }) => key)).toEqual([refOf(1), refOf(9)]);
  });
});

describe('the badge of a batch in the outbox', () => {
  it('states that rows need the user, before everything else', () => {
    expect(batchLook(batch(ids.first, 1, { needsPerson: 1 }, { queued: 2 })).tone).toBe(
      'attention',
    );
    expect(batchLook(batch(ids.first, 1, {}, { queued: 2 })).word()).toBe(m.batch_gate_open());
    expect(batchLook(batch(ids.first, 1, {}, { sent: 3 })).word()).toBe(m.batch_gate_done());
  });
});

describe('the badge of an item in the outbox', () => {
  const wordOf = (change: object): string => {
    const [line] = outboxLines({ items: [item(1, change)], batches: [], opened: null, rows: [] });
    return line === undefined ? '' : lineLook(line).word();
  };

  it('calls a signature “Signed”, and an agreement “Sent”', () => {
    expect(wordOf({ kind: 'sign' })).toBe('Signed');
    expect(wordOf({ kind: 'create' })).toBe('Sent');
  });

  it('is the same for a signature that is not finished as for an agreement', () => {
    for (const state of ['queued', 'sending', 'rejected', 'unknown'] as const) {
      expect(wordOf({ kind: 'sign', state })).toBe(wordOf({ kind: 'create', state }));
    }
  });
});

describe('the columns of the outbox', () => {
  it('become fewer in a narrow list, and always name status, kind and title', () => {
    expect(shownColumns(300)).toEqual(['state', 'kind', 'item']);
    expect(shownColumns(584)).toEqual(['state', 'kind', 'item', 'next']);
    expect(shownColumns(1000)).toHaveLength(6);
  });

  it('are as wide as their longest text', () => {
    const kindWidth = (kind: 'create' | 'sign'): number => {
      const lines = outboxLines({
        items: [item(1, { kind })],
        batches: [],
        opened: null,
        rows: [],
      });
      const measured = (texts: readonly string[]): string =>
        String(Math.max(...texts.map(({ length }) => length)));
      const [column] = gridColumns(lines, ['kind'], 0, measured);
      return Number(column?.width);
    };
    const longer = m.outbox_kind_create().length - m.outbox_kind_sign().length;
    expect(Math.sign(kindWidth('create') - kindWidth('sign'))).toBe(Math.sign(longer));
    expect(kindWidth('create')).toBeGreaterThan(0);
  });
});
