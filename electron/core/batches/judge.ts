import type {
  Batch,
  BatchCheck,
  BatchRow,
  RowFilter,
  RowProblem,
} from '../../../shared/contract/batches.ts';
import type { BatchId, ConnectionId, TemplateId } from '../../../shared/model/ids.ts';
import {
  type CheckedRow,
  type CheckSpec,
  createRowCheck,
} from '../../../shared/rules/batches/check.ts';
import { DUPLICATE_PROBLEM_CODES, summariseRows } from '../../../shared/rules/batches/summary.ts';
import { missingCharacterMessage } from '../../../shared/rules/text/missing-letter.ts';
import { usesNumber } from '../../../shared/rules/templates/values.ts';
import type { RowChecker, RowMark, StoredRow } from './ports.ts';
import { documentKey, checkSpecOf, type SpecPorts, templateOf } from './spec.ts';
import {
  findDuplicateRows,
  findEarlierSends,
  isAnswered,
  keysOfDoubles,
  type RowBasis,
} from './doubles.ts';
import { outcomeOf } from './outcome.ts';
import { type Hashing, hashText } from '../outbox/marks.ts';
import type { PdfForms, Stores } from '../ports.ts';
import { connectionsTo, serviceOf } from '../services/same-service.ts';

export interface CheckPorts extends SpecPorts, Hashing {
  readonly stores: Pick<Stores, 'batches' | 'connections' | 'templates' | 'outbox'>;
  readonly sheets: { readonly checks: RowChecker };
  readonly pdf: Pick<PdfForms, 'missingLetters' | 'textFits'>;
}

export interface ValidatedBatch {
  readonly batch: Batch;
  readonly rows: readonly ValidatedRow[];
  readonly check: BatchCheck;
}

export interface ValidatedRow {
  readonly stored: StoredRow;
  readonly checked: CheckedRow;
  readonly problems: readonly RowProblem[];
  readonly hash: string;
  readonly isExcluded: boolean;
  /** Keys of the duplicates that the user has to accept. */
  readonly doubts: readonly string[];
}

/**
 * Inputs of a validation besides the rows: while all are unchanged, the result stays valid.
 * Excludes the outcomes of sent rows, the settings and the known people.
 */
interface ValidationInputs {
  /**
   * Columns and mapping of the batch, its template with the next number, and the hour, since some
   * checks depend on time.
   */
  readonly spec: string;
  /** Key of the template's document; part of every row's hash. */
  readonly document: string;
  /** Version of the outbox and other batches, which show earlier sends of this template and sheet. */
  readonly sent: string;
  /** Agreements of this connection that another computer sent. */
  readonly foreign: string;
}

interface ValidatedKnownRow extends RowBasis {
  readonly doubles: readonly RowProblem[];
  readonly judged: ValidatedRow;
}

interface RowToValidate {
  readonly stored: StoredRow;
  readonly before: ValidatedKnownRow | undefined;
}

interface CachedValidation {
  readonly inputs: ValidationInputs;
  readonly mark: RowMark;
  readonly rows: readonly ValidatedKnownRow[];
  readonly foreign: ReadonlyMap<string, string>;
  readonly judged: ValidatedBatch;
}

/**
 * Maximum number of changed rows that are validated on this thread: handing them to a worker would
 * take longer.
 */
const MAX_ROWS_IN_PLACE = 200;
/** Number of texts checked per font request, well within the timeout of a PDF operation. */
const TEXTS_PER_FONT_REQUEST = 5000;
/** Maximum number of cached batches; each needs as much memory as its spreadsheet. */
const MAX_CACHED_BATCHES = 3;
/** Number of characters of a row's hash that make a tag unique. */
const ROW_HASH_LENGTH = 32;

/**
 * Validates batches and caches the results: after an edit, only the changed rows are validated
 * again and compared with the others. Cached results are immutable, so validations of one batch may
 * run in parallel; each reflects the moment it read.
 */
export class BatchValidator {
  readonly #ports: CheckPorts;
  readonly #kept = new Map<BatchId, CachedValidation>();

  constructor(ports: CheckPorts) {
    this.#ports = ports;
  }

  judge(id: BatchId): Promise<ValidatedBatch> {
    return this.#judge(id, this.#kept.get(id) ?? null);
  }

  /** Validates without cached results, for rows that are about to be sent. */
  validateAgain(id: BatchId): Promise<ValidatedBatch> {
    return this.#judge(id, null);
  }

  /** Returns the rows of the last validation, however old; null if there was none. */
  lastFound(id: BatchId): readonly ValidatedRow[] | null {
    return this.#kept.get(id)?.judged.rows ?? null;
  }

  async #judge(id: BatchId, kept: CachedValidation | null): Promise<ValidatedBatch> {
    const { stores } = this.#ports;
    const batch = stores.batches.get(id);
    if (batch.mapping === null || batch.templateId === null) {
      return unvalidatedBatch(batch, stores.batches.rows(id));
    }
    // Read everything before the first await; the next validation sees later writes.
    const spec = checkSpecOf(this.#ports, batch);
    const inputs = this.#inputs(batch, spec);
    const written = stores.batches.rowsSince(id, kept?.mark ?? null);
    const isAsBefore = kept !== null && !written.isAll && written.rows.length === 0;
    // A font may have been installed since.
    const isLacking = kept?.rows.some(({ checked }) => hasMissingCharacters(checked)) ?? false;
    if (isAsBefore && !isLacking && isSame(kept.inputs, inputs)) return { ...kept.judged, batch };

    const read = readRows(kept?.rows ?? [], written);
    const isSpecKept = kept?.inputs.spec === inputs.spec;
    const checked = await this.#check(spec, batch.templateId, read, ({ stored, before }) => {
      if (!isSpecKept || before === undefined) return null;
      const isKept = hasSameCells(before.stored, stored) && !hasMissingCharacters(before.checked);
      return isKept ? before.checked : null;
    });
    const bases = this.#bases(batch, inputs, kept?.inputs ?? null, read, checked);
    const foreign = kept?.inputs.foreign === inputs.foreign ? kept.foreign : this.#foreignOf(batch);
    const doubles = findDuplicateRows(bases, foreign);
    const rows = bases.map((basis, index): ValidatedKnownRow => {
      const found = doubles.get(basis.stored.row) ?? NO_ROW_PROBLEMS;
      const before = read[index]?.before;
      return isUntouched(before, basis, found) ? before : toValidatedRow(basis, found);
    });
    const lines = rows.map((row) => row.judged);
    const judged = { batch, rows: lines, check: summariseRows(batch, lines) };
    this.#keep(id, { inputs, mark: written.mark, rows, foreign, judged });
    return judged;
  }

  #inputs(batch: Batch, spec: CheckSpec): ValidationInputs {
    const { batches } = this.#ports.stores;
    const { mapping, matches, columns, document, fields, now, allowed } = spec;
    const template = templateOf(this.#ports, batch);
    const number = usesNumber(template) ? spec.number : null;
    const hour = Math.floor(now / 3_600_000);
    return {
      spec: JSON.stringify([mapping, matches, columns, document, fields, number, hour, allowed]),
      document: documentKey(template),
      sent: JSON.stringify([batches.sentVersion(), batch.templateId, batch.sheet.sheet]),
      foreign: `${String(batch.connectionId)} ${batches.foreignVersion()}`,
    };
  }

  /** Validates each row on its own; skips rows with known results. */
  async #check(
    spec: CheckSpec,
    templateId: TemplateId,
    rows: readonly RowToValidate[],
    knownOf: (row: RowToValidate) => CheckedRow | null,
  ): Promise<readonly CheckedRow[]> {
    const known = rows.map(knownOf);
    const unknown = rows.flatMap(({ stored }, index) => (known[index] === null ? [stored] : []));
    const fresh =
      unknown.length <= MAX_ROWS_IN_PLACE
        ? unknown.map(createRowCheck(spec))
        : await this.#ports.sheets.checks.check(spec, unknown.map(toSheetRow));
    const found = (await this.#withFits(templateId, await this.#withLetters(fresh))).values();
    return known.map((one) => {
      const checked = one ?? found.next().value;
      if (checked === undefined) throw new TypeError('A row was not judged');
      return checked;
    });
  }

  /**
   * Adds characters that no font has. Most spreadsheets have no unusual characters and need no
   * request.
   */
  async #withLetters(rows: readonly CheckedRow[]): Promise<readonly CheckedRow[]> {
    const texts = [...new Set(rows.flatMap(({ unusual }) => unusual.map(({ text }) => text)))];
    const found: Awaited<ReturnType<PdfForms['missingLetters']>>[number][] = [];
    for (let from = 0; from < texts.length; from += TEXTS_PER_FONT_REQUEST) {
      const some = texts.slice(from, from + TEXTS_PER_FONT_REQUEST);
      found.push(...(await this.#ports.pdf.missingLetters(some)));
    }
    const lacked = new Map(texts.map((text, at) => [text, found[at] ?? null]));
    return rows.map((row) => {
      const problems = row.unusual.flatMap(({ name, text, problem }) => {
        const one = lacked.get(text) ?? null;
        if (one === null) return [];
        const letter = { field: name, ...one };
        return [{ ...problem, message: missingCharacterMessage(letter), letter }];
      });
      return problems.length === 0 ? row : { ...row, problems: [...row.problems, ...problems] };
    });
  }

  /** Adds texts that do not fit their PDF boxes; each text is measured once. */
  async #withFits(id: TemplateId, rows: readonly CheckedRow[]): Promise<readonly CheckedRow[]> {
    const keyOf = ({ name, text }: CheckedRow['drawn'][number]) => `${name}\n${text}`;
    const texts = new Map(
      rows.flatMap(({ drawn }) =>
        drawn.map((one) => [keyOf(one), { field: one.name, text: one.text }] as const),
      ),
    );
    if (texts.size === 0) return rows;
    const { pdf, stores } = this.#ports;
    const data = stores.templates.pdf(id);
    const all = [...texts.values()];
    const found: Awaited<ReturnType<PdfForms['textFits']>>[number][] = [];
    for (let from = 0; from < all.length; from += TEXTS_PER_FONT_REQUEST) {
      found.push(...(await pdf.textFits(data, all.slice(from, from + TEXTS_PER_FONT_REQUEST))));
    }
    const fits = new Map([...texts.keys()].map((key, at) => [key, found[at] ?? null]));
    return rows.map((row) => {
      const problems = row.drawn.flatMap((one): RowProblem[] => {
        const fit = fits.get(keyOf(one)) ?? null;
        if (fit === null) return [];
        const isCut = fit.excess > 0;
        const about = { detail: isCut ? 'text-cut' : 'text-small', message: fit.message, fit };
        return [{ ...one.problem, ...about, isError: isCut && one.problem.isError }];
      });
      const bare = { ...row, drawn: [] };
      return problems.length === 0 ? bare : { ...bare, problems: [...row.problems, ...problems] };
    });
  }

  /** Adds hashes to the rows, and earlier sends to those that may have changed. */
  #bases(
    batch: Batch,
    inputs: ValidationInputs,
    keptInputs: ValidationInputs | null,
    read: readonly RowToValidate[],
    checked: readonly CheckedRow[],
  ): readonly RowBasis[] {
    const { stores } = this.#ports;
    const isDocumentKept = keptInputs?.document === inputs.document;
    const isSentKept = keptInputs?.sent === inputs.sent;
    const rows = checked.flatMap((one, index) => {
      const { stored, before } = read[index] ?? {};
      if (stored === undefined) return [];
      const known = isDocumentKept && before?.checked === one ? before : undefined;
      const hash = known?.hash ?? this.#hash(inputs.document, one.key);
      return [{ stored, checked: one, hash, known: isSentKept ? known : undefined }];
    });
    const asked = rows.filter(({ known }) => known === undefined);
    const sent = findEarlierSends(stores, batch.id, asked).values();
    return rows.map(({ known, stored, checked: one, hash }) => {
      const earlier = known === undefined ? (sent.next().value ?? null) : known.earlier;
      return { stored, checked: one, hash, earlier };
    });
  }

  /** Each connection to the service shows only agreements that its own user may see. */
  #foreignOf({ connectionId }: Batch): ReadonlyMap<string, string> {
    if (connectionId === null) return new Map<string, string>();
    const { stores } = this.#ports;
    const apiOf = (id: ConnectionId) => stores.connections.get(id).api;
    const reaching = connectionsTo(stores, serviceOf(stores, connectionId));
    return stores.batches.foreignKeys(reaching.filter((id) => apiOf(id) === apiOf(connectionId)));
  }

  #hash(document: string, key: string): string {
    return hashText(this.#ports, `${document}\n${key}`).slice(0, ROW_HASH_LENGTH);
  }

  #keep(id: BatchId, kept: CachedValidation): void {
    this.#kept.delete(id);
    this.#kept.set(id, kept);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_CACHED_BATCHES && oldest !== undefined) this.#kept.delete(oldest);
  }
}

const isSame = (a: ValidationInputs, b: ValidationInputs): boolean =>
  a.spec === b.spec && a.document === b.document && a.sent === b.sent && a.foreign === b.foreign;

function readRows(
  kept: readonly ValidatedKnownRow[],
  { rows, isAll }: ReturnType<Stores['batches']['rowsSince']>,
): readonly RowToValidate[] {
  if (isAll) {
    const known = new Map(kept.map((row) => [row.stored.row, row]));
    return rows.map((stored) => {
      const before = known.get(stored.row);
      const isSameRow = before !== undefined && isEqual(before.stored, stored);
      return { stored: isSameRow ? before.stored : stored, before };
    });
  }
  const written = new Map(rows.map((row) => [row.row, row]));
  return kept.map((before) => ({
    stored: written.get(before.stored.row) ?? before.stored,
    before,
  }));
}

function hasSameCells(a: StoredRow, b: StoredRow): boolean {
  if (a === b) return true;
  const isCell =
    a.cells.length === b.cells.length && a.cells.every((one, at) => one === b.cells[at]);
  return isCell && JSON.stringify(a.marks) === JSON.stringify(b.marks);
}

/** Whether the stored row is unchanged, although all rows had to be read again. */
function isEqual(a: StoredRow, b: StoredRow): boolean {
  const rest = ({ original, choice, answered, ref, failure, replaces }: StoredRow) =>
    JSON.stringify([original, choice, answered, ref, failure, replaces]);
  return hasSameCells(a, b) && rest(a) === rest(b);
}

/** Whether the result of a row is unchanged. */
function isUntouched(
  before: ValidatedKnownRow | undefined,
  { stored, checked, hash, earlier }: RowBasis,
  doubles: readonly RowProblem[],
): before is ValidatedKnownRow {
  if (before?.stored !== stored || before.checked !== checked || before.hash !== hash) return false;
  if (before.earlier?.ref !== earlier?.ref) return false;
  const isAlone = before.doubles.length === 0 && doubles.length === 0;
  return isAlone || JSON.stringify(before.doubles) === JSON.stringify(doubles);
}

function toValidatedRow(basis: RowBasis, doubles: readonly RowProblem[]): ValidatedKnownRow {
  const { stored, checked, hash, earlier } = basis;
  const failed = stored.failure === null ? [] : [failure(stored.failure)];
  const problems = [...checked.problems, ...doubles, ...failed];
  const doubts = keysOfDoubles(doubles, earlier);
  const isIncluded = stored.choice === false && isAnswered(stored, doubts);
  const isExcluded = !isIncluded && (stored.choice === true || doubts.length > 0);
  return { ...basis, doubles, judged: { stored, checked, problems, hash, isExcluded, doubts } };
}

/** Returns the cells of a batch without a template; nothing else can be shown. */
function unvalidatedBatch(batch: Batch, stored: readonly StoredRow[]): ValidatedBatch {
  const rows = stored.map((row) => ({
    stored: row,
    checked: {
      row: row.row,
      problems: [],
      contacts: NO_CONTACTS,
      later: [],
      notified: [],
      parties: 0,
      keptDefaults: 0,
      unusual: [],
      drawn: [],
      key: '',
      personKey: '',
    },
    problems: [],
    hash: '',
    isExcluded: row.choice ?? false,
    doubts: [],
  }));
  const check = { ...summariseRows(batch, rows), ready: 0 };
  return { batch, rows, check };
}

const NO_ROW_PROBLEMS: readonly RowProblem[] = [];
const hasMissingCharacters = ({ problems }: CheckedRow): boolean =>
  problems.some(({ letter }) => letter !== undefined);
const NO_CONTACTS = { people: 0, emails: 0, sms: 0 };
const toSheetRow = ({ row, cells, marks }: StoredRow) => ({
  row,
  cells: [...cells],
  marks: [...marks],
});

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

export function isReady({ isExcluded, problems }: ValidatedRow): boolean {
  return !isExcluded && problems.every(({ isError }) => !isError);
}

export function rowsFor(rows: readonly ValidatedRow[], filter: RowFilter): readonly ValidatedRow[] {
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

const isDouble = (code: RowProblem['code']): boolean => DUPLICATE_PROBLEM_CODES.includes(code);

export function toShownRow(
  { stored, problems, isExcluded }: ValidatedRow,
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
