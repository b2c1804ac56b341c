import { createPdfForms } from '../../../electron/adapters/pdf/forms.ts';
import { formPdf } from '../../../electron/demo/pdf/form.ts';
import type { PdfForms } from '../../../electron/core/ports.ts';
import type { Batch } from '../../../shared/contract/batches.ts';
import type { ConnectionId } from '../../../shared/model/ids.ts';
import type { SheetChoices } from '../../../shared/contract/sheets.ts';
import type { Template } from '../../../shared/contract/templates.ts';
import type { RoleV1, TemplateContent } from '../../../shared/model/template.ts';
import { type TempDatabase, tempDatabase } from '../../adapters/sqlite/temp-database.ts';
import {
  addConnection,
  createWorld,
  type MemoryDesk,
  startMemoryDesk,
  type World,
} from '../fakes/memory-desk.ts';

export interface BatchDesk extends Disposable {
  readonly desk: MemoryDesk;
  readonly world: World;
  readonly temp: TempDatabase;
  readonly connectionId: ConnectionId;
}

/** The program over a real data file and real PDFs; only service, time and chance are fake. */
export async function startBatchDesk(
  api: 'v1' | 'v2' = 'v1',
  other: Partial<World> = {},
): Promise<BatchDesk> {
  const temp = tempDatabase();
  const base = createWorld();
  const stores = { ...temp.stores, journal: [], actionJournal: [] };
  const world = { ...base, stores, pdf: realForms(), ...other };
  const desk = startMemoryDesk(world);
  const { id: connectionId } = await addConnection(desk, api);
  return { desk, world, temp, connectionId, [Symbol.dispose]: () => temp[Symbol.dispose]() };
}

/** Real PDFs instead of fake ones. */
export function realForms(given?: PdfForms): World['pdf'] {
  // Share one for all tests of a file, because each starts a thread.
  const real = given ?? (forms ??= createPdfForms());
  return {
    forms: new Map(),
    read: (...document) => real.read(...document),
    find: (...document) => real.find(...document),
    guides: (...document) => real.guides(...document),
    place: (...form) => real.place(...form),
    carry: (...asked) => real.carry(...asked),
    merge: (...form) => real.merge(...form),
    textFits: (...values) => real.textFits(...values),
    missingLetters: (...texts) => real.missingLetters(...texts),
    compile: (...form) => real.compile(...form),
  };
}

let form: Promise<Uint8Array> | null = null;
let forms: ReturnType<typeof createPdfForms> | null = null;

const tenantV1: RoleV1 = {
  id: 'tenant',
  name: 'Tenant',
  party: {
    type: 'PRIVATE',
    country: 'SE',
    signingConfigurations: [{ type: 'EID', country: 'SE' }],
  },
};

export const leaseV1: TemplateContent = {
  body: {
    api: 'v1',
    title: 'Lease {Tenant}',
    expireDays: 30,
    deleteDays: null,
    roles: [tenantV1],
    rest: {},
  },
  mapping: [
    { field: 'tenant', source: { from: 'party', role: 'tenant', datum: 'full-name' } },
    { field: 'rent', source: { from: 'question', question: 'rent' } },
    { field: 'accepted', source: { from: 'fixed', value: 'true' } },
  ],
  questions: [
    { id: 'rent', label: 'Monthly rent', help: '', kind: 'text', options: [], required: true },
  ],
  counter: { prefix: '', width: 0 },
  merge: 'service',
};

/** A lease with the fields `tenant`, `rent` and `accepted`, filled from `content`. */
export async function addLease(
  desk: MemoryDesk,
  content: TemplateContent = leaseV1,
  name = 'Lease',
): Promise<Template> {
  form ??= formPdf('Hyresavtal', ['tenant', 'rent']);
  const data = await form;
  const bytes = desk.bytes.put(data);
  const about = { name, api: content.body.api, fileName: 'Hyresavtal.pdf', bytes };
  const { id, revision } = await desk.api['templates.add'](about);
  return desk.api['templates.save']({ id, revision, name, content });
}

export const HEADER = 'Förnamn;Efternamn;Personnummer;E-post;Monthly rent';

/** CSV rows of different people with valid numbers. */
export function people(count: number): string[] {
  return Array.from({ length: count }, (_, at) => {
    const number = swedish(1960 + (at % 40), 1 + (at % 12), 1 + (at % 28), 100 + (at % 890));
    return `Åsa ${at};Öberg;${number};asa${at}@example.com;${9000 + at}`;
  });
}

/** A personal number of twelve digits with a valid check digit. */
export function swedish(year: number, month: number, day: number, serial: number): string {
  const two = (part: number) => String(part).padStart(2, '0');
  const nine = `${String(year).slice(2)}${two(month)}${two(day)}${String(serial).padStart(3, '0')}`;
  const sum = [...nine].reduce((total, digit, place) => {
    const weighted = Number(digit) * (place % 2 === 0 ? 2 : 1);
    return total + (weighted > 9 ? weighted - 9 : weighted);
  }, 0);
  return `${String(year).slice(0, 2)}${nine}${(10 - (sum % 10)) % 10}`;
}

/** A batch of these rows below the usual header. */
export async function addBatch(
  { desk, connectionId }: Pick<BatchDesk, 'desk' | 'connectionId'>,
  template: Template,
  rows: readonly string[],
  { header = HEADER, choices = {} }: { header?: string; choices?: SheetChoices } = {},
): Promise<Batch> {
  const text = [header, ...rows].join('\r\n');
  const bytes = desk.bytes.put(new Uint8Array(Buffer.from(`\uFEFF${text}\r\n`)));
  const about = { name: 'Autumn', fileName: 'leases.csv', bytes, choices };
  return desk.api['batches.create']({ ...about, connectionId, templateId: template.id });
}

/** Problems of each row, as `row:column:code`; a rule of the draft by its own code. */
export async function problemsOf({ api }: MemoryDesk, { id, sheet }: Batch): Promise<string[]> {
  const { rows } = await api['batches.rows']({ id, filter: 'all', offset: 0, limit: 1000 });
  return rows.flatMap(({ row, problems }) =>
    problems.map(({ column, code, detail }) => {
      const name = column === null ? '' : (sheet.columns[column]?.name ?? '');
      return `${row}:${name}:${code === 'field' ? detail : code}`;
    }),
  );
}
