import { crc32, createDeflateRaw } from 'node:zlib';

type ZipChunk = string | Uint8Array;

/**
 * A file in the archive; its text or bytes arrive in portions, so that other work continues in
 * between.
 */
export interface ZipEntry {
  readonly name: string;
  readonly text: AsyncIterable<ZipChunk> | Iterable<ZipChunk>;
}

const DEFLATE_METHOD = 8;
/** Flag: names are UTF-8. */
const UTF8_FLAG = 0x0800;
const MIN_ZIP_VERSION = 20;
/** 1 January 1980, the earliest date: the same content gives the same file. */
const EARLIEST_DOS_DATE = 0x0021;

interface PackedEntry {
  readonly name: Buffer;
  readonly crc: number;
  readonly size: number;
  readonly packed: Buffer;
}

/**
 * Writes a ZIP file (APPNOTE 6.3); its files are compressed one after the other off the main
 * thread.
 */
export async function* writeZip(entries: readonly ZipEntry[]): AsyncIterable<Uint8Array> {
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const packed = await packEntry(entry);
    const head = Buffer.concat([localHeader(packed), packed.name]);
    directory.push(Buffer.concat([centralHeader(packed, offset), packed.name]));
    yield head;
    yield packed.packed;
    offset += head.length + packed.packed.length;
  }
  const central = Buffer.concat(directory);
  yield central;
  yield endRecord(entries.length, central.length, offset);
}

async function packEntry({ name, text }: ZipEntry): Promise<PackedEntry> {
  const deflate = createDeflateRaw();
  const chunks: Buffer[] = [];
  deflate.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => {
    deflate.once('end', resolve);
    deflate.once('error', reject);
  });
  let crc = 0;
  let size = 0;
  try {
    for await (const portion of text) {
      const bytes = typeof portion === 'string' ? Buffer.from(portion, 'utf8') : portion;
      crc = crc32(bytes, crc);
      size += bytes.length;
      await new Promise<void>((resolve, reject) =>
        deflate.write(bytes, (error) => (error ? reject(error) : resolve())),
      );
    }
    deflate.end();
    await ended;
  } finally {
    deflate.destroy();
  }
  return { name: Buffer.from(name, 'utf8'), crc, size, packed: Buffer.concat(chunks) };
}

/** Writes the common fields of the local and the central header, from `at` on. */
function writeEntryFields(
  header: Buffer,
  at: number,
  { name, crc, size, packed }: PackedEntry,
): void {
  header.writeUInt16LE(MIN_ZIP_VERSION, at);
  header.writeUInt16LE(UTF8_FLAG, at + 2);
  header.writeUInt16LE(DEFLATE_METHOD, at + 4);
  header.writeUInt16LE(0, at + 6);
  header.writeUInt16LE(EARLIEST_DOS_DATE, at + 8);
  header.writeUInt32LE(crc, at + 10);
  header.writeUInt32LE(packed.length, at + 14);
  header.writeUInt32LE(size, at + 18);
  header.writeUInt16LE(name.length, at + 22);
}

function localHeader(entry: PackedEntry): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  writeEntryFields(header, 4, entry);
  return header;
}

function centralHeader(entry: PackedEntry, offset: number): Buffer {
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(MIN_ZIP_VERSION, 4);
  writeEntryFields(header, 6, entry);
  header.writeUInt32LE(offset, 42);
  return header;
}

function endRecord(count: number, size: number, offset: number): Buffer {
  const record = Buffer.alloc(22);
  record.writeUInt32LE(0x06054b50, 0);
  record.writeUInt16LE(count, 8);
  record.writeUInt16LE(count, 10);
  record.writeUInt32LE(size, 12);
  record.writeUInt32LE(offset, 16);
  return record;
}
