import { gunzipSync } from 'node:zlib';
import { MAX_PART_BYTES } from '../limits.ts';
import { DAMAGED_MESSAGE, documentError } from '../refuse.ts';

/*
 * SVG drawings of a document that load files. They are read as text: many begin with declarations
 * that the strict XML reader rejects.
 */

const SVG_HEAD_BYTES = 65_536;
const GZIP = '\u001f\u008b';
const OTHER_ENCODING =
  /\sencoding\s*=\s*["'](?!(?:utf-8|utf-16|us-ascii|iso-8859-1|windows-1252)["'])/i;
const ENTITIES = /<!ENTITY\s+[^\s%]{1,200}\s+(?:"[^"]*"|'[^']*')/gi;
const ENTITY_STARTS = /<!ENTITY/gi;
const LINK = /<(?:[\w-]{1,64}:)?a\s[^<>]*>/g;
/** Declarations of entities; the first element may be inside such a declaration. */
const DECLARES_ENTITIES = /<!DOCTYPE\s[^<>[]*\[|<!ENTITY/i;
const TARGET = /href\s*=\s*(?:"([^"]*)"|'([^']*)')/gi;
const INTERNAL_TARGET = /^\s*(?:#|data:|$)/i;
const ENTITY = /&(?!amp;|quot;|apos;)/;
const OTHER_FILE = /@import|xml:base|url\((?!\s*(?:(?:["']|&quot;|&apos;)\s*)?(?:#|data:))/i;

/** Whether a part is a drawing that loads external content. Throws 'document-damaged'. */
export function drawingReadsOutside(packed: Uint8Array): boolean {
  const part = charactersOf(packed.subarray(0, 2)) === GZIP ? gunzipIfPacked(packed) : packed;
  if (!isDrawing(charactersOf(part.subarray(0, SVG_HEAD_BYTES)))) return false;
  const text = charactersOf(part);
  if (OTHER_ENCODING.test(text.slice(0, SVG_HEAD_BYTES)) || hidesText(text)) return true;
  // Links to click load nothing.
  const drawn = text.replaceAll(LINK, '');
  const targets = [...drawn.matchAll(TARGET)].map(([, double, single]) => double ?? single ?? '');
  return (
    OTHER_FILE.test(drawn) || targets.some((one) => !INTERNAL_TARGET.test(one) || ENTITY.test(one))
  );
}

/** Whether a text is hidden in entities that are written as codes or are in separate files. */
function hidesText(text: string): boolean {
  const entities = text.match(ENTITIES) ?? [];
  const count = text.match(ENTITY_STARTS)?.length ?? 0;
  return entities.length !== count || entities.some((one) => /&#|%/.test(one));
}

function withoutComments(text: string): string {
  const pieces: string[] = [];
  for (let at = 0; ;) {
    const start = text.indexOf('<!--', at);
    pieces.push(text.slice(at, start < 0 ? undefined : start));
    const end = start < 0 ? -1 : text.indexOf('-->', start + 4);
    if (end < 0) return pieces.join('');
    at = end + 3;
  }
}

/** Returns bytes as text, which may have one or two bytes per character. */
const charactersOf = (data: Uint8Array): string =>
  Buffer.from(data.buffer, data.byteOffset, data.byteLength)
    .toString('latin1')
    .replaceAll('\0', '');

/**
 * Whether a part is a drawing, by its first element. Also true if the head contains no element,
 * because the part may then be a drawing.
 */
function isDrawing(head: string): boolean {
  const start = head.replace(/^(?:\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)?\s*/, '');
  if (!start.startsWith('<')) return false;
  if (DECLARES_ENTITIES.test(start)) return true;
  const first = /<(?:[\w.-]{1,64}:)?([A-Za-z_][\w.-]{0,64})/.exec(withoutComments(start));
  return first === null || first[1] === 'svg';
}

function gunzipIfPacked(part: Uint8Array): Uint8Array {
  try {
    return gunzipSync(part, { maxOutputLength: MAX_PART_BYTES });
  } catch (cause) {
    throw documentError('document-damaged', DAMAGED_MESSAGE, cause);
  }
}
