import { isCode } from '../../../shared/errors.ts';
import { joinChunks } from '../chunks.ts';
import type { Encoding, Files } from '../ports.ts';

const LINE = /^([0-9a-f]{64}) [ *](.+)$/i;

/**
 * Reads a manifest: SHA-256 by relative path with `/` (RFC 8493, 2.1.3; also the format of
 * `sha256sum`). Skips lines in other formats.
 */
export async function readManifest(
  { files, encoding }: { readonly files: Files; readonly encoding: Encoding },
  file: string,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  if ((await files.statFile(file)) === null) return found;
  for await (const line of linesOf(files.chunks(file), encoding)) {
    const [, sha256, name] = LINE.exec(line) ?? [];
    if (sha256 !== undefined && name !== undefined) found.set(name, sha256.toLowerCase());
  }
  return found;
}

/** Returns the path of a file named in a manifest; throws if the path would leave the folder. */
export function pathInRoot(
  { files }: { readonly files: Files },
  root: string,
  name: string,
): string {
  return name.split('/').reduce((folder, part) => files.join(folder, part), root);
}

/** Whether a file named in a manifest is in the folder. */
export function isInRoot(ports: { readonly files: Files }, root: string, name: string): boolean {
  try {
    pathInRoot(ports, root, name);
    return true;
  } catch (error) {
    if (isCode(error, 'invalid')) return false;
    throw error;
  }
}

const LINE_END = 10;

/** Yields the text in lines. Chunks are split at line ends, so that no character is cut in two. */
async function* linesOf(
  chunks: AsyncIterable<Uint8Array>,
  encoding: Encoding,
): AsyncGenerator<string> {
  let rest: Uint8Array = new Uint8Array();
  for await (const chunk of chunks) {
    const known = joinChunks([rest, chunk]);
    const end = known.lastIndexOf(LINE_END) + 1;
    yield* encoding.text(known.subarray(0, end)).split(/\r?\n/);
    rest = known.subarray(end);
  }
  yield encoding.text(rest);
}
