import { canonicalJson, type Json } from '../evidence/canonical-json.ts';
import { isInside, orderPath, within } from './field-path.ts';
import { arrange, smallerOrder, haveSameOrder } from './part-order.ts';

/**
 * Way in which content is merged: as one value, by field, or as a list of parts identified by a
 * field. A field that is missing in `fields` is merged as one value.
 */
export type Shape =
  | 'one'
  | { readonly fields: Readonly<Record<string, Shape>> }
  | { readonly parts: string; readonly each: Shape };

/** Content of an item or field; undefined if it does not exist yet, or was removed. */
export type Content = Json | undefined;

export interface MergeRequest {
  readonly shape: Shape;
  /** Common earlier state of both sides. */
  readonly base: Content;
  /** State of this computer. */
  readonly mine: Content;
  /** State of the office. */
  readonly theirs: Content;
  /** Known conflicts that the user has not resolved yet. */
  readonly open?: readonly string[];
  /** Conflict for which the user chose the office's value. */
  readonly taken?: string;
  /** Returns whether merged content is valid: fields of two sides may be incompatible. */
  readonly isWhole?: (content: Json) => boolean;
}

export interface MergeResult {
  /** This computer's state, with its own values in conflicts. */
  readonly mine: Content;
  /** The office's state, with its own values in conflicts. */
  readonly theirs: Content;
  /** Conflicts: fields that both sides changed, sorted; `WHOLE` is the whole item. */
  readonly questions: readonly string[];
}

/**
 * Merges changes of two sides. If only one side changed a field, that side's value is used. If both
 * sides changed it, each keeps its own value until the user chooses. Swapping the sides swaps the
 * results, and merging a result again returns it unchanged.
 */
export function merge(order: MergeRequest): MergeResult {
  const merged = mergeAt(order, order.shape, '', order);
  const { isWhole = () => true } = order;
  const isRight = [merged.mine, merged.theirs].every(
    (content) => content === undefined || isWhole(content),
  );
  return isRight ? merged : mergeConflictAt('', order);
}

/** Value of a field; undefined if it does not exist. */
export function fieldOf(shape: Shape, content: Content, field: string): Content {
  return fieldAt(shape, content, '', field);
}

export const isSame = (one: Content, other: Content): boolean =>
  one === other ||
  (one !== undefined &&
    other !== undefined &&
    // Usually both sides have the same key order, which is much faster to compare.
    (JSON.stringify(one) === JSON.stringify(other) || canonicalJson(one) === canonicalJson(other)));

type MergeSides = Pick<MergeRequest, 'base' | 'mine' | 'theirs'>;
type MergeChoices = Pick<MergeRequest, 'open' | 'taken'>;

function mergeAt(
  choices: MergeChoices,
  shape: Shape,
  path: string,
  sides: MergeSides,
): MergeResult {
  const { base, mine, theirs } = sides;
  if (choices.taken === path) return mergedOnBothSides(theirs);
  if (isSame(mine, theirs)) return mergedOnBothSides(mine);
  const { open = [], taken } = choices;
  if (open.includes(path)) return mergeConflictAt(path, sides);
  const isAskedWithin = open.some((field) => isInside(field, path));
  const isTakenWithin = taken !== undefined && isInside(taken, path);
  if (!isAskedWithin && !isTakenWithin) {
    if (isSame(base, theirs)) return mergedOnBothSides(mine);
    if (isSame(base, mine)) return mergedOnBothSides(theirs);
  }
  if (shape === 'one') return mergeConflictAt(path, sides);
  if ('fields' in shape) {
    if (!isRecord(mine) || !isRecord(theirs)) return mergeConflictAt(path, sides);
    const before = isRecord(base) ? base : {};
    return mergeFields(choices, shape.fields, path, { base: before, mine, theirs });
  }
  const named = partsIn(shape.parts, mine);
  const namedThere = partsIn(shape.parts, theirs);
  if (named === null || namedThere === null) return mergeConflictAt(path, sides);
  const before = partsIn(shape.parts, base) ?? new Map<string, Json>();
  return mergeParts(choices, shape.each, path, { base: before, mine: named, theirs: namedThere });
}

type MergeSidesOf<Value> = Readonly<Record<keyof MergeSides, Value>>;

function mergeFields(
  choices: MergeChoices,
  shapes: Readonly<Record<string, Shape>>,
  path: string,
  { base, mine, theirs }: MergeSidesOf<JsonRecord>,
): MergeResult {
  const names = [...new Set([...Object.keys(mine), ...Object.keys(theirs), ...Object.keys(base)])];
  const merged = names.map((name): [string, MergeResult] => {
    const shape = valueOf(shapes, name) ?? 'one';
    const sides = {
      base: valueOf(base, name),
      mine: valueOf(mine, name),
      theirs: valueOf(theirs, name),
    };
    return [name, mergeAt(choices, shape, within(path, name), sides)];
  });
  const recordOf = (side: 'mine' | 'theirs'): JsonRecord =>
    Object.fromEntries(
      merged.flatMap(([name, one]): [string, Json][] => {
        const value = one[side];
        return value === undefined ? [] : [[name, value]];
      }),
    );
  return {
    mine: recordOf('mine'),
    theirs: recordOf('theirs'),
    questions: sortFieldNames(merged.flatMap(([, { questions }]) => questions)),
  };
}

function mergeParts(
  choices: MergeChoices,
  each: Shape,
  path: string,
  { base, mine, theirs }: MergeSidesOf<ReadonlyMap<string, Json>>,
): MergeResult {
  const ids = [...new Set([...mine.keys(), ...theirs.keys(), ...base.keys()])];
  const merged = new Map(
    ids.map((id): [string, MergeResult] => {
      const sides = { base: base.get(id), mine: mine.get(id), theirs: theirs.get(id) };
      return [id, mergeAt(choices, each, within(path, id), sides)];
    }),
  );
  const order = orderOf(choices, path, { base, mine, theirs });
  const listOf = (side: 'mine' | 'theirs'): Json =>
    arrange(order[side], [[...mine.keys()], [...theirs.keys()]]).flatMap((id) => {
      const part = merged.get(id)?.[side];
      return part === undefined ? [] : [part];
    });
  const questions = [...merged.values()].flatMap((one) => one.questions);
  if (order.isAsked) questions.push(orderPath(path));
  return { mine: listOf('mine'), theirs: listOf('theirs'), questions: sortFieldNames(questions) };
}

interface PartOrder {
  /** Parts that both sides have, in this side's order. */
  readonly mine: readonly string[];
  readonly theirs: readonly string[];
  readonly isAsked: boolean;
}

/** Merges the order of the parts that both sides have, as one value. */
function orderOf(
  { open = [], taken }: MergeChoices,
  path: string,
  { base, mine, theirs }: MergeSidesOf<ReadonlyMap<string, Json>>,
): PartOrder {
  const here = [...mine.keys()].filter((id) => theirs.has(id));
  const there = [...theirs.keys()].filter((id) => mine.has(id));
  const settled = (order: readonly string[]) => ({ mine: order, theirs: order, isAsked: false });
  const field = orderPath(path);
  if (taken === field || haveSameOrder(here, there)) return settled(there);
  if (open.includes(field)) return { mine: here, theirs: there, isAsked: true };
  const wasThere = (id: string): boolean => base.has(id);
  const [old, oldThere] = [here.filter(wasThere), there.filter(wasThere)];
  // Both sides added the same parts at different positions, and moved no existing part.
  if (haveSameOrder(old, oldThere)) return settled(smallerOrder(here, there));
  const before = [...base.keys()].filter((id) => mine.has(id) && theirs.has(id));
  if (haveSameOrder(before, oldThere)) return settled(here);
  if (haveSameOrder(before, old)) return settled(there);
  return { mine: here, theirs: there, isAsked: true };
}

function fieldAt(shape: Shape, content: Content, path: string, field: string): Content {
  if (field === path) return content;
  if (shape === 'one') return undefined;
  if ('fields' in shape) {
    if (!isRecord(content)) return undefined;
    const name = Object.keys(content).find((one) => isOnPathTo(within(path, one), field));
    if (name === undefined) return undefined;
    const next = valueOf(shape.fields, name) ?? 'one';
    return fieldAt(next, valueOf(content, name), within(path, name), field);
  }
  const parts = partsIn(shape.parts, content);
  if (parts === null) return undefined;
  if (field === orderPath(path)) return [...parts.keys()];
  const id = [...parts.keys()].find((one) => isOnPathTo(within(path, one), field));
  return id === undefined ? undefined : fieldAt(shape.each, parts.get(id), within(path, id), field);
}

const isOnPathTo = (path: string, field: string): boolean =>
  path === field || isInside(field, path);

const mergedOnBothSides = (content: Content): MergeResult => ({
  mine: content,
  theirs: content,
  questions: [],
});
const mergeConflictAt = (
  path: string,
  { mine, theirs }: Pick<MergeSides, 'mine' | 'theirs'>,
): MergeResult => ({
  mine,
  theirs,
  questions: [path],
});

const sortFieldNames = (fields: readonly string[]): readonly string[] => fields.toSorted();

type JsonRecord = { readonly [name: string]: Json | undefined };

const isRecord = (value: Content): value is JsonRecord =>
  typeof value === 'object' && value !== null && !isList(value);

const isList = (value: Content): value is readonly Json[] => Array.isArray(value);

/** Value of a record's own property, never of an inherited one. */
const valueOf = <Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;

/** Parts by name, in order; null if the value is no list of named parts, or names are repeated. */
function partsIn(key: string, value: Content): ReadonlyMap<string, Json> | null {
  if (!isList(value)) return null;
  const parts = new Map<string, Json>();
  for (const part of value) {
    const id = isRecord(part) ? valueOf(part, key) : undefined;
    if (typeof id !== 'string' || parts.has(id)) return null;
    parts.set(id, part);
  }
  return parts;
}
