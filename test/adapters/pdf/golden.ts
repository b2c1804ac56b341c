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
import type { PdfForms } from '../../../electron/core/ports.ts';
import type { PdfValues } from '../../../shared/model/pdf-form.ts';
import { BLANK_WORD } from '../../../shared/rules/forms/field-values.ts';

/** Resolution (dots per inch): fast, but fine enough to show a moved word. */
const DPI = '60';

/** Returns a value for every field that accepts one; the values differ between rows. */
async function valuesFor(data: Uint8Array, row: number): Promise<PdfValues> {
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

/** Returns the values of a row, with each text cut to its box, since a longer text is rejected. */
export async function fittingValues(
  pdf: Pick<PdfForms, 'textFits'>,
  data: Uint8Array,
  row: number,
): Promise<PdfValues> {
  const values = await valuesFor(data, row);
  const texts = Object.entries(values).map(([field, value]) => ({ field, text: String(value) }));
  const cut = (await pdf.textFits(data, texts)).filter((fit) => fit !== null && fit.excess > 0);
  const fits = cut.map((fit) => [fit?.field ?? '', fit?.fits ?? ''] as const);
  return Object.fromEntries([...Object.entries(values), ...fits].filter(([, one]) => one !== ''));
}

function valueFor(field: PDFField, at: number, row: number): string | boolean | undefined {
  if (field instanceof PDFTextField) return `Row ${row} Åsa ${at}`.slice(0, field.getMaxLength());
  if (field instanceof PDFCheckBox) return boxValue(field, (at + row) % 2 === 0);
  const hasOptions =
    field instanceof PDFRadioGroup ||
    field instanceof PDFDropdown ||
    field instanceof PDFOptionList;
  const options = hasOptions ? field.getOptions() : [];
  return options[(at + row) % Math.max(1, options.length)];
}

/** Returns the value of a checkbox. One with several on-states is a choice; pdf-lib knows only one. */
function boxValue(field: PDFCheckBox, isTicked: boolean): string | boolean {
  const [first, ...others] = field.acroField.getWidgets().map((one) => one.getOnValue());
  if (others.every((one) => one === first)) return isTicked;
  return isTicked ? (first?.decodeText() ?? '') : BLANK_WORD;
}

/** Returns the result of pdf-lib itself: load, fill, flatten, save. */
export async function byPdfLib(data: Uint8Array, values: PdfValues): Promise<Uint8Array> {
  const document = await PDFDocument.load(data);
  const form = document.getForm();
  for (const field of form.getFields()) {
    const value = values[field.getName()];
    if (value === undefined) continue;
    if (field instanceof PDFTextField) field.setText(String(value));
    else if (field instanceof PDFCheckBox) check(field, value !== false && value !== BLANK_WORD);
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

/** Returns the page text in poppler's layout, and poppler's page pictures. */
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
