import type { BatchMapping } from '../../contract/batches.ts';
import { compileMapping } from './compile.ts';

/** What the cells of a column have to be, by where they go. */
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

const byKey: ReadonlyMap<string, CellKind> = new Map([
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
const byRank: readonly CellKind[] = [
  ...(['person-number', 'org-number', 'mobile', 'email', 'country', 'day'] as const),
  ...(['number', 'yes-no', 'name', 'text'] as const),
];

export function kindOfKey(key: string): CellKind {
  return byKey.get(key) ?? 'text';
}

/** The strictest kind each column of a mapping is used as; a name in a title stays a name. */
export function cellKinds(mapping: BatchMapping): ReadonlyMap<string, CellKind> {
  const { columnsAt, columns: all } = compileMapping(mapping);
  const kinds = new Map<string, CellKind>();
  for (const [at, columns] of columnsAt) {
    const kind = at.startsWith('fields.') ? 'text' : kindOfKey(at.split('.').at(-1) ?? '');
    for (const column of columns) {
      const known = kinds.get(column) ?? 'text';
      kinds.set(column, byRank.indexOf(kind) < byRank.indexOf(known) ? kind : known);
    }
  }
  // Of some the rest only depends.
  for (const column of all) if (!kinds.has(column)) kinds.set(column, 'text');
  return kinds;
}
