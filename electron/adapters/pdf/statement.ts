import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import fontkit from '@pdf-lib/fontkit';
import { PDFDocument, type PDFFont, type PDFPage, rgb } from 'pdf-lib';
import subsetFont from 'subset-font';
import type { Statement, StatementPart, StatementPrinter } from '../../core/evidence/ports.ts';

/** Size of a page in points: A4. */
const PAGE = { width: 595.28, height: 841.89 };
const MARGIN = 56;
const NAME_WIDTH = 112;
const FONT_SIZES = { title: 18, heading: 12, text: 9.5, foot: 8 };
const LINE_HEIGHT_FACTOR = 1.35;
const SPACE_ABOVE_PART = 10;
const SPACE_AFTER_HEADING = 3;
const SPACE_AFTER_ROW = 2;
/** Usable height of a page. */
const TEXT_HEIGHT = PAGE.height - 2 * MARGIN;
const TEXT_COLOUR = rgb(0.11, 0.11, 0.1);
const PALE_TEXT_COLOUR = rgb(0.34, 0.33, 0.3);

interface Fonts {
  readonly plain: PDFFont;
  readonly bold: PDFFont;
}

/** Prints statements on A4, with page numbers; embeds only the characters that are used. */
export function createStatementPrinter(): StatementPrinter {
  return { print: printStatement };
}

async function printStatement(statement: Statement): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.setTitle(statement.title);
  document.setProducer('Signing Desk');
  const fonts = await embedFonts(document, statement);
  const pen = new StatementPen(document, fonts);
  pen.write(statement.title, { font: fonts.bold, size: FONT_SIZES.title, after: 10 });
  for (const text of statement.lead)
    pen.write(text, { font: fonts.plain, color: PALE_TEXT_COLOUR, after: 6 });
  for (const part of statement.parts) pen.part(part);
  pen.numberPages();
  return document.save();
}

/** Writes from the top of a page to its bottom, and continues on the next one. */
class StatementPen {
  readonly #document: PDFDocument;
  readonly #fonts: Fonts;
  #page: PDFPage;
  #y = PAGE.height - MARGIN;

  constructor(document: PDFDocument, fonts: Fonts) {
    this.#document = document;
    this.#fonts = fonts;
    this.#page = document.addPage([PAGE.width, PAGE.height]);
  }

  write(
    text: string,
    {
      font,
      size = FONT_SIZES.text,
      color = TEXT_COLOUR,
      after = 2,
    }: WriteStyle & { readonly font: PDFFont },
  ): void {
    const width = PAGE.width - 2 * MARGIN;
    for (const line of wrapText(text, font, size, width)) {
      this.#room(size);
      this.#y -= size * LINE_HEIGHT_FACTOR;
      this.#page.drawText(line, { x: MARGIN, y: this.#y, size, font, color });
    }
    this.#y -= after;
  }

  /** Writes a part of the statement. A part that fits on one page is not split. */
  part({ heading, rows }: StatementPart): void {
    const { plain, bold } = this.#fonts;
    const width = PAGE.width - 2 * MARGIN - NAME_WIDTH;
    const laid = rows.map(([name, value]) => ({
      name,
      lines: wrapText(value, plain, FONT_SIZES.text, width),
    }));
    const tall = laid.reduce(
      (sum, { lines }) =>
        sum + lines.length * FONT_SIZES.text * LINE_HEIGHT_FACTOR + SPACE_AFTER_ROW,
      SPACE_ABOVE_PART + FONT_SIZES.heading * LINE_HEIGHT_FACTOR + SPACE_AFTER_HEADING,
    );
    const room = this.#y - MARGIN;
    // For a part longer than a page, the heading must not be alone at the foot of a page.
    if (tall > room && (tall <= TEXT_HEIGHT || room < 5 * FONT_SIZES.heading * LINE_HEIGHT_FACTOR))
      this.#turn();
    this.#y -= SPACE_ABOVE_PART;
    this.write(heading, { font: bold, size: FONT_SIZES.heading, after: SPACE_AFTER_HEADING });
    for (const { name, lines } of laid) this.#row(name, lines);
  }

  #row(name: string, lines: readonly string[]): void {
    const { plain } = this.#fonts;
    const size = FONT_SIZES.text;
    for (const [index, line] of lines.entries()) {
      this.#room(size);
      this.#y -= size * LINE_HEIGHT_FACTOR;
      const at = { y: this.#y, size, font: plain };
      if (index === 0) this.#page.drawText(name, { ...at, x: MARGIN, color: PALE_TEXT_COLOUR });
      this.#page.drawText(line, { ...at, x: MARGIN + NAME_WIDTH, color: TEXT_COLOUR });
    }
    this.#y -= SPACE_AFTER_ROW;
  }

  numberPages(): void {
    const pages = this.#document.getPages();
    for (const [index, page] of pages.entries()) {
      const text = `${index + 1} / ${pages.length}`;
      const size = FONT_SIZES.foot;
      const x = PAGE.width - MARGIN - this.#fonts.plain.widthOfTextAtSize(text, size);
      page.drawText(text, {
        x,
        y: MARGIN / 2,
        size,
        font: this.#fonts.plain,
        color: PALE_TEXT_COLOUR,
      });
    }
  }

  #room(size: number): void {
    if (this.#y - size * LINE_HEIGHT_FACTOR < MARGIN) this.#turn();
  }

  #turn(): void {
    this.#page = this.#document.addPage([PAGE.width, PAGE.height]);
    this.#y = PAGE.height - MARGIN;
  }
}

interface WriteStyle {
  readonly size?: number;
  readonly color?: ReturnType<typeof rgb>;
  readonly after?: number;
}

/**
 * Breaks a text into lines: at spaces, and inside a word that is wider than the line, such as a
 * hash.
 */
function wrapText(text: string, font: PDFFont, size: number, width: number): string[] {
  const lines: string[] = [];
  const fits = (line: string) => font.widthOfTextAtSize(line, size) <= width;
  for (const paragraph of withPrintableText(text, font).split('\n')) {
    let line = '';
    for (const word of paragraph.split(' ')) {
      const longer = line === '' ? word : `${line} ${word}`;
      if (fits(longer)) {
        line = longer;
        continue;
      }
      if (line !== '') lines.push(line);
      line = word;
      while (!fits(line)) {
        const length = fittingLengthOf(line, fits);
        lines.push(line.slice(0, length));
        line = line.slice(length);
      }
    }
    lines.push(line);
  }
  return lines;
}

function fittingLengthOf(word: string, fits: (line: string) => boolean): number {
  let length = 1;
  while (length < word.length && fits(word.slice(0, length + 1))) length += 1;
  return length;
}

/**
 * Returns the text with a code instead of each character that the font lacks, so that none is
 * omitted silently.
 */
function withPrintableText(text: string, font: PDFFont): string {
  const known = new Set(font.getCharacterSet());
  return [...text.replaceAll('\r', '').replaceAll('\t', ' ')]
    .map((letter) => {
      const point = letter.codePointAt(0) ?? 0;
      return letter === '\n' || known.has(point) ? letter : codeOf(point);
    })
    .join('');
}

const codeOf = (point: number) => `<U+${point.toString(16).toUpperCase().padStart(4, '0')}>`;

/** Characters that are always included: those of codes, hashes and page numbers. */
const ALWAYS_EMBEDDED_CHARACTERS = '<>+/ 0123456789ABCDEFUabcdef';

async function embedFonts(document: PDFDocument, statement: Statement): Promise<Fonts> {
  document.registerFontkit(fontkit);
  const letters = ALWAYS_EMBEDDED_CHARACTERS + JSON.stringify(statement);
  return {
    plain: await document.embedFont(await subsetFontFile('LiberationSans-Regular.ttf', letters)),
    bold: await document.embedFont(await subsetFontFile('LiberationSans-Bold.ttf', letters)),
  };
}

/**
 * Returns a font with only these characters. The fonts are included in pdf.js, under the SIL Open
 * Font License.
 */
async function subsetFontFile(name: string, letters: string): Promise<Uint8Array> {
  const file = createRequire(import.meta.url).resolve(`pdfjs-dist/standard_fonts/${name}`);
  return subsetFont(await readFile(file), letters, { targetFormat: 'truetype' });
}
