import * as z from 'zod';
import type { Json } from '../../../shared/rules/evidence/canonical-json.ts';
import type { OfficeItemKind } from '../../../shared/contract/office/items.ts';
import { placeOfLongText } from '../../../shared/rules/text/too-long.ts';

import type { NewItemVersion } from '../../core/office/items/ports.ts';
import {
  personNumbersKey,
  type OfficeKey,
  nullIfUnreadable,
  sealText,
  type SealedFor,
  type SealingKey,
  unsealText,
} from './seal.ts';
import type { Statements } from './statements.ts';

/**
 * Random texts in the names of files' pieces, by hash of the file. They are needed if another user
 * stored something else under the usual name. The name cannot be known before the pieces are
 * stored.
 */
export const FileNames = z.record(z.string().regex(/^[\da-f]{64}$/), z.string().max(100));
export type FileNames = Readonly<z.infer<typeof FileNames>>;

// A computer of the office wrote the content; the code of each kind parses it.
const SealedItemContent = z.object({
  content: z.custom<Json>(),
  isRemoved: z.literal(true).optional(),
  files: FileNames.optional(),
});
type SealedItemContent = z.infer<typeof SealedItemContent>;

type ItemKey = Pick<NewItemVersion, 'kind' | 'id'>;
type VersionKey = ItemKey & Pick<NewItemVersion, 'version'>;

interface SealedItemContext {
  readonly office: string;
  readonly keyOf: (version: number) => Promise<OfficeKey>;
}

const Row = z.object({
  version: z.number(),
  sealed: z.instanceof(Uint8Array),
  keyVersion: z.number(),
});

const newestVersionSql = `
  SELECT version, sealed, key_version AS "keyVersion" FROM shared_item
  WHERE kind = $1 AND id = $2 AND octet_length(sealed) <= longest_item(kind)`;

/** Whether items of this kind may contain personal numbers. */
export const isForNumbers = (kind: OfficeItemKind): boolean =>
  kind === 'number' || kind === 'draft';

const sealingKey = (kind: OfficeItemKind, key: OfficeKey): SealingKey =>
  isForNumbers(kind) ? personNumbersKey(key) : { version: key.version, key: key.key };

const sealedFor = (office: string, { kind, id, version }: VersionKey): SealedFor => ({
  office,
  kind: `shared ${kind}`,
  id,
  version,
});

export function sealItem(
  office: string,
  key: OfficeKey,
  { content, isRemoved, ...of }: NewItemVersion,
  files: FileNames,
): Uint8Array {
  const named = Object.keys(files).length === 0 ? undefined : files;
  const text = JSON.stringify({ content, isRemoved, files: named });
  return sealText(sealingKey(of.kind, key), sealedFor(office, of), text);
}

/**
 * Opens an item; null if it is malformed, for example if its texts are so long that they would slow
 * every list.
 */
export const openItem = (
  { office, keyOf }: SealedItemContext,
  of: VersionKey,
  { sealed, keyVersion }: { readonly sealed: Uint8Array; readonly keyVersion: number },
): Promise<SealedItemContent | null> =>
  nullIfUnreadable(async () => {
    const key = sealingKey(of.kind, await keyOf(keyVersion));
    const opened = SealedItemContent.parse(
      JSON.parse(unsealText(key, sealedFor(office, of), sealed)),
    );
    return placeOfLongText(opened.content) === null ? opened : null;
  });

/**
 * Returns the file names in the newest version of the item; empty if the item is missing or
 * unreadable.
 */
export async function readFileNames(
  { query }: Pick<Statements, 'query'>,
  context: SealedItemContext,
  { kind, id }: ItemKey,
): Promise<FileNames> {
  const [row] = await query(newestVersionSql, [kind, id], Row);
  if (row === undefined) return {};
  const opened = await openItem(context, { kind, id, version: row.version }, row);
  return opened?.files ?? {};
}

/** Names that this computer gave to files, until the item that has the files is written. */
export class FileNamesByItem {
  readonly #given = new Map<string, FileNames>();

  add({ kind, id }: ItemKey, sha256: string, name: string): void {
    this.#given.set(`${kind} ${id}`, { ...this.of({ kind, id }), [sha256]: name });
  }

  of({ kind, id }: ItemKey): FileNames {
    return this.#given.get(`${kind} ${id}`) ?? {};
  }
}
