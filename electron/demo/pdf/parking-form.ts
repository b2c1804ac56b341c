import { PDFDocument, type PDFFont, type PDFPage, rgb, StandardFonts } from 'pdf-lib';

const A4: [number, number] = [595.28, 841.89];
const LEFT_COLUMN_X = 64;
const RIGHT_COLUMN_X = 320;
const FULL_WIDTH = 467;
const HALF_WIDTH = 211;
const FIELD_HEIGHT = 24;
const TERMS_LINE_HEIGHT = 15;
const FORM_TEXT_COLOUR = rgb(0.13, 0.15, 0.19);
const MUTED_COLOUR = rgb(0.42, 0.45, 0.5);

/**
 * Creation time of the PDF. It is fixed because the same form must always be the same file, so that
 * a repeated send is recognised.
 */
const PARKING_FORM_CREATED_AT = new Date(Date.UTC(2026, 0, 1));

/** Fields of the form, in reading order. */
export const parkingFields = {
  number: 'avtalsnummer',
  tenant: 'hyresgast',
  email: 'epost',
  place: 'bilplats',
  rent: 'manadshyra',
  from: 'tilltrade',
  charger: 'laddbox',
} as const;

const contractTerms = [
  'Hyran betalas i förskott, senast den sista vardagen före varje månads början.',
  'Avtalet gäller tills vidare och sägs upp skriftligen med en månads uppsägningstid.',
  'Platsen får användas för ett registrerat och körklart fordon, och inte upplåtas till andra.',
  'El till laddbox debiteras efter förbrukning tillsammans med nästa månads hyra.',
];

/** Creates a PDF form: a lease of a parking space on one page, in Swedish, from `landlord`. */
export async function parkingForm(landlord: string): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  document.setTitle('Hyresavtal bilplats');
  document.setLanguage('sv');
  document.setCreationDate(PARKING_FORM_CREATED_AT);
  document.setModificationDate(PARKING_FORM_CREATED_AT);
  const plain = await document.embedFont(StandardFonts.Helvetica);
  const bold = await document.embedFont(StandardFonts.HelveticaBold);
  const page = document.addPage(A4);
  drawHead(page, landlord, { plain, bold });
  addFields(document, page, plain);
  drawTerms(page, { plain, bold });
  return document.save();
}

interface Fonts {
  readonly plain: PDFFont;
  readonly bold: PDFFont;
}

function drawHead(page: PDFPage, landlord: string, { plain, bold }: Fonts): void {
  page.drawText('Hyresavtal bilplats', {
    x: LEFT_COLUMN_X,
    y: 760,
    size: 22,
    font: bold,
    color: FORM_TEXT_COLOUR,
  });
  const said = `Hyresvärd: ${landlord}`;
  page.drawText(said, { x: LEFT_COLUMN_X, y: 738, size: 10, font: plain, color: MUTED_COLOUR });
}

function addFields(document: PDFDocument, page: PDFPage, font: PDFFont): void {
  const form = document.getForm();
  const label = (text: string, x: number, y: number) =>
    page.drawText(text, { x, y: y + FIELD_HEIGHT + 5, size: 9, font, color: MUTED_COLOUR });
  const line = (name: string, said: string, x: number, y: number, width: number) => {
    label(said, x, y);
    const place = { x, y, width, height: FIELD_HEIGHT, borderWidth: 0.75, font };
    form.createTextField(name).addToPage(page, place);
  };
  line(parkingFields.number, 'Avtalsnummer', LEFT_COLUMN_X, 670, HALF_WIDTH);
  line(parkingFields.from, 'Tillträdesdag', RIGHT_COLUMN_X, 670, HALF_WIDTH);
  line(parkingFields.tenant, 'Hyresgäst', LEFT_COLUMN_X, 610, FULL_WIDTH);
  line(parkingFields.email, 'E-post', LEFT_COLUMN_X, 550, FULL_WIDTH);
  line(parkingFields.place, 'Bilplats', LEFT_COLUMN_X, 490, HALF_WIDTH);
  line(parkingFields.rent, 'Hyra per månad, kronor', RIGHT_COLUMN_X, 490, HALF_WIDTH);
  const box = { x: LEFT_COLUMN_X, y: 446, width: 16, height: 16, borderWidth: 0.75 };
  form.createCheckBox(parkingFields.charger).addToPage(page, box);
  page.drawText('Platsen har laddbox', {
    x: LEFT_COLUMN_X + 26,
    y: 450,
    size: 10,
    font,
    color: FORM_TEXT_COLOUR,
  });
}

function drawTerms(page: PDFPage, { plain, bold }: Fonts): void {
  page.drawText('Villkor', {
    x: LEFT_COLUMN_X,
    y: 400,
    size: 13,
    font: bold,
    color: FORM_TEXT_COLOUR,
  });
  for (const [at, term] of contractTerms.entries()) {
    const y = 376 - at * (TERMS_LINE_HEIGHT + 7);
    page.drawText(`${at + 1}.`, {
      x: LEFT_COLUMN_X,
      y,
      size: 10,
      font: plain,
      color: FORM_TEXT_COLOUR,
    });
    page.drawText(term, {
      x: LEFT_COLUMN_X + 18,
      y,
      size: 10,
      font: plain,
      color: FORM_TEXT_COLOUR,
    });
  }
}
