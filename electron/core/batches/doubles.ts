import type { Batch, RowProblem } from '../../../shared/contract/batches.ts';
import { dayOf } from '../../../shared/rules/time/days.ts';
import type { CheckedRow } from '../../../shared/rules/batches/check.ts';
import type { EarlierRow, StoredRow } from './ports.ts';
import type { OutboxRef } from '../../../shared/model/ids.ts';
import type { Stores } from '../ports.ts';

/** Rows that say what another row of the file, an earlier batch or an agreement says already. */
export function doublesOf(
  stores: Pick<Stores, 'batches' | 'outbox'>,
  batch: Batch,
  rows: readonly StoredRow[],
  checked: readonly CheckedRow[],
  hashes: readonly string[],
): ReadonlyMap<number, readonly RowProblem[]> {
  const { connectionId } = batch;
  const foreign =
    connectionId === null ? new Map<string, string>() : stores.batches.foreignKeys(connectionId);
  const byHash = new Map<string, number>();
  const byPerson = new Map<string, number>();
  const found = new Map<number, readonly RowProblem[]>();
  for (const [index, { row, replaces }] of rows.entries()) {
    const hash = hashes[index] ?? '';
    const person = checked[index]?.personKey ?? '';
    const problems = [
      ...sameRow(byHash.get(hash)),
      ...(byHash.has(hash) ? [] : samePerson(byPerson.get(person))),
      ...sentBefore(stores.batches.sentBefore(hash, batch.id) ?? replacedSent(stores, replaces)),
      ...onService(foreign.get(hash)),
    ];
    if (problems.length > 0) found.set(row, problems);
    if (!byHash.has(hash)) byHash.set(hash, row);
    if (person !== '' && !byPerson.has(person)) byPerson.set(person, row);
  }
  return found;
}

function sameRow(first: number | undefined): readonly RowProblem[] {
  if (first === undefined) return [];
  return [double('same-row', `This says the same as row ${first}`, String(first))];
}

/** Shared mailboxes and two leases for one person are legal, so this row is only reported. */
function samePerson(first: number | undefined): readonly RowProblem[] {
  if (first === undefined) return [];
  return [double('same-person', `The same people and title as row ${first}`, String(first))];
}

/** The refused row that this one is put right in place of, once the service turns out to have it. */
export function replacedSent(
  { batches, outbox }: Pick<Stores, 'batches' | 'outbox'>,
  replaces: OutboxRef | null,
): EarlierRow | null {
  if (replaces === null) return null;
  const { state, batchId, rowNo, updatedAt } = outbox.get(replaces);
  if ((state !== 'sent' && state !== 'duplicate') || batchId === null || rowNo === null)
    return null;
  return { batchName: batches.get(batchId).name, row: rowNo, at: updatedAt };
}

function sentBefore(earlier: EarlierRow | null): readonly RowProblem[] {
  if (earlier === null) return [];
  const { batchName, row, at } = earlier;
  const message = `Sent on ${dayOf(at)} as row ${row} of "${batchName}"`;
  return [double('sent-before', message, `${dayOf(at)} · ${batchName} · ${row}`)];
}

function onService(id: string | undefined): readonly RowProblem[] {
  if (id === undefined) return [];
  return [double('on-service', `Another computer has sent this row: ${id}`, id)];
}

function double(code: RowProblem['code'], message: string, detail: string): RowProblem {
  return { column: null, code, detail, field: '', message, isError: false, repairs: [] };
}
