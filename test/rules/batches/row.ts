import type { BatchMapping, DateFieldOrder } from '../../../shared/contract/batches.ts';
import { FileId } from '../../../shared/model/ids.ts';
import type { SheetRow } from '../../../shared/contract/sheets.ts';
import {
  createRowReader,
  type CheckSpec,
  type RowContent,
} from '../../../shared/rules/batches/check.ts';
import { matchColumns } from '../../../shared/rules/batches/match.ts';

/** Time of the checks (epoch ms): noon in Greenwich, on a Saturday in November 2026. */
export const NOW = Date.UTC(2026, 10, 21, 12);

const FILE = FileId.parse('00000000-0000-4000-8000-000000000001');
const document: NonNullable<CheckSpec['document']> = {
  file: {
    id: FILE,
    name: 'lease.pdf',
    mimeType: 'application/pdf',
    bytes: 1000,
    sha256: 'a',
    pages: 1,
    fieldCount: 2,
    notices: [],
  },
  form: {
    pages: 1,
    fields: ['tenant', 'rent'].map((name) => ({
      name,
      type: 'text',
      page: 1,
      value: '',
      multiline: false,
      required: false,
      readOnly: false,
    })),
    notices: [],
  },
  merge: 'service',
};

const person = {
  type: 'PRIVATE',
  firstName: '{First name}',
  lastName: '{Last name}',
  email: '{E-mail}',
  mobile: '{Mobile}',
  country: '{Country}',
  personNumber: '{Personal number}',
  signingConfigurations: [{ type: 'CLICK' }],
};

export const mappingV1: BatchMapping = {
  api: 'v1',
  body: { title: 'Lease {Last name}', expireOn: '{Expires}', parties: [person] },
  fields: { tenant: '{First name} {Last name}', rent: '{Rent}' },
};

export const mappingV2: BatchMapping = {
  api: 'v2',
  body: {
    name: 'Lease',
    type: 'ATTACHED',
    expireIn: '{Days}',
    parties: {
      privates: [
        {
          personNo: '{Personal number}',
          firstName: '{First name}',
          lastName: '{Last name}',
          email: '{E-mail}',
          mobile: '{Mobile}',
        },
      ],
      companies: [],
    },
  },
  fields: { tenant: '{First name}', rent: '{Rent}' },
};

/** Valid cells for every column of the mapping. */
const good: Readonly<Record<string, string>> = {
  'First name': 'Åsa',
  'Last name': 'Öberg',
  'E-mail': 'asa@example.com',
  Mobile: '+46701234567',
  Country: 'SE',
  'Personal number': '198001019804',
  Expires: '2027-01-31',
  Days: '14',
  Rent: '9400',
};

export interface Options {
  readonly mapping?: BatchMapping;
  readonly dayOrder?: DateFieldOrder;
  readonly marks?: readonly (readonly [column: string, mark: SheetRow['marks'][number][1]])[];
  readonly now?: number;
  /** Fields of the form; without them, the form has two text fields. */
  readonly fields?: CheckSpec['fields'];
  /** Size of the document in bytes. */
  readonly bytes?: number;
}

/**
 * Reads a row that is valid except for these cells. If a cell is null, the sheet lacks its column.
 */
export function rowOf(
  cells: Readonly<Record<string, string | null>> = {},
  {
    mapping = mappingV1,
    dayOrder = 'iso',
    marks = [],
    now = NOW,
    bytes = 1000,
    fields,
  }: Options = {},
): RowContent {
  const all = Object.entries({ ...good, ...cells }).filter(([, text]) => text !== null);
  const columns = all.map(([name]) => name);
  const matches = matchColumns(mapping, columns).map((match) => ({ ...match, dayOrder }));
  const file = { ...document.file, bytes };
  const { form } = document;
  const spec: CheckSpec = {
    mapping,
    matches,
    columns,
    now,
    number: '1',
    allowed: null,
    document: { ...document, file, form: { ...document.form, fields: fields ?? form.fields } },
    fields: fields ?? form.fields,
  };
  const placed = marks.map(([column, mark]): SheetRow['marks'][number] => [
    columns.indexOf(column),
    mark,
  ]);
  return createRowReader(spec)({ row: 2, cells: all.map(([, text]) => text ?? ''), marks: placed });
}

/**
 * Returns the errors of a row as `column:code`; errors from the rules of a draft have only their
 * own code.
 */
export function errors(...given: Parameters<typeof rowOf>): string[] {
  return listed(rowOf(...given), given, true);
}

export function warnings(...given: Parameters<typeof rowOf>): string[] {
  return listed(rowOf(...given), given, false);
}

export function repairs(...given: Parameters<typeof rowOf>): string[] {
  return rowOf(...given).checked.problems.flatMap((one) => one.repairs);
}

function listed(
  row: RowContent,
  [cells = {}]: Parameters<typeof rowOf>,
  isError: boolean,
): string[] {
  const all = Object.entries({ ...good, ...cells }).filter(([, text]) => text !== null);
  return row.checked.problems
    .filter((one) => one.isError === isError)
    .map(({ column, code, detail }) => {
      const name = column === null ? '' : (all[column]?.[0] ?? '');
      return `${name}:${code === 'field' ? detail : code}`;
    });
}
