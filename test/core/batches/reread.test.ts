import { expect, it } from 'vitest';
import type { Batch } from '../../../shared/contract/batches.ts';
import { addBatch, addLease, people, startBatchDesk } from '../../support/desks/batch-desk.ts';

it('reading a file again first shows how many edited rows will be lost', async () => {
  using started = await startBatchDesk();
  const { api } = started.desk;
  const { id, choices } = await addBatch(started, await addLease(started.desk), people(5));
  expect(await api['batches.byHand']({ id })).toEqual({ rows: 0 });
  const edits = [0, 1].map((column) => ({ row: 2, column, text: 'Eva' }));
  await api['batches.edit']({ id, edits });
  await api['batches.exclude']({ id, rows: [4], isExcluded: true });
  expect(await api['batches.byHand']({ id })).toEqual({ rows: 2 });
  await api['batches.reread']({ id, choices });
  expect(await api['batches.byHand']({ id })).toEqual({ rows: 0 });
});

it('reading another header row matches the columns again, and keeps the choices that still fit', async () => {
  using started = await startBatchDesk();
  const { api } = started.desk;
  const template = await addLease(started.desk);
  const names = 'Vem;Efternamn;Personnummer;E-post;Hyra';
  const above = { header: 'Hyror;;;;', choices: { headerRow: 1 } };
  const { id } = await addBatch(started, template, [names, ...people(2)], above);
  const columnsOf = ({ matches }: Batch) =>
    new Map(matches.map(({ placeholder, column }) => [placeholder, column]));
  const read = await api['batches.reread']({ id, choices: { headerRow: 2 } });
  expect(columnsOf(read).get('Last name')).toBe('Efternamn');
  expect(columnsOf(read).get('First name')).toBeNull();
  const matches = read.matches.map((match) =>
    match.placeholder === 'First name' ? { ...match, column: 'Vem' } : match,
  );
  await api['batches.setMatches']({ id, matches });
  const again = await api['batches.reread']({ id, choices: { headerRow: 2, hidden: 'read' } });
  expect(again.matches).toEqual(matches);
  const wrong = await api['batches.reread']({ id, choices: { headerRow: 1 } });
  expect([...columnsOf(wrong).values()].every((column) => column === null)).toBe(true);
  const back = await api['batches.reread']({ id, choices: { headerRow: 2 } });
  expect(columnsOf(back)).toEqual(columnsOf(again));
});
