import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PDFDocument, PDFName } from 'pdf-lib';

/** Reads a PDF form of another program; see the README in its folder. */
export function realForm(name: string): Uint8Array {
  return new Uint8Array(readFileSync(path.resolve('test/fixtures/forms', name)));
}

/** Returns a form with one field of each kind, on two pages. */
export async function sampleForm(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const pages = [document.addPage(), document.addPage()] as const;
  const form = document.getForm();
  const text = form.createTextField('party.name');
  text.addToPage(pages[0], { x: 10, y: 700 });
  const short = form.createTextField('party.country');
  short.setMaxLength(2);
  short.enableRequired();
  short.addToPage(pages[1], { x: 10, y: 650 });
  const notes = form.createTextField('notes');
  notes.enableMultiline();
  notes.addToPage(pages[1], { x: 10, y: 500 });
  const fixed = form.createTextField('number');
  fixed.setText('A-17');
  fixed.enableReadOnly();
  fixed.addToPage(pages[0], { x: 10, y: 450 });
  // pdf-lib wrote a size for the empty field into each field, which is too small for many words.
  for (const field of [text, short, notes, fixed]) field.setFontSize(12);
  form.createCheckBox('accepted').addToPage(pages[0], { x: 10, y: 400 });
  const pay = form.createRadioGroup('pay');
  pay.addOptionToPage('Card', pages[0], { x: 10, y: 350 });
  pay.addOptionToPage('Invoice', pages[0], { x: 80, y: 350 });
  const unit = form.createDropdown('unit');
  unit.setOptions(['Hours', 'Days']);
  unit.addToPage(pages[0], { x: 10, y: 300 });
  const list = form.createOptionList('city');
  list.setOptions(['Umeå', 'Lund']);
  list.addToPage(pages[0], { x: 10, y: 200 });
  return document.save();
}

/** Returns a form whose signature field covers a fictional byte range. */
export async function signedForm(): Promise<Uint8Array> {
  const document = await PDFDocument.load(await sampleForm());
  const { context } = document;
  const signature = context.obj({ Type: 'Sig', ByteRange: [0, 10, 20, 10] });
  const field = context.register(context.obj({ FT: 'Sig', V: context.register(signature) }));
  document.getForm().acroForm.addField(field);
  context.lookup(field);
  return document.save({ useObjectStreams: false });
}

/** Returns a form with two field groups that each claim to contain the other. */
export async function cyclicForm(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.addPage();
  const { context } = document;
  const [first, second] = [context.nextRef(), context.nextRef()];
  context.assign(first, context.obj({ T: 'a', Kids: [second], Parent: second }));
  context.assign(second, context.obj({ T: 'b', Kids: [first], Parent: first }));
  const form = context.register(context.obj({ Fields: [first] }));
  document.catalog.set(PDFName.of('AcroForm'), form);
  return document.save();
}

/** Runs a command on files in its own folder; returns its `out.pdf` and its output. */
export function throughTool(
  tool: string,
  data: Uint8Array,
  args: readonly string[],
): { readonly status: number | null; readonly said: string; readonly out: Uint8Array | null } {
  const cwd = mkdtempSync(path.join(os.tmpdir(), 'desk-pdf-'));
  try {
    writeFileSync(path.join(cwd, 'in.pdf'), data);
    const { status, stdout, stderr, error } = spawnSync(tool, args, { cwd, encoding: 'utf8' });
    if (error !== undefined)
      throw new Error(`These tests need ${tool}: apt-get install qpdf poppler-utils`);
    const made = args.includes('out.pdf') && status === 0;
    const out = made ? new Uint8Array(readFileSync(path.join(cwd, 'out.pdf'))) : null;
    return { status, said: `${stdout}${stderr}`, out };
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}
