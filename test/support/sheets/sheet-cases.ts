import { expect } from 'vitest';
import type { Batch, BatchMapping, BatchRow } from '../../../shared/contract/batches.ts';
import type { SheetChoices, SheetNotice } from '../../../shared/contract/sheets.ts';
import { AppError } from '../../../shared/errors.ts';
import type { TemplateContent } from '../../../shared/model/template.ts';
import { mappingV1, mappingV2 } from '../../rules/batches/row.ts';
import { addLease, type BatchDesk, leaseV1, startBatchDesk } from '../desks/batch-desk.ts';

/** The lease of `leaseV1` for API v2. */
export const leaseV2: TemplateContent = {
  ...leaseV1,
  body: {
    api: 'v2',
    title: 'Lease {Tenant}',
    expireDays: 30,
    rest: {},
    roles: [{ id: 'tenant', name: 'Tenant', kind: 'private', party: {} }],
  },
};

type Cells = Readonly<Record<string, string>>;

/** Valid cells for the whole mapping of an API. */
const good: Readonly<Record<'v1' | 'v2', Cells>> = {
  v1: {
    'First name': 'Åsa',
    'Last name': 'Öberg',
    'E-mail': 'asa@example.com',
    Mobile: '+46701234567',
    Country: 'SE',
    'Personal number': '198001019804',
    Expires: '2027-01-31',
    Rent: '9400',
  },
  v2: {
    'First name': 'Åsa',
    'Last name': 'Öberg',
    'E-mail': 'asa@example.com',
    Mobile: '+46701234567',
    'Personal number': '198001019804',
    Days: '14',
    Rent: '9400',
  },
};

export interface Importing {
  readonly api?: 'v1' | 'v2';
  readonly mapping?: BatchMapping;
  readonly choices?: SheetChoices;
  readonly fileName?: string;
}

/** Result of an import: the problems that are shown for a file, and the rows that would be sent. */
export interface Imported {
  /** Reason why the file was rejected, with its text; null if it was accepted. */
  readonly refused: { readonly reason: string | undefined; readonly message: string } | null;
  readonly notices: Readonly<Partial<Record<SheetNotice['code'], number>>>;
  readonly columns: readonly string[];
  /** Unused columns, and missing columns of the template. */
  readonly unused: readonly string[];
  readonly missing: readonly string[];
  readonly rows: readonly BatchRow[];
  /** Problems as `row:column:code`; a rule of the draft by its own code. */
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  readonly repairs: readonly string[];
  readonly sentences: readonly string[];
  /**
   * Rows that are armed after the number of ready rows was typed; `notArmed` is the reason if none
   * was.
   */
  readonly armed: readonly number[];
  readonly notArmed: string | undefined;
  /** The body of each armed row, in its frozen form. */
  readonly bodies: readonly Body[];
}

interface Body {
  readonly title?: string;
  readonly text?: string;
  readonly expireOn?: string;
  /** A list of parties for API v1; separate lists of people and companies for v2. */
  readonly parties: readonly Cells[] | Readonly<Record<'privates' | 'companies', readonly Cells[]>>;
}

/** The people of a body of either API, in its order. */
export function peopleOf({ parties }: Body): readonly Cells[] {
  return isList(parties) ? parties : parties.privates;
}

const isList = (parties: Body['parties']): parties is readonly Cells[] => Array.isArray(parties);

/**
 * Runs a file through the whole batch: reads, matches and checks it, and arms it with the typed
 * number of rows.
 */
export async function importing(data: Uint8Array, options: Importing = {}): Promise<Imported> {
  const { api = 'v1', mapping = api === 'v1' ? mappingV1 : mappingV2 } = options;
  using started = await startBatchDesk(api);
  const { desk, connectionId } = started;
  const template = await addLease(desk, api === 'v1' ? leaseV1 : leaseV2);
  const { choices = {}, fileName = 'people.csv' } = options;
  const about = { name: 'Autumn', fileName, choices, connectionId, templateId: template.id };
  const made = await caught(desk.api['batches.create']({ ...about, bytes: desk.bytes.put(data) }));
  if (made instanceof AppError) return nothing(made);
  const batch = await desk.api['batches.setMapping']({ id: made.id, mapping });
  const about2 = { id: batch.id, filter: 'all', offset: 0, limit: 1000 } as const;
  const { rows } = await desk.api['batches.rows'](about2);
  const problemsOf = (isError: boolean) =>
    rows.flatMap(({ row, problems }) =>
      problems
        .filter((one) => one.isError === isError)
        .map(({ column, code, detail }) => {
          const name = column === null ? '' : (batch.sheet.columns[column]?.name ?? '');
          return `${String(row)}:${name}:${code === 'field' ? detail : code}`;
        }),
    );
  const problems = rows.flatMap((row) => row.problems);
  const columns = batch.sheet.columns.map(({ name }) => name);
  const matched = new Set(batch.matches.map(({ column }) => column));
  return {
    refused: null,
    notices: Object.fromEntries(batch.sheet.notices.map(({ code, count }) => [code, count])),
    columns,
    unused: columns.filter((name) => !matched.has(name)),
    missing: batch.matches.flatMap((one) => (one.column === null ? one.placeholder : [])),
    rows,
    errors: problemsOf(true),
    warnings: problemsOf(false),
    repairs: problems.flatMap((one) => one.repairs),
    sentences: problems.map(({ message }) => message),
    ...(await arm(started, batch, rows)),
  };
}

/** Arms the batch with the number of ready rows; no row with an error is sent. */
async function arm(
  { desk, world }: BatchDesk,
  { id, revision }: Pick<Batch, 'id' | 'revision'>,
  rows: readonly BatchRow[],
): Promise<Pick<Imported, 'armed' | 'notArmed' | 'bodies'>> {
  const { ready } = await desk.api['batches.check']({ id });
  const sent = await caught(desk.api['batches.send']({ id, confirm: ready, revision }));
  if (!(sent instanceof AppError)) {
    expect(await desk.finish(sent.jobId)).toMatchObject({ state: 'done' });
  }
  const { outbox } = world.stores;
  const items = outbox.inBatch(id);
  const armed = items.map(({ rowNo }) => rowNo ?? 0);
  const wrong = rows.filter(({ problems }) => problems.some(({ isError }) => isError));
  expect(wrong.map(({ row }) => row).filter((row) => armed.includes(row))).toEqual([]);
  const bodies = items.map(({ ref }) => {
    const text = Buffer.from(outbox.request(ref).body).toString();
    return (JSON.parse(text) as { body: Body }).body;
  });
  return { armed, bodies, notArmed: sent instanceof AppError ? reasonOf(sent) : undefined };
}

const reasonOf = ({ failure }: AppError): string => failure.reason ?? failure.code;

const nothing = ({ failure: { reason, message } }: AppError): Imported => ({
  refused: { reason, message },
  notices: {},
  columns: [],
  unused: [],
  missing: [],
  rows: [],
  errors: [],
  warnings: [],
  repairs: [],
  sentences: [],
  armed: [],
  notArmed: undefined,
  bodies: [],
});

async function caught<Result>(work: Promise<Result>): Promise<Result | AppError> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/** Table of rows that are valid except for these cells, below a header of all their columns. */
export function tableOf(rows: readonly Cells[], api: 'v1' | 'v2' = 'v1'): string[][] {
  const names = [...new Set([...Object.keys(good[api]), ...rows.flatMap(Object.keys)])];
  const cellsOf = (row: Cells) => names.map((name) => row[name] ?? good[api][name] ?? '');
  return [names, ...rows.map(cellsOf)];
}

/** Table of these rows as a UTF-8 CSV file. */
export function csvOf(rows: readonly Cells[], api: 'v1' | 'v2' = 'v1', sign = ';'): Uint8Array {
  const quoted = (cell: string) =>
    /["\n\r]/.test(cell) || cell.includes(sign) ? `"${cell.replaceAll('"', '""')}"` : cell;
  const lines = tableOf(rows, api).map((cells) => cells.map(quoted).join(sign));
  return new Uint8Array(Buffer.from(`${lines.join('\r\n')}\r\n`));
}

/** Result of one row with these cells. */
export const importingRow = (cells: Cells, options: Importing = {}): Promise<Imported> =>
  importing(csvOf([cells], options.api), options);

export const text = (content: string, encoding: BufferEncoding = 'utf8'): Uint8Array =>
  new Uint8Array(Buffer.from(content, encoding));
