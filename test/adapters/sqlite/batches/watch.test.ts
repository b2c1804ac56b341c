import { expect, it } from 'vitest';
import type { BatchStore } from '../../../../electron/core/batches/ports.ts';
import { type BatchId, OutboxRef } from '../../../../shared/model/ids.ts';
import { newBatch } from '../samples.ts';
import { NOW, tempDatabase } from '../temp-database.ts';

const ref = OutboxRef.parse('0b5f6f0e-5b0d-4c51-9a51-6c1f5c1f7a02');

type Write = (batches: BatchStore, id: BatchId) => void;

const changing: readonly (readonly [string, Write])[] = [
  [
    'rows get their references to the outbox',
    (of, id) => of.setRefs(id, [{ row: 2, ref, hash: 'h' }]),
  ],
  ['the batch is armed', (of, id) => void of.setStage(id, 'open', 'armed', NOW)],
  ['the batch is renamed', (of, id) => void of.change(id, { name: 'Spring' }, NOW)],
];
const harmless: readonly (readonly [string, Write])[] = [
  ['a cell is changed', (of, id) => void of.edit(id, [{ row: 2, column: 0, text: 'Eva' }], NOW)],
  ['a row is excluded', (of, id) => of.choose(id, [2], true, NOW)],
  ['the batch gets another policy', (of, id) => void of.change(id, { policy: 'ask' }, NOW)],
];

function versionsAround(write: Write) {
  using place = tempDatabase();
  const { batches } = place.stores;
  const entry = newBatch(['Astrid', 'Bo']);
  batches.insert(entry);
  const before = [batches.sentVersion(), batches.foreignVersion()];
  write(batches, entry.batch.id);
  const after = [batches.sentVersion(), batches.foreignVersion()];
  return after.map((version, at) => version !== before[at]);
}

it.each(changing)('the rows sent before are determined again when %s', (_, write) => {
  expect(versionsAround(write)).toEqual([true, false]);
});

it.each(harmless)('the rows sent before are not determined again when %s', (_, write) => {
  expect(versionsAround(write)).toEqual([false, false]);
});
