import { BatchMapping } from '../../contract/batches.ts';

/**
 * Content of a mapping file: a create body with `{Column}` in its texts, and with `fields` and
 * `onlyIf`. It has no document, because the template has its own.
 */
export function mappingFile({ body, fields, onlyIf }: BatchMapping): object {
  return { ...body, fields, ...(onlyIf !== undefined && { onlyIf }) };
}

/** Returns the mapping read from a file; null if it is invalid. */
export function mappingFrom(read: unknown, api: 'v1' | 'v2'): BatchMapping | null {
  if (typeof read !== 'object' || read === null) return null;
  const { fields = {}, onlyIf, attachments: _, ...body }: Record<string, unknown> = { ...read };
  return BatchMapping.safeParse({ api, body, fields, onlyIf }).data ?? null;
}
