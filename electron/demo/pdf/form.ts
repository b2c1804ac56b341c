import { PDFDocument, StandardFonts } from 'pdf-lib';

const A4: [number, number] = [595.28, 841.89];
const LEFT = 72;
const FIELDS_LEFT = 200;
const TOP = 740;
const ROW = 40;
const FIELD = { width: 300, height: 22 } as const;

/**
 * Creation time of the PDF. It is fixed because the same form must always be the same file, so that
 * a repeated send is recognised.
 */
const MADE_ON = new Date(Date.UTC(2026, 0, 1));

/**
 * Creates a one-page PDF form with a heading, a text field for each name, and a checkbox
 * `accepted`.
 */
export async function formPdf(title: string, names: readonly string[]): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  document.setTitle(title);
  document.setCreationDate(MADE_ON);
  document.setModificationDate(MADE_ON);
  const font = await document.embedFont(StandardFonts.Helvetica);
  const page = document.addPage(A4);
  const form = document.getForm();
  page.drawText(title, { x: LEFT, y: TOP + ROW, size: 18, font });
  for (const [at, name] of names.entries()) {
    const y = TOP - at * ROW;
    page.drawText(name, { x: LEFT, y: y + 6, size: 11, font });
    form.createTextField(name).addToPage(page, { ...FIELD, x: FIELDS_LEFT, y, font });
  }
  const y = TOP - names.length * ROW;
  page.drawText('accepted', { x: LEFT, y: y + 6, size: 11, font });
  form.createCheckBox('accepted').addToPage(page, { x: FIELDS_LEFT, y, width: 18, height: 18 });
  return document.save();
}
