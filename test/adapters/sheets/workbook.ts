import { crc32, deflateRawSync } from 'node:zlib';

export interface Part {
  readonly name: string;
  readonly data: string | Uint8Array;
  /** Wrong uncompressed size for the headers (bytes); the true size if absent. */
  readonly size?: number;
  /** Whether the part is stored without compression. */
  readonly isStored?: boolean;
  /** Content whose CRC-32 is written instead of that of `data`. */
  readonly sumOf?: string | Uint8Array;
  /** Whether the sizes are in ZIP64 fields, where commons-compress always writes them. */
  readonly isZip64?: boolean;
}

/** Returns a ZIP file of these parts, like the files of spreadsheet programs. */
export function zipOf(parts: readonly Part[]): Uint8Array {
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  let offset = 0;
  for (const part of parts) {
    const plain = Buffer.from(part.data);
    const packed = part.isStored === true ? plain : deflateRawSync(plain);
    const title = Buffer.from(part.name);
    const sizes = { packed: packed.length, plain: part.size ?? plain.length };
    const extra = part.isZip64 === true ? zip64(sizes) : Buffer.alloc(0);
    const about = Buffer.alloc(26);
    about.writeUInt16LE(20, 0);
    about.writeUInt16LE(0x0800, 2);
    about.writeUInt16LE(part.isStored === true ? 0 : 8, 4);
    about.writeUInt32LE(crc32(Buffer.from(part.sumOf ?? part.data)), 10);
    about.writeUInt32LE(part.isZip64 === true ? ELSEWHERE : sizes.packed, 14);
    about.writeUInt32LE(part.isZip64 === true ? ELSEWHERE : sizes.plain, 18);
    about.writeUInt16LE(title.length, 22);
    about.writeUInt16LE(extra.length, 24);
    const local = Buffer.concat([sign(0x04034b50), about, title, extra, packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    entries.push(
      Buffer.concat([sign(0x02014b50), Buffer.from([20, 0]), about, tail, title, extra]),
    );
    locals.push(local);
    offset += local.length;
  }
  const list = Buffer.concat(entries);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(parts.length, 4);
  end.writeUInt16LE(parts.length, 6);
  end.writeUInt32LE(list.length, 8);
  end.writeUInt32LE(offset, 12);
  return new Uint8Array(Buffer.concat([...locals, list, sign(0x06054b50), end]));
}

/** Value of a size field whose size is in the ZIP64 field instead. */
const ELSEWHERE = 0xffffffff;

function zip64({ packed, plain }: { readonly packed: number; readonly plain: number }): Buffer {
  const extra = Buffer.alloc(20);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(16, 2);
  extra.writeBigUInt64LE(BigInt(plain), 4);
  extra.writeBigUInt64LE(BigInt(packed), 12);
  return extra;
}

export interface WorkbookParts {
  /** XML inside `sheetData` of each sheet, by name; `!` before a name hides the sheet. */
  readonly sheets: Readonly<Record<string, string>>;
  /** XML after `sheetData`: merged cells, filters. */
  readonly behind?: string;
  /** XML before `sheetData`: columns. */
  readonly before?: string;
  readonly texts?: readonly string[];
  /** Number formats of styles 1, 2, 3 …; style 0 is plain. */
  readonly formats?: readonly string[];
  /** XML after the cell styles, such as `dxfs`. */
  readonly moreStyles?: string;
  readonly is1904?: boolean;
  readonly more?: readonly Part[];
  readonly prolog?: string;
}

const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const RELS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** Returns an XLSX workbook with exactly this XML. */
export function workbook(parts: WorkbookParts): Uint8Array {
  const { sheets, behind = '', before = '', texts = [], formats = [], prolog = '' } = parts;
  const names = Object.keys(sheets);
  const list = names.map((name, at) => {
    const state = name.startsWith('!') ? ' state="hidden"' : '';
    return `<sheet name="${name.replace('!', '')}" sheetId="${at + 1}"${state} r:id="rId${at + 1}"/>`;
  });
  const rels = names.map(
    (_, at) =>
      `<Relationship Id="rId${at + 1}" Type="${RELS}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`,
  );
  const date = parts.is1904 === true ? '<workbookPr date1904="1"/>' : '';
  return zipOf([
    { name: '[Content_Types].xml', data: '<Types/>' },
    {
      name: 'xl/workbook.xml',
      data: `${prolog}<workbook ${MAIN} xmlns:r="${RELS}">${date}<sheets>${list.join('')}</sheets></workbook>`,
    },
    { name: 'xl/_rels/workbook.xml.rels', data: `<Relationships>${rels.join('')}</Relationships>` },
    {
      name: 'xl/sharedStrings.xml',
      data: `<sst ${MAIN}>${texts.map((text) => `<si>${text}</si>`).join('')}</sst>`,
    },
    { name: 'xl/styles.xml', data: stylesOf(formats, parts.moreStyles) },
    ...Object.values(sheets).map((inside, at) => ({
      name: `xl/worksheets/sheet${at + 1}.xml`,
      data: `<worksheet ${MAIN}>${before}<sheetData>${inside}</sheetData>${behind}</worksheet>`,
    })),
    ...(parts.more ?? []),
  ]);
}

/** Returns the XML of rows with inline texts; the first row has the number `first`. */
export function rowsOf(rows: readonly (readonly string[])[], first = 1): string {
  return rows
    .map((cells, at) => {
      const inside = cells.map((cell) => textCell(cell)).join('');
      return `<row r="${at + first}">${inside}</row>`;
    })
    .join('');
}

export const textCell = (text: string): string =>
  `<c t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`;

function stylesOf(formats: readonly string[], more = ''): string {
  const codes = formats.map(
    (code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${code.replaceAll('"', '&quot;')}"/>`,
  );
  const styles = ['<xf numFmtId="0"/>', ...formats.map((_, at) => `<xf numFmtId="${164 + at}"/>`)];
  return `<styleSheet ${MAIN}><numFmts>${codes.join('')}</numFmts><cellXfs>${styles.join('')}</cellXfs>${more}</styleSheet>`;
}

function sign(number: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(number);
  return bytes;
}
