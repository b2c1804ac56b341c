import { PDFDict, type PDFDocument, type PDFFont, PDFName, StandardFonts } from 'pdf-lib';
import { drawnTexts, type Letters } from './fill-field.ts';
import { fieldsOf } from './list-fields.ts';
import { createNarrowMeasure, type TextMeasure } from './text-width.ts';
import { embedWide, missingLetter } from './wide-font.ts';

/** Embeds the fonts that these values and the form's own need, cut to the letters in them. */
export async function createLetters(
  document: PDFDocument,
  values: Iterable<string | boolean>,
): Promise<Letters> {
  const helvetica = await document.embedFont(StandardFonts.Helvetica);
  const narrow = createNarrowMeasure(helvetica);
  register(document, helvetica);
  const texts = [...values].filter((value) => typeof value === 'string');
  const held = fieldsOf(document).flatMap((field) => drawnTexts(field));
  const missing = [...texts, ...held].filter((text) => narrow.missing(text) !== undefined);
  const wide = missing.length === 0 ? null : await embedded(document, missing);
  const fontFor = (text: string): PDFFont | null => {
    if (narrow.missing(text) === undefined) return helvetica;
    return wide === null || wide.missing(text) !== undefined ? null : wide.font;
  };
  return {
    fontFor,
    needFont(text, field) {
      const font = fontFor(text);
      if (font === null) throw missingLetter((wide ?? narrow).missing(text) ?? '', field);
      return font;
    },
  };
}

async function embedded(document: PDFDocument, texts: readonly string[]): Promise<TextMeasure> {
  const measure = await embedWide(
    document,
    texts.flatMap((text) => [...text]),
  );
  register(document, measure.font);
  return measure;
}

/** A field names its font, and viewers look the name up in the form when the field is edited. */
function register(document: PDFDocument, font: PDFFont): void {
  const form = document.getForm().acroForm.dict;
  const resources = child(form, 'DR');
  child(resources, 'Font').set(PDFName.of(font.name), font.ref);
}

function child(parent: PDFDict, key: string): PDFDict {
  const name = PDFName.of(key);
  const found = parent.lookupMaybe(name, PDFDict) ?? PDFDict.withContext(parent.context);
  if (!parent.has(name)) parent.set(name, found);
  return found;
}
