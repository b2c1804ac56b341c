import type { Batch, RowProblem } from '../../shared/contract/batches.ts';
import { dayOf } from '../../shared/rules/days.ts';
import type { CheckedRow } from '../../shared/rules/batch-check.ts';
import type { StoredRow } from './batch-ports.ts';
import type { Stores } from './ports.ts';

/** Rows that say what another row of the file, an earlier batch or an agreement says already. */
export function doublesOf(
  { stores }: { readonly stores: Pick<Stores, 'batches'> },
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
  for (const [index, { row }] of rows.entries()) {
    const hash = hashes[index] ?? '';
    const person = checked[index]?.personKey ?? '';
    const problems = [
      ...sameRow(byHash.get(hash)),
      ...(byHash.has(hash) ? [] : samePerson(byPerson.get(person))),
      ...sentBefore(stores.batches.sentBefore(hash, batch.id)),
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

/** Shared mailboxes and two leases for one person are legal, so this row is only told. */
function samePerson(first: number | undefined): readonly RowProblem[] {
  if (first === undefined) return [];
  return [double('same-person', `The same people and title as row ${first}`, String(first))];
}

function sentBefore(earlier: ReturnType<Stores['batches']['sentBefore']>): readonly RowProblem[] {
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
