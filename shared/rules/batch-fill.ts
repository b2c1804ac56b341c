import type { BatchMapping, BatchProblemCode, DayOrder } from '../contract/batches.ts';
import { dayOfCell, v1TimeOfCell } from './batch-day.ts';
import type { CompiledMapping, Node } from './batch-compile.ts';
import { kindOfKey } from './batch-kinds.ts';
import type { Segment } from './batch-text.ts';
import { addDays, dayOf } from './days.ts';
import { dayText } from './batch-today.ts';
import { truthOf } from './truth-words.ts';

type Json = BatchMapping['body'][string];

/** What one row is filled with. */
export interface RowSource {
  /** The cell of a placeholder; undefined where the sheet has no such column. */
  cell(placeholder: string): string | undefined;
  dayOrder(placeholder: string): DayOrder;
  /** Epoch milliseconds. */
  readonly now: number;
  /** The number of the template's counter for this row. */
  readonly number: string;
}

/** A cell that cannot become what its place takes. */
export interface FillProblem {
  readonly placeholder: string;
  readonly code: Extract<BatchProblemCode, 'date-unclear' | 'not-a-number' | 'not-yes-or-no'>;
}

export interface FilledRow {
  readonly body: Readonly<Record<string, Json>>;
  /** `true` or `false` only where the mapping reads the cell as yes or no. */
  readonly fields: readonly { readonly name: string; readonly value: string | boolean }[];
  /** Of each list of parties, the places in the mapping of those that are there. */
  readonly kept: ReadonlyMap<string, readonly number[]>;
  readonly problems: readonly FillProblem[];
}

/** One row as the body of a request, not yet looked at by any rule. */
export function fillRow(mapping: CompiledMapping, source: RowSource): FilledRow {
  const filler = new Filler(mapping.api, source);
  const body = filler.fill(mapping.body);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new TypeError('The body of a mapping is an object');
  }
  return { body, fields: filler.fields(mapping), kept: filler.kept, problems: filler.problems };
}

class Filler {
  readonly kept = new Map<string, readonly number[]>();
  readonly problems: FillProblem[] = [];
  /** Places of v1 parties that this row does without. */
  readonly #left = new Set<number>();
  readonly #api: CompiledMapping['api'];
  readonly #source: RowSource;

  constructor(api: CompiledMapping['api'], source: RowSource) {
    this.#api = api;
    this.#source = source;
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
            // A number or a yes that its row leaves empty is not sent at all.
            return value === null && inner.kind === 'text' ? [] : [[key, value]];
          }),
        );
    }
  }

  /** Values of the PDF's form; a drawn signature follows its party to the place it has in this row. */
  fields({ fields }: CompiledMapping): FilledRow['fields'] {
    return fields.flatMap(({ name, segments }) => {
      const only = segments.length === 1 ? segments[0] : undefined;
      if (only?.kind === 'column' && only.as === 'yes-no') {
        const text = this.#cell(only.name);
        return [{ name, value: this.#truth(only.name, text) ?? text }];
      }
      const text = this.#text(segments);
      const value = only?.kind === 'literal' ? this.#placed(text) : text;
      return value === null ? [] : [{ name, value }];
    });
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
    return text !== '' && truthOf(text) !== false;
  }

  #value(key: string, segments: readonly Segment[]): Json {
    const only = segments.length === 1 ? segments[0] : undefined;
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
        return only.as === 'yes-no' ? (this.#truth(only.name, text) ?? text) : text;
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
    const truth = truthOf(text);
    if (truth === null) this.problems.push({ placeholder: name, code: 'not-yes-or-no' });
    return truth;
  }

  #day(name: string, key: string, text: string): Json {
    if (text.trim() === '') return '';
    const order = this.#source.dayOrder(name);
    const isMoment = this.#api === 'v1' && key.endsWith('On') && key !== 'sendExpiryReminderOn';
    const value = isMoment ? v1TimeOfCell(text, order) : dayOfCell(text, order);
    if (value === null) this.problems.push({ placeholder: name, code: 'date-unclear' });
    return value ?? text;
  }

  #text(segments: readonly Segment[]): string {
    return segments
      .map((segment) => this.#piece(segment))
      .join('')
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
        return String(this.#truth(segment.name, text) ?? text);
      }
    }
  }

  #cell(name: string): string {
    return (this.#source.cell(name) ?? '').trim();
  }

  #placed(text: string): string | null {
    const found = /^(\{\{@agr\.parties\[)(\d+)(\]\.signature\}\})$/.exec(text);
    if (found === null) return text;
    const [, head = '', party = '', tail = ''] = found;
    // A party the mapping never had stays named, for the rules to refuse.
    if (!this.#left.has(Number(party)) && !this.kept.get('parties')?.includes(Number(party))) {
      return text;
    }
    const place = (this.kept.get('parties') ?? []).indexOf(Number(party));
    return place < 0 ? null : `${head}${place}${tail}`;
  }
}
