import type { Handlers } from '../../../shared/contract/index.ts';
import type { GroupId, Person } from '../../../shared/contract/people.ts';
import { containsPersonNumber } from '../../../shared/rules/people/personal-numbers.ts';
import { vcardOf } from '../../../shared/rules/people/vcard.ts';
import { listSeparator } from '../../../shared/rules/sheets/list-separator.ts';
import { collectChunks } from '../chunks.ts';
import type { ByteExchange } from '../host-ports.ts';
import type { Encoding, Scheduler, Stores } from '../ports.ts';
import type { ReportWriter } from '../reports/ports.ts';
import type { StoredPerson } from './ports.ts';

interface ExportPorts {
  readonly stores: Pick<Stores, 'people'>;
  readonly bytes: ByteExchange;
  readonly encoding: Encoding;
  readonly scheduler: Scheduler;
  readonly reports: ReportWriter;
}

/** Number of entries read per step; other work runs between steps. */
const ENTRIES_PER_EXPORT_STEP = 200;

/** Headings that the import recognizes. */
const headings = [
  'Type',
  'First name',
  'Last name',
  'Company',
  'E-mail',
  'Mobile',
  'Country',
  'Organisation number',
];
const NUMBER_HEADING = 'Personal number';

export function createBookExportHandlers(ports: ExportPorts): Pick<Handlers, 'people.export'> {
  return {
    'people.export': async ({ as, group, numbers }) => {
      let people = 0;
      async function* counted(): AsyncIterable<readonly StoredPerson[]> {
        for await (const rows of portions(ports, group)) {
          people += rows.length;
          yield rows;
        }
      }
      const chunks =
        as === 'vcard'
          ? cards(ports.encoding, counted())
          : ports.reports.csv(
              {
                title: 'People',
                headings: numbers ? [...headings, NUMBER_HEADING] : headings,
                rows: cells(counted(), numbers),
              },
              listSeparator(),
            );
      const out = ports.bytes.put(await collectChunks(chunks));
      return { out, fileName: as === 'vcard' ? 'people.vcf' : 'people.csv', people };
    },
  };
}

async function* portions(
  { stores, scheduler }: ExportPorts,
  group: GroupId | null,
): AsyncIterable<readonly StoredPerson[]> {
  for (let after = -1; ;) {
    const portion = stores.people.portion(group, after, ENTRIES_PER_EXPORT_STEP);
    if (portion.rows.length === 0) return;
    ({ after } = portion);
    yield portion.rows;
    await scheduler.yield();
  }
}

async function* cards(
  encoding: Encoding,
  rows: AsyncIterable<readonly StoredPerson[]>,
): AsyncIterable<Uint8Array> {
  for await (const portion of rows) {
    yield encoding.utf8(portion.map(({ id, person }) => vcardOf(id, person)).join(''));
  }
}

async function* cells(
  rows: AsyncIterable<readonly StoredPerson[]>,
  numbers: boolean,
): AsyncIterable<readonly (readonly string[])[]> {
  for await (const portion of rows) yield portion.map(({ person }) => cellsOf(person, numbers));
}

function cellsOf(person: Person, numbers: boolean): readonly string[] {
  const { kind, firstName, lastName, name, email, mobile, country, companyNumber } = person;
  // A sole trader's company number is a personal number.
  const isHidden = !numbers && containsPersonNumber({ companyNumber });
  const number = isHidden ? undefined : companyNumber;
  const facts = [kind, firstName, lastName, name, email, mobile, country, number];
  return [...facts, ...(numbers ? [person.personNumber] : [])].map((fact) => fact ?? '');
}
