import type { BatchMapping } from '../../contract/batches.ts';
import { type Segment, segmentsOf } from './text.ts';

type Json = BatchMapping['body'][string];

/** A mapping prepared for filling many rows. */
export type Node =
  | { readonly kind: 'fixed'; readonly value: Json }
  | {
      readonly kind: 'text';
      readonly at: string;
      readonly key: string;
      readonly segments: readonly Segment[];
    }
  | { readonly kind: 'list'; readonly at: string; readonly items: readonly Node[] }
  | {
      readonly kind: 'object';
      readonly at: string;
      readonly when: readonly Segment[] | null;
      readonly entries: readonly (readonly [key: string, node: Node])[];
    };

export interface CompiledMapping {
  readonly api: BatchMapping['api'];
  readonly body: Node;
  readonly fields: readonly { readonly name: string; readonly segments: readonly Segment[] }[];
  /** Columns used at each path of the body; the path of a field is `fields.<name>`. */
  readonly columnsAt: ReadonlyMap<string, readonly string[]>;
  /** All columns, in order of first use. */
  readonly columns: readonly string[];
  /** Conditions of a row for a field, or for a column's cell. */
  readonly onlyIf: NonNullable<BatchMapping['onlyIf']>;
}

const UNCONDITIONAL: CompiledMapping['onlyIf'] = { fields: {}, columns: {} };

/** Key whose text is not a value but a condition for its object. */
const CONDITION_KEY = 'when';

export function compileMapping({
  api,
  body,
  fields,
  onlyIf = UNCONDITIONAL,
}: BatchMapping): CompiledMapping {
  const columnsAt = new Map<string, readonly string[]>();
  const note = (at: string, segments: readonly Segment[]): void => {
    const names = segments.flatMap((one) => (one.kind === 'column' ? [one.name] : []));
    if (names.length > 0) columnsAt.set(at, names);
  };
  const node = compileNode(body, '', '', note);
  const compiledFields = Object.entries(fields).map(([name, text]) => {
    const segments = segmentsOf(text);
    note(`fields.${name}`, segments);
    return { name, segments };
  });
  const deciding = [onlyIf.columns, onlyIf.fields].flatMap((of) => Object.values(of).flat());
  const named = [...[...columnsAt.values()].flat(), ...deciding.map(({ column }) => column)];
  const columns = [...new Set(named)];
  return { api, body: node, fields: compiledFields, columnsAt, columns, onlyIf };
}

function compileNode(
  value: Json,
  at: string,
  key: string,
  note: (at: string, segments: readonly Segment[]) => void,
): Node {
  const below = (inner: string | number) => (at === '' ? String(inner) : `${at}.${inner}`);
  if (typeof value === 'string') {
    const segments = segmentsOf(value);
    if (segments.every(({ kind }) => kind === 'literal')) return { kind: 'fixed', value };
    note(at, segments);
    return { kind: 'text', at, key, segments };
  }
  if (Array.isArray(value)) {
    const items = value.map((item, index) => compileNode(item, below(index), key, note));
    return { kind: 'list', at, items };
  }
  if (typeof value !== 'object' || value === null) return { kind: 'fixed', value };
  const when = typeof value[CONDITION_KEY] === 'string' ? segmentsOf(value[CONDITION_KEY]) : null;
  if (when !== null) note(below(CONDITION_KEY), when);
  const entries = Object.entries(value)
    .filter(([name]) => when === null || name !== CONDITION_KEY)
    .map(([name, inner]) => [name, compileNode(inner, below(name), name, note)] as const);
  return { kind: 'object', at, when, entries };
}
