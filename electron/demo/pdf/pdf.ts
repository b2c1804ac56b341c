import {
  beginText,
  endText,
  PDFCheckBox,
  PDFDocument,
  type PDFField,
  PDFHexString,
  PDFName,
  PDFTextField,
  setFontAndSize,
  setTextMatrix,
  showText,
  type PDFPage,
  type PDFRef,
} from 'pdf-lib';

/** One part of a finished agreement: a page of text, or a PDF with values for its form. */
export type Part =
  | { readonly kind: 'text'; readonly title: string; readonly lines: readonly string[] }
  | {
      readonly kind: 'pdf';
      readonly name: string;
      readonly bytes: Buffer;
      readonly values: ReadonlyMap<string, string | boolean>;
    };

const A4: [number, number] = [595.28, 841.89];
const PDF_PAGE_MARGIN = 56;
const TITLE_SIZE = 16;
const TEXT_SIZE = 10.5;
const LINE_HEIGHT = 15;
/**
 * Number of characters of Helvetica that fit on one line of the page: they are about half as wide
 * as high.
 */
const LINE_CHARACTERS = 84;
const TITLE_CHARACTERS = 54;
const LINES_PER_PAGE = 46;

/**
 * Characters of the supported languages that WinAnsi lacks, with their glyph names. They get codes
 * from 1 to 31, so that Polish names can use Helvetica without a font file.
 */
const extraGlyphs: readonly (readonly [string, string])[] = [
  ['Ą', 'Aogonek'],
  ['ą', 'aogonek'],
  ['Ć', 'Cacute'],
  ['ć', 'cacute'],
  ['Ę', 'Eogonek'],
  ['ę', 'eogonek'],
  ['Ł', 'Lslash'],
  ['ł', 'lslash'],
  ['Ń', 'Nacute'],
  ['ń', 'nacute'],
  ['Ś', 'Sacute'],
  ['ś', 'sacute'],
  ['Ź', 'Zacute'],
  ['ź', 'zacute'],
  ['Ż', 'Zdotaccent'],
  ['ż', 'zdotaccent'],
];
const characterCodes = createCharacterCodes();

export function plainPdf(title: string, lines: readonly string[]): Promise<Buffer> {
  return assembleParts([{ kind: 'text', title, lines }], { title, at: 0 });
}

/**
 * Joins all parts into one PDF. The same parts always result in the same bytes. An unreadable PDF
 * becomes a page with a notice, because a signed agreement must be produced for any attachment.
 */
export async function assembleParts(
  parts: readonly Part[],
  about: { title: string; at: number },
): Promise<Buffer> {
  const target = await PDFDocument.create({ updateMetadata: false });
  target.setTitle(about.title);
  target.setCreationDate(new Date(about.at));
  target.setModificationDate(new Date(about.at));
  const font = addFont(target);
  for (const part of parts) {
    if (part.kind === 'text') drawText(target, font, part);
    else await addPdf(target, font, part);
  }
  return Buffer.from(await target.save());
}

/** Returns the names of a PDF's form fields, or null if the file is not a readable PDF. */
export async function fieldNames(bytes: Buffer): Promise<readonly string[] | null> {
  try {
    const source = await PDFDocument.load(bytes, { updateMetadata: false });
    return source
      .getForm()
      .getFields()
      .map(({ acroField }) => nameOf(acroField));
  } catch {
    // The file was made by others, so any parser error means "not readable".
    return null;
  }
}

/** Returns the full name of a field; groups without a name are skipped (PDF 1.7, 12.7.3.2). */
function nameOf(field: PDFField['acroField']): string {
  const parts: string[] = [];
  field.ascend((group) => parts.unshift(group.getPartialName() ?? ''));
  return parts.filter((part) => part !== '').join('.');
}

async function addPdf(
  target: PDFDocument,
  font: PDFRef,
  part: Extract<Part, { kind: 'pdf' }>,
): Promise<void> {
  try {
    const source = await PDFDocument.load(part.bytes, { updateMetadata: false });
    if (source.getForm().getFields().length > 0) fillFields(source, part.values);
    const pages = await target.copyPages(source, source.getPageIndices());
    for (const page of pages) target.addPage(page);
  } catch {
    // The file was made by others and may cause any parser error.
    drawText(target, font, {
      title: part.name,
      lines: ['This document could not be placed in the agreement.'],
    });
  }
}

function fillFields(source: PDFDocument, values: ReadonlyMap<string, string | boolean>): void {
  const form = source.getForm();
  for (const [name, value] of values) {
    const field = form.getFieldMaybe(name);
    if (field instanceof PDFTextField) field.setText(toWinAnsi(String(value)));
    else if (field instanceof PDFCheckBox && isChecked(value)) field.check();
  }
  form.flatten();
}

function isChecked(value: string | boolean): boolean {
  return value === true || /^(true|yes|on|1|x)$/i.test(String(value));
}

function drawText(
  target: PDFDocument,
  font: PDFRef,
  text: { readonly title: string; readonly lines: readonly string[] },
): void {
  const lines = text.lines.flatMap((line) => line.split('\n')).flatMap(wrapLine);
  for (let from = 0; from === 0 || from < lines.length; from += LINES_PER_PAGE) {
    const page = target.addPage(A4);
    page.node.setFontDictionary(PDFName.of('Body'), font);
    let y = A4[1] - PDF_PAGE_MARGIN - TITLE_SIZE;
    if (from === 0) drawLine(page, shorten(text.title), { y, size: TITLE_SIZE });
    y -= 2 * LINE_HEIGHT;
    for (const line of lines.slice(from, from + LINES_PER_PAGE)) {
      drawLine(page, line, { y, size: TEXT_SIZE });
      y -= LINE_HEIGHT;
    }
  }
}

function drawLine(page: PDFPage, line: string, at: { y: number; size: number }): void {
  page.pushOperators(
    beginText(),
    setFontAndSize('Body', at.size),
    setTextMatrix(1, 0, 0, 1, PDF_PAGE_MARGIN, at.y),
    showText(PDFHexString.of(encodeLine(line))),
    endText(),
  );
}

function addFont(target: PDFDocument): PDFRef {
  const differences = [1, ...extraGlyphs.map(([, glyph]) => PDFName.of(glyph))];
  return target.context.register(
    target.context.obj({
      Type: 'Font',
      Subtype: 'Type1',
      BaseFont: 'Helvetica',
      Encoding: { Type: 'Encoding', BaseEncoding: 'WinAnsiEncoding', Differences: differences },
    }),
  );
}

/** Shortens a title that is too long for its line; the log page has the full title. */
function shorten(title: string): string {
  const letters = Array.from(title);
  if (letters.length <= TITLE_CHARACTERS) return title;
  return `${letters.slice(0, TITLE_CHARACTERS - 1).join('')}…`;
}

function wrapLine(line: string): string[] {
  const lines: string[] = [];
  let current = '';
  for (const word of line.split(' ')) {
    if (current !== '' && current.length + word.length >= LINE_CHARACTERS) {
      lines.push(current);
      current = word;
    } else {
      current = current === '' ? word : `${current} ${word}`;
    }
  }
  return [...lines, current].flatMap((one) => one.match(/.{1,92}/gu) ?? ['']);
}

function encodeLine(line: string): string {
  const question = '?'.charCodeAt(0);
  return Array.from(line.normalize('NFC'), (letter) => characterCodes.get(letter) ?? question)
    .map((code) => code.toString(16).padStart(2, '0'))
    .join('');
}

/** Replaces characters that the fonts of the document's form fields may lack. */
function toWinAnsi(text: string): string {
  const extra = extraGlyphs.length;
  return Array.from(text.normalize('NFC'), (letter) => {
    const code = characterCodes.get(letter) ?? 0;
    if (code > extra || letter === '\n') return letter;
    const base = letter.replace('Ł', 'L').replace('ł', 'l').normalize('NFD')[0] ?? '?';
    return characterCodes.has(base) ? base : '?';
  }).join('');
}

function createCharacterCodes(): ReadonlyMap<string, number> {
  const decoder = new TextDecoder('windows-1252');
  const made = new Map<string, number>();
  for (let code = 32; code < 256; code += 1) made.set(decoder.decode(Uint8Array.of(code)), code);
  for (const [at, [letter]] of extraGlyphs.entries()) made.set(letter, at + 1);
  return made;
}
