import { DAMAGED_MESSAGE, documentError } from '../refuse.ts';
import { hasFieldOutside, OUTSIDE_FIELDS } from './fields.ts';
import { streamsIn } from './compound-file.ts';

/*
 * Whether an old Word file (MS-DOC) loads other files. Fields are recognized by their numbers, as
 * in LibreOffice, and by their words; pictures and objects by the flags that mark them as separate
 * files. Embedded objects are checked like the document.
 */

/** Version number of Word 97; older files have another format, which no current program writes. */
const MIN_WORD_VERSION = 0x00c1;
/** Start of FibRgFcLcb97: pairs of an offset in the table stream and a length. */
const OFFSET_PAIRS_START = 0x9a;
/**
 * Indexes of the pairs for the fields of the text, headers, footnotes, comments, macros, endnotes,
 * text boxes and text boxes of headers.
 */
const FIELD_LIST_INDEXES = [16, 17, 18, 19, 20, 48, 57, 59];
const CHARACTER_MASK = 0x1f;
const FIELD_BEGIN_CHARACTER = 0x13;
/**
 * Kinds of pictures in separate files, named in the document (MS-DOC, 2.9.158): TIFF, bitmap and
 * other files.
 */
const LINKED_PICTURE_TYPES: ReadonlySet<number> = new Set([0x5e, 0x5f, 0x62, 0x66]);
/** sprmCPicLocation, followed by the offset in the picture stream. */
const PICTURE_LOCATION_PROPERTY = Buffer.from([0x03, 0x6a]);
/**
 * Properties with a picture's file name, followed by the length of the name (MS-ODRAW, 2.3.23);
 * with or without the picture flag.
 */
const FILE_NAME_PROPERTIES = [0x8105, 0xc105, 0x8187, 0xc187, 0x81c7, 0xc1c7];
const MAX_NAME_LENGTH = 4096;
const PROPERTY_BYTES = 6;
/** Number of properties to search on either side of a file name, all of the same picture. */
const NEARBY_PROPERTIES = 64;
const LINK_TO_FILE = 8;

/** Throws 'document-damaged' if the file is not a readable Word file. */
export function rejectUnreadable(data: Uint8Array): void {
  if (!streamsIn(data).some(({ name }) => name === 'worddocument')) {
    throw documentError('document-damaged', DAMAGED_MESSAGE);
  }
}

/**
 * Whether an old Word file, or an object of another document, loads a file. Throws as
 * `rejectUnreadable` does.
 */
export function oldWordReadsOutside(data: Uint8Array): boolean {
  const streams = streamsIn(data);
  const named = (...names: readonly string[]): readonly Buffer[] =>
    streams.filter(({ name }) => names.includes(name)).map(({ read }) => read());
  const texts = named('worddocument');
  const tables = named('0table', '1table');
  const pictures = named('data');
  return (
    texts.some((text) => hasFields(text, tables) || hasFieldOutside(text)) ||
    [...texts, ...tables].some((one) => pictures.some((of) => hasLinkedPicture(one, of))) ||
    [...texts, ...tables, ...pictures].some(hasLinkedShape) ||
    // MS-OLEDS, 2.3.3: the flag of a linked object.
    named('\u0001ole').some((one) => one.length >= 8 && (one.readUInt32LE(4) & 1) !== 0)
  );
}

function hasFields(text: Buffer, tables: readonly Buffer[]): boolean {
  if (text.length < OFFSET_PAIRS_START + 60 * 8)
    throw documentError('document-damaged', DAMAGED_MESSAGE);
  if (text.readUInt16LE(2) < MIN_WORD_VERSION) {
    throw documentError(
      'document-kind',
      'The file is from a version of Word before Word 97. Save it as a PDF in its own program',
    );
  }
  return FIELD_LIST_INDEXES.some((pair) => {
    const start = text.readUInt32LE(OFFSET_PAIRS_START + pair * 8);
    const length = text.readUInt32LE(OFFSET_PAIRS_START + pair * 8 + 4);
    return tables.some((table) => hasField(table.subarray(start, start + length)));
  });
}

/**
 * Whether a list has a field that reads external content. The list is a PLC: four-byte positions,
 * one more than there are fields; then two bytes for each field.
 */
function hasField(list: Buffer): boolean {
  const count = Math.floor((list.length - 4) / 6);
  for (let field = 0; field < count; field += 1) {
    const at = (count + 1) * 4 + field * 2;
    const isBegin = ((list[at] ?? 0) & CHARACTER_MASK) === FIELD_BEGIN_CHARACTER;
    if (isBegin && OUTSIDE_FIELDS.has(list[at + 1] ?? 0)) return true;
  }
  return false;
}

function hasLinkedPicture(text: Buffer, pictures: Buffer): boolean {
  for (
    let at = text.indexOf(PICTURE_LOCATION_PROPERTY);
    at >= 0;
    at = text.indexOf(PICTURE_LOCATION_PROPERTY, at + 1)
  ) {
    if (at + 6 > text.length) return false;
    const place = text.readUInt32LE(at + 2);
    if (
      place + 8 <= pictures.length &&
      LINKED_PICTURE_TYPES.has(pictures.readUInt16LE(place + 6))
    ) {
      return true;
    }
  }
  return false;
}

/** Whether a picture has a file name with the flag that the picture is stored in that file. */
function hasLinkedShape(data: Buffer): boolean {
  return FILE_NAME_PROPERTIES.some((name) => {
    const sign = Buffer.from([name & 0xff, name >> 8]);
    for (let at = data.indexOf(sign); at >= 0; at = data.indexOf(sign, at + 1)) {
      if (at + PROPERTY_BYTES > data.length) return false;
      const length = data.readUInt32LE(at + 2);
      if (length > 0 && length <= MAX_NAME_LENGTH && isLinked(data, at, (name & 0x3fff) + 1)) {
        return true;
      }
    }
    return false;
  });
}

function isLinked(data: Buffer, name: number, flags: number): boolean {
  for (let step = -NEARBY_PROPERTIES; step <= NEARBY_PROPERTIES; step += 1) {
    const at = name + step * PROPERTY_BYTES;
    if (at < 0 || at + PROPERTY_BYTES > data.length) continue;
    const isFlags = (data.readUInt16LE(at) & 0x3fff) === flags;
    if (isFlags && (data.readUInt32LE(at + 2) & LINK_TO_FILE) !== 0) return true;
  }
  return false;
}
