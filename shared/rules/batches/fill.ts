import type {
  BatchMapping,
  BatchProblemCode,
  CellCondition,
  DateFieldOrder,
} from '../../contract/batches.ts';
import { dayOfCell, v1TimeOfCell } from './day.ts';
import type { CompiledMapping, Node } from './compile.ts';
import { kindOfKey } from './kinds.ts';
import { DEFAULT_DAY_FORMAT, type Segment } from './text.ts';
import { addDays, dayOf } from '../time/days.ts';
import { dayText } from './today.ts';
import { BLANK_WORD, fitValue, REFERENCE_FIELD, type ValueField } from '../forms/field-values.ts';
import { parseBoolean } from '../forms/boolean-words.ts';
import { isAnswer, isBooleanWord } from '../templates/conditions.ts';
import { EXCESS_COMBINING_MARKS } from '../text/long-marks.ts';

type Json = BatchMapping['body'][string];

export interface RowSource {
  /** The cell of a placeholder; undefined if the spreadsheet has no such column. */
  cell(placeholder: string): string | undefined;
  dayOrder(placeholder: string): DateFieldOrder;
  /** The form's field with this name; undefined if the form is not known. */
  field(name: string): (ValueField & { readonly value: string }) | undefined;
  /** Current time (epoch ms). */
  readonly now: number;
  /** The template's counter value for this row. */
  readonly number: string;
}

/** Cell that cannot be converted to the value that its field or key requires. */
export interface FillProblem {
  readonly placeholder: string;
  readonly code: Extract<
    BatchProblemCode,
    'date-unclear' | 'not-a-number' | 'not-yes-or-no' | 'not-an-answer' | 'not-asked'
  >;
}

interface FieldFill {
  readonly name: string;
  readonly value: string | boolean;
}

export interface FilledRow {
  readonly body: Readonly<Record<string, Json>>;
  /** Fields to send: without those that keep the PDF's value; `true` or `false` for a box. */
  readonly fields: readonly FieldFill[];
  /** Values of all fields, used to recognise an equal row. */
  readonly asked: readonly FieldFill[];
  /** Number of fields that keep a default value of the PDF, because the row has none. */
  readonly keptDefaults: number;
  /** For each list of parties, the mapping indexes of the parties in this row. */
  readonly kept: ReadonlyMap<string, readonly number[]>;
  readonly problems: readonly FillProblem[];
}

/** Returns one row as a request body, not validated yet. */
export function fillRow(mapping: CompiledMapping, source: RowSource): FilledRow {
  const filler = new RowFiller(mapping, source);
  const body = filler.fill(mapping.body);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new TypeError('The body of a mapping is an object');
  }
  const fields = filler.fields();
  const whole = filler.withDynamicFields(body);
  const { asked, kept, problems, keptDefaults } = filler;
  return { body: whole, fields, asked, keptDefaults, kept, problems };
}

/** First characters of the service's own placeholders. */
const SERVICE_PLACEHOLDER_START = '{{@';

class RowFiller {
  readonly kept = new Map<string, readonly number[]>();
  readonly problems: FillProblem[] = [];
  readonly asked: FieldFill[] = [];
  keptDefaults = 0;
  /** Indexes of v1 parties that this row omits. */
  readonly #left = new Set<number>();
  readonly #asking = new Set<string>();
  readonly #mapping: CompiledMapping;
  readonly #source: RowSource;

  constructor(mapping: CompiledMapping, source: RowSource) {
    this.#mapping = mapping;
    this.#source = source;
    this.#judgeConditions(mapping.onlyIf);
  }

  /** Reports unexpected words in conditions: they would leave parts of the document blank. */
  #judgeConditions({ fields, columns }: CompiledMapping['onlyIf']): void {
    const all = [fields, columns].flatMap((of) => Object.values(of).flat());
    for (const { column, is, among } of new Map(all.map((one) => [one.column, one])).values()) {
      const text = this.#cell(column);
      if (text === '') continue;
      if (among === undefined && isBooleanWord(is)) this.#truth(column, text);
      else if (among?.includes(text) === false) {
        this.problems.push({ placeholder: column, code: 'not-an-answer' });
      }
    }
    for (const name of Object.keys(columns)) {
      const isIgnored = this.#written(name) !== '' && this.#cell(name) === '';
      if (isIgnored) this.problems.push({ placeholder: name, code: 'not-asked' });
    }
  }

  fill(node: Node): Json {
    switch (node.kind) {
      case 'fixed':
        return node.value;
      case 'text':
        return this.#value(node.key, node.segments);
      case 'list':
        return this.#list(node);
      case 'object':
        return Object.fromEntries(
          node.entries.flatMap(([key, inner]) => {
            const value = this.fill(inner);
            // An empty number or yes-no value is not sent at all.
            return value === null && inner.kind === 'text' ? [] : [[key, value]];
          }),
        );
    }
  }

  /**
   * Values of the PDF's form; a drawn signature follows its party to the party's index in this row.
   */
  fields(): FilledRow['fields'] {
    const { fields, onlyIf } = this.#mapping;
    return fields.flatMap(({ name, segments }) => {
      if (!this.#meets(onlyIf.fields[name] ?? [])) {
        this.asked.push({ name, value: '' });
        return this.#fitted(name, BLANK_WORD);
      }
      const only = segments.length === 1 ? segments[0] : undefined;
      if (only?.kind === 'literal') {
        const placed = this.#placed(only.text);
        // The party is absent, so its signature is omitted.
        if (placed === null) return [];
        if (placed.startsWith(SERVICE_PLACEHOLDER_START)) {
          this.asked.push({ name, value: placed });
          return [{ name, value: placed }];
        }
      }
      this.asked.push({ name, value: this.#askedOf(segments) });
      return this.#fitted(name, this.#fieldText(name, segments));
    });
  }

  /**
   * Fields of a template on the service, if the mapping itself lists them (API v2, "dynamicPdf").
   */
  withDynamicFields(body: Record<string, Json>): Record<string, Json> {
    const dynamic = body['dynamicPdf'];
    if (typeof dynamic !== 'object' || dynamic === null || Array.isArray(dynamic)) return body;
    const { fields } = dynamic;
    if (!Array.isArray(fields)) return body;
    const places: number[] = [];
    const fitted = fields.flatMap((one, place): Json[] => {
      const found = this.#dynamicField(one);
      if (found !== null) places.push(place);
      return found === null ? [] : [found];
    });
    this.kept.set('dynamicPdf.fields', places);
    return { ...body, dynamicPdf: { ...dynamic, fields: fitted } };
  }

  #dynamicField(one: Json): Json | null {
    if (typeof one !== 'object' || one === null || Array.isArray(one)) return one;
    const { name, value = '' } = one;
    const isValue = typeof value === 'string' || typeof value === 'boolean';
    if (typeof name !== 'string' || !isValue || name === REFERENCE_FIELD) return one;
    const [found] = this.#fitted(name, value);
    return found === undefined ? null : { ...one, value: found.value };
  }

  /** Converts a value for its field. An invalid value is kept: the rules of the draft report it. */
  #fitted(name: string, given: string | boolean): FieldFill[] {
    const field = this.#source.field(name);
    const { value, problem } = fitValue(field, given);
    if (problem !== null) return [{ name, value: given }];
    if (value !== null) return [{ name, value }];
    const held = field?.value ?? '';
    if (held !== '' && held !== 'false') this.keptDefaults += 1;
    return [];
  }

  #askedOf(segments: readonly Segment[]): string | boolean {
    const only = segments.length === 1 ? segments[0] : undefined;
    if (only?.kind !== 'column' || only.as !== 'yes-no') return this.#text(segments);
    const text = this.#cell(only.name);
    return parseBoolean(text) ?? text;
  }

  /** Text of a field. If all its columns are empty, it is empty, even with text between them. */
  #fieldText(name: string, segments: readonly Segment[]): string | boolean {
    const only = segments.length === 1 ? segments[0] : undefined;
    if (only?.kind === 'column') {
      const text = this.#cell(only.name);
      if (only.as === 'day') return this.#isoDay(only.name, text);
      // A known form defines the words of its checkbox itself.
      const isWord = only.as === 'yes-no' && text !== '' && this.#source.field(name) === undefined;
      return isWord && text !== BLANK_WORD ? (this.#truth(only.name, text) ?? text) : text;
    }
    const text = this.#text(segments);
    if (!segments.some(({ kind }) => kind === 'column')) return text;
    const rest = text.replaceAll(BLANK_WORD, '');
    if (rest === text) return text.trim() === '' ? '' : text;
    return rest.trim() || BLANK_WORD;
  }

  #list({ at, items }: Node & { readonly kind: 'list' }): Json {
    const there = [...items.entries()].filter(([, item]) => this.#isThere(item));
    if (there.length < items.length || at.includes('parties')) {
      this.kept.set(
        at,
        there.map(([place]) => place),
      );
      const isThere = new Set(there.map(([place]) => place));
      for (const place of items.keys()) if (!isThere.has(place)) this.#left.add(place);
    }
    return there.map(([, item]) => this.fill(item));
  }

  #isThere(item: Node): boolean {
    if (item.kind !== 'object' || item.when === null) return true;
    const text = this.#text(item.when).trim();
    return text !== '' && parseBoolean(text) !== false;
  }

  #value(key: string, segments: readonly Segment[]): Json {
    const only = segments.length === 1 ? segments[0] : undefined;
    if (only?.kind === 'today' && only.format === DEFAULT_DAY_FORMAT && kindOfKey(key) === 'day') {
      const day = this.#piece(only);
      return this.#isMoment(key) ? (v1TimeOfCell(day, 'iso') ?? day) : day;
    }
    if (only?.kind !== 'column') return this.#text(segments);
    const text = this.#cell(only.name);
    switch (kindOfKey(key)) {
      case 'number':
        return this.#number(only.name, text);
      case 'yes-no':
        return text === '' ? null : (this.#truth(only.name, text) ?? text);
      case 'day':
        return this.#day(only.name, key, text);
      default:
        if (only.as !== 'yes-no') return text;
        return text === '' ? null : (this.#truth(only.name, text) ?? text);
    }
  }

  #number(name: string, text: string): Json {
    const trimmed = text.trim().replace(/[.,]0$/, '');
    if (trimmed === '') return null;
    if (/^-?\d{1,6}(?:[.,]\d+)?$/.test(trimmed)) return Number(trimmed.replace(',', '.'));
    this.problems.push({ placeholder: name, code: 'not-a-number' });
    return null;
  }

  #truth(name: string, text: string): boolean | null {
    const truth = parseBoolean(text);
    if (truth === null) this.problems.push({ placeholder: name, code: 'not-yes-or-no' });
    return truth;
  }

  #day(name: string, key: string, text: string): Json {
    if (text.trim() === '') return '';
    const order = this.#source.dayOrder(name);
    const value = this.#isMoment(key) ? v1TimeOfCell(text, order) : dayOfCell(text, order);
    if (value === null) this.problems.push({ placeholder: name, code: 'date-unclear' });
    return value ?? text;
  }

  /** Day of a cell as year-month-day; any other text is kept and reported. */
  #isoDay(name: string, text: string): string {
    if (text === '' || text === BLANK_WORD) return text;
    const day = dayOfCell(text, this.#source.dayOrder(name));
    if (day === null) this.problems.push({ placeholder: name, code: 'date-unclear' });
    return day ?? text;
  }

  /** Whether API v1 requires a time for this key, not a day. */
  #isMoment(key: string): boolean {
    return this.#mapping.api === 'v1' && key.endsWith('On') && key !== 'sendExpiryReminderOn';
  }

  #text(segments: readonly Segment[]): string {
    return segments
      .map((segment) => this.#piece(segment))
      .join('')
      .replaceAll(EXCESS_COMBINING_MARKS, '')
      .normalize('NFC');
  }

  #piece(segment: Segment): string {
    switch (segment.kind) {
      case 'literal':
        return segment.text;
      case 'number':
        return this.#source.number;
      case 'today': {
        const day = addDays(dayOf(this.#source.now), segment.addDays);
        return dayText(day, segment.format);
      }
      case 'column': {
        const text = this.#cell(segment.name);
        if (segment.as === 'text') return text;
        if (segment.as === 'day') return this.#isoDay(segment.name, text);
        return String(this.#truth(segment.name, text) ?? text);
      }
    }
  }

  /** Returns the text of a column's cell; '' if a condition of the row excludes the cell. */
  #cell(name: string): string {
    const conditions = this.#mapping.onlyIf.columns[name];
    if (conditions === undefined) return this.#written(name);
    // Columns of a hand-written mapping may depend on each other.
    if (this.#asking.has(name)) return '';
    this.#asking.add(name);
    const isAsked = this.#meets(conditions);
    this.#asking.delete(name);
    return isAsked ? this.#written(name) : '';
  }

  #written(name: string): string {
    return (this.#source.cell(name) ?? '').trim();
  }

  #meets(conditions: readonly CellCondition[]): boolean {
    return conditions.every(({ column, is }) => isAnswer(this.#cell(column), is));
  }

  #placed(text: string): string | null {
    const found = /^(\{\{@agr\.parties\[)(\d+)(\]\.signature\}\})$/.exec(text);
    if (found === null) return text;
    const [, head = '', party = '', tail = ''] = found;
    // A party that the mapping never had is kept, so that the rules reject it.
    if (!this.#left.has(Number(party)) && !this.kept.get('parties')?.includes(Number(party))) {
      return text;
    }
    const place = (this.kept.get('parties') ?? []).indexOf(Number(party));
    return place < 0 ? null : `${head}${place}${tail}`;
  }
}
