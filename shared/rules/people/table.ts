import type { Person } from '../../contract/people.ts';
import type { Day } from '../time/days.ts';
import { fullName } from '../drafts/parts/contacts.ts';
import { validateEmail } from '../identifiers/email.ts';
import { validatePersonNumberV1 } from '../identifiers/identity.ts';
import {
  validateOrganisationNumber,
  formatOrganisationNumber,
} from '../identifiers/organisation-number.ts';
import { toE164 } from '../identifiers/phone.ts';
import { EXCESS_COMBINING_MARKS } from '../text/long-marks.ts';
import { maskPersonNumber, withoutPersonNumbers } from '../text/mask.ts';

type Column = keyof Person | 'fullName';

/** Folded names of the columns in the Nordic languages, English and German. */
const names: Readonly<Record<Column, readonly string[]>> = {
  kind: ['type', 'typ'],
  fullName: [
    'full name',
    'namn',
    'navn',
    'nimi',
    'name',
    'person',
    'kontakt',
    'contact',
    'display name',
  ],
  firstName: ['first name', 'firstname', 'fornamn', 'fornavn', 'etunimi', 'vorname', 'given name'],
  lastName: [
    'last name',
    'lastname',
    'surname',
    'efternamn',
    'etternavn',
    'efternavn',
    'sukunimi',
    'nachname',
    'family name',
  ],
  name: [
    'company',
    'company name',
    'organization name',
    'organization 1 name',
    'organization',
    'foretag',
    'foretagsnamn',
    'bolag',
    'firma',
    'yritys',
    'selskap',
    'virksomhed',
  ],
  email: [
    'email',
    'e mail',
    'mail',
    'epost',
    'e post',
    'mejl',
    'sahkoposti',
    'e mail address',
    'e mail 1 value',
    'primary email',
    'email address',
    'e postadress',
    'e mail adresse',
    'e mailadresse',
    'e postadresse',
    'sahkopostiosoite',
  ],
  mobile: [
    'mobile',
    'mobil',
    'mobilnummer',
    'telefon',
    'phone',
    'tel',
    'puhelin',
    'matkapuhelin',
    'mobile number',
    'mobile phone',
    'phone 1 value',
    'handy',
    'mobiltelefon',
  ],
  country: ['country', 'land', 'maa', 'landskod', 'country code'],
  personNumber: [
    'personal number',
    'personnummer',
    'person number',
    'fodselsnummer',
    'cpr',
    'henkilotunnus',
    'hetu',
    'pno',
    'personal no',
    'personnr',
  ],
  companyNumber: [
    'organisation number',
    'organisationsnummer',
    'orgnr',
    'org nr',
    'orgno',
    'org no',
    'company number',
    'cvr',
    'y tunnus',
  ],
};

const COUNTRY_CODE_FORMAT = /^[A-Z]{2}$/;

interface TableRow {
  readonly person: Person;
  /** Cells that were not understood, unchanged. */
  readonly doubts: readonly string[];
  /** Properties of the person with an invalid cell. */
  readonly wrong: readonly InvalidFactKind[];
}

type InvalidFactKind = 'email' | 'mobile' | 'number';

export interface PeopleTable {
  readonly rows: readonly TableRow[];
  readonly hasHeader: boolean;
  /** Columns with an unknown title. */
  readonly ignored: readonly string[];
}

/**
 * Reads people from cells copied from a spreadsheet or email, separated by tabs, semicolons or
 * commas. Without a header, the content of each cell determines its kind.
 */
export function readPeopleTable(text: string, today: Day): PeopleTable {
  const cells = splitCells(text);
  const [first = [], ...rest] = cells;
  const columns = first.map(columnOf);
  const hasHeader = columns.some((column) => column !== null) && !first.some(looksLikeData);
  if (!hasHeader) {
    return { rows: cells.map((row) => guessRow(row, today)), hasHeader, ignored: [] };
  }
  const ignored = first.filter((title, index) => title !== '' && columns[index] === null);
  return { rows: rest.map((row) => cellsByColumn(row, columns, today)), hasHeader, ignored };
}

/** Reads people from the rows of a spreadsheet, by column titles. */
export function peopleReader(titles: readonly string[], today: Day) {
  const columns = titles.map(columnOf);
  return {
    /** Columns with an unknown title. */
    ignored: titles.filter((title, index) => title !== '' && columns[index] === null),
    isKnown: columns.some((column) => column !== null && column !== 'kind'),
    read: (cells: readonly string[]): TableRow => {
      const { person, ...row } = cellsByColumn(cells, columns, today);
      const isSaid = columns.some((column, at) => column === 'country' && cells[at]?.trim());
      const { country: _assumed, ...said } = person;
      return { ...row, person: isSaid ? person : said };
    },
  };
}

/** Texts of a person's data by column index, for the columns with known titles. */
export function cellsFor(titles: readonly string[], person: Person): ReadonlyMap<number, string> {
  const { kind: _kind, ...facts } = person;
  const whole = person.name ?? fullName(person);
  const cells = titles.flatMap((title, index): [number, string][] => {
    const column = columnOf(title);
    if (column === null || column === 'kind') return [];
    const text = column === 'fullName' ? whole : facts[column];
    return text === undefined || text === '' ? [] : [[index, text]];
  });
  return new Map(cells);
}

/**
 * Splits a text into rows of cells. A quoted cell may contain the separator, a line break, and
 * doubled quotes.
 * @internal
 */
export function splitCells(text: string): readonly (readonly string[])[] {
  const clean = text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
  const separator = ['\t', ';', ','].find((one) => clean.includes(one)) ?? '\t';
  const cell = new RegExp(`(?:"([^"]*(?:""[^"]*)*)"|([^${separator}\n]*))(${separator}|\n|$)`, 'y');
  const rows: string[][] = [];
  let row: string[] = [];
  while (cell.lastIndex < clean.length) {
    const found = cell.exec(clean);
    if (found === null) break;
    const [, quoted, plain = '', end] = found;
    row.push((quoted?.replaceAll('""', '"') ?? plain).trim());
    if (end !== separator) {
      rows.push(row);
      row = [];
    }
  }
  if (row.length > 0) rows.push(row);
  return rows.filter((one) => one.some((inner) => inner !== ''));
}

function columnOf(title: string): Column | null {
  // A whole row copied from a spreadsheet has thousands of empty cells.
  if (title === '') return null;
  const folded = foldHeader(title);
  const found = Object.entries(names).find(([, known]) => known.includes(folded));
  return found === undefined ? null : (columnsByName.get(found[0]) ?? null);
}

const columnsByName: ReadonlyMap<string, Column> = new Map([
  ['kind', 'kind'],
  ['fullName', 'fullName'],
  ['firstName', 'firstName'],
  ['lastName', 'lastName'],
  ['name', 'name'],
  ['email', 'email'],
  ['mobile', 'mobile'],
  ['country', 'country'],
  ['personNumber', 'personNumber'],
  ['companyNumber', 'companyNumber'],
]);

const foldHeader = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(EXCESS_COMBINING_MARKS, '')
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('ø', 'o')
    .replaceAll(/[^\p{L}\d]+/gu, ' ')
    .trim();

/** Values in a cell; Google writes several values of one kind into a cell: `a ::: b`. */
export const valuesIn = (cell: string): readonly string[] =>
  cell.includes(':::')
    ? cell
        .split(':::')
        .map((value) => value.trim())
        .filter(Boolean)
    : [cell];

const firstValue = (cell: string): string => valuesIn(cell)[0] ?? '';

const ADDRESS_PATTERN = /[@＠]|[([{<]at[)\]}>]|^\S+\.\p{Ll}{2,}$/u;

/** Whether a text without a valid address was probably meant as an email address. */
const looksLikeAddress = (text: string): boolean => ADDRESS_PATTERN.test(text.trim());

/**
 * A doubtful cell for the screen. An address or phone number shows the characters that are wrong;
 * any other cell may be a mistyped personal number, and is masked.
 */
export const maskDoubt = (text: string, { email, mobile }: Person): string =>
  text === email || text === mobile || looksLikeAddress(text)
    ? withoutPersonNumbers(text)
    : maskPersonNumber(text);

const looksLikeData = (cell: string): boolean => cell.includes('@') || /\d{4}/.test(cell);

const isNameColumn = (column: Column | null): boolean =>
  column === 'fullName' || column === 'firstName' || column === 'lastName' || column === 'name';

type CellsByColumn = Partial<Record<Column, string>>;

function cellsByColumn(
  row: readonly string[],
  columns: readonly (Column | null)[],
  today: Day,
): TableRow {
  const cells: CellsByColumn = {};
  const doubts: string[] = [];
  for (const [index, column] of columns.entries()) {
    const text = firstValue(row[index] ?? '');
    if (isNameColumn(column) && looksLikeAddress(text)) doubts.push(text);
    // Only the first of several addresses is used.
    if (column !== null && text.trim() !== '') cells[column] ??= text;
  }
  return toRow(cells, doubts, today);
}

function guessRow(row: readonly string[], today: Day): TableRow {
  const cells: CellsByColumn = {};
  const words: string[] = [];
  const doubts: string[] = [];
  const addresses: string[] = [];
  for (const text of row.map(firstValue).filter((one) => one !== '')) {
    if (text.includes('@')) cells.email ??= text;
    else if (looksLikeAddress(text)) addresses.push(text);
    else if (COUNTRY_CODE_FORMAT.test(text)) cells.country ??= text;
    // A text without digits is no number; this check is a hundred times faster than the parsers.
    else if (!/\p{Nd}/u.test(text)) words.push(text);
    else if (isOrganisation(text, today)) cells.companyNumber ??= text;
    else if (validatePersonNumberV1(text, 'SE', today).verdict !== 'wrong')
      cells.personNumber ??= text;
    else if (toE164(text, 'SE') !== null) cells.mobile ??= text;
    else if (/\d/.test(text)) doubts.push(text);
    else words.push(text);
  }
  for (const text of addresses) {
    // Some companies are named after their domain.
    if (words.length > 0 && cells.email === undefined) cells.email = text;
    else {
      words.push(text);
      doubts.push(text);
    }
  }
  if (cells.companyNumber !== undefined) cells.name = words.join(' ');
  else if (words.length > 0) cells.fullName = words.join(' ');
  return toRow(cells, doubts, today);
}

const isOrganisation = (text: string, today: Day): boolean =>
  validateOrganisationNumber(text, today).verdict === 'fine';

/** Converts cells to a row in the format of API v1; invalid addresses and numbers are kept. */
function toRow(cells: CellsByColumn, before: readonly string[], today: Day): TableRow {
  const { kind, fullName: whole, firstName, lastName, name, country = 'SE', ...texts } = cells;
  const { email, mobile, personNumber, companyNumber } = texts;
  const isCompany = isCompanyRow(cells);
  const names = isCompany ? { name: name ?? whole ?? '' } : personNames(firstName, lastName, whole);
  const contact =
    isCompany && kind === 'company' ? personNames(firstName, lastName, undefined) : {};
  const number =
    personNumber === undefined ? null : validatePersonNumberV1(personNumber, country, today);
  const phone = mobile === undefined ? null : toE164(mobile, country);
  const address = email === undefined ? null : validateEmail(email);
  const found: readonly (readonly [InvalidFactKind, string | undefined, boolean])[] = [
    ['number', personNumber, number?.verdict === 'wrong'],
    ['mobile', mobile, phone === null],
    ['email', email, address?.verdict === 'wrong'],
  ];
  const wrong = found.flatMap(([fact, text, isWrong]) =>
    text !== undefined && isWrong ? [{ fact, text }] : [],
  );
  const person: Person = {
    kind: isCompany ? 'company' : 'person',
    ...names,
    ...contact,
    ...(email !== undefined && {
      email: address?.verdict === 'wrong' ? email : (address?.value ?? email),
    }),
    ...(mobile !== undefined && { mobile: phone ?? mobile }),
    country,
    ...(number !== null && { personNumber: number.value }),
    ...(companyNumber !== undefined && { companyNumber: tidyOrganisation(companyNumber, today) }),
  };
  return {
    person,
    doubts: [...before, ...wrong.map(({ text }) => text)],
    wrong: wrong.map(({ fact }) => fact),
  };
}

/**
 * Whether a row is a company. A row with the names of a person and of a company is a person who
 * works there.
 */
function isCompanyRow({
  kind,
  fullName,
  firstName,
  lastName,
  name,
  companyNumber,
}: CellsByColumn): boolean {
  if (kind !== undefined)
    return /^(?:company|f\u00f6retag|organi[sz]ation|org)$/i.test(kind.trim());
  if (companyNumber !== undefined) return true;
  return name !== undefined && (firstName ?? lastName ?? fullName) === undefined;
}

function tidyOrganisation(text: string, today: Day): string {
  const judged = validateOrganisationNumber(text, today);
  return judged.verdict === 'wrong' ? text : formatOrganisationNumber(judged.value);
}

function personNames(
  firstName: string | undefined,
  lastName: string | undefined,
  whole: string | undefined,
): Pick<Person, 'firstName' | 'lastName'> {
  if (whole === undefined || firstName !== undefined || lastName !== undefined) {
    return {
      ...(firstName !== undefined && { firstName }),
      ...(lastName !== undefined && { lastName }),
    };
  }
  const [before = '', after] = whole.split(',').map((part) => part.trim());
  if (after !== undefined) return { firstName: after, lastName: before };
  const words = whole.split(/\s+/);
  const last = words.pop() ?? '';
  return words.length === 0 ? { firstName: last } : { firstName: words.join(' '), lastName: last };
}
