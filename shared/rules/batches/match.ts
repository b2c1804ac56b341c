import type { BatchMapping, ColumnMatch, DateFieldOrder } from '../../contract/batches.ts';
import { compileMapping } from './compile.ts';
import { headerKey, kindOfHeader } from './synonyms.ts';
import { renamePlaceholders } from './text.ts';

const ISO_DATE_ORDER: DateFieldOrder = 'iso';

/**
 * Finds the column for each placeholder of a mapping: first by the user's earlier choice, then by
 * the same name, then by a synonym in one of eleven languages. Each column is used once.
 */
export function matchColumns(
  mapping: BatchMapping,
  columns: readonly string[],
  chosen: readonly ColumnMatch[] = [],
): ColumnMatch[] {
  const placeholders = compileMapping(mapping).columns;
  const taken = new Set<string>();
  const found = new Map<string, ColumnMatch>();
  const take = (match: ColumnMatch): void => {
    if (match.column !== null) taken.add(match.column);
    found.set(match.placeholder, match);
  };
  for (const match of chosen) {
    const { placeholder, column, isLeftEmpty = false } = match;
    const isThere = column === null ? isLeftEmpty : columns.includes(column);
    if (placeholders.includes(placeholder) && isThere) take(match);
  }
  for (const find of [findSameName, findSameMeaning]) {
    for (const placeholder of placeholders) {
      if (found.has(placeholder)) continue;
      const free = columns.filter((column) => !taken.has(column));
      const column = find(placeholder, free);
      if (column !== undefined) take({ placeholder, column, dayOrder: ISO_DATE_ORDER });
    }
  }
  return placeholders.map((placeholder) => {
    return found.get(placeholder) ?? { placeholder, column: null, dayOrder: ISO_DATE_ORDER };
  });
}

/** Placeholders without a column, except those the user confirmed as empty. */
export function missingColumns(matches: readonly ColumnMatch[]): string[] {
  return matches.flatMap(({ placeholder, column, isLeftEmpty = false }) =>
    column === null && !isLeftEmpty ? [placeholder] : [],
  );
}

export function unusedColumns(
  columns: readonly string[],
  matches: readonly ColumnMatch[],
): readonly string[] {
  const used = new Set(matches.map(({ column }) => column));
  return columns.filter((column) => !used.has(column));
}

/**
 * Indices of a spreadsheet's columns in the order in which the check shows them: unused columns are
 * at the end.
 */
export function shownColumns(
  columns: readonly string[],
  matches: readonly ColumnMatch[],
): readonly number[] {
  const unused = new Set(unusedColumns(columns, matches));
  const indices = columns.map((_, index) => index);
  const isUnused = (index: number): boolean => unused.has(columns[index] ?? '');
  return [...indices.filter((index) => !isUnused(index)), ...indices.filter(isUnused)];
}

/** Returns the mapping with the spreadsheet's column names, for later use with equal columns. */
export function withColumnNames(
  mapping: BatchMapping,
  matches: readonly ColumnMatch[],
): BatchMapping {
  const names = new Map(matches.map(({ placeholder, column }) => [placeholder, column]));
  return renameColumnsIn(mapping, (name) => names.get(name) ?? name);
}

function renameColumnsIn(mapping: BatchMapping, rename: (name: string) => string): BatchMapping {
  const texts = (value: BatchMapping['body'][string]): BatchMapping['body'][string] => {
    if (typeof value === 'string') return renamePlaceholders(value, rename);
    if (Array.isArray(value)) return value.map(texts);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, texts(inner)]));
  };
  const fields = Object.entries(mapping.fields).map(
    ([name, text]) => [name, renamePlaceholders(text, rename)] as const,
  );
  const body = Object.entries(mapping.body).map(([key, value]) => [key, texts(value)] as const);
  const { onlyIf } = mapping;
  return {
    api: mapping.api,
    body: Object.fromEntries(body),
    fields: Object.fromEntries(fields),
    ...(onlyIf !== undefined && {
      onlyIf: {
        fields: renamedConditions(onlyIf.fields, (name) => name, rename),
        columns: renamedConditions(onlyIf.columns, rename, rename),
      },
    }),
  };
}

type Conditions = NonNullable<BatchMapping['onlyIf']>['fields'];

function renamedConditions(
  conditions: Conditions,
  ofKey: (name: string) => string,
  ofColumn: (name: string) => string,
): Conditions {
  return Object.fromEntries(
    Object.entries(conditions).map(([key, all]) => [
      ofKey(key),
      all.map(({ column, is }) => ({ column: ofColumn(column), is })),
    ]),
  );
}

function findSameName(placeholder: string, columns: readonly string[]): string | undefined {
  const exact = columns.find((column) => column === placeholder);
  return exact ?? columns.find((column) => headerKey(column) === headerKey(placeholder));
}

function findSameMeaning(placeholder: string, columns: readonly string[]): string | undefined {
  const wanted = kindOfHeader(placeholder);
  if (wanted === null) return undefined;
  return columns.find((column) => {
    const meaning = kindOfHeader(column);
    return meaning?.kind === wanted.kind && meaning.party === wanted.party;
  });
}
