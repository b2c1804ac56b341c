import {
  PDFArray,
  type PDFContext,
  type PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  PDFNull,
  type PDFPage,
  PDFRef,
  PDFString,
  type PDFTextField,
  StandardFonts,
} from 'pdf-lib';

const name = (text: string) => PDFName.of(text);
const PLAIN = { updateFieldAppearances: false, addDefaultPage: false };

/** Field name in each form of this file in which only one field matters. */
export const FIELD = 'field';

async function blank(pages = 1): Promise<{ document: PDFDocument; pages: PDFPage[] }> {
  const document = await PDFDocument.create();
  await document.embedFont(StandardFonts.Helvetica);
  return { document, pages: Array.from({ length: pages }, () => document.addPage([300, 200])) };
}

/** Returns a form whose values differ from its pictures, as another program saved it. */
export async function staleForm(): Promise<Uint8Array> {
  const { document, pages } = await blank();
  const [page] = pages;
  if (page === undefined) throw new Error('A form has a page');
  const form = document.getForm();
  const text = form.createTextField('text');
  text.setText('OLD TEXT');
  text.addToPage(page, { x: 20, y: 150, width: 200, height: 20 });
  const emptied = form.createTextField('emptied');
  emptied.setText('OLD EMPTIED');
  emptied.addToPage(page, { x: 20, y: 120, width: 200, height: 20 });
  const colour = form.createDropdown('colour');
  colour.setOptions(['OLD RED', 'GREEN']);
  colour.select('OLD RED');
  colour.addToPage(page, { x: 20, y: 90, width: 200, height: 20 });
  const bare = form.createTextField('bare');
  bare.addToPage(page, { x: 20, y: 60, width: 200, height: 20 });
  const other = form.createTextField('other');
  other.addToPage(page, { x: 20, y: 30, width: 200, height: 20 });
  const box = form.createCheckBox('box');
  box.addToPage(page, { x: 240, y: 150, width: 20, height: 20 });
  form.updateFieldAppearances();
  const value = (field: string, content: string) =>
    form.getField(field).acroField.dict.set(name('V'), PDFHexString.fromText(content));
  value('text', 'NEW TEXT');
  form.getField('emptied').acroField.dict.delete(name('V'));
  value('colour', 'GREEN');
  value('bare', 'NEW BARE');
  for (const { dict } of form.getField('bare').acroField.getWidgets()) dict.delete(name('AP'));
  form.getCheckBox('box').acroField.dict.set(name('V'), name('Yes'));
  form.acroForm.dict.set(name('NeedAppearances'), document.context.obj(true));
  return document.save(PLAIN);
}

/** Returns a form with a multi-line text field of 12 points. */
export async function linesForm(held = ''): Promise<Uint8Array> {
  const { document, pages } = await blank();
  const [page] = pages;
  if (page === undefined) throw new Error('A form has a page');
  const field = document.getForm().createTextField(FIELD);
  field.enableMultiline();
  field.addToPage(page, { x: 20, y: 20, width: 260, height: 160 });
  field.setFontSize(12);
  if (held !== '') {
    field.acroField.dict.set(name('V'), PDFHexString.fromText(held));
    for (const { dict } of field.acroField.getWidgets()) dict.delete(name('AP'));
  }
  return document.save(PLAIN);
}

/** Returns a form of two pages that list the same widget. */
export async function sharedWidget(): Promise<Uint8Array> {
  const { document, pages } = await blank(2);
  const [first, second] = pages;
  if (first === undefined || second === undefined) throw new Error('The form has two pages');
  document.getForm().createTextField(FIELD).addToPage(first, { x: 20, y: 150 });
  const listed = first.node.Annots();
  if (listed !== undefined) second.node.set(name('Annots'), listed.clone(document.context));
  return document.save(PLAIN);
}

/** Returns a form with a button that has a red square for each state, and one with a caption. */
export async function statefulButton(): Promise<Uint8Array> {
  const { document, pages } = await blank();
  const [page] = pages;
  if (page === undefined) throw new Error('A form has a page');
  const form = document.getForm();
  const { context } = document;
  const font = await document.embedFont(StandardFonts.Helvetica);
  form.createTextField(FIELD).addToPage(page, { x: 20, y: 20 });
  const add = (called: string, y: number, operators: string) => {
    const button = form.createButton(called);
    button.addToPage('', page, { x: 20, y, width: 100, height: 40 });
    const dictionary = { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 100, 40] };
    const resources = { Resources: { Font: { F: font.ref } } };
    const picture = context.stream(operators, { ...dictionary, ...resources });
    const states = context.obj({ Off: context.register(picture) });
    for (const { dict } of button.acroField.getWidgets()) {
      dict.set(name('AP'), context.obj({ N: states }));
      dict.set(name('AS'), name('Off'));
    }
  };
  add('square', 140, '1 0 0 rg 0 0 100 40 re f');
  add('caption', 80, 'BT /F 12 Tf 5 14 Td (Its own caption) Tj ET');
  return document.save(PLAIN);
}

/** Returns `text` in the UTF-8 of PDF 2.0, with its byte order mark. */
export function utf8(text: string): PDFHexString {
  return PDFHexString.of(Buffer.from(`\uFEFF${text}`, 'utf8').toString('hex'));
}

/** Returns `text` in the UTF-8 of PDF 2.0, as a literal string with octal escapes. */
export function utf8Literal(text: string): PDFString {
  const bytes = [...Buffer.from(`\uFEFF${text}`, 'utf8')];
  return PDFString.of(bytes.map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join(''));
}

/** Returns a form with a field, a list and a label in the UTF-8 of PDF 2.0. */
export async function utf8Form(): Promise<Uint8Array> {
  const { document, pages } = await blank();
  const [page] = pages;
  if (page === undefined) throw new Error('A form has a page');
  const form = document.getForm();
  const field = form.createTextField(FIELD);
  field.addToPage(page, { x: 20, y: 150 });
  field.acroField.dict.set(name('T'), utf8('hyra-åäö'));
  field.acroField.dict.set(name('V'), utf8Literal('Växjö'));
  field.acroField.dict.set(name('TU'), utf8('Månadshyra'));
  const list = form.createDropdown('list');
  list.addToPage(page, { x: 20, y: 100 });
  const options = PDFArray.withContext(document.context);
  for (const option of ['Malmö', 'Łódź']) options.push(utf8(option));
  list.acroField.dict.set(name('Opt'), options);
  return document.save(PLAIN);
}

/** Returns fields below a group without a name, and a nameless field below a named group. */
export async function namelessGroups(): Promise<Uint8Array> {
  const { document, pages } = await blank();
  const [page] = pages;
  if (page === undefined) throw new Error('A form has a page');
  const { context } = document;
  const widget = (y: number, more: Record<string, string | PDFRef | PDFString>) =>
    context.obj({
      Type: 'Annot',
      Subtype: 'Widget',
      FT: 'Tx',
      Rect: [20, y, 200, y + 20],
      F: 4,
      DA: PDFString.of('/Helv 10 Tf 0 g'),
      ...more,
    });
  const outer = context.nextRef();
  const inner = context.nextRef();
  const first = context.register(widget(150, { T: PDFString.of('first'), Parent: outer }));
  const third = context.register(widget(50, { T: PDFString.of('third'), Parent: inner }));
  context.assign(outer, context.obj({ Kids: [first] }));
  const veg = context.nextRef();
  context.assign(inner, context.obj({ Kids: [third], Parent: veg }));
  context.assign(veg, context.obj({ T: PDFString.of('veg'), Kids: [inner] }));
  page.node.set(name('Annots'), context.obj([first, third]));
  document.getForm().acroForm.dict.set(name('Fields'), context.obj([outer, veg]));
  return document.save(PLAIN);
}

/** Returns an unfilled field with a letter missing from all fonts. `drawn`: it has a picture. */
export async function oddLetters(drawn: boolean, isAsked = false): Promise<Uint8Array> {
  const { document, pages } = await blank();
  const [page] = pages;
  if (page === undefined) throw new Error('A form has a page');
  const form = document.getForm();
  const odd = form.createTextField('odd');
  odd.setText('STAYS');
  odd.addToPage(page, { x: 20, y: 150, width: 200, height: 20 });
  form.createTextField(FIELD).addToPage(page, { x: 20, y: 100, width: 200, height: 20 });
  form.updateFieldAppearances();
  odd.acroField.dict.set(name('V'), PDFHexString.fromText('漢字'));
  if (!drawn) for (const { dict } of odd.acroField.getWidgets()) dict.delete(name('AP'));
  if (isAsked) form.acroForm.dict.set(name('NeedAppearances'), document.context.obj(true));
  return document.save(PLAIN);
}

/** Fault of a form's field list. */
export type Damage =
  | 'null'
  | 'number'
  | 'no-list'
  | 'direct'
  | 'empty'
  | 'on-page'
  | 'unnamed'
  | 'kindless';

/** Merges a field with its only widget. */
function asOne({ acroField }: PDFTextField): PDFDict {
  const [widget] = acroField.getWidgets();
  if (widget === undefined) throw new Error('The field has no place');
  const dict = widget.dict.clone();
  dict.delete(name('Parent'));
  dict.set(name('T'), PDFString.of(acroField.getPartialName() ?? ''));
  dict.set(name('FT'), name('Tx'));
  return dict;
}

/** Returns two fields, `first` and `second`, in a damaged list. */
export async function damagedList(damage: Damage): Promise<Uint8Array> {
  const { document, pages } = await blank();
  const [page] = pages;
  if (page === undefined) throw new Error('A form has a page');
  const { context } = document;
  const form = document.getForm();
  const first = form.createTextField('first');
  first.addToPage(page, { x: 20, y: 150, width: 200, height: 20 });
  const second = form.createTextField('second');
  second.addToPage(page, { x: 20, y: 100, width: 200, height: 20 });
  const { dict } = form.acroForm;
  const list = form.acroForm.normalizedEntries().Fields;
  const set = (value: PDFArray) => dict.set(name('Fields'), value);
  switch (damage) {
    case 'null':
      list.insert(0, PDFNull);
      break;
    case 'number':
      list.insert(1, context.obj(7));
      break;
    case 'no-list':
      dict.set(name('Fields'), context.obj(0));
      break;
    case 'direct':
      list.push(context.obj({ T: PDFString.of('third'), FT: 'Tx', Rect: [0, 0, 0, 0] }));
      break;
    case 'empty':
      set(context.obj([]));
      break;
    case 'on-page':
      set(context.obj([]));
      page.node.set(name('Annots'), context.obj([first, second].map(asOne)));
      break;
    case 'unnamed':
      list.push(context.register(context.obj({ FT: 'Tx', Rect: [20, 20, 60, 40] })));
      break;
    case 'kindless':
      list.push(context.register(context.obj({ T: PDFString.of('third') })));
      break;
  }
  return document.save(PLAIN);
}

/**
 * Returns a field for seven characters in cells, right-aligned in 10 points. It inherits all of
 * these properties from the two groups above it.
 */
export async function inheriting(): Promise<Uint8Array> {
  const { document, pages } = await blank();
  const [page] = pages;
  if (page === undefined) throw new Error('A form has a page');
  const { context } = document;
  const [top, middle] = [context.nextRef(), context.nextRef()];
  const field = (called: string, y: number, parent: PDFRef) =>
    context.register(
      context.obj({
        Type: 'Annot',
        Subtype: 'Widget',
        Rect: [20, y, 280, y + 30],
        F: 4,
        T: PDFString.of(called),
        Parent: parent,
      }),
    );
  const comb = field('comb', 150, middle);
  const COMB = 1 << 24;
  context.assign(middle, context.obj({ T: PDFString.of('m'), Kids: [comb], Parent: top }));
  const shared = { FT: 'Tx', Ff: COMB, MaxLen: 7, Q: 2, DA: PDFString.of('/Helv 10 Tf 0 g') };
  context.assign(top, context.obj({ T: PDFString.of('t'), Kids: [middle], ...shared }));
  const [up, between] = [context.nextRef(), context.nextRef()];
  const line = field('line', 100, between);
  context.assign(between, context.obj({ T: PDFString.of('b'), Kids: [line], Parent: up }));
  const right = { FT: 'Tx', Q: 2, DA: PDFString.of('/Helv 10 Tf 0 g') };
  context.assign(up, context.obj({ T: PDFString.of('u'), Kids: [between], ...right }));
  page.node.set(name('Annots'), context.obj([comb, line]));
  document.getForm().acroForm.dict.set(name('Fields'), context.obj([top, up]));
  return document.save(PLAIN);
}

/** Returns a form with lists whose export values differ from their texts. */
export async function listsForm(): Promise<Uint8Array> {
  const { document, pages } = await blank();
  const [page] = pages;
  if (page === undefined) throw new Error('A form has a page');
  const { context } = document;
  const form = document.getForm();
  const pairs = (...options: readonly (readonly [string, string])[]) =>
    context.obj(
      options.map(([held, shown]) => [PDFHexString.fromText(held), PDFHexString.fromText(shown)]),
    );
  const planet = form.createDropdown('planet');
  planet.addToPage(page, { x: 20, y: 150, width: 200, height: 20 });
  planet.acroField.dict.set(name('Opt'), pairs(['2', 'Venus'], ['9', 'Pluto']));
  planet.acroField.dict.set(name('V'), PDFHexString.fromText('9'));
  for (const { dict } of planet.acroField.getWidgets()) dict.delete(name('AP'));
  const open = form.createDropdown('open');
  open.setOptions(['Red']);
  open.enableEditing();
  open.addToPage(page, { x: 20, y: 120, width: 200, height: 20 });
  const cities = form.createOptionList('cities');
  cities.addToPage(page, { x: 20, y: 50, width: 200, height: 60 });
  cities.acroField.dict.set(name('Opt'), pairs(['u', 'Umeå'], ['l', 'Lund'], ['m', 'Malmö']));
  cities.enableMultiselect();
  return document.save(PLAIN);
}

/** Returns a form whose field picture has the number of a deleted object and a higher generation. */
export async function reusedNumber(): Promise<Uint8Array> {
  const { document, pages } = await blank();
  const field = document.getForm().createTextField(FIELD);
  field.setText('OLD');
  const [page] = pages;
  if (page !== undefined) field.addToPage(page, { x: 20, y: 150, width: 200, height: 20 });
  await document.flush();
  const { context } = document;
  const [widget] = field.acroField.getWidgets();
  const pictures = widget?.AP();
  const old = pictures?.get(name('N'));
  if (!(old instanceof PDFRef)) throw new Error('A text field has a picture');
  // An unused annotation keeps the object number; the picture has the next generation.
  const again = PDFRef.of(old.objectNumber, 1);
  context.assign(again, context.lookup(old) ?? PDFNull);
  context.assign(old, context.obj({ Old: 'thrown away' }));
  pictures?.set(name('N'), again);
  return oneTable(context);
}

/** Writes every object unchanged, and a table with only the last object of each number. */
function oneTable(context: PDFContext): Uint8Array {
  let text = '%PDF-1.7\n';
  const entries = new Map<number, string>();
  const objects = context.enumerateIndirectObjects();
  for (const [ref, object] of objects.toSorted(
    ([a], [b]) => a.generationNumber - b.generationNumber,
  )) {
    const place = String(text.length).padStart(10, '0');
    const generation = String(ref.generationNumber).padStart(5, '0');
    entries.set(ref.objectNumber, `${place} ${generation} n \n`);
    const bytes = new Uint8Array(object.sizeInBytes());
    object.copyBytesInto(bytes, 0);
    const [number, times] = [ref.objectNumber, ref.generationNumber].map(String);
    text += `${number} ${times} obj\n${Buffer.from(bytes).toString('latin1')}\nendobj\n`;
  }
  const start = text.length;
  const free = '0000000000 65535 f \n';
  const lines = Array.from(
    { length: context.largestObjectNumber + 1 },
    (_, at) => entries.get(at) ?? free,
  );
  const size = String(lines.length);
  const root = String(context.trailerInfo.Root);
  text += `xref\n0 ${size}\n${lines.join('')}trailer\n<< /Size ${size} /Root ${root} >>\n`;
  text += `startxref\n${String(start)}\n%%EOF\n`;
  return new Uint8Array(Buffer.from(text, 'latin1'));
}
