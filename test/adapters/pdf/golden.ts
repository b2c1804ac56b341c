import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  PDFCheckBox,
  PDFDocument,
  PDFDropdown,
  type PDFField,
  PDFOptionList,
  PDFRadioGroup,
  PDFTextField,
} from 'pdf-lib';
import type { PdfValues } from '../../../shared/model/pdf-form.ts';

/** Small enough to be quick, fine enough that a word in another place is seen. */
const DPI = '60';

/** A value for every field that takes one; another one in each row. */
export async function valuesFor(data: Uint8Array, row: number): Promise<PdfValues> {
  const document = await PDFDocument.load(data);
  const values = document
    .getForm()
    .getFields()
    .flatMap((field, at) => {
      const value = valueFor(field, at, row);
      return value === undefined ? [] : [[field.getName(), value] as const];
    });
  return Object.fromEntries(values);
}

function valueFor(field: PDFField, at: number, row: number): string | boolean | undefined {
  if (field instanceof PDFTextField) return `Row ${row} Åsa ${at}`.slice(0, field.getMaxLength());
  if (field instanceof PDFCheckBox) return (at + row) % 2 === 0;
  const hasOptions =
    field instanceof PDFRadioGroup ||
    field instanceof PDFDropdown ||
    field instanceof PDFOptionList;
  const options = hasOptions ? field.getOptions() : [];
  return options[(at + row) % Math.max(1, options.length)];
}

/** What pdf-lib itself makes of it: load, fill, flatten, save. */
export async function byPdfLib(data: Uint8Array, values: PdfValues): Promise<Uint8Array> {
  const document = await PDFDocument.load(data);
  const form = document.getForm();
  for (const field of form.getFields()) {
    const value = values[field.getName()];
    if (value === undefined) continue;
    if (field instanceof PDFTextField) field.setText(String(value));
    else if (field instanceof PDFCheckBox) check(field, value === true);
    else if (
      field instanceof PDFRadioGroup ||
      field instanceof PDFDropdown ||
      field instanceof PDFOptionList
    ) {
      field.select(String(value));
    }
  }
  form.flatten();
  return document.save();
}

function check(field: PDFCheckBox, isTicked: boolean): void {
  if (isTicked) field.check();
  else field.uncheck();
}

/** The text of the pages as poppler lays it out, and its pictures of them. */
export function seenBy(data: Uint8Array): { readonly text: string; readonly pages: Buffer[] } {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'desk-golden-'));
  try {
    writeFileSync(path.join(folder, 'in.pdf'), data);
    const run = (tool: string, args: readonly string[]) => {
      const done = spawnSync(tool, args, { cwd: folder, encoding: 'utf8' });
      if (done.error !== undefined) throw new Error(`These tests need poppler-utils: ${tool}`);
      return done.stdout;
    };
    const text = run('pdftotext', ['-layout', 'in.pdf', '-']);
    run('pdftoppm', ['-r', DPI, 'in.pdf', 'page']);
    const names = readdirSync(folder).filter((name) => name.startsWith('page'));
    return { text, pages: names.toSorted().map((name) => readFileSync(path.join(folder, name))) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
