import { Buffer } from 'node:buffer';
import { writeZip } from '../../electron/adapters/sheets/write/zip.ts';

/* Minimal documents in the form of office programs, with only a text and the tested parts. */

const W = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const R = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const MAIN = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';

export interface WordOptions {
  /** Relationships of the text part, as XML. */
  readonly relations?: string;
  /** Additional parts by name. */
  readonly parts?: Readonly<Record<string, string | Uint8Array>>;
  readonly type?: string;
}

/** A Word file with these paragraphs, each the XML within one. */
export function wordFile(
  paragraphs: readonly string[],
  { relations = '', parts = {}, type = MAIN }: WordOptions = {},
): Promise<Uint8Array> {
  const body = paragraphs.map((inner) => `<w:p>${inner}</w:p>`).join('');
  return zipOf({
    '[Content_Types].xml':
      `${HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      '<Default Extension="xml" ContentType="application/xml"/>' +
      '<Default Extension="png" ContentType="image/png"/>' +
      `<Override PartName="/word/document.xml" ContentType="${type}"/></Types>`,
    '_rels/.rels':
      `${HEAD}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
      `<Relationship Id="rId1" Type="${R}/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/document.xml':
      `${HEAD}<w:document xmlns:w="${W}" xmlns:r="${R}" ` +
      'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml">' +
      `<w:body>${body}<w:sectPr><w:pgSz w:w="11906" w:h="16838"/>` +
      '<w:pgMar w:top="1134" w:right="1134" w:bottom="1134" w:left="1134"/></w:sectPr>' +
      '</w:body></w:document>',
    'word/_rels/document.xml.rels':
      `${HEAD}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
      `${relations}</Relationships>`,
    ...parts,
  });
}

export async function zipOf(
  parts: Readonly<Record<string, string | Uint8Array>>,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  const entries = Object.entries(parts).map(([name, part]) => ({ name, text: [part] }));
  for await (const chunk of writeZip(entries)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

export const run = (text: string, about = ''): string =>
  `<w:r>${about === '' ? '' : `<w:rPr>${about}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`;

/** Ends the current paragraph, and starts the next. */
export const table = (rows: readonly (readonly string[])[]): string => {
  const border = (side: string): string => `<w:${side} w:val="single" w:sz="4" w:color="000000"/>`;
  const borders = ['top', 'left', 'bottom', 'right', 'insideH', 'insideV'].map(border).join('');
  const cell = (text: string): string =>
    `<w:tc><w:tcPr><w:tcW w:w="4800" w:type="dxa"/></w:tcPr><w:p>${run(text)}</w:p></w:tc>`;
  const lines = rows.map((cells) => `<w:tr>${cells.map(cell).join('')}</w:tr>`).join('');
  return `</w:p><w:tbl><w:tblPr><w:tblBorders>${borders}</w:tblBorders></w:tblPr>${lines}</w:tbl><w:p>`;
};

/** A merge code as Word writes it, in five runs. */
export const mergeField = (code: string, shown = '«x»'): string =>
  '<w:r><w:fldChar w:fldCharType="begin"/></w:r>' +
  `<w:r><w:instrText xml:space="preserve"> ${code} </w:instrText></w:r>` +
  '<w:r><w:fldChar w:fldCharType="separate"/></w:r>' +
  `<w:r><w:t>${shown}</w:t></w:r>` +
  '<w:r><w:fldChar w:fldCharType="end"/></w:r>';

export const simpleField = (code: string): string =>
  `<w:fldSimple w:instr=" ${code} "><w:r><w:t>«x»</w:t></w:r></w:fldSimple>`;

/** A content control that still shows its placeholder. */
export const control = (alias: string, kind = '<w:text/>', isOpen = true): string =>
  `<w:sdt><w:sdtPr><w:alias w:val="${alias}"/>${isOpen ? '<w:showingPlcHdr/>' : ''}${kind}</w:sdtPr>` +
  '<w:sdtContent><w:r><w:t>Click or tap here</w:t></w:r></w:sdtContent></w:sdt>';

const ODF = 'urn:oasis:names:tc:opendocument:xmlns';

export interface TextOptions {
  readonly parts?: Readonly<Record<string, string | Uint8Array>>;
  /** Manifest lines in addition to the usual parts. */
  readonly manifest?: string;
  /** Content before the paragraphs. */
  readonly before?: string;
}

/** An OpenDocument text. */
export function openDocument(
  content: string,
  { parts = {}, manifest = '', before = '' }: TextOptions = {},
): Promise<Uint8Array> {
  const namespaces = [
    ...['office', 'text', 'table', 'style', 'script', 'draw', 'presentation'].map(
      (name) => `xmlns:${name}="${ODF}:${name}:1.0"`,
    ),
    'xmlns:xlink="http://www.w3.org/1999/xlink"',
    'xmlns:ooo="http://openoffice.org/2004/office"',
    'xmlns:dom="http://www.w3.org/2001/xml-events"',
    `xmlns:svg="${ODF}:svg-compatible:1.0"`,
  ].join(' ');
  const type = 'application/vnd.oasis.opendocument.text';
  return zipOf({
    mimetype: type,
    'content.xml':
      `${HEAD}<office:document-content ${namespaces} office:version="1.3">${before}` +
      `<office:body><office:text>${content}</office:text></office:body></office:document-content>`,
    'META-INF/manifest.xml':
      `${HEAD}<manifest:manifest xmlns:manifest="${ODF}:manifest:1.0" manifest:version="1.3">` +
      `<manifest:file-entry manifest:full-path="/" manifest:media-type="${type}"/>` +
      '<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/>' +
      `${manifest}</manifest:manifest>`,
    ...parts,
  });
}
