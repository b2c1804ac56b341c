import { PDFDocument, type PDFFont, type PDFPage, rgb, StandardFonts } from 'pdf-lib';

const A4: [number, number] = [595.28, 841.89];
const LEFT = 64;
const RIGHT = 320;
const WIDTH = 467;
const HALF = 211;
const FIELD_HEIGHT = 24;
const LINE = 15;
const INK = rgb(0.13, 0.15, 0.19);
const MUTED_COLOUR = rgb(0.42, 0.45, 0.5);

/**
 * Creation time of the PDF. It is fixed because the same form must always be the same file, so that
 * a repeated send is recognised.
 */
const MADE_ON = new Date(Date.UTC(2026, 0, 1));

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
  document.setCreationDate(MADE_ON);
  document.setModificationDate(MADE_ON);
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
  page.drawText('Hyresavtal bilplats', { x: LEFT, y: 760, size: 22, font: bold, color: INK });
  const said = `Hyresvärd: ${landlord}`;
  page.drawText(said, { x: LEFT, y: 738, size: 10, font: plain, color: MUTED_COLOUR });
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
  line(parkingFields.number, 'Avtalsnummer', LEFT, 670, HALF);
  line(parkingFields.from, 'Tillträdesdag', RIGHT, 670, HALF);
  line(parkingFields.tenant, 'Hyresgäst', LEFT, 610, WIDTH);
  line(parkingFields.email, 'E-post', LEFT, 550, WIDTH);
  line(parkingFields.place, 'Bilplats', LEFT, 490, HALF);
  line(parkingFields.rent, 'Hyra per månad, kronor', RIGHT, 490, HALF);
  const box = { x: LEFT, y: 446, width: 16, height: 16, borderWidth: 0.75 };
  form.createCheckBox(parkingFields.charger).addToPage(page, box);
  page.drawText('Platsen har laddbox', { x: LEFT + 26, y: 450, size: 10, font, color: INK });
}

function drawTerms(page: PDFPage, { plain, bold }: Fonts): void {
  page.drawText('Villkor', { x: LEFT, y: 400, size: 13, font: bold, color: INK });
  for (const [at, term] of contractTerms.entries()) {
    const y = 376 - at * (LINE + 7);
    page.drawText(`${at + 1}.`, { x: LEFT, y, size: 10, font: plain, color: INK });
    page.drawText(term, { x: LEFT + 18, y, size: 10, font: plain, color: INK });
  }
}
