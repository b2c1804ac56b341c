import { readFile } from 'node:fs/promises';
import { PDFDocument } from 'pdf-lib';
import type { BenchRow } from '../../build/bench.ts';
import { createPdfForms } from '../../electron/adapters/pdf/forms.ts';
import type { PlacedField } from '../../shared/model/placed-field.ts';
import { place } from '../../build/places.ts';
import { median } from './median.ts';

export const name =
  'drawn fields: places of 50 pages found, and rows merged into drawn and native fields';

const PAGES = 50;
const FIND_WITHIN = 3000;
const ROWS = 300;
const ROUNDS = 5;
const FLAT = 'test/fixtures/flat/anstallning-sv.pdf';

export async function run(): Promise<readonly BenchRow[]> {
  const pdf = createPdfForms();
  try {
    const flat = new Uint8Array(await readFile(place(FLAT)));
    const long = await repeated(flat, PAGES);
    const fields = (await pdf.find(flat)).map(({ field }) => field);
    const texts = fields.filter(({ kind }) => kind === 'text' || kind === 'date');
    const drawn = await pdf.place(flat, texts);
    const native = await nativeForm(flat, texts);
    const searches: number[] = [];
    const merges = { drawn: [] as number[], native: [] as number[] };
    for (let round = 0; round < ROUNDS; round += 1) {
      searches.push(await timed(() => pdf.find(long)));
      merges.native.push(await timed(() => mergeAll(native)));
      merges.drawn.push(await timed(() => mergeAll(drawn)));
    }
    return [
      {
        what: `places of ${String(PAGES)} pages found in a thread`,
        ours: median(searches),
        base: FIND_WITHIN,
        goal: 1,
      },
      {
        what: `${String(ROWS)} rows merged into ${String(texts.length)} drawn fields / native ones`,
        ours: median(merges.drawn),
        base: median(merges.native),
        goal: 1.1,
      },
    ];

    async function mergeAll(form: Uint8Array): Promise<void> {
      for (let row = 0; row < ROWS; row += 1) {
        const values = Object.fromEntries(texts.map(({ name }) => [name, `Row ${String(row)}`]));
        await pdf.merge(form, values, true);
      }
    }
  } finally {
    await pdf.close();
  }
}

async function repeated(data: Uint8Array, pages: number): Promise<Uint8Array> {
  const document = await PDFDocument.load(data);
  const more = Array.from({ length: pages - document.getPageCount() }, () => 0);
  for (const page of await document.copyPages(document, more)) document.addPage(page);
  return document.save();
}

/** A form with the same places as fields, made with another library. */
async function nativeForm(data: Uint8Array, fields: readonly PlacedField[]): Promise<Uint8Array> {
  const document = await PDFDocument.load(data);
  const form = document.getForm();
  for (const { name, places } of fields) {
    for (const { page, box } of places) {
      form.createTextField(name).addToPage(document.getPage(page - 1), { ...box, borderWidth: 0 });
    }
  }
  return document.save();
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}
