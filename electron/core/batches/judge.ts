import type {
  Batch,
  BatchCheck,
  BatchRow,
  RowFilter,
  RowProblem,
} from '../../../shared/contract/batches.ts';
import type { BatchId } from '../../../shared/model/ids.ts';
import { type CheckedRow, createRowCheck } from '../../../shared/rules/batches/check.ts';
import { summariseRows } from '../../../shared/rules/batches/summary.ts';
import type { RowChecks, StoredRow } from './ports.ts';
import { documentKey, specOf, type SpecPorts, templateOf } from './spec.ts';
import { doublesOf } from './doubles.ts';
import { outcomeOf } from './outcome.ts';
import { type Hashing, hashText } from '../outbox/marks.ts';
import type { Stores } from '../ports.ts';

export interface CheckPorts extends SpecPorts, Hashing {
  readonly stores: Pick<Stores, 'batches' | 'templates' | 'outbox'>;
  readonly sheets: { readonly checks: RowChecks };
}

/** A batch as it was judged, row by row. */
export interface JudgedBatch {
  readonly batch: Batch;
  readonly rows: readonly JudgedRow[];
  readonly check: BatchCheck;
}

export interface JudgedRow {
  readonly stored: StoredRow;
  readonly checked: CheckedRow;
  readonly problems: readonly RowProblem[];
  readonly hash: string;
  readonly isExcluded: boolean;
}

/** Fewer changed rows are judged at once, where they are: apart would take longer. */
const FEW = 200;
/** Batches looked at one after the other; each holds as much as its sheet. */
const KEPT = 3;

/**
 * Judges batches, and remembers what it found as long as nothing changes: an edit of a cell judges
 * only its row again.
 */
export class BatchJudge {
  readonly #ports: CheckPorts;
  readonly #known = new Map<
    BatchId,
    { readonly key: string; readonly rows: ReadonlyMap<number, Known> }
  >();

  constructor(ports: CheckPorts) {
    this.#ports = ports;
  }

  async judge(id: BatchId): Promise<JudgedBatch> {
    const { stores } = this.#ports;
    const batch = stores.batches.get(id);
    const stored = stores.batches.rows(id);
    if (batch.mapping === null || batch.templateId === null) return this.#unjudged(batch, stored);
    const checked = await this.#checked(batch, stored);
    const document = documentKey(templateOf(this.#ports, batch));
    const hashes = checked.map(({ key }) => this.#hash(document, key));
    const doubles = doublesOf(stores, batch, stored, checked, hashes);
    const rows = stored.flatMap((row, index): JudgedRow[] => {
      const one = checked[index];
      if (one === undefined) return [];
      const double = doubles.get(row.row) ?? [];
      const failed = row.failure === null ? [] : [failure(row.failure)];
      const isDouble = double.some(({ code }) => code !== 'same-person');
      const problems = [...one.problems, ...double, ...failed];
      const hash = hashes[index] ?? '';
      return [{ stored: row, checked: one, problems, hash, isExcluded: row.choice ?? isDouble }];
    });
    return { batch, rows, check: summariseRows(batch, rows) };
  }

  /** Without a template nothing can be said of the rows but what they hold. */
  #unjudged(batch: Batch, stored: readonly StoredRow[]): JudgedBatch {
    const rows = stored.map((row) => ({
      stored: row,
      checked: {
        row: row.row,
        problems: [],
        contacts: nobody,
        parties: 0,
        keptDefaults: 0,
        key: '',
        personKey: '',
      },
      problems: [],
      hash: '',
      isExcluded: row.choice ?? false,
    }));
    const check = { ...summariseRows(batch, rows), ready: 0 };
    return { batch, rows, check };
  }

  async #checked(batch: Batch, stored: readonly StoredRow[]): Promise<readonly CheckedRow[]> {
    const spec = specOf(this.#ports, batch);
    const { mapping, matches, columns, document, fields } = spec;
    // Rows age: a day that was good yesterday may be over.
    const hour = Math.floor(spec.now / 3_600_000);
    const key = JSON.stringify([mapping, matches, columns, document, fields, hour]);
    const found = this.#known.get(batch.id);
    const known = found?.key === key ? found.rows : new Map<number, Known>();
    const changed = stored.filter((row) => known.get(row.row)?.cells !== cellsKey(row));
    const fresh =
      changed.length <= FEW
        ? changed.map(createRowCheck(spec))
        : await this.#ports.sheets.checks.check(spec, changed.map(plain));
    const rows = new Map(known);
    for (const [index, row] of changed.entries()) {
      const checked = fresh[index];
      if (checked !== undefined) rows.set(row.row, { cells: cellsKey(row), checked });
    }
    this.#keep(batch.id, { key, rows });
    return stored.flatMap((row) => rows.get(row.row)?.checked ?? []);
  }

  #keep(
    id: BatchId,
    known: { readonly key: string; readonly rows: ReadonlyMap<number, Known> },
  ): void {
    this.#known.delete(id);
    this.#known.set(id, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > KEPT && oldest !== undefined) this.#known.delete(oldest);
  }

  #hash(document: string, key: string): string {
    return hashText(this.#ports, `${document}\n${key}`).slice(0, HASH);
  }
}

/** As much of a hash as a tag needs to be nobody else's. */
const HASH = 32;

interface Known {
  readonly cells: string;
  readonly checked: CheckedRow;
}

const nobody = { people: 0, emails: 0, sms: 0 };
const cellsKey = ({ cells, marks }: StoredRow): string => JSON.stringify([cells, marks]);
const plain = ({ row, cells, marks }: StoredRow) => ({ row, cells: [...cells], marks: [...marks] });

function failure(said: string): RowProblem {
  return {
    column: null,
    code: 'refused',
    detail: said,
    field: '',
    message:
      said === '' ? 'The service refused this row' : `The service refused this row: '${said}'`,
    isError: true,
    repairs: [],
  };
}

/** Whether the row goes out with its batch. */
export function isReady({ isExcluded, problems }: JudgedRow): boolean {
  return !isExcluded && problems.every(({ isError }) => !isError);
}

export function rowsFor(rows: readonly JudgedRow[], filter: RowFilter): readonly JudgedRow[] {
  switch (filter) {
    case 'all':
      return rows;
    case 'errors':
      return rows.filter((row) => !row.isExcluded && row.problems.some(({ isError }) => isError));
    case 'warnings':
      return rows.filter((row) => isReady(row) && row.problems.length > 0);
    case 'duplicates':
      return rows.filter(({ problems }) => problems.some(({ code }) => isDouble(code)));
    case 'excluded':
      return rows.filter(({ isExcluded }) => isExcluded);
    case 'ready':
      return rows.filter(isReady);
  }
}

const doubles = ['same-row', 'same-person', 'sent-before', 'on-service'];
const isDouble = (code: RowProblem['code']): boolean => doubles.includes(code);

/** A row as a person sees it. */
export function shownRow(
  { stored, problems, isExcluded }: JudgedRow,
  outbox: Stores['outbox'],
): BatchRow {
  const { row, cells, original, ref } = stored;
  return {
    row,
    cells: [...cells],
    isExcluded,
    isEdited: original !== null,
    problems: problems.map((one) => ({ ...one, repairs: [...one.repairs] })),
    outcome: ref === null ? null : outcomeOf(outbox, ref),
  };
}
