import { PDFDocument, PDFName, PDFString } from 'pdf-lib';

/** A lease with 14 fields, created in another order than the reading order. */
export async function leaseForm(kind: 'plain' | 'hostile' = 'plain'): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const page = document.addPage([595, 842]);
  const form = document.getForm();
  const label = (text: string, x: number, y: number) => page.drawText(text, { x, y, size: 9 });
  page.drawText('Lease of a dwelling', { x: 40, y: 790, size: 18 });
  const text = (name: string, x: number, y: number, width = 220, height = 20) => {
    label(name, x, y + height + 4);
    const field = form.createTextField(name);
    field.addToPage(page, { x, y, width, height, borderWidth: 1 });
    return field;
  };
  const box = (name: string, x: number, y: number) => {
    label(name, x + 22, y + 4);
    form.createCheckBox(name).addToPage(page, { x, y, width: 14, height: 14 });
  };
  text('sign.tenant', 320, 200, 220, 44);
  text('sign.landlord', 40, 200, 220, 44);
  text('tenant', 320, 720).setMaxLength(40);
  text('landlord', 40, 720);
  text('pno', 40, 660, 180);
  text('address', 320, 660);
  text('rent', 40, 600, 120);
  text('from', 40, 540, 120);
  text('until', 320, 540, 120);
  text('deposit', 320, 600, 120);
  box('pets', 40, 490);
  box('heating', 320, 490);
  text('notes', 40, 380, 500, 80).enableMultiline();
  text('number', 40, 320, 120);
  if (kind === 'hostile') makeHostile(document);
  return document.save();
}

/** Adds a script that runs on opening, and a link over the whole page to another server. */
function makeHostile(document: PDFDocument): void {
  const { context, catalog } = document;
  const script = { S: 'JavaScript', JS: PDFString.of('app.launchURL("https://example.com/x")') };
  catalog.set(PDFName.of('OpenAction'), context.obj(script));
  const link = {
    Type: 'Annot',
    Subtype: 'Link',
    Rect: [0, 0, 595, 842],
    A: { S: 'URI', URI: PDFString.of('https://example.com/elsewhere') },
  };
  document.getPage(0).node.addAnnot(context.register(context.obj(link)));
}
