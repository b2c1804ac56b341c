import { BatchMapping } from '../../contract/batches.ts';

/**
 * A mapping as it lies in a file: a create body with `{Column}` in its texts, with `fields` and
 * `onlyIf` beside it. A document it names is left out, as the template has its own.
 */
export function mappingFile({ body, fields, onlyIf }: BatchMapping): object {
  return { ...body, fields, ...(onlyIf !== undefined && { onlyIf }) };
}

/** The mapping of what was read from a file; null when it is none. */
export function mappingFrom(read: unknown, api: 'v1' | 'v2'): BatchMapping | null {
  if (typeof read !== 'object' || read === null) return null;
  const { fields = {}, onlyIf, attachments: _, ...body }: Record<string, unknown> = { ...read };
  return BatchMapping.safeParse({ api, body, fields, onlyIf }).data ?? null;
}
