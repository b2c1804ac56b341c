import type { BatchMapping } from '../../contract/batches.ts';
import { compileMapping } from './compile.ts';

/** Kind of value that a column's cells must have, depending on their use. */
export type CellKind =
  | 'person-number'
  | 'org-number'
  | 'mobile'
  | 'email'
  | 'country'
  | 'number'
  | 'day'
  | 'yes-no'
  | 'name'
  | 'text';

const kindsByKey: ReadonlyMap<string, CellKind> = new Map([
  ['personNumber', 'person-number'],
  ['personNo', 'person-number'],
  ['companyNumber', 'org-number'],
  ['orgNo', 'org-number'],
  ['mobile', 'mobile'],
  ['identifier', 'mobile'],
  ['email', 'email'],
  ['country', 'country'],
  ['signingOrder', 'number'],
  ['expireIn', 'number'],
  ['expireOn', 'day'],
  ['deleteOn', 'day'],
  ['sendExpiryReminderOn', 'day'],
  ['date', 'day'],
  ['drawSignature', 'yes-no'],
  ['hideUnsigned', 'yes-no'],
  ['allowEmailSigning', 'yes-no'],
  ['enabled', 'yes-no'],
  ['visible', 'yes-no'],
  ['attachPdf', 'yes-no'],
  ['firstName', 'name'],
  ['lastName', 'name'],
  ['name', 'name'],
  ['title', 'name'],
]);
const kindsByStrictness: readonly CellKind[] = [
  ...(['person-number', 'org-number', 'mobile', 'email', 'country', 'day'] as const),
  ...(['number', 'name', 'text', 'yes-no'] as const),
];

/** Kind of the value at a key; `when` is a condition for its object, so it is yes-no. */
const kindAt = (key: string): CellKind => (key === 'when' ? 'yes-no' : kindOfKey(key));

export function kindOfKey(key: string): CellKind {
  return kindsByKey.get(key) ?? 'text';
}

/**
 * Finds the strictest kind that each column of a mapping is used as. A name in a title is still a
 * name, and a column only used as a condition is yes-no. `isBox`: whether a field is a checkbox.
 */
export function cellKinds(
  mapping: BatchMapping,
  isBox: (field: string) => boolean = () => false,
): ReadonlyMap<string, CellKind> {
  const { columnsAt, columns: all, fields } = compileMapping(mapping);
  const fieldKinds = new Map<string, CellKind>(
    fields.flatMap(({ name, segments }) => {
      const [only] = segments;
      if (segments.length !== 1 || only?.kind !== 'column') return [];
      const kind = only.as === 'text' && isBox(name) ? 'yes-no' : only.as;
      return [[`fields.${name}`, kind] as const];
    }),
  );
  const kinds = new Map<string, CellKind>();
  for (const [at, columns] of columnsAt) {
    const kind = at.startsWith('fields.')
      ? (fieldKinds.get(at) ?? 'text')
      : kindAt(at.split('.').at(-1) ?? '');
    for (const column of columns) {
      const known = kinds.get(column) ?? kind;
      kinds.set(
        column,
        kindsByStrictness.indexOf(kind) < kindsByStrictness.indexOf(known) ? kind : known,
      );
    }
  }
  // Some columns are only used as conditions.
  for (const column of all) if (!kinds.has(column)) kinds.set(column, 'yes-no');
  return kinds;
}
