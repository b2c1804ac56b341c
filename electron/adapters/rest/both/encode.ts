import { AppError } from '../../../../shared/errors.ts';
import type { FileId } from '../../../../shared/model/ids.ts';
import type { OutgoingFile } from '../../../core/ports.ts';

/** Keys where an empty text is meaningful: a field filled in as blank, a tag without a value. */
const MAY_BE_EMPTY = new Set(['value', 'tags', 'placeholders']);

/**
 * Encodes a request body as the exact bytes to send. Empty texts come from cleared inputs, so their
 * keys are omitted; null and empty arrays are kept, since both services give them a meaning.
 */
export function encodeBody(body: object): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(withoutBlanks(body)));
}

export function encodeBase64(data: Uint8Array): string {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64');
}

/**
 * Returns the file of an attachment.
 * @throws AppError 'invalid' for the attachment if the file is missing
 */
export function fileOf(
  files: ReadonlyMap<FileId, OutgoingFile>,
  id: FileId | undefined,
  index: number,
): OutgoingFile {
  const file = id === undefined ? undefined : files.get(id);
  if (file !== undefined) return file;
  const sentence = 'The file of this attachment is missing';
  throw new AppError('invalid', sentence, {
    fields: { [`attachments.${String(index)}.file`]: sentence },
  });
}

/**
 * Returns a text of an encoded body, for comparison with the echo in the answer.
 * @throws SyntaxError if `encodeBody` did not encode the bytes
 */
export function textIn(body: Uint8Array, key: string): string | null {
  const value: unknown = JSON.parse(new TextDecoder().decode(body));
  if (typeof value !== 'object' || value === null) return null;
  const text: unknown = Object.getOwnPropertyDescriptor(value, key)?.value;
  return typeof text === 'string' ? text : null;
}

function withoutBlanks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutBlanks);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(
    ([key, inner]) => inner !== '' || MAY_BE_EMPTY.has(key),
  );
  return Object.fromEntries(
    kept.map(([key, inner]) => [key, MAY_BE_EMPTY.has(key) ? inner : withoutBlanks(inner)]),
  );
}
