import { PDFDict, type PDFDocument, type PDFField, type PDFFont, PDFName } from 'pdf-lib';
import { faceOf } from './text/faces.ts';
import { drawnTexts, type FieldFonts } from './fill-field.ts';
import type { FontRegistry } from './fonts/font-registry.ts';
import { fieldsOf, nameOf } from './list-fields.ts';
import { missingLetter } from './text/missing-letter.ts';
import { narrowPens, type Pen, FontFallback } from './text/font-fallback.ts';

/** Embeds the fonts for these values and the form's own texts, cut to their characters. */
export async function createFieldFonts(
  document: PDFDocument,
  values: Iterable<string | boolean>,
  shelf: FontRegistry,
): Promise<FieldFonts> {
  const fields = fieldsOf(document);
  const narrow = await narrowPens(document, fields);
  // Registers also unused fonts: a field names its font for values that are entered later.
  for (const { font } of Object.values(narrow)) registerFont(document, font);
  const pens = new FontFallback(document, narrow, shelf);
  const texts = [...values].filter((value) => typeof value === 'string');
  const held = fields.flatMap((field) => drawnTexts(field));
  await pens.prepare([...texts, ...held]);
  const penFor = (text: string, field: PDFField): Pen | null => {
    const pen = pens.penFor(text, faceOf(field));
    if (pen !== null && pen.font !== null) registerFont(document, pen.font);
    return pen;
  };
  return {
    helvetica: narrow.sans.font,
    penFor,
    needPen(text, field) {
      const pen = penFor(text, field);
      if (pen === null) throw missingLetter(pens.missing(text, faceOf(field)) ?? '', nameOf(field));
      return pen;
    },
    async write() {
      await pens.write();
    },
  };
}

/**
 * Registers a font in the form: a field names its font, and viewers look up the name in the form
 * when the field is edited.
 */
export function registerFont(document: PDFDocument, font: PDFFont, name = font.name): void {
  const form = document.getForm().acroForm.dict;
  const resources = childDictIn(form, 'DR');
  childDictIn(resources, 'Font').set(PDFName.of(name), font.ref);
}

function childDictIn(parent: PDFDict, key: string): PDFDict {
  const name = PDFName.of(key);
  const found = parent.lookupMaybe(name, PDFDict) ?? PDFDict.withContext(parent.context);
  if (!parent.has(name)) parent.set(name, found);
  return found;
}
