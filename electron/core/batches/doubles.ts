import type { RowProblem } from '../../../shared/contract/batches.ts';
import { dayOf } from '../../../shared/rules/time/days.ts';
import type { CheckedRow } from '../../../shared/rules/batches/check.ts';
import type { EarlierRow, StoredRow } from './ports.ts';
import type { BatchId, OutboxRef } from '../../../shared/model/ids.ts';
import type { Stores } from '../ports.ts';

/** A validated row before it is compared with the others of its file. */
export interface RowBasis {
  readonly stored: StoredRow;
  readonly checked: CheckedRow;
  readonly hash: string;
  /** An earlier send of the same row. */
  readonly earlier: EarlierRow | null;
}

/**
 * Finds rows that duplicate another row of the file, an earlier batch or an agreement. `foreign`
 * are agreements sent by another computer, by row hash.
 */
export function findDuplicateRows(
  rows: readonly RowBasis[],
  foreign: ReadonlyMap<string, string>,
): ReadonlyMap<number, readonly RowProblem[]> {
  const byHash = new Map<string, number>();
  const byPerson = new Map<string, number>();
  const found = new Map<number, readonly RowProblem[]>();
  for (const { stored, checked, hash, earlier } of rows) {
    const person = checked.personKey;
    const alike = byHash.get(hash);
    const likely = alike === undefined ? byPerson.get(person) : undefined;
    const there = foreign.get(hash);
    if (alike === undefined) byHash.set(hash, stored.row);
    if (person !== '' && !byPerson.has(person)) byPerson.set(person, stored.row);
    // Most rows have no duplicates.
    if ((alike ?? likely ?? there) === undefined && earlier === null) continue;
    found.set(stored.row, [
      ...sameRowProblem(alike),
      ...samePersonProblem(likely),
      ...sentBeforeProblem(earlier, hash),
      ...onServiceProblem(there),
    ]);
  }
  return found;
}

/** Returns a key of each duplicate of a row that excludes it until the user includes it. */
export function keysOfDoubles(
  doubles: readonly RowProblem[],
  earlier: EarlierRow | null,
): readonly string[] {
  const others = doubles.filter(({ code }) => code === 'same-row' || code === 'on-service');
  const keys = others.map(({ code, detail }) => `${code} ${detail}`);
  return earlier === null ? keys : [...keys, keyOfSend(earlier)];
}

/** A send that was given up and turns out to exist has another key. */
export const keyOfSend = ({ ref, isGivenUp }: EarlierRow): string =>
  `${isGivenUp ? 'given-up' : 'sent'} ${ref}`;

/** Whether the user included a row knowing all of these duplicates. */
export function isAnswered({ answered }: StoredRow, keys: readonly string[]): boolean {
  // Without a record, only duplicates within the file are certain to have been shown.
  return keys.every((key) =>
    answered === null ? key.startsWith('same-row ') : answered.includes(key),
  );
}

function sameRowProblem(first: number | undefined): readonly RowProblem[] {
  if (first === undefined) return [];
  return [duplicateProblem('same-row', `This row is the same as row ${first}`, String(first))];
}

/**
 * Returns the problem of a row with the same people and title as an earlier row. It is only
 * reported: shared mailboxes and two leases for one person are legitimate.
 */
function samePersonProblem(first: number | undefined): readonly RowProblem[] {
  if (first === undefined) return [];
  const sentence = `This row has the same people and title as row ${first}`;
  return [duplicateProblem('same-person', sentence, String(first))];
}

/**
 * Returns the row that this row replaces (directly or indirectly), if the service has its agreement
 * after all; otherwise the last such row that the user gave up.
 */
function replacedSend(
  { batches, outbox }: Pick<Stores, 'batches' | 'outbox'>,
  replaces: OutboxRef | null,
): EarlierRow | null {
  let given: EarlierRow | null = null;
  for (let ref = replaces; ref !== null;) {
    const { state, batchId, rowNo, updatedAt, supersedes } = outbox.get(ref);
    const isThere = state === 'sent' || state === 'duplicate';
    const isGivenUp = state === 'abandoned';
    if ((isThere || isGivenUp) && batchId !== null && rowNo !== null) {
      const { name } = batches.get(batchId);
      const found = { ref, hash: null, batchName: name, row: rowNo, at: updatedAt, isGivenUp };
      if (isThere) return found;
      given ??= found;
    }
    ref = supersedes;
  }
  return given;
}

/**
 * Returns the earlier send of each row: of the same content, of the same row of the file with any
 * content, or of the rows that it replaces.
 */
export function findEarlierSends(
  stores: Pick<Stores, 'batches' | 'outbox'>,
  id: BatchId,
  rows: readonly Pick<RowBasis, 'stored' | 'hash'>[],
): readonly (EarlierRow | null)[] {
  if (rows.length === 0) return [];
  const numbers = rows.map(({ stored }) => stored.row);
  const alike = stores.batches.sentBefore(
    rows.map(({ hash }) => hash),
    id,
  );
  const ofRow = stores.batches.sentOfRows(id, numbers);
  return rows.map(({ stored, hash }) =>
    clearerSend(
      clearerSend(alike.get(hash) ?? null, ofRow.get(stored.row) ?? null),
      replacedSend(stores, stored.replaces),
    ),
  );
}

/** Returns the earlier send to report: a send that the service has, before a given-up send. */
function clearerSend(one: EarlierRow | null, other: EarlierRow | null): EarlierRow | null {
  if (one === null || other === null) return one ?? other;
  return one.isGivenUp && !other.isGivenUp ? other : one;
}

function sentBeforeProblem(earlier: EarlierRow | null, own: string): readonly RowProblem[] {
  if (earlier === null) return [];
  const { batchName, row, at, isGivenUp, hash } = earlier;
  const detail = `${dayOf(at)} · ${batchName} · ${row}`;
  if (isGivenUp) {
    const message = `Row ${row} of "${batchName}" was given up on ${dayOf(at)}. Check the service first. If you include this row, it is sent again`;
    return [duplicateProblem('given-up', message, detail)];
  }
  if (hash !== null && hash !== own) {
    const message = `A version of this row with other content was sent on ${dayOf(at)} as row ${row} of "${batchName}"`;
    return [duplicateProblem('sent-changed', message, detail)];
  }
  const message = `Sent on ${dayOf(at)} as row ${row} of "${batchName}"`;
  return [duplicateProblem('sent-before', message, detail)];
}

function onServiceProblem(id: string | undefined): readonly RowProblem[] {
  if (id === undefined) return [];
  return [
    duplicateProblem('on-service', `This row was already sent from another computer: ${id}`, id),
  ];
}

function duplicateProblem(code: RowProblem['code'], message: string, detail: string): RowProblem {
  return { column: null, code, detail, field: '', message, isError: false, repairs: [] };
}
