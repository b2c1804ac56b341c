import type { Emit, Handlers } from '../../../shared/contract/index.ts';
import {
  type BookImport,
  BookImportId,
  type ImportRefusal,
  type ImportRow,
  ImportDecision,
  type Person,
  PersonId,
} from '../../../shared/contract/people.ts';
import { AppError } from '../../../shared/errors.ts';
import { companyNumberOf, emailOf } from '../../../shared/rules/people/entry.ts';
import { titleOfPerson } from '../../../shared/rules/people/people.ts';
import {
  changesBetween,
  isSameParty,
  keysOf,
  withNewValues,
} from '../../../shared/rules/people/same.ts';
import { peopleReader } from '../../../shared/rules/people/table.ts';
import { toE164 } from '../../../shared/rules/identifiers/phone.ts';
import { validateName } from '../../../shared/rules/text/clean-text.ts';
import { type Day, dayOf } from '../../../shared/rules/time/days.ts';
import type { ByteExchange } from '../host-ports.ts';
import type { Chance, Clock, Scheduler, Stores } from '../ports.ts';
import type { SheetReader } from '../sheet-ports.ts';
import type { BookChanges } from './changes.ts';
import type { BookSnapshot, CardReader, ReadCard, StoredPerson } from './ports.ts';
import { findBookEntry } from './remember.ts';

interface ImportPorts {
  readonly stores: Pick<Stores, 'people' | 'transaction'>;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly emit: Emit;
  readonly bytes: ByteExchange;
  readonly scheduler: Scheduler;
  readonly cards: CardReader;
  readonly sheets: { readonly reader: SheetReader };
  readonly changes: BookChanges;
}

/** An entry read from a file; a null value could not be read. */
interface ImportEntry {
  readonly place: number;
  readonly person: Person | null;
  readonly refusal: ImportRefusal | null;
  readonly leftOut: number;
}

/**
 * A row of the preview. `known` is the address book entry with which it was compared; null if there
 * was none.
 */
type PlannedRow = ImportRow &
  Pick<ImportEntry, 'person'> & { readonly known: Pick<StoredPerson, 'id' | 'changedAt'> | null };

interface ImportPlan {
  readonly shown: BookImport;
  readonly rows: readonly PlannedRow[];
}

/** Number of entries read or stored per step, which takes a few milliseconds. */
const IMPORT_ENTRIES_PER_STEP = 25;
/** Maximum number of previewed files that are not imported yet. */
const MAX_PREVIEWED_IMPORTS = 3;
/**
 * Maximum number of earlier entries of the file with which an entry is compared, of those with the
 * same address or name.
 */
const MAX_ALIKE = 20;
/** Maximum length of a name (API v1, "Party"). */
const MAX_NAME_LENGTH = 80;
/** Country assumed for a phone number without a country code. */
const HOME_COUNTRY = 'SE';

type ImportCallName = 'readImport' | 'importRows' | 'import';

/**
 * Creates the calls that import people from a file: one reads a preview, another imports the
 * previewed entries.
 */
export function createBookImportHandlers(
  ports: ImportPorts,
): Pick<Handlers, `people.${ImportCallName}`> {
  const plans = new Map<BookImportId, ImportPlan>();
  const planOf = (id: BookImportId): ImportPlan => {
    const plan = plans.get(id);
    if (plan !== undefined) return plan;
    throw new AppError('conflict', 'The import can no longer continue. Choose the file again', {
      reason: 'import-gone',
    });
  };
  return {
    'people.readImport': async ({ bytes }) => {
      const id = BookImportId.parse(ports.chance.uuid());
      const plan = await planImport(ports, id, ports.bytes.take(bytes));
      plans.set(id, plan);
      for (const oldest of plans.keys())
        if (plans.size > MAX_PREVIEWED_IMPORTS) plans.delete(oldest);
      return plan.shown;
    },
    'people.importRows': async ({ id, verdict, from, limit }) => {
      const found = planOf(id).rows.filter((row) => verdict === null || row.verdict === verdict);
      const rows = found
        .slice(from, from + limit)
        .map(({ person: _person, known: _known, ...row }) => row);
      return { rows, total: found.length };
    },
    'people.import': async ({ id, changes }) => {
      const { rows } = planOf(id);
      const done = await storeRows(ports, rows, changes);
      plans.delete(id);
      ports.emit('people.changed', {});
      return done;
    },
  };
}

async function planImport(
  ports: ImportPorts,
  id: BookImportId,
  data: Uint8Array,
): Promise<ImportPlan> {
  const today = dayOf(ports.clock.now());
  const isCards = ports.cards.isCards(data);
  const { entries, ignored } = isCards
    ? { entries: entriesOfCards(await ports.cards.read(data), today), ignored: [] }
    : await entriesOfSheet(ports, data, today);
  const judge = createRowPlanner(ports);
  const rows: PlannedRow[] = [];
  for (const entry of entries) {
    rows.push(judge(entry));
    if (rows.length % IMPORT_ENTRIES_PER_STEP === 0) await ports.scheduler.yield();
  }
  const count = (verdict: ImportDecision): number =>
    rows.reduce((sum, row) => sum + Number(row.verdict === verdict), 0);
  const counts = {
    new: count('new'),
    same: count('same'),
    change: count('change'),
    refused: count('refused'),
  };
  const form = isCards ? ('vcard' as const) : ('sheet' as const);
  return { rows, shown: { id, form, counts, ignored: [...ignored] } };
}

async function entriesOfSheet({ sheets }: ImportPorts, data: Uint8Array, today: Day) {
  const { shape, rows } = await sheets.reader.read(data, {});
  const reader = peopleReader(
    shape.columns.map(({ name }) => name),
    today,
  );
  if (!reader.isKnown) {
    throw new AppError(
      'invalid',
      'No column identifies the people in the rows. Give a column a header such as Name or Email',
      { reason: 'not-a-card' },
    );
  }
  function* entries(): Generator<ImportEntry> {
    for (const { row: place, cells } of rows) {
      const { person, wrong } = reader.read(cells);
      const refusal = wrong[0] ?? importRefusalOf(person, today);
      yield { place, person, refusal, leftOut: 0 };
    }
  }
  return { entries: entries(), ignored: reader.ignored };
}

function* entriesOfCards(cards: Iterable<ReadCard>, today: Day): Generator<ImportEntry> {
  for (const { place, facts, refusal } of cards) {
    if (facts === null) {
      yield { place, person: null, refusal: refusal ?? 'broken', leftOut: 0 };
      continue;
    }
    const { kind, firstName, lastName, name, emails, phones } = facts;
    const email = emails.map((one) => emailOf(one)).find((one) => one !== null);
    const mobile = phones.map((one) => toE164(one, HOME_COUNTRY)).find((one) => one !== null);
    const person: Person = {
      kind,
      ...(firstName !== '' && { firstName }),
      ...(lastName !== '' && { lastName }),
      ...(name !== '' && { name }),
      ...(email !== undefined && { email }),
      ...(mobile !== undefined && { mobile }),
    };
    const wrong =
      (emails.length > 0 && email === undefined && 'email') ||
      (phones.length > 0 && mobile === undefined && 'mobile') ||
      importRefusalOf(person, today);
    const leftOut = Math.max(0, emails.length - 1) + Math.max(0, phones.length - 1);
    const shown = { email: emails[0], mobile: phones[0] };
    yield {
      place,
      person: wrong === null ? person : { ...person, ...shown },
      refusal: wrong,
      leftOut,
    };
  }
}

/** Returns the reason to reject an entry that its reader could read; null if the entry is valid. */
function importRefusalOf(person: Person, today: Day): ImportRefusal | null {
  const { firstName, lastName, name, email, mobile, country, companyNumber } = person;
  const names = [firstName, lastName, name].filter((one) => one !== undefined && one !== '');
  const isName = (one: string | undefined): boolean =>
    validateName(one ?? '', MAX_NAME_LENGTH).verdict !== 'wrong';
  if (!names.every(isName)) return 'name';
  if (companyNumber && companyNumberOf(companyNumber, country ?? HOME_COUNTRY, today) === null) {
    return 'number';
  }
  return names.length === 0 && !email && !mobile ? 'nobody' : null;
}

/**
 * Returns a function that compares an entry with the address book, and with earlier entries of the
 * file.
 */
function createRowPlanner({ stores }: ImportPorts): (entry: ImportEntry) => PlannedRow {
  const before = new Map<string, Person[]>();
  const meet = (person: Person, known: StoredPerson | null): Person | null => {
    const seen = keysIn(person).flatMap((key) => before.get(key) ?? []);
    return seen.findLast((one) => isSameParty(one, person)) ?? known?.person ?? null;
  };
  const note = (person: Person): void => {
    for (const key of keysIn(person)) {
      const alike = before.get(key) ?? [];
      alike.push(person);
      if (alike.length > MAX_ALIKE) alike.shift();
      before.set(key, alike);
    }
  };
  return (entry) => {
    const { place, person, refusal, leftOut } = entry;
    if (person === null || refusal !== null) {
      const about = person ?? { kind: 'person' };
      const { email = null, mobile = null } = about;
      const shown = { title: titleOfPerson(about), email, mobile, changes: [] };
      return { place, person: null, known: null, refusal, leftOut, verdict: 'refused', ...shown };
    }
    const known = findBookEntry(stores.people, person);
    const met = meet(person, known);
    const next = met === null ? person : withNewValues(met, person);
    const changes = met === null ? [] : [...changesBetween(met, next)];
    note(next);
    const { email = null, mobile = null } = person;
    const title = titleOfPerson(person) || (email ?? mobile ?? '');
    const verdict = met === null ? 'new' : changes.length > 0 ? 'change' : 'same';
    return { place, person, known, refusal, leftOut, verdict, title, email, mobile, changes };
  };
}

function keysIn(person: Person): readonly string[] {
  const { number, email, mobile, name } = keysOf(person);
  return [`n ${number ?? ''}`, `e ${email ?? ''}`, `m ${mobile ?? ''}`, `w ${name ?? ''}`].filter(
    (key) => key.length > 2,
  );
}

/**
 * Whether the address book entry was changed or added after the file was compared with the book.
 */
const isNewer = (now: StoredPerson, { known }: PlannedRow): boolean =>
  now.id !== known?.id || now.changedAt !== known.changedAt;

/** Throws 'conflict' if the file would overwrite changes made since the user saw the preview. */
async function assertRowsSeen({ stores, scheduler }: ImportPorts, rows: ImportPlan['rows']) {
  for (const [at, row] of rows.entries()) {
    const known = row.person === null ? null : findBookEntry(stores.people, row.person);
    if (row.person !== null && known !== null && isNewer(known, row)) {
      if (changesBetween(known.person, withNewValues(known.person, row.person)).length > 0) {
        throw new AppError(
          'conflict',
          'The address book was changed in the meantime. Choose the file again',
          { reason: 'import-gone' },
        );
      }
    }
    if (at % IMPORT_ENTRIES_PER_STEP === IMPORT_ENTRIES_PER_STEP - 1) await scheduler.yield();
  }
}

/**
 * Stores the entries in portions. A portion is stored completely or not at all; if the import is
 * stopped, the finished portions stay.
 */
async function storeRows(ports: ImportPorts, rows: ImportPlan['rows'], takesChanges: boolean) {
  if (takesChanges) await assertRowsSeen(ports, rows);
  const { stores, clock, chance, scheduler, changes } = ports;
  const { people } = stores;
  const now = clock.now();
  const before = new Map<PersonId, BookSnapshot>();
  const after = new Map<PersonId, BookSnapshot>();
  let [added, changed] = [0, 0];
  const storeOne = (person: Person, row: PlannedRow): PersonId | null => {
    const known = findBookEntry(people, person);
    if (known === null) {
      const id = PersonId.parse(chance.uuid());
      before.set(id, { id, row: null, memberships: [] });
      people.put({ id, person, times: 0, usedAt: now, addedAt: now, changedAt: now });
      added += 1;
      return id;
    }
    const next = withNewValues(known.person, person);
    if (!takesChanges || changesBetween(known.person, next).length === 0) return null;
    // An entry that the user changed during the import is newer than the file, so it is not
    // overwritten.
    const left = after.get(known.id)?.row;
    if (left ? left.changedAt !== known.changedAt : isNewer(known, row)) return null;
    for (const snapshot of before.has(known.id) ? [] : people.snapshot([known.id])) {
      before.set(known.id, snapshot);
      changed += 1;
    }
    people.put({ ...known, person: next, changedAt: now });
    return known.id;
  };
  for (let from = 0; from < rows.length; from += IMPORT_ENTRIES_PER_STEP) {
    stores.transaction(() => {
      for (const row of rows.slice(from, from + IMPORT_ENTRIES_PER_STEP)) {
        const id = row.person === null ? null : storeOne(row.person, row);
        for (const left of id === null ? [] : people.snapshot([id])) after.set(left.id, left);
      }
    });
    await scheduler.yield();
  }
  return { added, changed, change: changes.keep([...before.values()], [...after.values()]) };
}
