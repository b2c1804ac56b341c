import { PDFDocument, StandardFonts } from 'pdf-lib';

const A4: [number, number] = [595.28, 841.89];
const FORM_LEFT = 72;
const FORM_FIELDS_LEFT = 200;
const FORM_TOP = 740;
const FORM_ROW_HEIGHT = 40;
const FORM_FIELD_SIZE = { width: 300, height: 22 } as const;

/**
 * Creation time of the PDF. It is fixed because the same form must always be the same file, so that
 * a repeated send is recognised.
 */
const FORM_CREATED_AT = new Date(Date.UTC(2026, 0, 1));

/**
 * Creates a one-page PDF form with a heading, a text field for each name, and a checkbox
 * `accepted`.
 */
export async function formPdf(title: string, names: readonly string[]): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  document.setTitle(title);
  document.setCreationDate(FORM_CREATED_AT);
  document.setModificationDate(FORM_CREATED_AT);
  const font = await document.embedFont(StandardFonts.Helvetica);
  const page = document.addPage(A4);
  const form = document.getForm();
  page.drawText(title, { x: FORM_LEFT, y: FORM_TOP + FORM_ROW_HEIGHT, size: 18, font });
  for (const [at, name] of names.entries()) {
    const y = FORM_TOP - at * FORM_ROW_HEIGHT;
    page.drawText(name, { x: FORM_LEFT, y: y + 6, size: 11, font });
    form
      .createTextField(name)
      .addToPage(page, { ...FORM_FIELD_SIZE, x: FORM_FIELDS_LEFT, y, font });
  }
  const y = FORM_TOP - names.length * FORM_ROW_HEIGHT;
  page.drawText('accepted', { x: FORM_LEFT, y: y + 6, size: 11, font });
  form
    .createCheckBox('accepted')
    .addToPage(page, { x: FORM_FIELDS_LEFT, y, width: 18, height: 18 });
  return document.save();
}
