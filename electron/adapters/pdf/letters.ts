import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import fontkit from '@pdf-lib/fontkit';
import { PDFDict, type PDFDocument, type PDFFont, PDFName, StandardFonts } from 'pdf-lib';
import { AppError } from '../../../shared/errors.ts';

/** Latin, Greek and Cyrillic letters, under the SIL Open Font License; comes with pdf.js. */
const WIDE_FONT = 'pdfjs-dist/standard_fonts/LiberationSans-Regular.ttf';
const LINE_BREAKS_AND_TABS = /[\r\n\t]/g;

/** Picks the font a value can be written in, embedding each at most once per document. */
export interface Letters {
  /** Throws 'invalid' with 'pdf-letters' and the field, when a letter is in no font we have. */
  fontFor(text: string, field: string): Promise<PDFFont>;
}

export function createLetters(document: PDFDocument): Letters {
  let narrow: Promise<PDFFont> | undefined;
  let wide: Promise<PDFFont> | undefined;
  return {
    async fontFor(text, field) {
      narrow ??= registered(document, document.embedFont(StandardFonts.Helvetica));
      const letters = [...text.replaceAll(LINE_BREAKS_AND_TABS, '')];
      if (missing(await narrow, letters) === undefined) return narrow;
      wide ??= embedWide(document);
      const lacking = missing(await wide, letters);
      if (lacking === undefined) return wide;
      const point = lacking.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
      throw new AppError('invalid', `No font has the letter U+${point}`, {
        reason: 'pdf-letters',
        fields: { [field]: `U+${point}` },
      });
    },
  };
}

function missing(font: PDFFont, letters: readonly string[]): string | undefined {
  const known = new Set(font.getCharacterSet());
  return letters.find((letter) => !known.has(letter.codePointAt(0) ?? 0));
}

async function embedWide(document: PDFDocument): Promise<PDFFont> {
  document.registerFontkit(fontkit);
  const bytes = await readFile(createRequire(import.meta.url).resolve(WIDE_FONT));
  // Whole: this version of fontkit fails when it is asked to embed only the letters used.
  return registered(document, document.embedFont(bytes));
}

/** A field names its font, and viewers look the name up in the form when the field is edited. */
async function registered(document: PDFDocument, embedding: Promise<PDFFont>): Promise<PDFFont> {
  const font = await embedding;
  const form = document.getForm().acroForm.dict;
  const resources = child(form, 'DR');
  child(resources, 'Font').set(PDFName.of(font.name), font.ref);
  return font;
}

function child(parent: PDFDict, key: string): PDFDict {
  const name = PDFName.of(key);
  const found = parent.lookupMaybe(name, PDFDict) ?? PDFDict.withContext(parent.context);
  if (!parent.has(name)) parent.set(name, found);
  return found;
}
