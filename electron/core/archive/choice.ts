import type { AgreementView } from '../../../shared/contract/agreement-query.ts';
import type { Agreement } from '../../../shared/contract/agreements.ts';
import type { ArchiveRun } from '../../../shared/contract/archive.ts';
import type { AgreementKey } from '../../../shared/model/ids.ts';
import type { AgreementReader, Clock, Stores } from '../ports.ts';

/** Number of rows per read: each row causes file work, and the next read waits for all of it. */
const ROWS_PER_READ = 256;
const OLDEST_FIRST = { sort: 'closed', direction: 'ascending', group: 'none' } as const;
const SIGNED = 'signed' as const;

export interface ChoicePorts {
  readonly lists: AgreementReader;
  readonly stores: Pick<Stores, 'agreements' | 'connections'>;
  readonly clock: Clock;
}

type AgreementChoice = Pick<ArchiveRun, 'connectionId' | 'since' | 'until' | 'only' | 'filter'>;

/**
 * Yields the agreements of a run in groups, in order of closing. Only signed agreements are
 * included, unless the filter names other states. The set is fixed at the start; each row is read
 * when its group is due.
 */
export async function* agreementsChosenBy(
  ports: ChoicePorts,
  choice: AgreementChoice,
): AsyncGenerator<readonly Agreement[], void> {
  const { only, ...narrowed } = choice;
  // Copies of a removed connection can be read, but their PDFs cannot be fetched.
  const live = new Set(ports.stores.connections.list().map(({ id }) => id));
  const isThere = (one: Agreement): boolean => one.gone === null && live.has(one.connectionId);
  if (only !== undefined && Object.values(narrowed).every((value) => value === undefined)) {
    yield only.flatMap((key) => findSigned(ports, key)).filter(isThere);
    return;
  }
  const wanted = only === undefined ? null : new Set(only.map(agreementKeyText));
  for await (const rows of readInOrder(ports, viewOf(narrowed))) {
    yield rows.filter((one) => isThere(one) && (wanted?.has(agreementKeyText(one)) ?? true));
  }
}

function findSigned({ stores }: ChoicePorts, key: AgreementKey): readonly Agreement[] {
  const { agreements } = stores;
  if (!agreements.find(key.id).some((one) => one.connectionId === key.connectionId)) return [];
  const { parties, ...row } = agreements.details(key);
  if (row.state !== SIGNED) return [];
  return [{ ...row, parties: parties?.map(({ name }) => name) ?? null }];
}

function viewOf({
  filter,
  connectionId,
  since,
  until,
}: Omit<AgreementChoice, 'only'>): AgreementView {
  const { states, ...named } = filter ?? {};
  return {
    ...named,
    ...(connectionId !== undefined && { connectionId }),
    ...(since !== undefined && { closedFrom: since }),
    ...(until !== undefined && { closedTo: until }),
    states: states === undefined || states.length === 0 ? [SIGNED] : states,
    ...OLDEST_FIRST,
  };
}

async function* readInOrder(
  { lists, clock }: ChoicePorts,
  view: AgreementView,
): AsyncGenerator<readonly Agreement[], void> {
  const numbers = await lists.numbers(view, clock.now());
  for (let from = 0; from < numbers.length; from += ROWS_PER_READ) {
    yield lists.rows(numbers.subarray(from, from + ROWS_PER_READ));
  }
}

/**
 * Returns the keys (`agreementKeyText`) of agreements with this tag, including those that are gone from the
 * service.
 */
export async function keysOfTag(ports: ChoicePorts, tag: string): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for await (const rows of readInOrder(ports, { ...OLDEST_FIRST, tag })) {
    for (const row of rows) found.add(agreementKeyText(row));
  }
  return found;
}

/** Returns a text that identifies an agreement. */
export const agreementKeyText = ({ connectionId, id }: AgreementKey): string =>
  `${connectionId} ${id}`;
